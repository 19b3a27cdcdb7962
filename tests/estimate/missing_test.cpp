// Lemma G3 of docs/guarantees.md: whatever the missing draws were, the complete row's bounds are within those that are
// given for the counted one. For small numbers every complete row is tried.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;

constexpr double kRounding = 1e-12;

TEST(Missing, IntervalsOfEveryCompleteRowAreWithin) {
  for (const double delta : {0.3, 0.01, 1e-6})
    for (std::int64_t n = 0; n <= 9; ++n)
      for (std::int64_t k = 0; k <= n; ++k)
        for (std::int64_t m = 0; m <= 5; ++m)
          for (std::int64_t d = 0; d <= 3; ++d) {
            const Range wide = proportion_at_all_times(k, Draws{n, m, d}, delta);
            for (std::int64_t out = 0; out <= std::min(d, n); ++out)
              for (std::int64_t out_of_k = std::max<std::int64_t>(0, out - (n - k)); out_of_k <= std::min(out, k);
                   ++out_of_k)
                for (std::int64_t in = 0; in <= m; ++in)
                  for (std::int64_t into_k = 0; into_k <= in; ++into_k) {
                    const Range one = proportion_at_all_times(k - out_of_k + into_k, n - out + in, delta);
                    ASSERT_GE(one.low, wide.low - kRounding) << k << " of " << n << ", " << m << ", " << d;
                    ASSERT_LE(one.high, wide.high + kRounding) << k << " of " << n << ", " << m << ", " << d;
                  }
          }
}

// Two states: k of n are in one of them.
TEST(Missing, BallsOfEveryCompleteRowAreWithin) {
  for (std::int64_t n = 1; n <= 40; n += 3)
    for (std::int64_t m = 0; m <= 12; m += 2)
      for (std::int64_t d = 0; d <= 4; d += 2) {
        const double wide = tv_radius(Draws{n, m, d}, 2, 0.9);
        for (std::int64_t k = 0; k <= n; ++k)
          for (std::int64_t out = 0; out <= std::min(d, k); ++out)
            for (std::int64_t in = 0; in <= m; ++in)
              for (const std::int64_t into_k : {std::int64_t{0}, in}) {
                const std::int64_t all = n - out + in;
                if (all == 0) continue;
                const double apart = std::abs(static_cast<double>(k) / static_cast<double>(n) -
                                              static_cast<double>(k - out + into_k) / static_cast<double>(all));
                ASSERT_LE(std::min(1.0, apart + tv_radius(all, 2, 0.9)), wide + kRounding)
                    << k << " of " << n << ", " << m << ", " << d;
              }
      }
}

TEST(Missing, NothingMissingCostsNothing) {
  for (const std::int64_t n : {0, 1, 7, 8, 1000}) {
    EXPECT_EQ(tv_radius(Draws{n, 0, 0}, 4, 0.1), tv_radius(n, 4, 0.1));
    EXPECT_EQ(one_sided_mean_radius(Draws{n, 0, 0}, 0.1), one_sided_mean_radius(n, 0.1));
    const Range one = proportion_at_all_times(n / 3, Draws{n, 0, 0}, 0.1);
    EXPECT_EQ(one.low, proportion_at_all_times(n / 3, n, 0.1).low);
    EXPECT_EQ(one.high, proportion_at_all_times(n / 3, n, 0.1).high);
  }
}

// The step up at powers of two: 1,023 draws and one that is missing may be 1,024.
TEST(Missing, TheLargestRadiusOfAnyPossibleNumberIsTaken) {
  for (const std::int64_t n : {1, 2, 3, 7, 15, 100, 1023})
    for (const std::int64_t m : {1, 2, 100, 5000}) {
      double largest = 0;
      for (std::int64_t all = n; all <= n + m; ++all) largest = std::max(largest, one_sided_mean_radius(all, 0.5));
      EXPECT_EQ(one_sided_mean_radius(Draws{n, m, 0}, 0.5), largest) << n << " " << m;
    }
}

// Lemma G4: each of so many people may be counted there or not, and may have another path.
TEST(Missing, EndsOfFollowersHoldWhateverThoseAstrayDid) {
  for (std::int64_t n = 1; n <= 8; ++n)
    for (std::int64_t k = 0; k <= n; ++k)
      for (std::int64_t astray = 0; astray <= 3; ++astray) {
        const Range wide = proportion_once(k, n, astray, 0.01);
        for (std::int64_t out = 0; out <= std::min(astray, n); ++out)
          for (std::int64_t out_of_k = std::max<std::int64_t>(0, out - (n - k)); out_of_k <= std::min(out, k);
               ++out_of_k)
            for (std::int64_t in = 0; in <= astray; ++in)
              for (std::int64_t into_k = 0; into_k <= in; ++into_k) {
                const Range one = proportion_once(k - out_of_k + into_k, n - out + in, 0.01);
                ASSERT_GE(one.low, wide.low - kRounding) << k << " of " << n << ", " << astray;
                ASSERT_LE(one.high, wide.high + kRounding) << k << " of " << n << ", " << astray;
              }
      }
}

Counts small_counts() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"x"};
  CountsSpec counts = CountsSpec::zeros(1, names);
  for (std::size_t g = 0; g < 2; ++g) {
    counts.first(g, 0, 0) = 10;
    counts.visits(g, 0, 0, 0, 1) = 10;
  }
  return made(std::move(counts));
}

TEST(Claims, CountsWithoutARecordAreTakenAsComplete) { EXPECT_TRUE(lost_for_claims(small_counts())->nothing()); }

TEST(Claims, DrawnLabelsProveNothing) {
  CountsSpec counts = small_counts().spec();
  counts.log.emplace().lost = Lost::none(counts.shape());
  EXPECT_TRUE(lost_for_claims(made(counts)));
  counts.log->censoring = Censoring::ignorable;
  EXPECT_EQ(lost_for_claims(made(counts)).error().pointer, "/log/censored");
  EXPECT_TRUE(lost_decisions(made(counts), false));  // who was accepted is known all the same
  EXPECT_FALSE(lost_decisions(made(counts), true));
}

// Records of a version that did not keep what was lost.
TEST(Claims, WhatIsNotKnownToBeCompleteProvesNothing) {
  CountsSpec counts = small_counts().spec();
  LogRecord& log = counts.log.emplace();
  log.findings = {{Anomaly::gap, "", 3, "log.csv", 1}, {Anomaly::duplicate, "", 3, "log.csv", 1}};
  EXPECT_TRUE(lost_for_claims(made(counts))->nothing());
  log.findings.push_back({Anomaly::conflict, "", 3, "log.csv", 1});
  EXPECT_EQ(lost_for_claims(made(counts)).error().pointer, "/log/findings/2");
  log.findings.clear();
  log.unlabelled = Tensor<std::int64_t, 4>({2, 1, 1, 2}, 1);
  EXPECT_EQ(lost_for_claims(made(counts)).error().pointer, "/log/unlabelled");
  EXPECT_TRUE(lost_decisions(made(counts), false));
  log.lost = Lost::none(counts.shape());
  log.lost->decisions(0, 0) = 5;
  EXPECT_EQ(lost_for_claims(made(counts))->decisions(0, 0), 5);
  EXPECT_EQ((*lost_decisions(made(counts), false))(0, 0), 3);  // two have no label, and a rate of all needs none
  log.lost->first(0) = INT64_MAX;
  EXPECT_EQ(lost_for_claims(made(counts)).error().pointer, "/log/lost/first");
}

// Cause: `--reward-range 5,6` with means between -0.9 and 0.1 was "value at least 39.99".
TEST(Claims, ARewardRangeThatTheDataRefuteIsRefused) {
  CountsSpec counts = small_counts().spec();
  counts.reward_sum(1, 0, 0, 1) = 5;
  counts.reward_squares(1, 0, 0, 1) = 5;  // half of them 1, half 0
  const auto refused = [&](double low, double high) {
    const auto ok = check_reward_range(*estimate(made(counts)), {low, high});
    return ok ? std::string() : ok.error().pointer;
  };
  EXPECT_EQ(refused(0, 1), "");
  EXPECT_EQ(refused(-1, 2), "");
  EXPECT_EQ(refused(5, 6), "/reward_sum/0/0/0/1");
  EXPECT_EQ(refused(0, 0.5), "/reward_squares/1/0/0/1");
  EXPECT_EQ(refused(0, 0.9), "/reward_squares/1/0/0/1");
  EXPECT_EQ(radii(*estimate(made(counts)), RadiiOptions{0.1, RewardKnowledge{{5, 6}, true}}).error().pointer,
            "/reward_sum/0/0/0/1");
  counts.log.emplace();
  EXPECT_EQ(refused(0, 1), "/log/columns");
  counts.log->columns = {{"reward", "gain"}};
  EXPECT_EQ(refused(0, 1), "");
}

}  // namespace
}  // namespace fairstep
