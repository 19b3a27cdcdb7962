// Rows that could not be used, charged to all that they may have been.
#include <fairstep/ingest/internal/ledger.hpp>

#include <numeric>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

// Two groups, three steps, two features; the second number of each axis comes first in the counts.
const Shape kSmall{2, 3, 2};
const Places kTurned{{1, 0}, {1, 0}, {2, 1, 0}};

std::int64_t sum_of(const Tensor<std::int64_t, 4>& table) {
  return std::accumulate(table.flat().begin(), table.flat().end(), std::int64_t{0});
}

TEST(Ledger, ChargesAKnownDecisionToItsOneEntry) {
  Ledger ledger;
  ledger.lose_decision({0, 0, 1, 1, 0});
  const Lost lost = ledger.charge(kSmall, kTurned);
  EXPECT_EQ(lost.decisions(1, 2), 1);
  EXPECT_EQ(lost.cells(1, 0, 1, 0), 1);
  EXPECT_EQ(sum_of(lost.cells), 1);
  EXPECT_EQ(sum_of(lost.transitions), 0);
}

TEST(Ledger, ChargesWhatIsNotKnownToEveryEntry) {
  Ledger ledger;
  ledger.lose_decision({0, kAny, kAny, 1, kAny}, 3);
  const Lost lost = ledger.charge(kSmall, kTurned);
  for (std::size_t h = 0; h < 3; ++h) EXPECT_EQ(lost.decisions(1, h), 3);
  EXPECT_EQ(lost.decisions(0, 0), 0);
  EXPECT_EQ(sum_of(lost.cells), 3 * 2 * 2);  // features and actions
}

TEST(Ledger, ARowOfAnybodyMayFollowAnyDecisionAndBeTheFirst) {
  Ledger ledger;
  ledger.lose_row_of_anybody({1, 0, 0, 0, 0});
  const Lost lost = ledger.charge(kSmall, kTurned);
  EXPECT_EQ(lost.first(0), 1);
  EXPECT_EQ(lost.first_in_doubt(0), 1);
  EXPECT_EQ(lost.first(1) + lost.first_in_doubt(1), 0);
  EXPECT_EQ(lost.transitions(0, 1, 0, 0), 2);  // from it, and from any of its group to it
  EXPECT_EQ(sum_of(lost.transitions), 1 + 8);
}

TEST(Ledger, AddsRowsOfOtherNumbers) {
  Ledger ours, theirs;
  ours.lose_decision({0, 1, 0, 0, 0});
  theirs.lose_decision({1, 0, 0, 0, 0});
  theirs.lose_decision({kAny, kAny, 1, 0, 0});
  theirs.lose_first(1, false, 2);
  ours.add(theirs, {1, 0}, {0, 1}, {1, 0, 2});
  const Lost lost = ours.charge(kSmall, {{0, 1}, {0, 1}, {0, 1, 2}});
  EXPECT_EQ(lost.cells(0, 0, 0, 0), 2);
  EXPECT_EQ(lost.decisions(0, 1), 2 + 1);
  EXPECT_EQ(lost.cells(0, 1, 0, 0), 1);
  EXPECT_EQ(lost.cells(1, 1, 0, 0), 1);
  EXPECT_EQ(lost.first(0), 2);
}

}  // namespace
}  // namespace fairstep::internal
