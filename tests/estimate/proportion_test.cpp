// Intervals for proportions: worked by hand where that is possible, against the exact binomial distribution elsewhere.
#include <fairstep/estimate/proportion.hpp>

#include <cmath>
#include <cstdint>

#include <boost/math/special_functions/beta.hpp>
#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

TEST(LogBinomial, IsTheProbabilityInSmallCases) {
  EXPECT_NEAR(std::exp(log_binomial(2, 4, 0.5)), 6.0 / 16, 1e-14);
  EXPECT_NEAR(std::exp(log_binomial(1, 3, 0.25)), 3 * 0.25 * 0.75 * 0.75, 1e-14);  // 27/64
  EXPECT_NEAR(std::exp(log_binomial(0, 3, 0.25)), 27.0 / 64, 1e-14);
  EXPECT_NEAR(std::exp(log_binomial(3, 3, 0.25)), 1.0 / 64, 1e-14);
  EXPECT_EQ(log_binomial(0, 0, 0.25), 0);
  EXPECT_EQ(log_binomial(1, 2, 0), -INFINITY);
}

TEST(LogBinomial, AgreesWithTheBetaFunctionForManyDraws) {
  // b(k; n, p) is the density of Beta(k+1, n-k+1) at p, over n+1.
  for (const std::int64_t n : {15, 16, 17, 100, 12345, 1 << 20})
    for (const double share : {0.01, 0.3, 0.5, 0.99}) {
      const auto k = static_cast<std::int64_t>(share * static_cast<double>(n));
      const double p = 0.9 * share + 0.02;
      const double density =
          boost::math::ibeta_derivative(static_cast<double>(k + 1), static_cast<double>(n - k + 1), p);
      if (density < 1e-290) continue;
      EXPECT_NEAR(log_binomial(k, n, p), std::log(density / static_cast<double>(n + 1)), 1e-7) << n << " " << k;
    }
}

TEST(ProportionAtAllTimes, IsAllThereIsBeforeTheFirstDraw) {
  const Range nothing = proportion_at_all_times(0, 0, 0.1);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
}

// One draw, no success: 1 - p > 0.1 / 2, so p < 19/20. None of three: (1 - p)^3 > 0.1 / 4, p < 1 - (1/40)^(1/3).
TEST(ProportionAtAllTimes, IsWhatTheInequalitySaysInSmallCases) {
  EXPECT_NEAR(proportion_at_all_times(0, 1, 0.1).high, 0.95, 1e-14);
  EXPECT_EQ(proportion_at_all_times(0, 1, 0.1).low, 0);
  EXPECT_NEAR(proportion_at_all_times(0, 3, 0.1).high, 1 - std::cbrt(1.0 / 40), 1e-14);
  EXPECT_NEAR(proportion_at_all_times(3, 3, 0.1).low, std::cbrt(1.0 / 40), 1e-14);
  // One of two: 2 p (1 - p) > 0.1 / 3, so p is within 1/2 +- sqrt(1/4 - 1/60) = 1/2 +- sqrt(14/60).
  EXPECT_NEAR(proportion_at_all_times(1, 2, 0.1).high, 0.5 + std::sqrt(14.0 / 60), 1e-13);
  EXPECT_NEAR(proportion_at_all_times(1, 2, 0.1).low, 0.5 - std::sqrt(14.0 / 60), 1e-13);
}

TEST(ProportionAtAllTimes, EndsAreWhereTheProbabilityIsDeltaOverOneMoreThanTheDraws) {
  for (const std::int64_t n : {2, 10, 1000, 1 << 18, 1 << 30})
    for (const double share : {0.0005, 0.02, 0.5, 0.9}) {
      const auto k = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(n)));
      if (k == n) continue;
      const double delta = 1e-4;
      const Range ends = proportion_at_all_times(k, n, delta);
      const double expected = std::log(delta / static_cast<double>(n + 1));
      EXPECT_NEAR(log_binomial(k, n, ends.high), expected, 1e-6) << n << " " << k;
      EXPECT_NEAR(log_binomial(k, n, ends.low), expected, 1e-6) << n << " " << k;
      EXPECT_LT(ends.low, static_cast<double>(k) / static_cast<double>(n));
      EXPECT_GT(ends.high, static_cast<double>(k) / static_cast<double>(n));
    }
}

// A path leaves at any of 2000 draws with probability at most 0.2: more than 120 of 400 do with probability below 1e-6.
// With the same widths around the proportion times 0.4, most paths leave.
TEST(ProportionAtAllTimes, HoldsForAllNumbersOfDrawsAtOnce) {
  for (const double p : {0.05, 0.5}) {
    int left = 0;
    int left_a_narrow_one = 0;
    for (std::uint64_t path = 0; path < 400; ++path) {
      Rng rng(20260, static_cast<std::uint64_t>(100 * p), path);
      std::int64_t k = 0;
      bool out = false;
      bool out_of_narrow = false;
      for (std::int64_t n = 1; n <= 2000; ++n) {
        k += rng.uniform() < p ? 1 : 0;
        const double mean = static_cast<double>(k) / static_cast<double>(n);
        const Range ends = proportion_at_all_times(k, n, 0.2);
        out = out || p < ends.low || p > ends.high;
        out_of_narrow = out_of_narrow || p < mean - 0.4 * (mean - ends.low) || p > mean + 0.4 * (ends.high - mean);
      }
      left += out ? 1 : 0;
      left_a_narrow_one += out_of_narrow ? 1 : 0;
    }
    EXPECT_LE(left, 120);
    EXPECT_GT(left_a_narrow_one, 120);
  }
}

// None of n: (1 - p)^n = tail, which is exact.
TEST(ProportionOnce, IsExactWhereNobodyOrEverybodyIsSeen) {
  EXPECT_NEAR(proportion_once(0, 2, 0.01).high, 0.9, 1e-14);
  EXPECT_EQ(proportion_once(0, 2, 0.01).low, 0);
  EXPECT_NEAR(proportion_once(2, 2, 0.01).low, 0.1, 1e-14);
  EXPECT_EQ(proportion_once(2, 2, 0.01).high, 1);
  EXPECT_EQ(proportion_once(0, 0, 0.01).high, 1);
}

TEST(ProportionOnce, IsAtMostAFewPerCentWiderThanClopperAndPearson) {
  for (const std::int64_t n : {5, 40, 1000, 1 << 18})
    for (const double share : {0.002, 0.1, 0.5, 0.8}) {
      const auto k = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(n)));
      if (k == n) continue;
      const double tail = 5e-4;
      const double exact = boost::math::ibeta_inv(static_cast<double>(k + 1), static_cast<double>(n - k), 1 - tail);
      const double mean = static_cast<double>(k) / static_cast<double>(n);
      const double found = proportion_once(k, n, tail).high;
      EXPECT_GE(found, exact * (1 - 1e-9)) << n << " " << k;
      EXPECT_LE(found - mean, 1.02 * (exact - mean)) << n << " " << k;
    }
}

}  // namespace
}  // namespace fairstep
