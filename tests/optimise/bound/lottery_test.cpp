#include <fairstep/optimise/bound/lottery.hpp>

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

/// Tables are [h,x] of two steps and two features; at first half of group a is low and half high, all of b is low.
class Lottery : public ::testing::Test {
 protected:
  Model model = testing::hand_model();
  Program program = testing::unwrap(compile(model, {}, {}));
  std::vector<double> none = std::vector<double>(4, 0.0);
  std::vector<double> low{1, 0, 0, 0}, both{1, 0.8, 0, 0};
};

TEST_F(Lottery, AveragesByChances) {
  const std::vector<Ticket> tickets{{0, 0.25, low}, {0, 0.75, both}, {1, 1.0, none}};
  const Tables average = average_of(program, tickets);
  EXPECT_EQ(average[0], (std::vector<double>{1, 0.75 * 0.8, 0, 0}));
  EXPECT_EQ(average[1], none);
}

TEST_F(Lottery, DisputesWhereTablesDisagreeMost) {
  const std::vector<Ticket> tickets{{0, 0.5, none}, {0, 0.5, both}, {1, 1.0, none}};
  const Tables average = average_of(program, tickets);
  // Half of the people each, 1/2 and 2/5 off: the low it is.
  const Dispute worst = most_disputed(program, program.boxes, average, tickets);
  EXPECT_EQ(worst.block, 0U);
  EXPECT_EQ(worst.entry, 0U);
  EXPECT_EQ(worst.average, 0.5);
  // Once that is settled, the high.
  std::vector<Box> boxes = program.boxes;
  boxes[0].hi[0] = boxes[0].lo[0];
  EXPECT_EQ(most_disputed(program, boxes, average, tickets).entry, 1U);
}

TEST_F(Lottery, WeighsADisputeByThePeopleItIsAbout) {
  // Tables of b disagree a little about the low, who are all; those of a as much as can be about the high at the second
  // step, of whom there are half as many.
  const std::vector<double> second{0, 0, 0, 1}, little{0.6, 0, 0, 0};
  const std::vector<Ticket> tickets{{0, 0.5, none}, {0, 0.5, second}, {1, 0.5, none}, {1, 0.5, little}};
  const Dispute worst = most_disputed(program, program.boxes, average_of(program, tickets), tickets);
  EXPECT_EQ(worst.block, 1U);  // 1 * 3/10 > 1/2 * 1/2
  EXPECT_EQ(worst.entry, 0U);
}

TEST_F(Lottery, StepsThatAreToBeAlikeDisagreeWithEachOther) {
  // One table each, so that tables agree; those of b are alike at both steps, those of a are not for the low.
  program.rules = {.stationary = true, .shape = model.shape()};
  const std::vector<Ticket> tickets{{0, 1.0, low}, {1, 1.0, none}};
  const Dispute worst = most_disputed(program, program.boxes, average_of(program, tickets), tickets);
  EXPECT_EQ(worst.block, 0U);
  EXPECT_EQ(worst.entry, 0U);
  EXPECT_GT(worst.average, 0);
  EXPECT_LT(worst.average, 1);
}

TEST_F(Lottery, WhereAcceptanceNeverFallsASplitShouldSettleOthersOnBothSides) {
  // All or nobody, at one step, for 1/5, 2/5, 1/5 and 1/5 of the people: split at the second, one side has settled 3/5
  // of them and the other 4/5; at the third it is 4/5 and 2/5.
  ModelSpec spec = testing::random_model(1, 2, 4, 1).spec();
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < 4; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) spec.initial(g, x, y) = x == 1 ? 0.2 : 0.1;
  const Model four = testing::unwrap(Model::make(std::move(spec)));
  const Program rising = testing::unwrap(compile(four, {}, {.monotone = true}));
  const std::vector<double> nobody(4, 0.0), all(4, 1.0);
  const std::vector<Ticket> tickets{{0, 0.5, nobody}, {0, 0.5, all}, {1, 1.0, all}};
  EXPECT_EQ(most_disputed(rising, rising.boxes, average_of(rising, tickets), tickets).entry, 1U);
}

TEST_F(Lottery, SplitsAwayFromTheEnds) {
  EXPECT_EQ(inner(0.5, 0, 1), 0.5);
  EXPECT_EQ(inner(0, 0, 1), 0.1);
  EXPECT_EQ(inner(1, 0, 1), 0.9);
}

}  // namespace
}  // namespace fairstep
