#include <fairstep/estimate/bonus.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

/// S = 2, A = 2, H = 3, k = 2: 16 S A H k^2 = 768. With delta = 768 e^-8 = 0.26 the logarithm is 8, and
/// b_hat(N) = 6 min{1, sqrt(16 / N)} = 6 min{1, 4 / sqrt(N)}.
AtEpisode worked_episode() { return {{2, 3, 1}, 2, 768 * std::exp(-8)}; }

TEST(Bonus, IsTheLemmasWithLogarithmEight) {
  const AtEpisode at = worked_episode();
  EXPECT_NEAR(unit_bonus(64, at), 3, 1e-12);      // 6 * 4/8
  EXPECT_NEAR(unit_bonus(400, at), 1.2, 1e-12);   // 6 * 4/20
  EXPECT_NEAR(unit_bonus(1600, at), 0.6, 1e-12);  // 6 * 4/40
  EXPECT_NEAR(unit_bonus(25, at), 4.8, 1e-12);    // 6 * 4/5
}

TEST(Bonus, IsAtMostTwiceTheHorizon) {
  const AtEpisode at = worked_episode();
  EXPECT_EQ(unit_bonus(0, at), 6);  // N is at least 1
  EXPECT_EQ(unit_bonus(1, at), 6);
  EXPECT_EQ(unit_bonus(15, at), 6);
  EXPECT_LT(unit_bonus(17, at), 6);
}

TEST(Bonus, GrowsWithTheLengthOfTheRewardsRangeAndTheScale) {
  Tensor<std::int64_t, 4> visits({2, 1, 2, 2}, 64);
  visits(1, 0, 1, 0) = 400;
  BonusOptions options;
  options.reward = {-0.9, 0.1};  // length 1, as in the lemma
  const auto plain = bonus(visits, worked_episode(), options);
  EXPECT_NEAR(plain(0, 0, 0, 0), 3, 1e-12);
  EXPECT_NEAR(plain(1, 0, 1, 0), 1.2, 1e-12);
  options.reward = {-1.5, 0.5};  // length 2
  options.scale = 0.001;
  const auto scaled = bonus(visits, worked_episode(), options);
  EXPECT_NEAR(scaled(0, 0, 0, 0), 0.006, 1e-12);
  EXPECT_NEAR(scaled(1, 0, 1, 0), 0.0024, 1e-12);
}

TEST(Bonus, IsFiniteAtAnyEpisode) {
  AtEpisode at = worked_episode();
  at.k = std::uint64_t{1} << 63;
  // ln(768 * 2^126 / delta) - ln(768 * 4 / delta) is 124 ln 2 more than at k = 2, where it is 8 - 2 ln 2 + 2 ln 2.
  EXPECT_NEAR(unit_bonus(1'000'000, at), 6 * std::sqrt(2 * (8 + 124 * std::log(2.0)) / 1e6), 1e-9);
}

}  // namespace
}  // namespace fairstep
