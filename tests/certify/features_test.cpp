// Certificates where labels follow features: what is refused, how delta is shared, which ranges labels have, and how
// much is gained beside states.
#include <fairstep/certify/features.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/label_ranges.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "feature_log.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Decision;
using testing::feature_log;
using testing::FeatureWorld;
using testing::unwrap;

constexpr RefusedRule kLike{};
constexpr RefusedRule kAnything{Refused::anything, 1};

RefusedRule within(double odds) { return {Refused::odds, odds}; }

class Features : public ::testing::Test {
 protected:
  /// Half are accepted by the toss of a coin; the others' labels are seen or not.
  Counts counts_of(int people, bool all_seen, std::uint64_t seed = 3) {
    std::mt19937_64 engine(seed);
    return feature_log(world, 3, people, engine, [&](std::size_t, std::size_t, std::size_t, std::size_t) {
      const bool accepted = std::uniform_real_distribution<double>(0, 1)(engine) < 0.5;
      return Decision{accepted, accepted || all_seen};
    });
  }

  FeatureWorld world = FeatureWorld::drawn(4, 3, true);
  Policy policy = unwrap(Policy::make(Tensor<double, 3>({2, 3, 3}, 0.5), {"a", "b"}));
  CertifyOptions options = [] {
    CertifyOptions asked;
    asked.labels.emplace();
    return asked;
  }();
};

// 100 labels, half of all 200 decisions, 70 of them 1. With delta of 0.16 (a) and (b) have 0.04 each: by design the
// interval of 70 of 100; (b) for anything that of 70 of 200 to 170 of 200. With odds of 2 the ends of 70 of 100 are
// moved: 0.7 would be 1.4/1.7 = 0.824 or 0.7/1.3 = 0.538.
TEST(LabelRanges, AreIntervalsOfTheLabelsSeenOrOfAll) {
  const LabelTally tally{70, 30, 100, 0};
  const Range seen = proportion_at_all_times(70, 100, 0.04);
  const Range like = range_of_label(tally, kLike, 0.16);
  EXPECT_NEAR(like.low, seen.low, 1e-11);
  EXPECT_NEAR(like.high, seen.high, 1e-11);
  const Range anything = range_of_label(tally, kAnything, 0.16);
  EXPECT_NEAR(anything.low, proportion_at_all_times(70, 200, 0.04).low, 1e-11);
  EXPECT_NEAR(anything.high, proportion_at_all_times(170, 200, 0.04).high, 1e-11);
  const Range odds = range_of_label(tally, within(2), 0.16);
  EXPECT_NEAR(odds.high, 2 * seen.high / (1 + seen.high), 1e-11);
  EXPECT_NEAR(odds.low, std::max(anything.low, seen.low / (2 - seen.low)), 1e-11);
}

// Of 10^12 decisions half have a label, 0.7 of these are 1: radii are next to nothing, and (c) is the mean over those
// seen and those not seen, whose odds 7/3 become 14/3 or 7/6: 0.5 0.7 + 0.5 14/17 at most, 0.5 0.7 + 0.5 7/13 at least.
TEST(LabelRanges, TendToTheMeanOfThoseSeenAndThoseNotSeen) {
  const LabelTally tally{350'000'000'000, 150'000'000'000, 500'000'000'000, 0};
  const Range found = range_of_label(tally, within(2), 0.01);
  EXPECT_NEAR(found.high, 0.35 + 7.0 / 17, 1e-5);
  EXPECT_NEAR(found.low, 0.35 + 3.5 / 13, 1e-5);
  EXPECT_GE(found.high, 0.35 + 7.0 / 17);
  EXPECT_LE(found.low, 0.35 + 3.5 / 13);
}

TEST(LabelRanges, AreWiderTheLessIsAssumedAndTheMoreIsLost) {
  const auto holds = [](const Range& outer, const Range& inner) {
    return outer.low <= inner.low && outer.high >= inner.high;
  };
  for (const auto& [ones, zeros, unseen] : {std::array<std::int64_t, 3>{0, 0, 0},
                                            {0, 0, 9},
                                            {5, 0, 3},
                                            {0, 40, 0},
                                            {300, 100, 20},
                                            {10, 990, 5000},
                                            {1, 1, 1'000'000}}) {
    Range before{0.5, 0.5};
    for (const RefusedRule& rule : {kLike, within(1), within(1.5), within(10), within(1e6), kAnything}) {
      const LabelTally tally{ones, zeros, unseen, 0};
      const Range found = range_of_label(tally, rule, 0.01);
      if (rule.are != Refused::like_accepted) {
        EXPECT_TRUE(holds(found, before));
      }
      EXPECT_TRUE(holds(range_of_label({ones, zeros, unseen, 7}, rule, 0.01), found));
      EXPECT_LE(found.low, found.high);
      before = found;
    }
  }
}

// G = 2, X = 3: half of delta for 2 (2 3 + 1) = 14 rows, half of each for its ball; half for 6 shares of labels.
TEST_F(Features, ShareDeltaBetweenRowsAndLabels) {
  const DeltaSplit split = split_delta(options, {2, 3, 3});
  EXPECT_DOUBLE_EQ(split.rows, 0.025);
  EXPECT_DOUBLE_EQ(split.row, 0.025 / 14);
  EXPECT_DOUBLE_EQ(split.interval, 0.025 / 14 / 2 / 3);
  EXPECT_DOUBLE_EQ(split.label, 0.025 / 6);
  options.notions = {Notion::dp};
  EXPECT_DOUBLE_EQ(split_delta(options, {2, 3, 3}).row, 0.05 / 14);
  EXPECT_EQ(split_delta(options, {2, 3, 3}).labels, 0);
}

TEST_F(Features, NeedNoLabelForDemographicParity) {
  options.notions = {Notion::dp};
  const Certificate hidden = unwrap(certify(counts_of(2000, false), policy, options));
  const Certificate seen = unwrap(certify(counts_of(2000, true), policy, options));
  EXPECT_EQ(hidden.gap.dp, seen.gap.dp);  // the same people
  EXPECT_FALSE(hidden.labels);
}

TEST_F(Features, AreNarrowerThanStatesWhereAllLabelsAreSeen) {
  const Counts counts = counts_of(20000, true);
  CertifyOptions states = options;
  states.labels.reset();
  const Policy other = unwrap(Policy::make_group_independent([] {
    Tensor<double, 2> accept({3, 3}, 0.2);
    for (std::size_t h = 0; h < 3; ++h) accept(h, 2) = 0.9;
    return accept;
  }()));
  const Certificate by_features = unwrap(certify(counts, other, options));
  // The record says that labels are missing, of which there is none: by states nothing is lost.
  CountsSpec spec = counts.spec();
  spec.log.reset();
  const Certificate by_states = unwrap(certify(unwrap(Counts::make(std::move(spec))), other, states));
  for (std::size_t h = 0; h < 3; ++h) {
    const auto width = [&](const RateBounds& rate) { return rate.range(0, h).high - rate.range(0, h).low; };
    EXPECT_LT(width(*by_features.accept), width(*by_states.accept));
    EXPECT_LT(width(*by_features.tpr), width(*by_states.tpr) * 1.1);
  }
}

TEST_F(Features, SayUpToWhichOddsALimitIsProven) {
  const Policy other = unwrap(Policy::make_group_independent([] {
    Tensor<double, 2> accept({3, 3}, 0.4);
    for (std::size_t h = 0; h < 3; ++h) accept(h, 2) = 0.6;
    return accept;
  }()));
  const Counts counts = counts_of(20000, false);
  const Certificate free = unwrap(certify(counts, other, options));
  ASSERT_EQ(free.labels->if_refused.size(), 2u);
  EXPECT_FALSE(free.labels->break_even);
  const double like = worst_gap(free.labels->if_refused.front().gap);
  const double anything = worst_gap(free.labels->if_refused.back().gap);
  ASSERT_LT(like, anything);
  options.limit = (like + anything) / 2;
  const Certificate found = unwrap(certify(counts, other, options));
  ASSERT_EQ(found.labels->if_refused.size(), 3u);
  const RefusedRule even = *found.labels->break_even->refused;
  EXPECT_EQ(even.are, Refused::odds);
  const double there = worst_gap(found.labels->if_refused[1].gap);
  EXPECT_LE(there, *options.limit);
  EXPECT_GE(there, *options.limit - 1e-6);
  // And it is what a certificate for these odds says, and one for a little more does not.
  options.labels = LabelAssumption{even};
  EXPECT_EQ(worst_gap(unwrap(certify(counts, other, options)).gap), std::max(there, worst_gap({found.gap.dp, {}, {}})));
  options.labels = LabelAssumption{within(even.odds * 1.01)};
  EXPECT_GT(worst_gap(unwrap(certify(counts, other, options)).gap), *options.limit);
  options.labels.emplace();
  options.limit = 1;
  EXPECT_EQ(unwrap(certify(counts, other, options)).labels->break_even->refused->are, Refused::anything);
  options.limit = like / 2;
  EXPECT_FALSE(unwrap(certify(counts, other, options)).labels->break_even->refused);
}

TEST_F(Features, CountRowsThatWereLost) {
  const Counts counts = counts_of(3000, false);
  CountsSpec spec = counts.spec();
  for (std::int64_t& lost : spec.log->unlabelled_rows->lost->cells.flat()) lost = 40;
  for (std::int64_t& lost : spec.log->unlabelled_rows->lost->transitions.flat()) lost = 40;
  const Certificate complete = unwrap(certify(counts, policy, options));
  EXPECT_FALSE(complete.if_nothing_lost);
  const Certificate lossy = unwrap(certify(unwrap(Counts::make(std::move(spec))), policy, options));
  ASSERT_TRUE(lossy.if_nothing_lost);
  EXPECT_EQ(lossy.if_nothing_lost->gap.eqodds, complete.gap.eqodds);
  EXPECT_LE(lossy.qualified->range(0, 2).low, complete.qualified->range(0, 2).low);
}

TEST_F(Features, GoWithNeitherRewardsNorFollowersNorParts) {
  const Counts counts = counts_of(50, false);
  CertifyOptions wrong = options;
  wrong.followed = true;
  EXPECT_FALSE(certify(counts, policy, wrong));
  wrong = options;
  wrong.value = CountedRewards{};
  EXPECT_FALSE(certify(counts, policy, wrong));
  EXPECT_FALSE(certify(counts, policy, options, {}, &counts));
  wrong = options;
  wrong.labels = LabelAssumption{within(0.5)};
  EXPECT_FALSE(certify(counts, policy, wrong));
}

TEST_F(Features, OfOneAloneLeaveNothingToBound) {
  world = FeatureWorld::drawn(4, 1, true);
  const Policy even = unwrap(Policy::make(Tensor<double, 3>({2, 3, 1}, 0.3), {"a", "b"}));
  const Certificate found = unwrap(certify(counts_of(20, false), even, options));
  EXPECT_EQ(worst_gap(found.gap), 0);
}

}  // namespace
}  // namespace fairstep
