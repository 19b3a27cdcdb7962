// Values of a chunk: numbers for names, and what is wrong with a row.
#include <fairstep/ingest/internal/decoder.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

using testing::Columns;
using Texts = std::vector<std::optional<std::string>>;

/// Person, step, group, x, a, y of each row; persons are numbered as the rows are.
Columns of_texts(const std::vector<Texts>& rows) {
  Columns columns;
  std::vector<std::optional<std::int64_t>> people;
  for (std::size_t i = 0; i < rows.size(); ++i) people.emplace_back(static_cast<std::int64_t>(i));
  columns.add(people);
  for (std::size_t role = 0; role < 5; ++role) {
    Texts values;
    for (const Texts& row : rows) values.push_back(row[role]);
    columns.add_texts(values);
  }
  return columns;
}

Chunk decoded(const Plan& plan, const std::vector<Texts>& rows) {
  Decoder decoder(plan);
  Chunk chunk;
  decoder.decode(of_texts(rows).raw(), rows.size(), chunk);
  return chunk;
}

TEST(Decoder, NumbersNamesAsTheyCome) {
  Decoder decoder(testing::plan_of_texts());
  Chunk chunk;
  const Columns columns =
      of_texts({{"3", "b", "low", "1", "0"}, {"4", "a", "a longer name", "0", "1"}, {"3", "b", "low", "1", "1"}});
  decoder.decode(columns.raw(), 3, chunk);
  EXPECT_FALSE(chunk.any_problem);
  EXPECT_FALSE(chunk.any_unlabelled);
  EXPECT_EQ(chunk.step, (std::vector<std::int64_t>{3, 4, 3}));
  EXPECT_EQ(chunk.h, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(chunk.g, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(chunk.x, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(chunk.a, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(chunk.y, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(decoder.vocabulary().groups.names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(decoder.vocabulary().features.names(), (std::vector<std::string>{"low", "a longer name"}));
  EXPECT_EQ(decoder.vocabulary().steps.steps(), (std::vector<std::int64_t>{3, 4}));
}

TEST(Decoder, SaysWhatIsWrongWithARowAndWhere) {
  Plan plan = testing::plan_of_texts();
  plan.features = {"low", "high"};
  struct Case {
    Texts row;
    std::int32_t why;
    Role role;
  };
  const std::vector<Case> cases{
      {{"0", "a", "low", "1", "1"}, 0, {}},
      {{std::nullopt, "a", "low", "1", "1"}, kMissing, Role::step},
      {{"", "a", "low", "1", "1"}, kMissing, Role::step},
      {{"1.5", "a", "low", "1", "1"}, kUnreadable, Role::step},
      {{"soon", "a", "low", "1", "1"}, kUnreadable, Role::step},
      {{"9007199254740992", "a", "low", "1", "1"}, kUnreadable, Role::step},  // 2^53
      {{"0", std::nullopt, "low", "1", "1"}, kMissing, Role::group},
      {{"0", "a", "middle", "1", "1"}, kUnknown, Role::x},
      {{"0", "a", "low", "yes", "1"}, kUnknown, Role::a},
      {{"0", "a", "low", std::nullopt, "1"}, kMissing, Role::a},
      {{"0", "a", "low", "1", "2"}, kUnknown, Role::y},
      {{"0", std::nullopt, "middle", "yes", "2"}, kMissing, Role::group},  // the first in the order of roles
  };
  std::vector<Texts> rows;
  for (const Case& one : cases) rows.push_back(one.row);
  const Chunk chunk = decoded(plan, rows);
  EXPECT_TRUE(chunk.any_problem);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(chunk.problems[i].why, cases[i].why) << i;
    EXPECT_EQ(chunk.problems[i].role, cases[i].role) << i;
    EXPECT_EQ(chunk.usable(i), cases[i].why == 0) << i;
  }
  EXPECT_LT(chunk.x.back(), 0);  // nor are the others known
  EXPECT_LT(chunk.y.back(), 0);
}

TEST(Decoder, ADecisionWithoutALabelIsInOrder) {
  const Chunk chunk = decoded(testing::plan_of_texts(), {{"0", "a", "low", "1", "1"}, {"1", "a", "low", "0", ""}});
  EXPECT_FALSE(chunk.any_problem);
  EXPECT_TRUE(chunk.any_unlabelled);
  EXPECT_EQ(chunk.y, (std::vector<std::int32_t>{1, kMissing}));
}

TEST(Decoder, ForgetsTheTroubleOfTheChunkBefore) {
  Decoder decoder(testing::plan_of_texts());
  Chunk chunk;
  const Columns bad = of_texts({{"soon", "a", "low", "1", ""}, {"0", "a", "low", "1", "1"}});
  const Columns good = of_texts({{"0", "a", "low", "1", "1"}});
  decoder.decode(bad.raw(), 2, chunk);
  EXPECT_TRUE(chunk.any_problem && chunk.any_unlabelled);
  decoder.decode(good.raw(), 1, chunk);
  EXPECT_FALSE(chunk.any_problem || chunk.any_unlabelled);
  EXPECT_TRUE(chunk.usable(0));
}

TEST(Decoder, UnderstandsNamesWordsAndNumbersOfLabels) {
  std::vector<Texts> rows;
  for (const char* text :
       {"unqualified", "qualified", "false", "TRUE", "0", "1", "1.0", " 1 ", "0e0", "Qualified", "01x"})
    rows.push_back({"0", "a", "low", "accept", text});
  const Chunk chunk = decoded(testing::plan_of_texts(), rows);
  EXPECT_EQ(chunk.y, (std::vector<std::int32_t>{0, 1, 0, 1, 0, 1, 1, 1, 0, kUnknown, kUnknown}));
  EXPECT_EQ(chunk.a.front(), 1);
}

TEST(Decoder, MoreWordsThanItRemembersAreStillUnderstood) {
  std::vector<Texts> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({"0", "a", "low", "1", "word " + std::to_string(i)});
  rows.push_back({"0", "a", "low", "1", "1.00"});
  const Chunk chunk = decoded(testing::plan_of_texts(), rows);
  EXPECT_EQ(chunk.y[199], kUnknown);
  EXPECT_EQ(chunk.y[200], 1);
}

TEST(Decoder, PutsNumbersIntoBins) {
  Plan plan = testing::plan_of_texts();
  plan.bins = {0, 12.5, 50};
  plan.features = {"low", "middle", "high"};
  std::vector<Texts> rows;
  for (const char* text : {"-1", "0", "12.4999", "12.5", "50", "1e3", "low", ""})
    rows.push_back({"0", "a", text, "1", "1"});
  EXPECT_EQ(decoded(plan, rows).x, (std::vector<std::int32_t>{kUnknown, 0, 0, 1, 2, 2, kUnreadable, kMissing}));
}

TEST(Decoder, RowsOfExcludedGroupsAreNotUsedAndNotWrong) {
  Plan plan = testing::plan_of_texts();
  plan.excluded = {"c", "d"};
  const Chunk chunk = decoded(plan, {{"0", "a", "low", "1", "1"}, {"0", "d", "low", "1", "1"}});
  EXPECT_EQ(chunk.g, (std::vector<std::int32_t>{0, kExcluded - 1}));
  EXPECT_EQ(chunk.problems[1].why, 0);
  EXPECT_TRUE(chunk.usable(0));
  EXPECT_FALSE(chunk.usable(1));
}

// Whole numbers that were all seen before go another way, without a branch.
TEST(Decoder, StepsBeyondTheHorizonAreOutOfRangeWhicheverWayTheyGo) {
  for (const ValueType type : {ValueType::integer, ValueType::text}) {
    Plan plan = testing::plan_of_numbers();
    plan.type[static_cast<std::size_t>(Role::step)] = type;
    plan.first_step = 2;
    plan.horizon = 3;
    Decoder decoder(plan);
    Chunk chunk;
    const auto decode = [&](const std::vector<std::int64_t>& steps) {
      Columns columns;
      const std::vector<std::optional<std::int64_t>> ones(steps.size(), 1);
      columns.add(ones);
      if (type == ValueType::text) {
        Texts texts;
        for (const std::int64_t step : steps) texts.emplace_back(std::to_string(step));
        columns.add_texts(texts);
      } else {
        columns.add(std::vector<std::optional<std::int64_t>>(steps.begin(), steps.end()));
      }
      for (int role = 2; role < 6; ++role) columns.add(ones);
      decoder.decode(columns.raw(), steps.size(), chunk);
      return chunk.h;
    };
    using Steps = std::vector<std::int32_t>;
    EXPECT_EQ(decode({4, 2, 3}), (Steps{0, 1, 2}));
    EXPECT_EQ(decode({2, 3, 4}), (Steps{1, 2, 0}));
    EXPECT_FALSE(chunk.any_problem);
    EXPECT_EQ(decode({1, 2, 5}), (Steps{kOutOfRange, 1, kOutOfRange}));
    EXPECT_TRUE(chunk.any_problem);
  }
}

TEST(Decoder, RewardsAreFiniteNumbersAndDaysAreDays) {
  Plan plan = testing::plan_of_numbers();
  plan.type[static_cast<std::size_t>(Role::reward)] = ValueType::real;
  plan.type[static_cast<std::size_t>(Role::time)] = ValueType::integer32;
  Columns columns = testing::columns_of_numbers(testing::Numbers(5, {1, 1, 1, 1, 1, 1}));
  columns.add<double>({0.5, std::numeric_limits<double>::infinity(), std::nullopt, std::nan(""), 1});
  columns.add<std::int32_t>({0, 1, 2, 3, std::numeric_limits<std::int32_t>::max()});
  Decoder decoder(plan);
  Chunk chunk;
  decoder.decode(columns.raw(), 5, chunk);
  EXPECT_EQ(chunk.reward[0], 0.5);
  const std::vector<std::int32_t> why{0, kUnreadable, kMissing, kMissing, kUnreadable};
  for (std::size_t i = 0; i < why.size(); ++i) EXPECT_EQ(chunk.problems[i].why, why[i]) << i;
  EXPECT_EQ(chunk.problems[4].role, Role::time);
  EXPECT_EQ(chunk.day[1], 1);
}

}  // namespace
}  // namespace fairstep::internal
