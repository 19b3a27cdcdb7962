// All together: chunks in, tables out, whoever has read which of them.
#include <fairstep/ingest/internal/tally.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/internal/wire.hpp>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

using testing::Numbers;

bool take_numbers(Tally& tally, const Numbers& rows, std::uint64_t place) {
  const testing::Columns columns = testing::columns_of_numbers(rows);
  return tally.take(columns.raw(), rows.size(), place);
}

// Person, step, group, x, a, y. Person 2 is cut in two.
const Numbers kFirst{{1, 0, 7, 3, 1, 0}, {1, 1, 7, 4, 1, 1}, {2, 0, 8, 4, 0, 1}};
const Numbers kSecond{{2, 1, 8, 3, 1, 1}, {3, 1, 7, 3, 1, 0}};

TEST(Tally, WhoReadsTheSecondHalfFirstHasOtherNumbersAndTheSameCounts) {
  Tally one(testing::plan_of_numbers()), other(testing::plan_of_numbers());
  EXPECT_TRUE(take_numbers(one, kSecond, 3));
  EXPECT_TRUE(take_numbers(other, kFirst, 0));
  one.absorb(other);
  one.finish();
  EXPECT_FALSE(one.disordered());
  EXPECT_EQ(one.groups(), (std::vector<std::string>{"8", "7"}));  // as the second half has them
  EXPECT_EQ(one.features(), (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(one.steps(), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(one.rows(), 5);
  EXPECT_EQ(one.people(), 3);
  Tables& tables = one.tables();
  EXPECT_EQ(tables.first(1, 0, 0), 2);                              // 1 and 3, of group 7 with x = 3 and y = 0
  EXPECT_EQ(tables.first(0, 1, 1), 1);                              // 2, of group 8
  EXPECT_EQ(tables.transitions(tables.cell(0, 1, 1, 0), 0, 1), 1);  // of 2, across the halves
  EXPECT_EQ(tables.transitions(tables.cell(1, 0, 0, 1), 1, 1), 1);  // of 1
  EXPECT_EQ(tables.visits(tables.cell(1, 0, 0, 1), 0), 1);          // of 3, in step 1
  EXPECT_EQ(one.findings()(Anomaly::gap, Role::row).rows, 0);
}

TEST(Tally, EndsWhenPersonsDoNotRise) {
  Tally tally(testing::plan_of_numbers());
  EXPECT_TRUE(take_numbers(tally, kSecond, 0));
  EXPECT_FALSE(take_numbers(tally, kFirst, 2));
  EXPECT_TRUE(tally.disordered());
  EXPECT_FALSE(take_numbers(tally, kSecond, 5));
}

TEST(Tally, ADisorderedOneMakesTheOtherDisordered) {
  Tally one(testing::plan_of_numbers()), other(testing::plan_of_numbers());
  EXPECT_TRUE(take_numbers(one, kFirst, 0));
  other.give_up();
  one.absorb(other);
  EXPECT_TRUE(one.disordered());
}

TEST(Tally, SaysWhichColumnHasTooManyValues) {
  for (const bool groups : {true, false}) {
    Tally tally(testing::plan_of_numbers());
    Numbers rows;
    for (std::int64_t i = 0; i < 5000; ++i)
      rows.push_back(groups ? std::array<std::int64_t, 6>{i, i, i, 0, 1, 1}
                            : std::array<std::int64_t, 6>{i, 0, 0, i, 1, 1});
    EXPECT_FALSE(take_numbers(tally, rows, 0));
    EXPECT_EQ(tally.failure(),
              std::string(groups ? "group" : "x") + " has too many different values for a table: 5000 so far");
  }
}

TEST(Tally, DrawsLabelsIfItIsToldTo) {
  Plan plan = testing::plan_of_numbers();
  plan.groups = {"7"};
  plan.features = {"3"};
  plan.impute[0] = Tensor<double, 2>({1, 1});
  plan.impute[0](0, 0) = 1;
  Tally tally(plan);
  testing::Columns columns;
  for (const std::int64_t value : {1, 0, 7, 3, 1}) columns.add<std::int64_t>({value});
  columns.add<std::int64_t>({std::nullopt});
  EXPECT_TRUE(tally.take(columns.raw(), 1, 0));
  tally.finish();
  EXPECT_EQ(tally.imputed(), 1);
  EXPECT_EQ(tally.tables().first(0, 0, 1), 1);
  EXPECT_EQ(tally.findings()(Anomaly::missing, Role::y).rows, 0);
}

TEST(Tally, TravelsWhole) {
  Tally sent(testing::plan_of_numbers());
  EXPECT_TRUE(take_numbers(sent, kFirst, 0));
  sent.finish();
  sent.lose_lines(3);
  WireWriter writer;
  sent.travel(writer);
  const std::string bytes = std::move(writer).bytes();
  Tally arrived(testing::plan_of_numbers());
  WireReader reader(bytes);
  arrived.travel(reader);
  EXPECT_TRUE(reader.complete());
  WireWriter again;
  arrived.travel(again);
  EXPECT_EQ(std::move(again).bytes(), bytes);
  EXPECT_EQ(arrived.lost_rows(), 3);
  EXPECT_EQ(arrived.people(), 2);
}

}  // namespace
}  // namespace fairstep::internal
