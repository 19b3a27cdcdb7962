// What a tally comes to, by hand: numbers of the tally become places on named axes, and trouble names the log.
#include <fairstep/ingest/internal/result.hpp>

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/part.hpp>
#include <fairstep/core/split.hpp>

#include "columns.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::Numbers;
using testing::unwrap;

/// Rows of each file of a log, read.
Scanned scanned_of(const Plan& plan, const std::vector<Numbers>& files) {
  Tally tally(plan);
  for (std::size_t file = 0; file < files.size(); ++file) {
    const testing::Columns columns = testing::columns_of_numbers(files[file]);
    EXPECT_TRUE(tally.take(columns.raw(), files[file].size(), place_of(file, 0)));
  }
  tally.finish();
  return {std::move(tally), {}, false};
}

LogFiles two_files() {
  LogFiles log;
  log.files = {"one.csv", "two.csv"};
  const std::vector<std::string> names{"who", "when", "band", "score", "took", "good"};
  for (std::size_t role = 0; role < names.size(); ++role) log.column[role] = names[role];
  return log;
}

Expected<CountedLog> result(Scanned scanned, const CountOptions& options = {}, const LogFiles& log = two_files()) {
  return result_of(scanned, Censoring::none, log, options);
}

// Person, step, group, x, a, y. Steps begin with 5; group 8 and feature 4 come first, and are last by name.
const Numbers kThreeRows{{1, 5, 8, 4, 1, 0}, {1, 6, 8, 3, 1, 1}, {2, 5, 7, 3, 0, 1}};

TEST(Result, NamesAreSortedAndStepsBeginWithTheLowest) {
  const CountedLog log = unwrap(result(scanned_of(testing::plan_of_numbers(), {kThreeRows})));
  const Counts& counts = log.counts;
  EXPECT_EQ(counts.names().groups, (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(counts.names().features, (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(counts.names().labels, (std::vector<std::string>{"unqualified", "qualified"}));
  EXPECT_EQ(counts.shape().horizon, 2U);
  EXPECT_EQ(counts.first()(1, 1, 0), 1);  // person 1
  EXPECT_EQ(counts.first()(0, 0, 1), 1);  // person 2
  EXPECT_EQ(counts.visits()(1, 0, 1, 0, 1), 1);
  EXPECT_EQ(counts.visits()(1, 1, 0, 1, 1), 1);
  EXPECT_EQ(counts.visits()(0, 0, 0, 1, 0), 1);
  EXPECT_EQ(counts.transitions()(1, 1, 0, 1, 0, 1), 1);
  EXPECT_EQ(log.people, 2);
  EXPECT_EQ(log.lost_rows, 0);
  const LogRecord& record = counts.log().value();
  EXPECT_EQ(record.first_step, 5);
  EXPECT_EQ(record.rows, 3);
  EXPECT_TRUE(record.findings.empty());
  EXPECT_EQ(record.files, (std::vector<std::string>{"one.csv", "two.csv"}));
  EXPECT_EQ(record.columns,
            (std::vector<std::pair<std::string, std::string>>{
                {"a", "took"}, {"group", "band"}, {"person", "who"}, {"step", "when"}, {"x", "score"}, {"y", "good"}}));
}

TEST(Result, NamesThatWereGivenStayInTheirOrder) {
  Plan plan = testing::plan_of_numbers();
  CountOptions options;
  plan.groups = options.groups = {"8", "7", "9"};
  plan.features = options.features = {"4", "3"};
  options.horizon = 3;
  const Counts counts = unwrap(result(scanned_of(plan, {kThreeRows}), options)).counts;
  EXPECT_EQ(counts.names().groups, options.groups);
  EXPECT_EQ(counts.shape().horizon, 3U);
  EXPECT_EQ(counts.transitions()(0, 0, 0, 1, 1, 1), 1);
  EXPECT_EQ(counts.people(2), 0);  // nobody is of group 9
}

TEST(Result, StepsThatDoNotFitAreRefusedInTheLog) {
  CountOptions options;
  options.horizon = 1;
  const auto longer = result(scanned_of(testing::plan_of_numbers(), {kThreeRows}), options);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().message, "the steps go from 5 to 6, which is more than the horizon of 1");
  EXPECT_EQ(longer.error().hint, "say which step is the first: first_step = 5");
  EXPECT_EQ(longer.error().file, "one.csv");
  // Years and a time stamp: 100,001 steps from the first to the last.
  const auto far = result(scanned_of(testing::plan_of_numbers(), {{{1, 2020, 7, 3, 1, 1}, {2, 102'020, 8, 3, 1, 1}}}));
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().message, "the steps go from 2020 to 102020, expected at most 100000 of them");
}

TEST(Result, FindingsAreInOrderAndHaveTheRowOfTheirFile) {
  Plan plan = testing::plan_of_numbers();
  CountOptions options;
  plan.groups = options.groups = {"7", "8"};
  // Labels of 5 in rows 2 of the first and 1 of the second file; a group 9 in row 2 of the second; decisions of 6.
  Scanned scanned = scanned_of(plan, {{{1, 5, 8, 4, 1, 0}, {2, 5, 7, 3, 0, 5}, {3, 5, 7, 3, 0, 1}},
                                      {{4, 5, 7, 3, 0, 5}, {5, 5, 9, 3, 0, 1}, {6, 5, 7, 3, 6, 1}}});
  scanned.malformed = {2, 1, 4, 0, false};
  scanned.tally.lose_lines(2);
  const CountedLog log = unwrap(result(std::move(scanned), options));
  const std::vector<Finding> expected{{Anomaly::malformed, "", 2, "two.csv", 4},
                                      {Anomaly::unknown, "a", 1, "two.csv", 3},
                                      {Anomaly::unknown, "group", 1, "two.csv", 2},
                                      {Anomaly::unknown, "y", 2, "one.csv", 2}};
  EXPECT_EQ(log.counts.log()->findings, expected);
  EXPECT_EQ(log.lost_rows, 6);
  EXPECT_EQ(log.people, 2);
}

TEST(Result, RowsThatWereMadeOfOneHaveItsNumber) {
  LogFiles log = two_files();
  log.rows_of_one = 3;  // the fifth of them is of the second row
  const Numbers rows{
      {1, 0, 7, 3, 1, 1}, {1, 1, 7, 3, 1, 1}, {1, 2, 7, 3, 1, 1}, {2, 0, 8, 3, 1, 1}, {2, 1, 8, 3, 1, 5}};
  const CountedLog counted = unwrap(result(scanned_of(testing::plan_of_numbers(), {rows}), {}, log));
  ASSERT_EQ(counted.counts.log()->findings.size(), 1U);
  EXPECT_EQ(counted.counts.log()->findings.front().row, 2);
  log.query = "SELECT 1";
  const CountedLog asked = unwrap(result(scanned_of(testing::plan_of_numbers(), {rows}), {}, log));
  EXPECT_EQ(asked.counts.log()->findings.front().file, "the query's result");
}

TEST(Result, ALogOfNothingSaysWhatIsWrongFirst) {
  const auto empty = result(scanned_of(testing::plan_of_numbers(), {{}}));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "the log has no rows");
  EXPECT_EQ(empty.error().file, "one.csv");
  EXPECT_EQ(empty.error().hint, "");
  const auto unusable = result(scanned_of(testing::plan_of_numbers(), {{{1, 0, 7, 3, 1, 5}, {2, 0, 7, 3, 9, 1}}}));
  ASSERT_FALSE(unusable);
  EXPECT_EQ(unusable.error().message, "none of the 2 rows can be counted");
  EXPECT_EQ(unusable.error().hint, "the first trouble: unknown a in row 2");
}

TEST(Result, WhatIsNoCountsNamesTheLog) {
  const auto one_group = result(scanned_of(testing::plan_of_numbers(), {{{1, 0, 7, 3, 1, 1}}}));
  ASSERT_FALSE(one_group);
  EXPECT_EQ(one_group.error().file, "one.csv");
  EXPECT_EQ(one_group.error().message, "groups has 1 name, expected at least 2");
}

TEST(Result, AStopIsNoResult) {
  std::stop_source stop;
  CountOptions options;
  options.stop = stop.get_token();
  stop.request_stop();
  const auto stopped = result(scanned_of(testing::plan_of_numbers(), {kThreeRows}), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "stopped after 3 rows, before the end of the log");
}

TEST(Results, OfASplitLearnWhichPartTheyAre) {
  const Split split{0.5, 3};
  Plan plan = testing::plan_of_numbers();
  plan.split = split;
  CountOptions options;
  plan.groups = options.groups = {"7", "8"};
  plan.features = options.features = {"3", "4"};
  // Enough people that both parts have some of both groups: 64 of each, of which none is in a part by chance 2^-64.
  Numbers rows;
  for (std::int64_t person = 0; person < 128; ++person) rows.push_back({person, 0, 7 + person % 2, 3, 1, 1});
  std::vector<Scanned> parts = by_part(scanned_of(plan, {rows}));
  ASSERT_EQ(parts.size(), 2U);
  const auto results = unwrap(results_of(parts, {Censoring::none, Censoring::none}, two_files(), options, split));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].people + results[1].people, 128);
  EXPECT_EQ(results[0].counts.part()->role, PartRole::design);
  EXPECT_EQ(results[1].counts.part()->role, PartRole::audit);
  EXPECT_EQ(results[0].counts.people(0) + results[1].counts.people(0), 64);
}

TEST(Results, APartWithoutPeopleIsRefusedUnlessAllAre) {
  const Split split{0.5, 3};
  std::vector<Scanned> parts;
  parts.push_back(scanned_of(testing::plan_of_numbers(), {kThreeRows}));
  parts.push_back(scanned_of(testing::plan_of_numbers(), {{}}));
  const auto half = results_of(parts, {Censoring::none, Censoring::none}, two_files(), {}, split);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().message, nobody_in_part(PartRole::audit).value().message);
  EXPECT_EQ(half.error().file, "one.csv");
  std::vector<Scanned> nobody;
  for (int i = 0; i < 2; ++i) nobody.push_back(scanned_of(testing::plan_of_numbers(), {{}}));
  const auto none = results_of(nobody, {Censoring::none, Censoring::none}, two_files(), {}, split);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "the log has no rows");
}

}  // namespace
}  // namespace fairstep::internal
