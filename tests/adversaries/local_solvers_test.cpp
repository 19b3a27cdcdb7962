// Solvers against each other on the same programs: an interior point method (Ipopt), linear programs in a trust region
// (HiGHS), and the bound (HiGHS, branch and bound). None of them is believed: tables are judged by the referee.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/optimise/local/climb.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/local/table_program.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/program.hpp>
#include <fairstep/optimise/solve.hpp>

#include "support/edges.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::describe;
using testing::draw_edges;
using testing::edge_model;
using testing::Edges;
using testing::random_model;
using testing::size_of;
using testing::unwrap;

Tables halves(const Program& program) {
  return {program.blocks.size(), std::vector<double>(program.table_size(), 0.5)};
}

struct Answers {
  Candidate interior{};  ///< Ipopt
  Candidate climbed{};   ///< HiGHS, in a trust region
  SolveResult proven{};  ///< with its bound
};

LocalResult by_ipopt(const Program& program) {
  TableProgram tables(program, halves(program), LocalOptions{}.margin, Goal::value);
  const NlpSolution solution = libraries().solve(tables);
  LocalResult result;
  if (!solution.x.empty()) result.tables = tables.tables(solution.x);
  return result;
}

Answers ask_all(const Model& model, const Fairness& fairness, double floor) {
  const Program program = unwrap(compile(model, fairness, {.floor = floor}));
  Answers answers;
  const LocalResult interior = by_ipopt(program);
  const LocalResult climbed = climb(program, halves(program), {}, Goal::value);
  if (!interior.tables.empty()) answers.interior = assess(program, interior.tables);
  if (!climbed.tables.empty()) answers.climbed = assess(program, climbed.tables);
  SolveOptions options{.proof = {.gap = 1e-5, .time_limit = 600, .effort = 5000}};
  options.policies.floor = floor;
  answers.proven = unwrap(solve(model, fairness, options));
  return answers;
}

TEST(SolversAgainstEachOther, NoTableOfOneIsAboveTheBoundOfAnother) {
  std::size_t agreed = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Model model = random_model(seed, 2 + seed % 2, 1 + seed % 3, 1 + seed % 3);
    const Fairness fairness{.parity = {{seed % 2 == 0 ? Notion::dp : Notion::eqopt, {seed % 3 == 0 ? 0.02 : 0.1}}}};
    const Answers answers = ask_all(model, fairness, 0);
    for (const Candidate* local : {&answers.interior, &answers.climbed}) {
      if (!(local->excess <= kLimitTolerance)) continue;  // nothing was found: no claim
      EXPECT_LE(local->objective, answers.proven.bounds.upper + 1e-8) << seed;
      ++compared;
      agreed += std::abs(local->objective - answers.proven.bounds.lower) <= 1e-4 ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 290U);  // of 300
  // Two searches that know nothing of each other end at the proven optimum nearly always; the rest is other local
  // optima.
  EXPECT_GE(agreed, compared * 9 / 10);
  RecordProperty("agreed", static_cast<int>(agreed));
}

TEST(SolversAgainstEachOther, NorAtTheEdges) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Edges edges = draw_edges(seed + 900, 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(edges));
    const Model model = edge_model(edges, seed);
    const Answers answers = ask_all(model, {.parity = {{edges.notion, {edges.limit}}}}, edges.floor);
    for (const Candidate* local : {&answers.interior, &answers.climbed}) {
      EXPECT_FALSE(std::isnan(local->objective));
      if (!(local->excess <= 0)) continue;
      EXPECT_LE(local->objective, answers.proven.bounds.upper + 1e-9 * size_of(model));
      ++compared;
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(compared, 100U);
}

}  // namespace
}  // namespace fairstep
