// Columns of a master without rows: each block takes the table that earns most, and what it does not take may go.
#include <fairstep/optimise/bound/columns.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

const std::vector<double> kHigh{0, 1}, kAll{1, 1}, kSomeLow{0.5, 1};

// Of group a the high earn 1/4 and all together 1/8, of group b 1/8 and -1/16. The gap may be 1/8.
class ColumnsOf : public ::testing::Test {
 protected:
  void solve() {
    const std::vector<Coefficient> objective{{Master::kValue, 1.0}};
    master.set_objective(objective);
    ASSERT_EQ(master.solve().status, LpStatus::optimal);
  }
  void add_high_and_all() {
    for (std::size_t b = 0; b < 2; ++b) {
      columns.add(b, kHigh);
      columns.add(b, kAll);
    }
  }

  Model model = standing_still(1, kHighAndLow, -0.5, 1);
  Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.125}}}}, {}));
  Master master{program};
  Columns columns{program, master, {}};
};

TEST_F(ColumnsOf, AMasterWithoutRowsTakeTheBestOfEachBlock) {
  add_high_and_all();
  solve();
  EXPECT_NEAR(master.at(Master::kValue), 0.375, 1e-9);
  EXPECT_EQ(columns.in_use(0), std::vector<std::vector<double>>{kHigh});
  EXPECT_EQ(columns.in_use(1), std::vector<std::vector<double>>{kHigh});
  EXPECT_EQ(columns.average(), (Tables{kHigh, kHigh}));
}

TEST_F(ColumnsOf, ASolutionThatMixesThemAreDisputedWhereTheyDiffer) {
  // Three quarters of a: half of the time all of it, half of the time the high.
  master.add_row(0.75, 0.75, {{Master::functional(0), 1.0}});
  add_high_and_all();
  solve();
  EXPECT_EQ(columns.in_use(0).size(), 2U);
  EXPECT_NEAR(columns.average()[0][0], 0.5, 1e-9);
  const Dispute dispute = columns.most_disputed();
  EXPECT_EQ(dispute.block, 0U);
  EXPECT_EQ(dispute.entry, 0U);
  EXPECT_NEAR(dispute.average, 0.5, 1e-9);
}

TEST_F(ColumnsOf, NoSolutionAreTheMiddleOfTheBoxOnAverage) {
  columns.set_boxes({{{0, 0.5}, {0.5, 1}}, {{0, 0}, {1, 1}}});
  EXPECT_EQ(columns.average(), (Tables{{0.25, 0.75}, {0.5, 0.5}}));
}

TEST_F(ColumnsOf, OtherBoxesAreIgnored) {
  columns.set_boxes({{{0, 0}, {0.75, 1}}, {{0, 0}, {1, 1}}});
  columns.add(0, kAll);
  EXPECT_FALSE(columns.has_one_inside(0));
  columns.add(0, kHigh);
  EXPECT_TRUE(columns.has_one_inside(0));
  EXPECT_FALSE(columns.has_one_inside(1));
}

TEST_F(ColumnsOf, AWiderBoxAreClosedInANarrowerAndOpenAgainLater) {
  add_high_and_all();
  const std::vector<Box> whole = columns.boxes();
  columns.set_boxes({{{1, 0}, {1, 1}}, {{0, 0}, {1, 1}}});  // all of a's low
  EXPECT_TRUE(columns.has_one_inside(0));
  solve();
  EXPECT_NEAR(master.at(Master::kValue), 0.25, 1e-9);  // 1/8 + 1/8
  EXPECT_EQ(columns.in_use(0), std::vector<std::vector<double>>{kAll});
  columns.set_boxes(whole);
  solve();
  EXPECT_NEAR(master.at(Master::kValue), 0.375, 1e-9);
}

TEST_F(ColumnsOf, NoUseThatWouldCostTooMuchAreForgotten) {
  // In place of the high all of a would cost 1/4 - 1/8 = 2/16, and all of b 1/8 + 1/16 = 3/16.
  add_high_and_all();
  solve();
  const std::vector<Box> low_ones_too(2, {{1, 0}, {1, 1}});
  columns.forget(2.5 / 16);
  columns.set_boxes(low_ones_too);
  EXPECT_TRUE(columns.has_one_inside(0));
  EXPECT_FALSE(columns.has_one_inside(1));
}

TEST_F(ColumnsOf, NoSolutionAreNotForgotten) {
  columns.add(0, kAll);
  columns.forget(-1);
  EXPECT_TRUE(columns.has_one_inside(0));
}

TEST_F(ColumnsOf, EachBlockAreCombinedSoThatTheLimitsHold) {
  // High and high have a gap of 1/4, high and all one of 1/2, all and all none: 1/8 - 1/16.
  add_high_and_all();
  solve();
  const Candidate best = columns.best_combination(1e-9, {});
  EXPECT_EQ(best.tables, (Tables{kAll, kAll}));
  EXPECT_NEAR(best.objective, 0.0625, 1e-12);
  EXPECT_NEAR(best.excess, -0.125, 1e-12);
}

TEST_F(ColumnsOf, EachBlockAreCombinedAsNearlyFairAsCanBeOtherwise) {
  for (std::size_t b = 0; b < 2; ++b) columns.add(b, kHigh);
  solve();
  const Candidate best = columns.best_combination(1e-9, {});
  EXPECT_NEAR(best.excess, 0.125, 1e-12);
  EXPECT_NEAR(best.objective, 0.375, 1e-12);
}

TEST_F(ColumnsOf, TablesInsideTheBoxAreNotCombined) {
  for (std::size_t b = 0; b < 2; ++b) columns.add(b, kSomeLow);
  EXPECT_TRUE(columns.best_combination(1e-9, {}).tables.empty());
}

}  // namespace
}  // namespace fairstep
