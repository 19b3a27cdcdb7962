#include <fairstep/learn/schedule.hpp>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

using Episodes = std::vector<std::uint64_t>;

TEST(ParseSchedule, DoublesFromTheFirstUpToTheLast) {
  EXPECT_EQ(parse_schedule("2^3..2^6"), (Episodes{8, 16, 32, 64}));
  EXPECT_EQ(parse_schedule("3..20"), (Episodes{3, 6, 12}));
  EXPECT_EQ(parse_schedule("5..5"), (Episodes{5}));
  const auto longest = parse_schedule("1..18446744073709551615");
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->size(), 64u);
  EXPECT_EQ(longest->back(), std::uint64_t{1} << 63);
}

TEST(ParseSchedule, TakesAListThatRises) {
  EXPECT_EQ(parse_schedule("8,100,1e3"), (Episodes{8, 100, 1000}));
  EXPECT_EQ(parse_schedule("7"), (Episodes{7}));
}

TEST(ParseSchedule, RefusesEverythingElse) {
  for (const char* text : {"", "0", "0..8", "8..4", "8,8", "8,4", "8,", "2^3..", "..8", "a..b", "often", "1...8"})
    EXPECT_EQ(parse_schedule(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fairstep
