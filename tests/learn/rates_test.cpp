#include <fairstep/learn/rates.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

using Episodes = std::vector<std::uint64_t>;
using Values = std::vector<double>;

/// S = 2, A = 2, H = 2, k = 8, so that k^(-1/3) = 1/2 and k^3 = 512.
AtEpisode episode_with(double delta) { return {{2, 2, 1}, 8, delta}; }

TEST(RewardRate, IsTheTheorems) {
  // S^2 A H^2 k^3 = 4 * 2 * 4 * 512 = 2^14; with delta = 1/4 the logarithm is 16 ln 2. 2 * 1/2 * sqrt(2 * 2 * 16 ln 2).
  EXPECT_NEAR(reward_rate(episode_with(0.25)), 8 * std::sqrt(std::numbers::ln2), 1e-12);
  // S = 4, H = 4, k = 64: 16 * 2 * 16 * 2^18 = 2^27, delta = 1/2: 28 ln 2. 4 * 1/4 * sqrt(16 * 28 ln 2).
  EXPECT_NEAR(reward_rate({{3, 4, 2}, 64, 0.5}), 4 * std::sqrt(28 * std::numbers::ln2), 1e-12);
}

TEST(ViolationRate, IsTheTheorems) {
  // S^2 H A k^3 = 4 * 2 * 2 * 512 = 2^13; with delta = 1/8 the logarithm is 16 ln 2. 1/2 * sqrt(2 * 2 * 16 ln 2).
  EXPECT_NEAR(violation_rate(episode_with(0.125)), 4 * std::sqrt(std::numbers::ln2), 1e-12);
  // S = 4, H = 4, k = 64: 16 * 4 * 2 * 2^18 = 2^25, delta = 1/2: 26 ln 2. 1/4 * sqrt(16 * 26 ln 2).
  EXPECT_NEAR(violation_rate({{3, 4, 2}, 64, 0.5}), std::sqrt(26 * std::numbers::ln2), 1e-12);
}

TEST(Rates, OfAnyEpisodeAreNumbers) {
  // k^3 of the greatest k is no number of 64 bits, nor k^3 / delta one below the greatest double squared.
  const AtEpisode last{{2, 200, 500}, ~std::uint64_t{0}, 1e-300};
  EXPECT_GT(reward_rate(last), 0);
  EXPECT_GT(violation_rate(last), 0);
  EXPECT_TRUE(std::isfinite(reward_rate(last)));
  EXPECT_TRUE(std::isfinite(violation_rate(last)));
}

TEST(PowerFit, FindsAnExactPowerLaw) {
  // 3 k^(-1/2)
  const PowerFit fit = fit_power(Episodes{1, 4, 16, 100}, Values{3, 1.5, 0.75, 0.3});
  EXPECT_NEAR(fit.slope, -0.5, 1e-12);
  EXPECT_NEAR(fit.intercept, std::log(3), 1e-12);
  EXPECT_EQ(fit.points, 4u);
  EXPECT_TRUE(fit.omitted.empty());
}

TEST(PowerFit, IsLeastSquaresOnTheLogarithms) {
  // Logarithms to base 2: x = 0, 1, 2 and y = 0, 2, 1. Means 1 and 1; sum xy = 1 * 0 + ... = 1, sum xx = 2: slope 1/2,
  // intercept 1/2 in units of ln 2.
  const PowerFit fit = fit_power(Episodes{1, 2, 4}, Values{1, 4, 2});
  EXPECT_NEAR(fit.slope, 0.5, 1e-12);
  EXPECT_NEAR(fit.intercept, 0.5 * std::numbers::ln2, 1e-12);
}

TEST(PowerFit, LeavesOutWhatHasNoLogarithmAndSaysSo) {
  const PowerFit fit = fit_power(Episodes{1, 2, 4, 8, 16}, Values{3, 0, 1.5, -0.1, 0.75});
  EXPECT_EQ(fit.omitted, (Episodes{2, 8}));
  EXPECT_EQ(fit.points, 3u);
  EXPECT_NEAR(fit.slope, -0.5, 1e-12);
  EXPECT_EQ(fit_power(Episodes{1, 2, 4}, Values{1, std::nan(""), 1}).omitted, Episodes{2});
  // Nor is infinity a value to fit a line to: a regret against an oracle that found nothing.
  EXPECT_EQ(fit_power(Episodes{1, 2, 4}, Values{1, HUGE_VAL, 1}).omitted, Episodes{2});
}

TEST(PowerFit, OfFewerThanTwoPointsIsNone) {
  for (const Values& values : {Values{}, Values{1}}) {
    const PowerFit fit = fit_power(Episodes(values.size(), 8), values);
    EXPECT_TRUE(std::isnan(fit.slope));
    EXPECT_TRUE(std::isnan(fit.intercept));
    EXPECT_EQ(fit.points, values.size());
  }
}

}  // namespace
}  // namespace fairstep
