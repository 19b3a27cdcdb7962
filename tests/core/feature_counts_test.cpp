// What counts say of features: rows with a label and without, together.
#include <fairstep/core/feature_counts.hpp>

#include <utility>

#include <gtest/gtest.h>

#include <fairstep/core/counts.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::unwrap;

Names low_and_high() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  return names;
}

/// Three people of group a over two steps: low,1,accept -> high,0,accept; low,?,refuse -> low,1,accept; and
/// high,0,accept -> high,?,refuse.
CountsSpec three_people() {
  CountsSpec counts = CountsSpec::zeros(2, low_and_high());
  counts.first(0, 0, 1) = counts.visits(0, 0, 0, 1, 1) = 1;
  counts.visits(0, 1, 1, 0, 1) = counts.transitions(0, 0, 1, 1, 1, 0) = 1;
  counts.visits(0, 1, 0, 1, 1) = 1;
  counts.first(0, 1, 0) = counts.visits(0, 0, 1, 0, 1) = 1;
  LogRecord log;
  log.files = {"log.csv"};
  log.rows = 6;
  log.censoring = Censoring::drop;
  log.unlabelled = Tensor<std::int64_t, 4>({2, 2, 2, 2});
  log.unlabelled(0, 0, 0, 0) = log.unlabelled(0, 1, 1, 0) = 1;
  log.unlabelled_rows = UnlabelledRows::zeros(counts.shape());
  log.unlabelled_rows->first(0, 0) = 1;
  log.unlabelled_rows->transitions(0, 0, 0, 0) = 1;  // from the one without a label
  log.unlabelled_rows->transitions(0, 1, 1, 1) = 1;  // and to the other
  log.lost = Lost::none(counts.shape());
  counts.log = std::move(log);
  return counts;
}

TEST(FeatureCounts, AddLabelledAndUnlabelledRows) {
  const FeatureCounts features = unwrap(feature_counts(made(three_people())));
  EXPECT_EQ(features.first(0, 0), 2);
  EXPECT_EQ(features.first(0, 1), 1);
  EXPECT_EQ(features.people(0), 3);
  EXPECT_EQ(features.visits(0, 0, 0, 0), 1);
  EXPECT_EQ(features.visits(0, 1, 1, 0), 1);
  EXPECT_EQ(features.visits(0, 1, 1, 1), 1);
  EXPECT_EQ(features.transitions(0, 0, 1, 1), 1);
  EXPECT_EQ(features.transitions(0, 0, 0, 0), 1);
  EXPECT_EQ(features.transitions(0, 1, 1, 1), 1);
  EXPECT_EQ(features.labels(0, 0, 1, 1), 2);
  EXPECT_EQ(features.labels(0, 1, 1, 0), 2);
  EXPECT_EQ(features.unlabelled(0, 0, 0), 1);
  EXPECT_EQ(features.unlabelled(0, 1, 0), 1);
  EXPECT_EQ(features.visits_of(0, 1, 1), 2);
  EXPECT_EQ(features.visits_of(0, 1, 0), 1);
  EXPECT_EQ(features.successors_of(0, 1, 1), 1);
  ASSERT_TRUE(features.lost);
  EXPECT_TRUE(features.lost->nothing());
}

TEST(FeatureCounts, AreTheMarginalWhereAllLabelsAreSeen) {
  CountsSpec counts = CountsSpec::zeros(2, low_and_high());
  counts.first(1, 0, 0) = counts.visits(1, 0, 0, 0, 1) = 5;
  counts.first(1, 0, 1) = counts.visits(1, 0, 0, 1, 1) = 7;
  counts.transitions(1, 0, 0, 1, 1, 0) = counts.visits(1, 1, 1, 0, 0) = 2;
  counts.transitions(1, 0, 1, 1, 1, 1) = counts.visits(1, 1, 1, 1, 0) = 3;
  const FeatureCounts features = unwrap(feature_counts(made(counts)));
  EXPECT_EQ(features.first(1, 0), 12);
  EXPECT_EQ(features.visits(1, 0, 0, 1), 12);
  EXPECT_EQ(features.transitions(1, 0, 1, 1), 5);
  EXPECT_EQ(features.labels(1, 0, 1, 1), 7);
  EXPECT_TRUE(features.lost && features.lost->nothing());  // no record: nothing, which is an assumption

  // What is charged to states is charged to their feature.
  LogRecord log;
  log.files = {"log.csv"};
  log.lost = Lost::none(counts.shape());
  log.lost->cells(1, 0, 0, 1) = 2;
  log.lost->cells(1, 0, 1, 1) = 3;
  log.lost->transitions(1, 1, 0, 0) = 4;
  log.lost->first(1) = 1;
  counts.log = log;
  const FeatureCounts lossy = unwrap(feature_counts(made(counts)));
  EXPECT_EQ(lossy.lost->cells(1, 0, 1), 5);
  EXPECT_EQ(lossy.lost->transitions(1, 1, 0), 4);
  EXPECT_EQ(lossy.lost->first(1), 1);
}

TEST(FeatureCounts, LabelsThatWereDrawnSayNothing) {
  CountsSpec counts = CountsSpec::zeros(2, low_and_high());
  counts.first(0, 0, 0) = counts.visits(0, 0, 0, 0, 1) = 1;
  counts.log.emplace().files = {"log.csv"};
  counts.log->censoring = Censoring::ignorable;
  counts.log->imputed = 1;
  const auto refused = feature_counts(made(counts));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("1 labels were drawn"), std::string::npos);
}

TEST(FeatureCounts, FilesThatDidNotKeepWherePeopleWentAreRefused) {
  CountsSpec counts = three_people();
  counts.log->unlabelled_rows.reset();
  const auto refused = feature_counts(made(counts));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/log/unlabelled");
}

TEST(FeatureCounts, MoreSuccessorsThanDecisionsAreRefused) {
  CountsSpec counts = three_people();
  counts.log->unlabelled_rows->transitions(0, 0, 0, 1) = 1;
  const auto refused = Counts::make(counts);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/log/unlabelled_rows/transitions/0/0/0");
  counts = three_people();
  counts.log->unlabelled_rows->first(0, 1) = 2;
  const auto many = Counts::make(counts);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().pointer, "/log/unlabelled/0");
}

TEST(FeatureCounts, AddUp) {
  Counts sum = made(three_people());
  CountsSpec other = CountsSpec::zeros(2, low_and_high());  // all labels seen, and one lost
  other.first(0, 0, 0) = other.visits(0, 0, 0, 0, 1) = 1;
  other.log.emplace().files = {"other.csv"};
  other.log->lost = Lost::none(other.shape());
  other.log->lost->cells(0, 1, 0, 1) = 1;
  ASSERT_TRUE(sum.add(made(other)));
  const FeatureCounts features = unwrap(feature_counts(sum));
  EXPECT_EQ(features.first(0, 0), 3);
  EXPECT_EQ(features.unlabelled(0, 0, 0), 1);
  EXPECT_EQ(features.lost->cells(0, 1, 1), 1);

  CountsSpec old = three_people();  // of a version that did not keep it
  old.log->unlabelled_rows.reset();
  ASSERT_TRUE(sum.add(made(old)));
  EXPECT_FALSE(sum.log()->unlabelled_rows);
  EXPECT_FALSE(feature_counts(sum));
}

}  // namespace
}  // namespace fairstep
