#include <fairstep/estimate/confidence.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/models.hpp"
#include "walks.hpp"

namespace fairstep {
namespace {

using testing::count;
using testing::unwrap;

const double kEnds = (std::pow(2, 0.25) + std::pow(2, -0.25)) / 2;  // 1.01505

TEST(TvRadius, IsTheTimeUniformBound) {
  // Two states: 2^2 - 2 = 2 sets. N = 64 is in epoch 6: 7 * 8 = 56. With delta = 112 e^-8 = 0.038 the logarithm is 8,
  // and sqrt(8 / 128) = 1/4.
  EXPECT_NEAR(tv_radius(64, 2, 112 * std::exp(-8)), kEnds / 4, 1e-12);
  // Three states: 6 sets. N = 100 is in epoch 6 too. With delta = 336 e^-8 = 0.11, sqrt(8 / 200) = 1/5.
  EXPECT_NEAR(tv_radius(100, 3, 336 * std::exp(-8)), kEnds / 5, 1e-12);
  // N = 1 is in epoch 0, 1 * 2; N = 3 in epoch 1, 2 * 3: with two states and delta = 12 e^-3 = 0.6 the logarithm is 3,
  // and sqrt(3 / 6) = 0.71.
  EXPECT_NEAR(tv_radius(3, 2, 12 * std::exp(-3)), kEnds * std::sqrt(0.5), 1e-12);
  // With delta = 0.99 and N = 1: sqrt(ln(4 / 0.99) / 2) = 0.8356.
  EXPECT_NEAR(tv_radius(1, 2, 0.99), kEnds * std::sqrt(std::log(4 / 0.99) / 2), 1e-12);
  EXPECT_NEAR(kEnds, 1.0151, 1e-4);
}

TEST(TvRadius, IsOneWhereNothingIsKnown) {
  EXPECT_EQ(tv_radius(0, 2, 0.1), 1);
  EXPECT_EQ(tv_radius(1, 10, 0.001), 1);
}

TEST(TvRadius, TakesAnyNumberOfStatesAndOfDraws) {
  // ln(2^5000 - 2) is 5000 ln 2 to the last bit; 10^6 is in epoch 19.
  EXPECT_NEAR(tv_radius(1'000'000, 5000, 0.1),
              kEnds * std::sqrt((5000 * std::log(2.0) + std::log(10.0) + std::log(20.0 * 21)) / 2e6), 1e-12);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();  // epoch 62
  EXPECT_NEAR(tv_radius(most, 2, 0.1) * 1e9, 1e9 * kEnds * std::sqrt(std::log(20.0 * 63 * 64) / 2 / 0x1p63), 1e-9);
}

/// One feature. Of group a: (0,0) is accepted by 64 people, who then all are refused in (0,1) at the last step. Nobody
/// of group b.
Estimate seen_sixty_four() {
  std::vector<testing::Walk> walks(64, {0, 0, {{0, 0, 1, 1}, {0, 1, 0, 0}}});
  EstimateOptions options;
  options.share = {0.5, 0.5};
  return unwrap(estimate(count(2, {"a", "b"}, 1, walks), options));
}

TEST(Radii, SpreadDeltaOverGroupsCellsAndFirstStates) {
  // 2 groups of 4 cells and a first state: 10 rows. With delta = 1120 e^-10 = 0.051 a row may fail with 112 e^-10, and
  // the logarithm for 64 draws is 10: sqrt(10 / 128).
  const Radii r = *radii(seen_sixty_four(), 1120 * std::exp(-10));
  EXPECT_NEAR(r.delta_row, 112 * std::exp(-10), 1e-15);
  const double expected = kEnds * std::sqrt(10.0 / 128);
  EXPECT_NEAR(r.row(0, 0, 0, 1), expected, 1e-12);
  EXPECT_NEAR(r.initial.at(0), expected, 1e-12);
  EXPECT_EQ(r.row(0, 0, 1, 0), 1);  // visited, but at the last step
  EXPECT_EQ(r.row(1, 0, 0, 1), 1);
  EXPECT_EQ(r.initial.at(1), 1);
  EXPECT_TRUE(r.reward.empty());
}

TEST(Radii, OfNoisyRewardsTakeHalfOfDelta) {
  // 8 cells have rewards. With delta = 2 * 8 * 112 e^-10 = 0.081 a reward may fail with 112 e^-10; the rows have
  // 10 * 112/10 * 8/10 e^-10, that is delta / 2 / 10 = 89.6 e^-10.
  RadiiOptions options;
  options.delta = 2 * 8 * 112 * std::exp(-10);
  options.rewards = RewardKnowledge{{-2, 1}, true};
  const Radii r = *radii(seen_sixty_four(), options);
  EXPECT_NEAR(r.delta_row, 89.6 * std::exp(-10), 1e-15);
  EXPECT_NEAR(r.reward(0, 0, 0, 1), 3 * kEnds * std::sqrt(10.0 / 128), 1e-12);
  EXPECT_NEAR(r.reward(0, 0, 1, 0), 3 * kEnds * std::sqrt(10.0 / 128), 1e-12);  // the last step has rewards too
  // Without a visit r_hat is 0, and the truth is somewhere between -2 and 1.
  EXPECT_EQ(r.reward(1, 0, 0, 1), 2);
}

TEST(Radii, OfRewardsWithoutNoiseAreZeroAfterOneVisitAndCostNothing) {
  RadiiOptions options;
  options.delta = 0.1;
  options.rewards = RewardKnowledge{{-2, 1}, false};
  const Radii r = *radii(seen_sixty_four(), options);
  EXPECT_EQ(r.reward(0, 0, 0, 1), 0);
  EXPECT_EQ(r.reward(0, 0, 0, 0), 2);
  EXPECT_EQ(r.row, radii(seen_sixty_four(), 0.1)->row);
}

}  // namespace
}  // namespace fairstep
