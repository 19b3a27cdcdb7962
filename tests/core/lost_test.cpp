// What a log had and the counts do not: of two logs together, in features, and what cannot be.
#include <fairstep/core/lost.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

constexpr Shape kLostShape{2, 3, 2};
const std::vector<std::string> kLostGroups{"a", "b"};
constexpr std::int64_t kMostLost = std::numeric_limits<std::int64_t>::max();

/// Of group b: 3 decisions of the accepted with feature 1, of which 1 unqualified and 2 qualified, all at step 2.
Lost some_lost() {
  Lost lost = Lost::none(kLostShape);
  lost.decisions(1, 2) = 3;
  lost.cells(1, 1, 0, 1) = 1;
  lost.cells(1, 1, 1, 1) = 2;
  lost.transitions(0, 0, 0, 0) = 5;
  lost.transitions(0, 0, 1, 0) = 7;
  return lost;
}

TEST(Lost, NothingIsNothingWhicheverTableHasSome) {
  EXPECT_TRUE(Lost::none(kLostShape).nothing());
  EXPECT_TRUE(FeatureLost::none(kLostShape).nothing());
  EXPECT_FALSE(some_lost().nothing());
  Lost first = Lost::none(kLostShape);
  first.first(0) = 1;
  EXPECT_FALSE(first.nothing());
  FeatureLost in_doubt = FeatureLost::none(kLostShape);
  in_doubt.first_in_doubt(1) = 1;
  EXPECT_FALSE(in_doubt.nothing());
}

TEST(Lost, OfTwoLogsAddsUpUnlessItCannot) {
  Lost lost = some_lost();
  ASSERT_TRUE(lost.add(some_lost()));
  EXPECT_EQ(lost.decisions(1, 2), 6);
  EXPECT_EQ(lost.cells(1, 1, 1, 1), 4);
  EXPECT_EQ(lost.transitions(0, 0, 1, 0), 14);
  Lost full = Lost::none(kLostShape);
  full.transitions(0, 0, 1, 0) = kMostLost - 7;
  EXPECT_TRUE(some_lost().add(full));
  full.transitions(0, 0, 1, 0) = kMostLost - 6;
  EXPECT_FALSE(some_lost().add(full));
  EXPECT_FALSE(some_lost().add(Lost::none({2, 4, 2})));
  EXPECT_FALSE(FeatureLost::none(kLostShape).add(FeatureLost::none({2, 3, 1})));
}

TEST(Lost, OfAStateIsLostOfItsFeature) {
  const FeatureLost features = FeatureLost::of(some_lost()).value();
  EXPECT_EQ(features.decisions(1, 2), 3);
  EXPECT_EQ(features.cells(1, 1, 1), 3);         // 1 + 2
  EXPECT_EQ(features.transitions(0, 0, 0), 12);  // 5 + 7
  EXPECT_EQ(features.transitions(0, 0, 1), 0);
  Lost full = some_lost();
  full.cells(1, 1, 1, 1) = kMostLost;  // and one of the unqualified
  EXPECT_FALSE(FeatureLost::of(full));
}

TEST(Lost, ThatCannotBeIsRefusedByItsKey) {
  EXPECT_TRUE(check(some_lost(), kLostShape, kLostGroups));
  Lost lost = some_lost();
  lost.cells(1, 1, 0, 1) = -1;
  const auto negative = check(lost, kLostShape, kLostGroups);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().message, "log.lost.cells[g=b,x=1,y=0,a=1] is -1, expected a count of 0 or more");
  EXPECT_EQ(negative.error().pointer, "/log/lost/cells/1/1/0/1");
  const auto other = check(some_lost(), {2, 4, 2}, kLostGroups);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "log.lost.decisions has size 2 x 3, expected 2 x 4");
  FeatureLost features = FeatureLost::of(some_lost()).value();
  features.transitions(0, 0, 0) = kMostLost;
  features.transitions(0, 0, 1) = 1;
  const auto too_many = check(features, kLostShape, kLostGroups);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().pointer, "/log/unlabelled_rows/lost/transitions");
}

}  // namespace
}  // namespace fairstep
