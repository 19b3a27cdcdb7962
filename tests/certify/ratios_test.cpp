// What follows from rates and gaps: the least ratio of two rates, and the gap over the whole episode.
#include <fairstep/certify/ratios.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

TEST(LeastRatio, IsThatOfTheEndsIfTheGapSaysNothingMore) {
  // 0.4 beside 0.8; a gap of 0.4 or more is no news.
  for (const double gap : {0.4, 0.7, 1.0}) EXPECT_DOUBLE_EQ(least_ratio({0.4, 0.6}, {0.5, 0.8}, gap), 0.5);
}

TEST(LeastRatio, IsThatOfTheGapIfTheRateBelowIsAtItsLeast) {
  // The one below is at least 0.8 and the other at most 0.1 less: 0.7 / 0.8, and more for more below.
  EXPECT_DOUBLE_EQ(least_ratio({0.5, 0.9}, {0.8, 0.9}, 0.1), 0.875);
}

TEST(LeastRatio, IsWhereBothSayTheSame) {
  // At least 0.6, and at most 0.15 less: at 0.75 below both say 0.6, a ratio of 0.8.
  EXPECT_DOUBLE_EQ(least_ratio({0.6, 0.9}, {0.7, 0.9}, 0.15), 0.8);
}

TEST(LeastRatio, OfWhoIsNeverBelowTheOtherMayBeMoreThanOne) {
  EXPECT_DOUBLE_EQ(least_ratio({0.6, 0.9}, {0.1, 0.3}, 0.8), 2);
  EXPECT_DOUBLE_EQ(least_ratio({0.0, 0.9}, {0.0, 0.0}, 1), 1);  // nothing is less than so many times nothing
}

TEST(LeastRatio, IsTheLeastOfAllRatesThatArePossible) {
  Rng rng(3, 0);
  for (int i = 0; i < 500; ++i) {
    const auto range = [&] {
      const double a = rng.uniform(), b = rng.uniform();
      return Range{std::min(a, b), std::max(a, b)};
    };
    const Range above = range(), below = range();
    // A gap that some rates keep: no less than the ranges are apart.
    const double apart = std::max({0.0, above.low - below.high, below.low - above.high});
    const double gap = apart + rng.uniform() * (1 - apart);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= 4000; ++k) {
      const double b = below.low + k / 4000.0 * (below.high - below.low);
      const double a = std::max(above.low, b - gap);  // the least beside b
      if (b > 0 && a <= above.high && a <= b + gap) least = std::min(least, a / b);
    }
    const double found = least_ratio(above, below, gap);
    EXPECT_LE(found, least + 1e-12) << i;
    // Where the range of the one above ends before b - gap, the bound is that of rates that cannot be: it is lower.
    if (below.high - gap <= above.high && above.low <= below.low + gap) {
      EXPECT_GE(found, least - 0.01) << i;
    }
  }
}

/// Two groups and two steps, with these ends.
Certificate two_steps(const Range& a0, const Range& a1, const Range& b0, const Range& b1, std::vector<double> gap) {
  Certificate found;
  found.asked.notions = {Notion::dp};
  RateBounds& rate = found.accept.emplace(RateBounds{Tensor<Range, 2>({2, 2}), Tensor<double, 2>({2, 2}, 0.5)});
  rate.range(0, 0) = a0, rate.range(0, 1) = a1, rate.range(1, 0) = b0, rate.range(1, 1) = b1;
  found.pairs = {{0, 1, {std::move(gap), {}, {}}}};
  return found;
}

TEST(WhatFollows, OverTheEpisodeGapsOfBothSignsMakeUpForEachOther) {
  // a is above b by 0.2 to 0.4 at step 0, and below by as much at step 1: over both -0.1 to 0.1.
  Certificate found = two_steps({0.6, 0.7}, {0.3, 0.4}, {0.3, 0.4}, {0.6, 0.7}, {0.4, 0.4});
  found.asked.aggregate_dp = true;
  set_what_follows(found);
  EXPECT_NEAR(*found.aggregate_dp, 0.1, 1e-11);
  EXPECT_DOUBLE_EQ(*found.estimated_aggregate_dp, 0);
  // By the gaps of steps, if these are narrower: (0.02 + 0.04) / 2.
  found = two_steps({0.5, 0.7}, {0.5, 0.7}, {0.5, 0.7}, {0.5, 0.7}, {0.02, 0.04});
  found.asked.aggregate_dp = true;
  set_what_follows(found);
  EXPECT_NEAR(*found.aggregate_dp, 0.03, 1e-11);
}

TEST(WhatFollows, ARatioIsLeastEitherWayRoundUnlessThereIsAReference) {
  // Step 0: 0.4 / 0.8 for b beside a, and 0.6 / 0.5 the other way round. Step 1: b may be at 0.
  Certificate found = two_steps({0.6, 0.8}, {0.2, 0.3}, {0.4, 0.5}, {0.0, 0.1}, {0.4, 0.3});
  found.asked.ratios = {RatioNotion::dp};
  set_what_follows(found);
  EXPECT_NEAR(found.ratio.dp[0], 0.5, 1e-11);
  EXPECT_EQ(found.ratio.dp[1], 0);
  EXPECT_DOUBLE_EQ(found.estimated_ratio.dp[0], 1);
  found.ratio = found.estimated_ratio = {};
  found.asked.reference = 1;
  set_what_follows(found);
  EXPECT_NEAR(found.ratio.dp[0], 1.2, 1e-11);
  EXPECT_TRUE(std::isnan(found.ratio.dp[1]));  // the reference's rate may be 0
}

TEST(WhatFollows, WhereNobodyMayBeAcceptedThereMayBeNoRatio) {
  Certificate found = two_steps({0, 0.5}, {0, 0}, {0, 0.5}, {0, 0}, {0.5, 0});
  found.asked.ratios = {RatioNotion::dp};
  found.asked.aggregate_dp = true;
  set_what_follows(found);
  EXPECT_TRUE(std::isnan(found.ratio.dp[0]));
  EXPECT_TRUE(std::isnan(found.ratio.dp[1]));
  EXPECT_NEAR(*found.aggregate_dp, 0.25, 1e-11);
}

}  // namespace
}  // namespace fairstep
