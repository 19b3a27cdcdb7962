// Where counts came from: which records are sound, and what two of them together say.
#include <fairstep/core/log_record.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/counts.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;

constexpr std::int64_t kGreatestCount = std::numeric_limits<std::int64_t>::max();
const Shape kLogShape{2, 2, 2};
const std::vector<std::string> kLogGroups{"a", "b"};

Window window_from(const std::string& day, std::int64_t decisions) {
  Window window{day, Tensor<std::int64_t, 3>({2, 2, 2}), Tensor<std::int64_t, 2>({2, 2})};
  window.decisions(1, 0, 1) = decisions;
  window.unlabelled(0, 1) = 1;
  return window;
}

/// Ten rows of which two were duplicates and one had no label, in two months.
LogRecord sound_record() {
  LogRecord record;
  record.files = {"log.csv"};
  record.columns = {{"person", "id"}, {"x", "score"}};
  record.bins = {0, 0.5};
  record.first_step = 1;
  record.rows = 10;
  record.findings = {{Anomaly::missing, "y", 1, "log.csv", 4}, {Anomaly::duplicate, "", 2, "log.csv", 7}};
  record.unlabelled = Tensor<std::int64_t, 4>({2, 2, 2, 2});
  record.unlabelled(0, 0, 0, 1) = 1;
  record.window = "month";
  record.windows = {window_from("2024-01-01", 4), window_from("2024-03-01", 5)};
  return record;
}

TEST(LogRecord, IsSound) {
  const auto ok = check(sound_record(), kLogShape, kLogGroups);
  EXPECT_TRUE(ok) << ok.error().message;
  EXPECT_TRUE(check(LogRecord{}, kLogShape, kLogGroups));
}

TEST(LogRecord, IsRefusedForNumbersThatNoLogHas) {
  struct Wrong {
    std::function<void(LogRecord&)> how;
    std::string message, pointer;
  };
  const std::vector<Wrong> all{
      {[](LogRecord& r) { r.rows = -1; }, "log.rows is -1, expected 0 or more", "/log/rows"},
      {[](LogRecord& r) { r.imputed = -2; }, "log.imputed is -2, expected 0 or more", "/log/imputed"},
      {[](LogRecord& r) { r.findings[1].rows = 0; },
       "log.findings[1] has 0 rows, the first in row 7: expected at least one row, and a row number of 0 or more",
       "/log/findings/1"},
      {[](LogRecord& r) { r.findings[1].row = -1; },
       "log.findings[1] has 2 rows, the first in row -1: expected at least one row, and a row number of 0 or more",
       "/log/findings/1"},
      {[](LogRecord& r) { r.unlabelled(1, 0, 1, 0) = -3; },
       "log.unlabelled[g=b,h=0,x=1,a=0] is -3, expected a count of 0 or more", "/log/unlabelled/1/0/1/0"},
      {[](LogRecord& r) { r.unlabelled = Tensor<std::int64_t, 4>({2, 1, 2, 2}); },
       "log.unlabelled has size 2 x 1 x 2 x 2, expected 2 x 2 x 2 x 2", "/log/unlabelled"},
      {[](LogRecord& r) { r.windows[1].from = "2024-01-01"; },
       "log.windows[1] is from 2024-01-01, expected a day after 2024-01-01", "/log/windows/1"},
      {[](LogRecord& r) { r.windows[1].decisions(0, 1, 0) = -1; },
       "log.windows/1[g=a,y=1,a=0] is -1, expected a count of 0 or more", "/log/windows/1/0/1/0"},
      {[](LogRecord& r) { r.windows[0].unlabelled(1, 1) = -1; },
       "log.windows/0[g=b,a=1] is -1, expected a count of 0 or more", "/log/windows/0/1/1"},
  };
  for (const Wrong& wrong : all) {
    LogRecord record = sound_record();
    wrong.how(record);
    const auto ok = check(record, kLogShape, kLogGroups);
    ASSERT_FALSE(ok) << wrong.message;
    EXPECT_EQ(ok.error().message, wrong.message);
    EXPECT_EQ(ok.error().pointer, wrong.pointer);
  }
}

TEST(LogRecord, OfBothLogsHasTheirFilesAndSums) {
  LogRecord theirs = sound_record();
  theirs.files = {"more.csv", "last.csv"};
  theirs.findings = {{Anomaly::malformed, "", 3, "more.csv", 1}, {Anomaly::missing, "y", 4, "more.csv", 2}};
  theirs.windows = {window_from("2024-02-01", 6), window_from("2024-03-01", 7), window_from("2024-04-01", 8)};
  const auto both = merge(sound_record(), theirs, kLogShape);
  ASSERT_TRUE(both) << both.error().message;
  LogRecord expected = sound_record();
  expected.files = {"log.csv", "more.csv", "last.csv"};
  expected.rows = 20;
  // In the order of anomalies; the first place of one that both have is ours.
  expected.findings = {{Anomaly::malformed, "", 3, "more.csv", 1},
                       {Anomaly::missing, "y", 5, "log.csv", 4},
                       {Anomaly::duplicate, "", 2, "log.csv", 7}};
  expected.unlabelled(0, 0, 0, 1) = 2;
  expected.windows = {window_from("2024-01-01", 4), window_from("2024-02-01", 6), window_from("2024-03-01", 12),
                      window_from("2024-04-01", 8)};
  expected.windows[2].unlabelled(0, 1) = 2;
  EXPECT_EQ(*both, expected);
}

TEST(LogRecord, OfBothLogsHasTheUnlabelledOfEither) {
  LogRecord without = sound_record();
  without.unlabelled = {};
  without.imputed = 3;
  const LogRecord with = sound_record();
  for (const auto& both : {merge(with, without, kLogShape), merge(without, with, kLogShape)}) {
    ASSERT_TRUE(both);
    EXPECT_EQ(both->unlabelled, with.unlabelled);
    EXPECT_EQ(both->imputed, 3);
  }
}

TEST(LogRecord, OfLogsThatWereReadInAnotherWayIsRefused) {
  struct Difference {
    std::function<void(LogRecord&)> how;
    std::string message, pointer;
  };
  const std::vector<Difference> all{
      {[](LogRecord& r) { r.columns[1].second = "band"; },
       "columns are person=id,x=band, expected person=id,x=score as in the counts added to", "/log/columns"},
      {[](LogRecord& r) { r.bins = {0, 0.25}; }, "bins are [0,0.25], expected [0,0.5] as in the counts added to",
       "/log/bins"},
      {[](LogRecord& r) { r.first_step = 0; }, "the first step is 0, expected 1 as in the counts added to",
       "/log/first_step"},
      {[](LogRecord& r) { r.censoring = Censoring::drop; },
       "censored labels are treated as \"drop\", expected \"no\" as in the counts added to", "/log/censored"},
      {[](LogRecord& r) { r.window = "30 days"; }, "the window is 30 days, expected month as in the counts added to",
       "/log/window"},
      {[](LogRecord& r) { r.window = ""; }, "the window is none, expected month as in the counts added to",
       "/log/window"},
  };
  for (const Difference& difference : all) {
    LogRecord theirs = sound_record();
    difference.how(theirs);
    const auto both = merge(sound_record(), theirs, kLogShape);
    ASSERT_FALSE(both) << difference.message;
    EXPECT_EQ(both.error().message, difference.message);
    EXPECT_EQ(both.error().pointer, difference.pointer);
  }
}

TEST(LogRecord, OfBothLogsIsRefusedWhereASumIsTooLarge) {
  struct Large {
    std::function<void(LogRecord&)> how;
    std::string pointer;
  };
  const std::vector<Large> all{
      {[](LogRecord& r) { r.rows = kGreatestCount; }, "/log/rows"},
      {[](LogRecord& r) { r.imputed = kGreatestCount / 2 + 1; }, "/log/rows"},
      {[](LogRecord& r) { r.unlabelled(1, 1, 1, 1) = kGreatestCount; }, "/log/rows"},
      {[](LogRecord& r) { r.findings[0].rows = kGreatestCount; }, "/log/findings"},
      {[](LogRecord& r) { r.windows[1].decisions(1, 0, 1) = kGreatestCount; }, "/log/windows"},
      {[](LogRecord& r) { r.windows[1].unlabelled(0, 1) = kGreatestCount; }, "/log/windows"},
  };
  for (const Large& large : all) {
    LogRecord record = sound_record();
    large.how(record);
    const auto both = merge(record, record, kLogShape);
    ASSERT_FALSE(both) << large.pointer;
    EXPECT_EQ(both.error().pointer, large.pointer);
    EXPECT_NE(both.error().message.find("add up to more than a count can hold"), std::string::npos);
  }
}

/// Counts of two people, of whom one each is in the groups.
Counts two_people() {
  Names names;
  names.groups = kLogGroups;
  names.features = {"low", "high"};
  CountsSpec counts = CountsSpec::zeros(2, names);
  for (const std::size_t g : {0U, 1U}) counts.first(g, 0, 0) = counts.visits(g, 0, 0, 0, 0) = 1;
  return made(std::move(counts));
}

Lost some_losses() {
  Lost lost = Lost::none(kLogShape);
  lost.first(1) = 2;
  lost.first_in_doubt(1) = 1;
  lost.decisions(1, 0) = 3;
  lost.cells(1, 0, 1, 0) = 3;
  lost.transitions(1, 0, 1, 0) = 1;
  return lost;
}

TEST(LogRecord, WhatIsLostAddsUpAndWhatIsUnknownStaysUnknown) {
  LogRecord known = sound_record();
  known.lost = some_losses();
  auto both = merge(known, known, kLogShape);
  ASSERT_TRUE(both);
  Lost twice = some_losses();
  ASSERT_TRUE(twice.add(some_losses()));
  EXPECT_EQ(both->lost, twice);
  EXPECT_EQ(twice.decisions(1, 0), 6);

  // An older version found rows that it could not use, and did not say where they belong.
  const LogRecord old = sound_record();
  EXPECT_FALSE(losses(old, kLogShape));
  for (const auto& unknown : {merge(known, old, kLogShape), merge(old, known, kLogShape)}) {
    ASSERT_TRUE(unknown);
    EXPECT_FALSE(unknown->lost);
  }
  // It found none: then none is lost.
  LogRecord flawless = sound_record();
  flawless.unlabelled = {};
  flawless.findings = {{Anomaly::duplicate, "", 2, "log.csv", 7}};
  both = merge(known, flawless, kLogShape);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->lost, some_losses());

  known.lost->cells(1, 0, 1, 0) = kGreatestCount;
  const auto too_many = merge(known, known, kLogShape);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().pointer, "/log/lost");
}

TEST(LogRecord, LossesThatNoLogHasAreRefused) {
  LogRecord record = sound_record();
  record.lost = some_losses();
  EXPECT_TRUE(check(record, kLogShape, kLogGroups));
  record.lost->decisions(1, 1) = -1;
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().message,
            "log.lost.decisions[g=b,h=1] is -1, expected a count of 0 or more");
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().pointer, "/log/lost/decisions/1/1");
  record.lost = Lost::none({2, 2, 1});
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().pointer, "/log/lost/cells");
  record.lost.reset();
  record.unrecorded_people = -1;
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().pointer, "/log/unrecorded_people");
  record.unrecorded_people = 0;
  record.excluded = {{"c", 0}};
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().pointer, "/log/excluded/0/rows");
  record.excluded = {{"d", 1}, {"c", 1}};
  EXPECT_EQ(check(record, kLogShape, kLogGroups).error().pointer, "/log/excluded/1");
}

TEST(LogRecord, ExcludedGroupsAddUpByName) {
  LogRecord ours = sound_record();
  ours.excluded = {{"c", 1}, {"e", 2}};
  LogRecord theirs = sound_record();
  theirs.excluded = {{"d", 3}, {"e", 4}};
  const auto both = merge(ours, theirs, kLogShape);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->excluded, (std::vector<Excluded>{{"c", 1}, {"d", 3}, {"e", 6}}));
}

// A shard in which nobody happened to lack a label is no reason to refuse the sum, nor to forget the assumption.
TEST(LogRecord, AnAssumptionAboutLabelsStaysInTheSumWithALogThatNeededNone) {
  LogRecord labelled = sound_record();
  labelled.unlabelled = {};
  for (const Censoring censoring : {Censoring::drop, Censoring::ignorable}) {
    LogRecord assumed = sound_record();
    assumed.censoring = censoring;
    for (const auto& both : {merge(labelled, assumed, kLogShape), merge(assumed, labelled, kLogShape)}) {
      ASSERT_TRUE(both) << both.error().message;
      EXPECT_EQ(both->censoring, censoring);
    }
  }
}

// The defect: adding two people without a record erased the record, and with it that labels were censored.
TEST(LogRecord, StaysWithTheSumIfOnlyOneOfTheCountsHasOne) {
  const Counts with = changed(two_people(), [](CountsSpec& spec) {
    spec.log = sound_record();
    spec.log->censoring = Censoring::drop;
    spec.log->lost = some_losses();
  });
  const Counts without = two_people();
  LogRecord expected = *with.log();
  expected.unrecorded_people = 2;
  Counts sum = with;
  ASSERT_TRUE(sum.add(without));
  EXPECT_EQ(sum.log(), expected);
  sum = without;
  ASSERT_TRUE(sum.add(with));
  EXPECT_EQ(sum.log(), expected);
  ASSERT_TRUE(sum.add(sum));
  EXPECT_EQ(sum.log()->unrecorded_people, 4);
  sum = without;
  ASSERT_TRUE(sum.add(without));
  EXPECT_FALSE(sum.log());
}

TEST(LogRecord, OfBothIsThatOfCountsAddedUp) {
  Counts ours = changed(two_people(), [](CountsSpec& spec) { spec.log = sound_record(); });
  const Counts theirs = ours;
  ASSERT_TRUE(ours.add(theirs));
  EXPECT_EQ(ours.log()->rows, 20);
  const Counts before = ours;
  const auto refused = ours.add(changed(theirs, [](CountsSpec& spec) { spec.log->first_step = 0; }));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/log/first_step");
  EXPECT_EQ(ours, before);
}

}  // namespace
}  // namespace fairstep
