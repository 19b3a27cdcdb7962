// Rows that lack nothing but their label, of two logs together and of one that cannot be.
#include <fairstep/core/unlabelled.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

constexpr Shape kUnlabelledShape{2, 3, 2};
const std::vector<std::string> kUnlabelledGroups{"a", "b"};

/// Two people of group a whose first row has no label, and one step of group b from feature 1, refused, to feature 0.
UnlabelledRows some_unlabelled() {
  UnlabelledRows rows = UnlabelledRows::zeros(kUnlabelledShape);
  rows.first(0, 1) = 2;
  rows.transitions(1, 1, 0, 0) = 1;
  rows.lost->decisions(1, 2) = 4;
  return rows;
}

TEST(UnlabelledRows, OfTwoLogsAddUp) {
  UnlabelledRows rows = some_unlabelled();
  ASSERT_TRUE(rows.add(some_unlabelled()));
  EXPECT_EQ(rows.first(0, 1), 4);
  EXPECT_EQ(rows.transitions(1, 1, 0, 0), 2);
  EXPECT_EQ(rows.lost->decisions(1, 2), 8);
  EXPECT_TRUE(check(rows, kUnlabelledShape, kUnlabelledGroups));
  UnlabelledRows same = some_unlabelled();
  ASSERT_TRUE(same.add(UnlabelledRows::zeros(kUnlabelledShape)));
  EXPECT_EQ(same, some_unlabelled());
}

TEST(UnlabelledRows, WhatOneLogLostAndNobodyRecordedIsUnknownOfBoth) {
  UnlabelledRows unknown = some_unlabelled();
  unknown.lost.reset();
  UnlabelledRows one = some_unlabelled();
  ASSERT_TRUE(one.add(unknown));
  EXPECT_FALSE(one.lost);
  ASSERT_TRUE(unknown.add(some_unlabelled()));
  EXPECT_FALSE(unknown.lost);
  EXPECT_EQ(unknown.first(0, 1), 4);
  EXPECT_TRUE(check(unknown, kUnlabelledShape, kUnlabelledGroups));
}

TEST(UnlabelledRows, OfOtherSizesOrBeyondTheGreatestCountDoNotAddUp) {
  UnlabelledRows rows = some_unlabelled();
  EXPECT_FALSE(rows.add(UnlabelledRows::zeros({2, 3, 3})));
  EXPECT_FALSE(some_unlabelled().add(UnlabelledRows::zeros({3, 3, 2})));
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  UnlabelledRows full = UnlabelledRows::zeros(kUnlabelledShape);
  full.first(0, 1) = most - 2;
  EXPECT_TRUE(some_unlabelled().add(full));
  full.first(0, 1) = most - 1;
  EXPECT_FALSE(some_unlabelled().add(full));
  full = UnlabelledRows::zeros(kUnlabelledShape);
  full.lost->decisions(1, 2) = most - 3;
  EXPECT_FALSE(some_unlabelled().add(full));
}

TEST(UnlabelledRows, ThatCannotBeAreRefusedByTheirKey) {
  UnlabelledRows rows = some_unlabelled();
  rows.transitions(1, 1, 0, 0) = -1;
  auto wrong = check(rows, kUnlabelledShape, kUnlabelledGroups);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "log.unlabelled_rows.transitions[g=b,x=1,a=0,x1=0] is -1, expected a count of 0 or more");
  EXPECT_EQ(wrong.error().pointer, "/log/unlabelled_rows/transitions/1/1/0/0");
  wrong = check(some_unlabelled(), {2, 3, 3}, kUnlabelledGroups);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "log.unlabelled_rows.first has size 2 x 2, expected 2 x 3");
  rows = some_unlabelled();
  rows.lost->decisions(1, 2) = -4;
  EXPECT_FALSE(check(rows, kUnlabelledShape, kUnlabelledGroups));
}

}  // namespace
}  // namespace fairstep
