// Decisions that a log hardly knows are not taken, unless the other is known no better.
#include <fairstep/optimise/program/support.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/solve.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

constexpr std::int64_t kOften = 100;

/// The model as an estimate, every decision seen often with either label.
Model estimated(const Model& model) {
  const Shape& n = model.shape();
  Grounds grounds;
  grounds.people.assign(n.groups, 10 * kOften);
  grounds.first.assign(n.groups, 10 * kOften);
  grounds.successors = Tensor<std::int64_t, 4>({n.groups, n.features, kLabels, kActions}, kOften);
  grounds.rewards = Tensor<std::int64_t, 4>({n.groups, n.features, kLabels, kActions}, kOften);
  ModelSpec spec = model.spec();
  spec.rests_on = grounds;
  return unwrap(Model::make(std::move(spec)));
}

/// The same with one decision seen less often: `times` with each label.
Model with_seldom(const Model& model, std::size_t g, std::size_t x, std::size_t a, std::int64_t times) {
  ModelSpec spec = model.spec();
  Tensor<std::int64_t, 4> successors(spec.rests_on->rewards.extents());
  const auto known = spec.rests_on->successors.all();
  std::copy(known.begin(), known.end(), successors.flat().begin());
  for (std::size_t y = 0; y < kLabels; ++y) successors(g, x, y, a) = spec.rests_on->rewards(g, x, y, a) = times;
  spec.rests_on->successors = std::move(successors);
  return unwrap(Model::make(std::move(spec)));
}

TEST(Support, ADecisionIsSeenWithEitherLabel) {
  const Model model = with_seldom(estimated(testing::random_model(1, 2, 2, 2)), 1, 0, 1, 3);
  EXPECT_EQ(times_seen(model, 1, 0, 0, 1), 6);  // 3 with each label
  EXPECT_EQ(times_seen(model, 1, 1, 0, 1), 6);  // at the last step by rewards
  EXPECT_EQ(times_seen(model, 0, 0, 0, 1), 2 * kOften);
}

TEST(Support, WhereLabelsFollowFeaturesADecisionWithoutLabelsIsSeenAtTheLastStepToo) {
  // Of a with x=0, refusals have no label, and so no reward of either; 40 next features followed them, counted in the
  // rows of both labels. Acceptances have labels: 100 rewards of each, and 40 next features.
  ModelSpec spec = estimated(testing::random_model(1, 2, 2, 2)).spec();
  Grounds& grounds = *spec.rests_on;
  Tensor<std::int64_t, 4> followed(grounds.rewards.extents(), 40);
  grounds.successors = std::move(followed);
  for (std::size_t y = 0; y < kLabels; ++y) grounds.rewards(0, 0, y, 0) = 0;
  const Shape n = testing::random_model(1, 2, 2, 2).shape();
  const Tensor<std::int64_t, 2> by_feature({n.groups, n.features}, kOften);
  grounds.labels = LabelGrounds{{}, RefusedPoint::like_accepted, by_feature, by_feature};
  const Model model = unwrap(Model::make(std::move(spec)));
  EXPECT_EQ(times_seen(model, 0, 0, 0, 0), 40);
  EXPECT_EQ(times_seen(model, 0, 1, 0, 0), 40);
  EXPECT_EQ(times_seen(model, 0, 1, 0, 1), 2 * kOften);
  const Program program = unwrap(compile(model, {}, {.min_seen = 30}));
  EXPECT_EQ(program.boxes[0].lo[2], 0);  // the last step: nobody has to be accepted
}

TEST(Support, WhatIsSeldomSeenIsLeftOutOfTheBoxes) {
  const Model once = with_seldom(estimated(testing::random_model(1, 2, 2, 2)), 1, 0, 1, 3);
  const Model model = with_seldom(once, 0, 1, 0, 3);
  const Program program = unwrap(compile(model, {}, {.min_seen = 7}));
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_EQ(program.boxes[1].hi[2 * h], 0);      // b with x=0 is refused
    EXPECT_EQ(program.boxes[0].lo[2 * h + 1], 1);  // a with x=1 is accepted
    EXPECT_EQ(program.boxes[0].lo[2 * h], 0);
    EXPECT_EQ(program.boxes[0].hi[2 * h], 1);
  }
  const Program enough = unwrap(compile(model, {}, {.min_seen = 6}));
  EXPECT_EQ(enough.boxes[1].hi[0], 1);
}

TEST(Support, OneTableForAllLeavesOutWhatIsSeldomSeenOfAnyGroup) {
  const Model model = with_seldom(estimated(testing::random_model(1, 2, 2, 2)), 1, 0, 1, 3);
  const Program program = unwrap(compile(model, {}, {.group_independent = true, .min_seen = 7}));
  EXPECT_EQ(program.boxes[0].hi[0], 0);
  // Where one group lacks the one decision and another the other, either may be taken.
  const Program torn = unwrap(compile(with_seldom(model, 0, 0, 0, 3), {}, {.group_independent = true, .min_seen = 7}));
  EXPECT_EQ(torn.boxes[0].lo[0], 0);
  EXPECT_EQ(torn.boxes[0].hi[0], 1);
}

TEST(Support, WhereNeitherIsKnownOneIsTakenAndCounted) {
  // One step, half of either group is low, three quarters of b (standing_still.hpp): its low are 3/4 * 1/2 of all
  // visits.
  const Model model = with_seldom(
      with_seldom(estimated(testing::standing_still(1, testing::kHighAndLow, -0.5, 1)), 1, 0, 0, 3), 1, 0, 1, 3);
  const SolveResult result = unwrap(solve(model, {}, {.policies = {.min_seen = 7}}));
  ASSERT_TRUE(result.support);
  EXPECT_EQ(result.support->min_seen, 7U);
  EXPECT_EQ(result.support->decisions, 4U);
  EXPECT_EQ(result.support->scarce, 2U);
  EXPECT_EQ(result.support->neither, 1U);
  EXPECT_NEAR(result.support->visits, 3.0 / 8, 1e-12);
  EXPECT_FALSE(unwrap(solve(model, {}, {})).support);
}

TEST(Support, NeedsAModelThatWasEstimatedAndNoFloor) {
  const Model truth = testing::random_model(1, 2, 2, 2);
  EXPECT_EQ(compile(truth, {}, {.min_seen = 1}).error().message,
            "min_seen is for a model that was estimated: this one does not say what it rests on");
  EXPECT_EQ(compile(estimated(truth), {}, {.floor = 0.1, .min_seen = 1}).error().message,
            "min_seen and floor contradict each other: a floor takes every decision");
}

TEST(Support, TheBestOfAllTablesThatAreKnownLiesBetweenTheBounds) {
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Model model = estimated(testing::random_model(seed, 2, 2, 1 + seed % 2));
    const Shape& n = model.shape();
    Rng rng(seed, 11);
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t x = 0; x < n.features; ++x)
        if (rng.uniform() < 0.6) model = with_seldom(model, g, x, rng.uniform() < 0.5 ? 0 : 1, seed % 4);
    const Fairness fairness{.parity = {{seed % 3 == 0 ? Notion::eqopt : Notion::dp, {0.4}, {}}}};
    const bool coins = seed % 2 == 0;
    const SolveResult result = unwrap(solve(model, fairness,
                                            {.policies = {.deterministic = !coins, .min_seen = 10},
                                             .proof = {.gap = 1e-6, .time_limit = 600, .effort = 10000}}));
    const std::string what = "seed " + std::to_string(seed);
    const std::size_t entries = n.groups * n.horizon * n.features;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t bits = 0; bits < std::size_t{1} << entries; ++bits) {
      Tensor<double, 3> accept({n.groups, n.horizon, n.features});
      bool known = true;
      for (std::size_t g = 0, i = 0; g < n.groups; ++g)
        for (std::size_t h = 0; h < n.horizon; ++h)
          for (std::size_t x = 0; x < n.features; ++x, ++i) {
            const std::size_t a = bits >> i & 1;
            accept(g, h, x) = static_cast<double>(a);
            known = known && model.spec().rests_on->rewards(g, x, 0, a) * 2 >= 10;
          }
      if (!known) continue;
      const Evaluation evaluation = unwrap(evaluate(model, unwrap(Policy::make(std::move(accept)))));
      double gap = 0;
      for (const StepGap& step : of_notion(evaluation.gap, fairness.parity[0].notion)) gap = std::fmax(gap, step.gap);
      if (gap <= 0.4) best = std::max(best, evaluation.value);
    }
    EXPECT_LE(best, result.bounds.upper + 1e-9) << what;
    EXPECT_FALSE(std::isfinite(best) && result.outcome == Outcome::infeasible) << what;
    closed += result.outcome == Outcome::optimal || result.outcome == Outcome::infeasible ? 1 : 0;
    if (!result.solution) continue;
    EXPECT_EQ(result.support->visits, 0) << what;
    if (!coins && result.outcome == Outcome::optimal) {
      EXPECT_NEAR(result.bounds.lower, best, 1e-6) << what;
    }
  }
  EXPECT_GE(closed, 190U);
}

}  // namespace
}  // namespace fairstep
