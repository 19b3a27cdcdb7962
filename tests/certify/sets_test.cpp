// What may fail with how much, and the balls and boxes around the rows that were counted.
#include <fairstep/certify/sets.hpp>

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>

#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "certify/counts_in.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::counts_in;
using testing::unwrap;

TEST(Wants, WhatIsAskedFor) {
  CertifyOptions options;
  options.notions = {Notion::dp, Notion::eqodds};
  EXPECT_TRUE(wants(options, Notion::dp));
  EXPECT_FALSE(wants(options, Notion::eqopt));
  EXPECT_TRUE(wants(options, Notion::eqodds));
}

TEST(DeltaSplit, GoesToEverythingThatIsClaimed) {
  CertifyOptions options;
  options.delta = 0.06;
  options.followed = true;
  options.value = CountedRewards{};
  const DeltaSplit split = split_delta(options, {2, 3, 2});  // 4 states, 8 cells
  EXPECT_DOUBLE_EQ(split.rows, 0.02);
  EXPECT_DOUBLE_EQ(split.row, 0.02 / 18);
  EXPECT_DOUBLE_EQ(split.ball + 4 * split.interval, split.row);
  EXPECT_DOUBLE_EQ(split.tail * (2 * 2 * 3 * 3), 0.02);  // two ends, two groups, three steps, three rates
  EXPECT_DOUBLE_EQ(split.reward * 16, 0.02);
  options.notions = {Notion::eqopt};
  EXPECT_DOUBLE_EQ(split_delta(options, {2, 3, 2}).tail * (2 * 2 * 3 * 1), 0.02);
}

TEST(DeltaSplit, GoesToRowsAloneIfNothingElseIsClaimed) {
  const DeltaSplit split = split_delta({}, {2, 3, 2});
  EXPECT_EQ(split.rows, 0.05);
  EXPECT_EQ(split.followed, 0);
  EXPECT_EQ(split.tail, 0);
  EXPECT_EQ(split.rewards, 0);
}

TEST(DeltaSplit, SpendsNothingOnRewardsThatAreKnown) {
  CertifyOptions options;
  options.value = KnownRewards{};
  EXPECT_EQ(split_delta(options, {2, 3, 2}).rows, 0.05);
}

TEST(DeltaSplit, NeedsOneRateForEqualOpportunityAndTwoForEqualOdds) {
  CertifyOptions options;
  options.followed = true;
  const auto tails = [&](std::vector<Notion> notions) {
    options.notions = std::move(notions);
    return 0.025 / (2 * 2 * 3 * split_delta(options, {2, 3, 2}).tail);  // ends, groups, steps
  };
  EXPECT_DOUBLE_EQ(tails({Notion::dp}), 1);
  EXPECT_DOUBLE_EQ(tails({Notion::eqopt}), 1);
  EXPECT_DOUBLE_EQ(tails({Notion::eqodds}), 2);
  EXPECT_DOUBLE_EQ(tails({Notion::eqopt, Notion::eqodds}), 2);  // one of the two is the other
  EXPECT_DOUBLE_EQ(tails({Notion::dp, Notion::eqopt}), 2);
}

/// One step; of group a 300 people were unqualified at first and 100 qualified, of b nobody was seen.
Counts four_hundred() {
  return counts_in({.first = "[[[300, 100]], [[0, 0]]]", .visits = "[[[[[300, 0], [100, 0]]]], [[[[0, 0], [0, 0]]]]]"});
}

Estimate estimate_of(const Counts& counts) { return unwrap(estimate(counts, {.share = {0.5, 0.5}})); }

TEST(ConfidenceSets, AreThoseOfTheFormulasAndAHairWider) {
  const Counts counts = four_hundred();
  const DeltaSplit split = split_delta({}, counts.shape());
  const Balls sets = confidence_sets(counts, estimate_of(counts), Lost::none(counts.shape()), split);
  const double radius = tv_radius(400, 2, split.ball);
  EXPECT_GT(sets.initial[0], radius);
  EXPECT_NEAR(sets.initial[0], radius, 1e-11);
  const Range ends = proportion_at_all_times(100, 400, split.interval);
  EXPECT_LT(sets.boxes->initial_low(0, 0, 1), ends.low);
  EXPECT_NEAR(sets.boxes->initial_low(0, 0, 1), ends.low, 1e-12);
  EXPECT_GT(sets.boxes->initial_high(0, 0, 1), ends.high);
  EXPECT_NEAR(sets.boxes->initial_high(0, 0, 1), ends.high, 1e-12);
}

TEST(ConfidenceSets, OfWhatWasNeverSeenSayNothing) {
  const Counts counts = four_hundred();
  const Balls sets =
      confidence_sets(counts, estimate_of(counts), Lost::none(counts.shape()), split_delta({}, counts.shape()));
  EXPECT_EQ(sets.initial[1], 1);
  EXPECT_EQ(sets.boxes->initial_low(1, 0, 0), 0);
  EXPECT_EQ(sets.boxes->initial_high(1, 0, 0), 1);
  EXPECT_EQ(sets.row(0, 0, 1, 0), 1);  // no successor was seen
  EXPECT_EQ(sets.boxes->high(0, 0, 1, 0, 0, 1), 1);
}

TEST(ConfidenceSets, HoldWhateverTheLostRowsWouldHaveSaid) {
  const Counts counts = four_hundred();
  const DeltaSplit split = split_delta({}, counts.shape());
  Lost lost = Lost::none(counts.shape());
  lost.first(0) = 40;
  const Balls sets = confidence_sets(counts, estimate_of(counts), lost, split);
  EXPECT_NEAR(sets.initial[0], tv_radius({400, 40, 0}, 2, split.ball), 1e-11);
  EXPECT_NEAR(sets.boxes->initial_high(0, 0, 1), proportion_at_all_times(100, {400, 40, 0}, split.interval).high,
              1e-12);
  EXPECT_GT(sets.initial[0], tv_radius(400, 2, split.ball));
}

TEST(ConfidenceSets, ThatAreStoppedSayNothing) {
  std::stop_source source;
  source.request_stop();
  const Counts counts = four_hundred();
  const Balls sets = confidence_sets(counts, estimate_of(counts), Lost::none(counts.shape()),
                                     split_delta({}, counts.shape()), source.get_token());
  EXPECT_EQ(sets.initial[0], 1);
  EXPECT_EQ(sets.boxes->initial_low(0, 0, 1), 0);
}

}  // namespace
}  // namespace fairstep
