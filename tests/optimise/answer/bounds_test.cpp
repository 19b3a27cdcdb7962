// Bounds once they are there: whether they belie each other, and what an endless horizon adds to them.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/solve.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

constexpr double kTailSlack = 1e-6;

TEST(UpperAbove, StaysWhereItIsAboveTheLower) { EXPECT_EQ(unwrap(upper_above(1, 1.5, 1)), 1.5); }

TEST(UpperAbove, IsTheLowerWhereRoundingHasPutItBelow) {
  // 1e-9 of a scale of 100 is 1e-7.
  EXPECT_EQ(unwrap(upper_above(1, 1 - 0.9e-7, 100)), 1);
  EXPECT_EQ(unwrap(upper_above(-1, -1, 100)), -1);
}

TEST(UpperAbove, IsAMistakeOfOursFurtherBelow) {
  const auto upper = upper_above(1, 0.5, 100);
  ASSERT_FALSE(upper);
  EXPECT_TRUE(upper.error().ours);
  EXPECT_EQ(upper.error().message,
            "the proof contradicts itself: a policy is worth 1, and none can be worth more than 0.5");
  EXPECT_EQ(upper.error().hint, "no number of this answer can be trusted: please report it, with the model");
  EXPECT_FALSE(upper_above(1, 1 - 1.1e-7, 100));
}

TEST(ValueScale, IsTheGreatestRewardAtEveryStep) {
  // Rewards of 1 and -1/2 at two steps; of 1 and -3 at three.
  EXPECT_EQ(value_scale(hand_model()), 2);
  EXPECT_EQ(value_scale(standing_still(3, kHighAndLow, -3, 1)), 9);
}

TEST(ValueScale, OfAWorldWithoutRewardsIsNotZero) { EXPECT_GT(value_scale(standing_still(3, kHighAndLow, 0, 0)), 0); }

/// Rewards of at most 2 in size, with this discount.
Model discounted(double discount) {
  ModelSpec spec = standing_still(2, kHighAndLow, -2, 1).spec();
  spec.discount = discount;
  return unwrap(Model::make(std::move(spec)));
}

TEST(TailBound, IsWhatAllLaterStepsTogetherCanAdd) {
  // (1/2)^h / (1/2) * 2 = 4 / 2^h.
  const Model model = discounted(0.5);
  EXPECT_EQ(tail_bound(model, 0), 4);
  EXPECT_EQ(tail_bound(model, 3), 0.5);
  EXPECT_EQ(tail_bound(model), 1);  // its own horizon is 2
}

TEST(Truncation, TakesTheLeastHorizonWithSoSmallATail) {
  // 4 / 2^h is 1/8 at h = 5 and above it before.
  const Model model = discounted(0.5);
  EXPECT_EQ(unwrap(truncate(model, 0.125)).shape().horizon, 5U);
  EXPECT_EQ(unwrap(truncate(model, 0.126)).shape().horizon, 5U);
  EXPECT_EQ(unwrap(truncate(model, 0.124)).shape().horizon, 6U);
  EXPECT_EQ(unwrap(truncate(model, 100)).shape().horizon, 1U);
}

TEST(Truncation, GoesNoFurtherThanItMay) {
  const auto cut = truncate(discounted(0.5), 0.125, 4);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message, "a tail of 0.125 needs a horizon of more than 4");
  EXPECT_EQ(cut.error().hint, "allow a larger tail or a longer horizon");
}

TEST(Truncation, TheLongGameIsWithinTheTailOfTheShortOne) {
  const Model endless = testing::random_model(31, 2, 1, 2, 0.4);
  const Model shorter = unwrap(truncate(endless, 0.2));
  const Model longer = unwrap(truncate(endless, 1e-3));
  EXPECT_LE(tail_bound(shorter), 0.2);
  EXPECT_LE(tail_bound(longer), 1e-3);
  ASSERT_LT(shorter.shape().horizon, longer.shape().horizon);
  const Fairness fairness{.parity = {{Notion::dp, {0.1}}}};
  const SolveOptions options{.proof = {.gap = 1e-4, .time_limit = 600, .effort = 10000}};
  const SolveResult few = unwrap(solve(shorter, fairness, options)), many = unwrap(solve(longer, fairness, options));
  // Whatever the long game earns in its first steps keeps the limits of the short one, and the rest is the tail.
  EXPECT_LE(many.bounds.lower, few.bounds.upper + tail_bound(shorter) + kTailSlack);
  // And the short game's policy goes on somehow: with equal chances for all, it keeps the limits.
  EXPECT_GE(many.bounds.upper, few.bounds.lower - tail_bound(shorter) - kTailSlack);
}

TEST(Truncation, NeedsADiscountAndAReachableTail) {
  EXPECT_FALSE(truncate(testing::random_model(1, 2, 1, 2, 1.0), 0.1));
  EXPECT_FALSE(truncate(testing::random_model(1, 2, 1, 2, 0.999), 1e-9));
  EXPECT_EQ(tail_bound(testing::random_model(1, 2, 1, 2, 1.0)), std::numeric_limits<double>::infinity());
}

TEST(Truncation, AModelNeedsATailADiscountAndNoStepsOfItsOwn) {
  ModelSpec spec = testing::random_model(1, 2, 1, 3, 0.5).spec();
  const Model model = unwrap(Model::make(spec));
  EXPECT_EQ(truncate(model, 0).error().message, "tail is 0, expected more than 0");
  EXPECT_EQ(truncate(hand_model(), 0.1).error().pointer, "/discount");
  Participation stays;
  stays.leave = Tensor<double, 4>({2, 1, 2, 2});
  stays.first_step = Tensor<double, 2>({2, 3});
  for (std::size_t g = 0; g < 2; ++g) stays.first_step(g, 0) = 1;
  spec.participation = stays;
  EXPECT_EQ(truncate(unwrap(Model::make(std::move(spec))), 0.1).error().pointer, "/participation");
}

// The value is 2, at most 2.5: a tail of 1/2 makes that 1.5 to 3, a gap of 1.
TEST(Widened, AnAnswerIsAsWideAsItsTail) {
  const Model model = hand_model();
  SolveResult result = unwrap(solve(model, {}));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  result.bounds = {2, 2.5};
  SolveResult generous = result;
  widen(result, 0.5, 0.5);
  EXPECT_EQ(result.bounds.lower, 1.5);
  EXPECT_EQ(result.bounds.upper, 3);
  EXPECT_EQ(result.gap, 1);
  EXPECT_EQ(result.outcome, Outcome::feasible);  // more than the gap asked for
  widen(generous, 0.5, 1);
  EXPECT_EQ(generous.outcome, Outcome::optimal);
}

TEST(Widened, WithoutAPolicyThereIsNothingToWiden) {
  SolveResult none;
  none.outcome = Outcome::infeasible;
  widen(none, 1, 0.5);
  EXPECT_EQ(none.outcome, Outcome::infeasible);
  EXPECT_EQ(none.bounds.upper, std::numeric_limits<double>::infinity());
  SolveResult unbounded = unwrap(solve(hand_model(), {}));
  unbounded.bounds.upper = std::numeric_limits<double>::infinity();
  widen(unbounded, 1, 0.5);
  EXPECT_EQ(unbounded.gap, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace fairstep
