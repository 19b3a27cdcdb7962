// The rows of one person beside each other.
#include <fairstep/ingest/internal/judge.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/internal/ledger.hpp>

namespace fairstep::internal {
namespace {

/// Usable, of group 0, feature 0, accepted with label 1; its number of the step is the step.
Row row_at(std::int64_t step, std::uint64_t place) {
  return {place, step, 0, static_cast<std::int32_t>(step), 0, 0, 0, 1, 1, true};
}
Row of_group(Row row, std::int32_t g) {
  row.g = g;
  row.usable = row.usable && g >= 0;
  return row;
}
Row with_reward(Row row, double reward) {
  row.reward = reward;
  return row;
}
Row without_step(std::uint64_t place) {
  Row row = row_at(0, place);
  row.h = kMissing;
  row.usable = false;
  return row;
}

struct Judged {
  std::vector<Row> rows{};
  bool inside = false;
  Findings findings{};
  Judge judge{};
};

Judged judged(std::vector<Row> rows) {
  Judged result;
  result.inside = result.judge.judge(rows, result.findings);
  result.rows = std::move(rows);
  return result;
}

std::vector<std::uint64_t> places_of(const std::vector<Row>& rows) {
  std::vector<std::uint64_t> places;
  for (const Row& row : rows) places.push_back(row.place);
  return places;
}

using Places64 = std::vector<std::uint64_t>;
using Groups = std::vector<std::int32_t>;

TEST(Judge, LeavesRowsAloneThatAreInOrder) {
  const Judged clean = judged({of_group(row_at(2, 7), 3), of_group(row_at(4, 8), 3)});
  EXPECT_TRUE(clean.inside);
  EXPECT_EQ(places_of(clean.rows), (Places64{7, 8}));
  EXPECT_EQ(clean.judge.may_be(), Groups{3});
  EXPECT_TRUE(clean.judge.unplaced().empty());
}

TEST(Judge, PutsRowsInTheOrderOfSteps) {
  const Judged mixed = judged({row_at(2, 0), row_at(0, 1), row_at(1, 2)});
  EXPECT_EQ(places_of(mixed.rows), (Places64{1, 2, 0}));
  const auto& found = mixed.findings(Anomaly::out_of_order, Role::row);
  EXPECT_EQ(found.rows, 1);  // step 0 came after step 2; step 1 came after step 0
  EXPECT_EQ(found.first, 1U);
}

TEST(Judge, KeepsOneOfRowsThatSayTheSame) {
  const Judged twice = judged({row_at(0, 5), row_at(1, 6), row_at(0, 7), row_at(0, 8)});
  EXPECT_EQ(places_of(twice.rows), (Places64{5, 6}));
  EXPECT_TRUE(twice.rows[0].usable);
  EXPECT_EQ(twice.findings(Anomaly::duplicate, Role::row).rows, 2);
  EXPECT_EQ(twice.findings(Anomaly::duplicate, Role::row).first, 7U);
}

TEST(Judge, UsesNoneOfRowsThatContradictEachOther) {
  const Judged doubtful = judged({row_at(0, 0), row_at(1, 1), with_reward(row_at(1, 2), 0.5), row_at(1, 3)});
  ASSERT_EQ(doubtful.rows.size(), 3U);  // the fourth says the same as the second
  EXPECT_TRUE(doubtful.rows[0].usable);
  EXPECT_FALSE(doubtful.rows[1].usable || doubtful.rows[2].usable);
  EXPECT_EQ(doubtful.findings(Anomaly::conflict, Role::row).rows, 2);
  EXPECT_EQ(doubtful.findings(Anomaly::duplicate, Role::row).rows, 1);
}

TEST(Judge, SetsRowsWithoutAStepApart) {
  const Judged torn = judged({row_at(0, 0), without_step(1), row_at(1, 2)});
  EXPECT_EQ(places_of(torn.rows), (Places64{0, 2}));
  EXPECT_EQ(places_of(torn.judge.unplaced()), Places64{1});
  EXPECT_EQ(torn.judge.may_be(), Groups{0});
}

TEST(Judge, SpeaksOfTheLastPersonOnly) {
  Judge judge;
  Findings findings;
  std::vector<Row> first{without_step(0)}, second{of_group(row_at(0, 1), 1)};
  EXPECT_TRUE(judge.judge(first, findings));
  EXPECT_EQ(judge.unplaced().size(), 1U);
  EXPECT_TRUE(judge.judge(second, findings));
  EXPECT_TRUE(judge.unplaced().empty());
  EXPECT_EQ(judge.may_be(), Groups{1});
}

TEST(Judge, APersonOfTwoGroupsMayBeOfEither) {
  const Judged torn = judged({of_group(row_at(0, 0), 1), of_group(row_at(1, 1), 0)});
  EXPECT_TRUE(torn.inside);
  EXPECT_EQ(torn.judge.may_be(), (Groups{1, 0}));
  EXPECT_FALSE(torn.rows[0].usable || torn.rows[1].usable);
  EXPECT_EQ(torn.findings(Anomaly::group_change, Role::row).rows, 2);
}

TEST(Judge, AnUnknownNameMayBeMeantForAnyGroup) {
  EXPECT_EQ(judged({of_group(row_at(0, 0), kUnknown)}).judge.may_be(), Groups{kAny});
  EXPECT_EQ(judged({of_group(row_at(0, 0), 1), of_group(row_at(1, 1), kUnknown)}).judge.may_be(), Groups{kAny});
  // A group that is missing says nothing: the other row knows.
  const Judged missing = judged({of_group(row_at(0, 0), 1), of_group(row_at(1, 1), kMissing)});
  EXPECT_EQ(missing.judge.may_be(), Groups{1});
  EXPECT_TRUE(missing.rows[0].usable);
}

TEST(Judge, WhoNamesMoreThanSixteenGroupsMayBeOfAny) {
  std::vector<Row> rows;
  for (std::int32_t g = 0; g < 16; ++g) rows.push_back(of_group(row_at(g, 0), g));
  EXPECT_EQ(judged(rows).judge.may_be().size(), 16U);
  rows.push_back(of_group(row_at(16, 0), 16));
  EXPECT_EQ(judged(rows).judge.may_be(), Groups{kAny});
}

TEST(Judge, WhoNamesOnlyExcludedGroupsIsOutsideOfTheStudy) {
  EXPECT_FALSE(judged({of_group(row_at(0, 0), kExcluded), of_group(row_at(1, 1), kMissing)}).inside);
  EXPECT_FALSE(judged({of_group(row_at(0, 0), kExcluded), of_group(row_at(1, 1), kExcluded - 1)}).inside);
  const Judged torn = judged({of_group(row_at(0, 0), 0), of_group(row_at(1, 1), kExcluded)});
  EXPECT_TRUE(torn.inside);
  EXPECT_EQ(torn.findings(Anomaly::group_change, Role::row).rows, 2);
  EXPECT_TRUE(judged({of_group(row_at(0, 0), kUnknown), of_group(row_at(1, 1), kExcluded)}).inside);
}

}  // namespace
}  // namespace fairstep::internal
