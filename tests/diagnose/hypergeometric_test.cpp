#include <fairstep/diagnose/hypergeometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

/// Pearson's distance of many draws from the exact distribution, in units of its own deviation: beyond 5 with a chance
/// below 1 in 10,000 for each of the sizes below, and the seeds are fixed.
double distance(std::int64_t good, std::int64_t bad, std::int64_t drawn, std::int64_t draws) {
  Rng rng(7, static_cast<std::uint64_t>(good), static_cast<std::uint64_t>(bad), static_cast<std::uint64_t>(drawn));
  std::vector<std::int64_t> times(static_cast<std::size_t>(std::min(good, drawn)) + 1);
  for (std::int64_t i = 0; i < draws; ++i) ++times[static_cast<std::size_t>(hypergeometric(good, bad, drawn, rng))];
  double sum = 0;
  double cells = 0;
  double rest_expected = 0;
  double rest_seen = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto [g, b, d, x] = std::array{static_cast<double>(good), static_cast<double>(bad),
                                         static_cast<double>(drawn), static_cast<double>(k)};
    const double p = d - x > b ? 0 : std::exp(log_choose(g, x) + log_choose(b, d - x) - log_choose(g + b, d));
    const double expected = p * static_cast<double>(draws);
    const auto seen = static_cast<double>(times[k]);
    EXPECT_TRUE(p > 0 || seen == 0) << k;
    if (expected < 10) {
      rest_expected += expected;
      rest_seen += seen;
      continue;
    }
    sum += (seen - expected) * (seen - expected) / expected;
    ++cells;
  }
  if (rest_expected > 1) {
    sum += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    ++cells;
  }
  return (sum - (cells - 1)) / std::sqrt(2 * std::max(cells - 1, 1.0));
}

TEST(Hypergeometric, DrawsFollowTheExactDistribution) {
  for (const auto& [good, bad, drawn] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {3, 5, 4}, {5, 3, 7}, {20, 80, 30}, {500, 700, 300}, {1, 10'000, 5'000}})
    EXPECT_LT(distance(good, bad, drawn, 20'000), 5) << good << " " << bad << " " << drawn;
}

TEST(Hypergeometric, LargeNumbersAreDrawnByRejectionAndFollowItToo) {
  EXPECT_LT(distance(20'000, 30'000, 20'000, 100'000), 5);  // a deviation of 85
  EXPECT_LT(distance(30'000, 20'000, 40'000, 100'000), 5);
}

TEST(Hypergeometric, NumbersOfTheSizeOfACrowdKeepMeanAndSpread) {
  // 2^60 good of 2^61, 2^59 drawn: mean 2^58, variance 2^59/4 3/4 = 1.08e17; 4,000 draws.
  const std::int64_t good = std::int64_t{1} << 60;
  const std::int64_t drawn = std::int64_t{1} << 59;
  const std::int64_t mean = drawn / 2;
  Rng rng(3);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 4000; ++i) {
    const double off = static_cast<double>(hypergeometric(good, good, drawn, rng) - mean) / 3.287e8;
    sum += off;
    squares += off * off;
  }
  EXPECT_LT(std::abs(sum / std::sqrt(4000)), 5);
  EXPECT_NEAR(squares / 4000, 1, 0.12);  // five deviations
}

TEST(Hypergeometric, WhatIsCertainIsDrawn) {
  Rng rng(1);
  EXPECT_EQ(hypergeometric(0, 5, 3, rng), 0);
  EXPECT_EQ(hypergeometric(5, 0, 3, rng), 3);
  EXPECT_EQ(hypergeometric(5, 7, 12, rng), 5);
  EXPECT_EQ(hypergeometric(5, 7, 0, rng), 0);
}

}  // namespace
}  // namespace fairstep
