// Bounds by prices on rates: of one block that pays tolls, and of whole programs with penalties, against policies found
// without them.
#include <fairstep/optimise/search/rates.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/search/rate_lottery.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Question;
using testing::unwrap;

/// A question with a penalty on conditional rates, and its program.
struct Penalised {
  Question question;
  Program program{};
};

/// Full kernels and kernels with zeros, two groups and three, weak penalties and strong ones, all classes of tables.
Penalised penalised(std::uint64_t seed) {
  const std::size_t features = 1 + seed % 3;
  const std::size_t horizon = 2 + seed / 3 % 3;
  const std::size_t groups = seed % 6 == 5 ? 3 : 2;
  Penalised result{{seed % 5 == 4 ? testing::sparse_model(seed, groups, features, horizon, 2)
                                  : testing::random_model(seed, groups, features, horizon),
                    {.parity = {{seed % 4 == 3 ? Notion::eqodds : Notion::eqopt, {0.0}}}},
                    {.method = Method::penalty,
                     .penalty = seed % 3 == 0   ? 0.05
                                : seed % 3 == 1 ? 0.3
                                                : 2}}};
  Question& question = result.question;
  question.options.policies.group_independent = seed % 7 == 6;
  question.options.policies.floor = seed % 8 == 2 ? 0.1 : 0;
  result.program = unwrap(compile_penalty(question.model, question.fairness, question.options.policies,
                                          question.options.penalty, PenaltyForm::rate));
  return result;
}

Tables middle_of_boxes(const Program& program) {
  Tables tables;
  for (const Box& box : program.boxes) {
    tables.emplace_back(box.lo);
    for (std::size_t i = 0; i < box.lo.size(); ++i) tables.back()[i] = 0.5 * (box.lo[i] + box.hi[i]);
  }
  return tables;
}

TEST(Rates, ArePricedOnlyWherePenaltiesOnQuotientsAreAllThereIs) {
  const Model model = testing::random_model(1, 2, 2, 3);
  const Fairness eqopt{.parity = {{Notion::eqopt, {0.1}}}};
  const auto penalty = [&](const Fairness& fairness, PenaltyForm form) {
    return can_price_rates(unwrap(compile_penalty(model, fairness, {}, 0.5, form)));
  };
  EXPECT_TRUE(penalty(eqopt, PenaltyForm::rate));
  EXPECT_FALSE(penalty(eqopt, PenaltyForm::cross));
  EXPECT_FALSE(penalty({.parity = {{Notion::dp, {0.1}}}}, PenaltyForm::rate));  // nothing is a quotient
  EXPECT_FALSE(penalty({.parity = {{Notion::eqopt, {0.1}}}, .capacity = Capacity{{0.3}}}, PenaltyForm::rate));
  EXPECT_FALSE(can_price_rates(unwrap(compile(model, eqopt, {}))));
}

// What a block earns after tolls, for tables at the ends of their boxes and in between.
TEST(Rates, NoTableOfABlockEarnsMoreAfterTollsThanIsProven) {
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Penalised asked = penalised(seed);
    BlockPart part = part_of(asked.program, seed % asked.program.blocks.size());
    Rng rng(seed, 811);
    std::vector<double> price(asked.program.penalties.size());
    for (double& p : price) p = rng.uniform() - 0.5;
    part.set_tolls(price);
    Box& box = part.program.boxes[0];
    if (seed % 2 == 1)
      for (std::size_t i = 0; i < box.lo.size(); ++i) {
        const double one = rng.uniform(), other = rng.uniform();
        box.lo[i] = std::min(one, other);
        box.hi[i] = std::max(one, other);
      }
    const double slack = seed % 3 == 0 ? 1e-2 : 1e-4;
    Effort effort(seed % 4 == 0 ? 300 : 10000);
    const BranchResult proof = branch_and_bound(part.program, assess(part.program, middle_of_boxes(part.program)),
                                                {.gap = 0, .slack = slack, .deadline = {.effort = &effort}});
    const std::string what = "seed " + std::to_string(seed);
    ASSERT_TRUE(std::isfinite(proof.upper)) << what;
    closed += proof.finished ? 1 : 0;
    std::vector<double> table(box.lo.size());
    double most = -kInfinity;
    for (int tries = 0; tries < 3000; ++tries) {
      for (std::size_t i = 0; i < table.size(); ++i) {
        const double u = rng.uniform();
        const double t = tries % 2 == 0 ? std::round(u) : u;
        table[i] = std::clamp(box.lo[i] + t * (box.hi[i] - box.lo[i]), box.lo[i], box.hi[i]);
      }
      most = std::max(most, assess(part.program, {table}).objective);
    }
    EXPECT_LE(most, proof.upper + 1e-12) << what;
    if (proof.finished) {
      EXPECT_LE(proof.upper, proof.best.objective + slack + 1e-12) << what;
    }
  }
  RecordProperty("closed", static_cast<int>(closed));
  EXPECT_GE(closed, 30U);  // 35 when this was written
}

TEST(Rates, NoPolicyIsWorthMoreThanTheirBound) {
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < 42; ++seed) {
    const Penalised asked = penalised(seed);
    const std::string what = "seed " + std::to_string(seed);
    if (!can_price_rates(asked.program)) continue;  // a kernel with zeros may leave no quotient
    const Candidate start = look_around(asked.program, middle_of_boxes(asked.program));
    const double reference = testing::best_on_walks(asked.question, {}, 250, 0, seed);
    // Cut short, the bound is loose, not wrong.
    for (const std::size_t most : {200U, 20000U}) {
      Effort effort(most);
      const BranchOptions options{.gap = 1e-3, .tolerance = kLimitTolerance, .deadline = {.effort = &effort}};
      const BranchResult result = branch_on_rates(asked.program, start, kInfinity, options);
      EXPECT_LE(reference, result.upper + 1e-12) << what;
      EXPECT_LE(start.objective, result.best.objective) << what;
      EXPECT_LE(result.best.objective, result.upper) << what;
      EXPECT_NEAR(result.best.objective, assess(asked.program, result.best.tables).objective, 1e-12) << what;
      if (most < 1000) continue;
      EXPECT_TRUE(std::isfinite(result.upper)) << what;
      closed += result.upper <= result.best.objective + 1e-3 * std::abs(result.best.objective) ? 1 : 0;
    }
  }
  RecordProperty("closed", static_cast<int>(closed));
  EXPECT_GE(closed, 28U);  // 32 when this was written
}

}  // namespace
}  // namespace fairstep
