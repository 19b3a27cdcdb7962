// Shares of the qualified where some labels were not seen, and models in which labels follow features.
#include <fairstep/estimate/label_shares.hpp>

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/core/log_record.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::unwrap;

constexpr RefusedRule kAnything{Refused::anything, 1};

TEST(LabelShares, PointsByHand) {
  const LabelTally tally{30, 10, 60, 0};  // s = 3/4, 40 of 100 seen
  EXPECT_DOUBLE_EQ(label_share(tally, {}, RefusedPoint::like_accepted), 0.75);
  EXPECT_DOUBLE_EQ(label_share(tally, kAnything, RefusedPoint::low), 0.3);   // 0.4 x 3/4
  EXPECT_DOUBLE_EQ(label_share(tally, kAnything, RefusedPoint::high), 0.9);  // 0.3 + 0.6
  // Odds of 3, a third of them: 1, so v = 1/2.
  EXPECT_DOUBLE_EQ(label_share(tally, {Refused::odds, 3}, RefusedPoint::low), 0.3 + 0.6 * 0.5);
  EXPECT_EQ(label_share({}, {}, RefusedPoint::like_accepted), 0.5);  // nothing was seen
}

TEST(LabelShares, EachRuleIsWiderThanTheOneThatAssumesMore) {
  const LabelTally tally{30, 10, 60, 2};
  const Range like = label_share_at_all_times(tally, {}, 0.05);
  const Range one = label_share_at_all_times(tally, {Refused::odds, 1}, 0.05);
  const Range three = label_share_at_all_times(tally, {Refused::odds, 3}, 0.05);
  const Range any = label_share_at_all_times(tally, kAnything, 0.05);
  EXPECT_LE(one.low, like.low);
  EXPECT_GE(one.high, like.high);
  EXPECT_LT(three.low, one.low);
  EXPECT_GT(three.high, one.high);
  EXPECT_LE(any.low, 30.0 / 102);
  EXPECT_GE(any.high, 92.0 / 102);
  const Range certain = label_share_at_all_times({30, 10, 0, 0}, kAnything, 0.05);  // nothing is missing
  EXPECT_DOUBLE_EQ(certain.low, proportion_at_all_times(30, 40, 0.05).low);
}

// 2,000 logs of 200 decisions each, delta 0.2: were intervals wrong just as often, more than 489 would be by chance
// once in a million (400 and 5 standard deviations of 17.9).
TEST(LabelShares, IntervalsHoldTheTruth) {
  struct Case {
    RefusedRule rule;
    double seen, share_seen, unseen;  // s, sigma, v
  };
  const std::array<Case, 4> cases{{{{}, 0.3, 0.4, 0.3},
                                   {{Refused::odds, 3}, 0.6, 0.4, 1.0 / 3},  // odds 1.5 and 0.5
                                   {{Refused::odds, 3}, 0.25, 0.7, 0.5},     // odds 1/3 and 1
                                   {kAnything, 0.9, 0.3, 0.02}}};
  for (const Case& one : cases) {
    const double q = one.share_seen * one.seen + (1 - one.share_seen) * one.unseen;
    int wrong = 0;
    for (std::uint64_t log = 0; log < 2000; ++log) {
      Rng rng(11, 0, log);
      LabelTally tally;
      for (int i = 0; i < 200; ++i) {
        if (rng.uniform() >= one.share_seen)
          ++tally.unseen;
        else if (rng.uniform() < one.seen)
          ++tally.qualified;
        else
          ++tally.unqualified;
      }
      const Range range = label_share_at_all_times(tally, one.rule, 0.2);
      wrong += range.low > q || range.high < q ? 1 : 0;
    }
    EXPECT_LE(wrong, 489) << text_of(one.rule);
  }
}

/// One step after another in a world of two features; group b stays unseen but for one person.
Counts with_refused() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  CountsSpec counts = CountsSpec::zeros(2, names);
  // Accepted at high: 3 qualified and 1 not, of whom 2 qualified come to high (qualified) and 1 unqualified to low.
  counts.first(0, 1, 1) = counts.visits(0, 0, 1, 1, 1) = 3;
  counts.first(0, 1, 0) = counts.visits(0, 0, 1, 0, 1) = 1;
  counts.transitions(0, 1, 1, 1, 1, 1) = 2;
  counts.visits(0, 1, 1, 1, 1) = 2;
  counts.reward_sum(0, 1, 1, 1) = 5;
  counts.reward_squares(0, 1, 1, 1) = 5;
  counts.first(1, 0, 0) = counts.visits(1, 0, 0, 0, 1) = 1;
  LogRecord log;
  log.files = {"log.csv"};
  log.rows = 14;
  log.columns = {{"reward", "reward"}};
  log.censoring = Censoring::drop;
  log.lost = Lost::none(counts.shape());
  log.unlabelled = Tensor<std::int64_t, 4>({2, 2, 2, 2});
  log.unlabelled(0, 0, 0, 0) = 4;  // refused at low, of whom 3 stay there (refused) and 1 comes to high
  log.unlabelled(0, 1, 0, 0) = 4;
  log.unlabelled(0, 1, 1, 0) = 1;
  log.unlabelled_rows = UnlabelledRows::zeros(counts.shape());
  log.unlabelled_rows->first(0, 0) = 4;
  log.unlabelled_rows->transitions(0, 0, 0, 0) = 3;
  log.unlabelled_rows->transitions(0, 0, 0, 1) = 1;
  log.unlabelled_rows->transitions(0, 1, 1, 0) = 1;
  counts.log = std::move(log);
  return made(std::move(counts));
}

TEST(FollowFeatures, RowsAreThoseOfFeaturesTimesSharesOfTheQualified) {
  EstimateOptions options;
  options.labels = LabelAssumption{};
  const Estimate found = unwrap(estimate(with_refused(), options));
  const ModelSpec& model = found.model.spec();
  // Of group a, q(high) = 5/6; at low no label was seen, and 1/2 is a guess.
  EXPECT_DOUBLE_EQ(model.initial(0, 0, 1), 0.5 * 0.5);  // 4 of 8 people
  EXPECT_DOUBLE_EQ(model.initial(0, 1, 1), 0.5 * 5 / 6);
  for (std::size_t y = 0; y < 2; ++y) {
    EXPECT_DOUBLE_EQ(model.transition(0, 1, y, 1, 1, 1), 2.0 / 3 * 5 / 6);  // 2 of 3 stay high
    EXPECT_DOUBLE_EQ(model.transition(0, 1, y, 1, 0, 0), 1.0 / 3 * 1 / 2);
    EXPECT_DOUBLE_EQ(model.transition(0, 0, y, 0, 1, 0), 1.0 / 4 * 1 / 6);  // by refused people without a label
    EXPECT_EQ(found.successors(0, 0, y, 0), 4);
    EXPECT_EQ(found.successors(0, 0, y, 1), 0);
    EXPECT_DOUBLE_EQ(model.transition(0, 0, y, 1, 1, 1), 0.5 * 5 / 6);  // nobody was seen: all features alike
  }
  EXPECT_EQ(found.people[0], 8);
  EXPECT_DOUBLE_EQ(model.reward(0, 1, 1, 1), 1.0);  // 5 over 5 visits
  ASSERT_TRUE(model.rests_on && model.rests_on->labels);
  const LabelGrounds& labels = *model.rests_on->labels;
  EXPECT_EQ(labels.seen(0, 1), 6);
  EXPECT_EQ(labels.unseen(0, 1), 1);
  EXPECT_EQ(labels.unseen(0, 0), 8);
  EXPECT_FALSE(found.lost);  // radii are of states
  const auto said = caveats(*model.rests_on, found.model.names().groups);
  ASSERT_GE(said.size(), 2U);
  EXPECT_NE(said[0].find("labels follow features"), std::string::npos);
  EXPECT_NE(said[1].find("9 decisions had no label"), std::string::npos);
}

TEST(FollowFeatures, AModelIsAtAPointOfWhatIsAllowed) {
  EstimateOptions options;
  options.labels = LabelAssumption{kAnything};
  const auto refused = estimate(with_refused(), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().option, "refused");
  options.point = RefusedPoint::low;
  EXPECT_DOUBLE_EQ(unwrap(estimate(with_refused(), options)).model.spec().initial(0, 1, 1), 0.5 * 5 / 7);
  EXPECT_DOUBLE_EQ(unwrap(estimate(with_refused(), options)).model.spec().initial(0, 0, 1), 0);
  options.labels = LabelAssumption{{Refused::odds, 2}};
  options.point = RefusedPoint::high;  // s = 5/6, odds 5, so v = 10/11
  EXPECT_DOUBLE_EQ(unwrap(estimate(with_refused(), options)).model.spec().initial(0, 1, 1),
                   0.5 * (6.0 / 7 * 5 / 6 + 1.0 / 7 * 10 / 11));
}

TEST(FollowFeatures, TheRuleOfGuessedRowsIsThatOfFeatures) {
  EstimateOptions options;
  options.labels = LabelAssumption{};
  options.unvisited = Unvisited::stay;
  const Estimate found = unwrap(estimate(with_refused(), options));
  EXPECT_DOUBLE_EQ(found.model.spec().transition(0, 0, 0, 1, 0, 1), 0.5);  // stays low, and the label is drawn anew
  EXPECT_DOUBLE_EQ(found.model.spec().transition(0, 0, 0, 1, 1, 1), 0);
  options.unvisited = Unvisited::error;
  EXPECT_FALSE(estimate(with_refused(), options));
}

}  // namespace
}  // namespace fairstep
