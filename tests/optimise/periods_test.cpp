// Solving in a world that changes: against all deterministic tables, against walks that only go up, and against the
// same world with one kernel and a copy of each feature for every step.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/pareto.hpp>
#include <fairstep/optimise/pricing/belief_grid.hpp>
#include <fairstep/optimise/solve.hpp>

#include "optimise/reference.hpp"
#include "support/changing.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::in_copies;
using testing::Question;
using testing::unwrap;

constexpr double kApart = 1e-6;

SolveOptions proven() { return {.proof = {.gap = 1e-6, .time_limit = 60}}; }

Periods periods_for(std::uint64_t seed, std::size_t horizon) {
  return seed % 2 == 0 ? Periods::per_step(horizon) : Periods{{{"before", 0}, {"after", horizon - 2}}};
}

TEST(SolvePeriods, WithoutLimitsTheBestIsTheBestDeterministicTable) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Question question{changing_model(seed, 2, 2, 3, periods_for(seed, 3)), {}, proven()};
    question.options.method = Method::unconstrained;
    const SolveResult found = unwrap(solve(question.model, question.fairness, question.options));
    ASSERT_EQ(found.outcome, Outcome::optimal);
    const double best = testing::best_deterministic(question, 0);
    EXPECT_NEAR(found.bounds.lower, best, kApart);
    EXPECT_GE(found.bounds.upper, best);
  }
}

TEST(SolvePeriods, NoWalkFindsMoreThanTheBoundAndCopiesHaveTheSameBest) {
  const std::vector<Fairness> asked{{.parity = {{Notion::dp, {0.03}}}},
                                    {.parity = {{Notion::eqopt, {0.05}}}},
                                    {.parity = {{Notion::dp, {0.05}}}, .capacity = Capacity{{0.4}}},
                                    {.aggregate_eqopt = 0.02}};
  for (std::uint64_t seed = 0; seed < testing::cases(2, 1); ++seed)
    for (const Fairness& fairness : asked) {
      const Question question{changing_model(seed, 2, 2, 3, periods_for(seed, 3)), fairness, proven()};
      const SolveResult found = unwrap(solve(question.model, fairness, question.options));
      ASSERT_TRUE(found.solution) << seed;
      EXPECT_LE(testing::excess(question, found.solution->policy, found.solution->evaluation), 1e-7);
      const double walked =
          testing::best_on_walks(question, {testing::table_of(question, found.solution->policy)}, 300, 1e-9, seed);
      EXPECT_LE(walked, found.bounds.upper + 1e-9);
      // One kernel, three copies of each feature: another problem for every part of the optimiser, with the same best.
      const SolveResult other = unwrap(solve(in_copies(question.model), fairness, question.options));
      ASSERT_TRUE(other.solution) << seed;
      EXPECT_LE(found.bounds.lower, other.bounds.upper + kApart);
      EXPECT_LE(other.bounds.lower, found.bounds.upper + kApart);
    }
}

TEST(SolvePeriods, OneTableForAllGroupsAndPenaltiesWorkToo) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Question question{
        changing_model(seed, 2, 2, 3, periods_for(seed, 3)), {.parity = {{Notion::dp, {0.05}}}}, proven()};
    question.options.policies.group_independent = seed % 2 == 0;
    if (seed >= 2) question.options.method = Method::penalty, question.options.penalty = 2;
    const SolveResult found = unwrap(solve(question.model, question.fairness, question.options));
    ASSERT_TRUE(found.solution);
    const double walked =
        testing::best_on_walks(question, {testing::table_of(question, found.solution->policy)}, 300, 1e-9, seed);
    EXPECT_LE(walked, found.bounds.upper + 1e-9);
    EXPECT_GE(found.bounds.lower, walked - 1e-5);
  }
}

TEST(SolvePeriods, WhoRemembersIsNeverWorthLessThanATableThatDoesNot) {
  // The bound over beliefs, by the kernel of each step, against the best deterministic table of one group.
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Model model = changing_model(seed, 2, 2, 3, periods_for(seed, 3));
    const Shape& n = model.shape();
    std::vector<double> reward;
    for (std::size_t h = 0; h < n.horizon; ++h)
      reward.insert(reward.end(), model.reward(0).begin(), model.reward(0).end());
    const std::vector<double> lo(6, 0.0), hi(6, 1.0);
    BeliefGrid::Worth worth;
    const double bound = BeliefGrid(model, 0, 200).bound(reward, lo, hi, worth);
    double best = -1e300;
    std::vector<double> accept(6), q(3 * n.cells()), v(3 * n.states());
    for (unsigned bits = 0; bits < 64; ++bits) {
      for (std::size_t i = 0; i < 6; ++i) accept[i] = (bits >> i & 1) != 0 ? 1 : 0;
      backward(model.kernels(0), {model.reward(0), 1.0}, accept, q, v);
      double value = 0;
      for (std::size_t s = 0; s < n.states(); ++s) value += model.initial(0)[s] * v[s];
      best = std::max(best, value);
    }
    EXPECT_GE(bound, best - 1e-12);
    EXPECT_LE(bound, best + 0.5);
  }
}

TEST(SolvePeriods, ThePriceOfFairnessIsThatOfTheCopies) {
  const Model model = changing_model(3, 2, 2, 3, Periods::per_step(3));
  const Fairness any{.parity = {{Notion::dp, {0.5}}}};
  const std::vector<double> limits{0.2, 0.02};
  const auto one = unwrap(pareto(model, any, limits, proven()));
  const auto other = unwrap(pareto(in_copies(model), any, limits, proven()));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    EXPECT_LE(one[i].result.bounds.lower, other[i].result.bounds.upper + kApart);
    EXPECT_LE(other[i].result.bounds.lower, one[i].result.bounds.upper + kApart);
  }
}

}  // namespace
}  // namespace fairstep
