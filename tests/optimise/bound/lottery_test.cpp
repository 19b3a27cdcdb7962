#include <fairstep/optimise/bound/lottery.hpp>

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

TEST_F(Lottery, SplitsAwayFromTheEnds) {
  EXPECT_EQ(inner(0.5, 0, 1), 0.5);
  EXPECT_EQ(inner(0, 0, 1), 0.1);
  EXPECT_EQ(inner(1, 0, 1), 0.9);
}

}  // namespace
}  // namespace fairstep
