#include "answers/table.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace fairstep::cli {
namespace {

TEST(Table, PutsBlocksSideBySideUnderTheirTitles) {
  const Column key{"h", {"0", "10"}};
  const std::vector<Block> blocks{{"first", {{"a", {"1", "2"}}, {"b", {"3.5", "4"}}}}, {"", {{"c", {"x", "y"}, true}}}};
  EXPECT_EQ(lay_out(key, blocks, 80),
            "      first\n"
            " h    a    b    c\n"
            " 0    1  3.5    x\n"
            "10    2    4    y\n");
}

TEST(Table, MovesABlockThatDoesNotFitBelow) {
  const Column key{"h", {"0"}};
  const std::vector<Block> blocks{{"one", {{"a", {"1"}}}}, {"two", {{"b", {"2"}}}}};
  // Side by side: 1 + (4 + 3) + (4 + 3) = 15 columns; the numbers stand on the left of titles that are wider.
  EXPECT_EQ(lay_out(key, blocks, 15),
            "     one    two\n"
            "h    a      b\n"
            "0    1      2\n");
  EXPECT_EQ(lay_out(key, blocks, 14),
            "     one\n"
            "h    a\n"
            "0    1\n"
            "\n"
            "     two\n"
            "h    b\n"
            "0    2\n");
}

TEST(Table, BreaksABlockThatIsWiderThanALine) {
  const Column key{"h", {"0"}};
  const std::vector<Block> blocks{{"t", {{"aaaa", {"1"}}, {"bbbb", {"2"}}, {"cccc", {"3"}}}}};
  // 1 + 4 + 4 + 2 + 4 = 15 columns hold two of the three.
  EXPECT_EQ(lay_out(key, blocks, 15),
            "     t\n"
            "h    aaaa  bbbb\n"
            "0       1     2\n"
            "\n"
            "     t\n"
            "h    cccc\n"
            "0       3\n");
}

TEST(Table, StillShowsAColumnThatIsTooWideForAnyLine) {
  EXPECT_EQ(lay_out({"h", {"0"}}, {{"", {{"abcdefgh", {"1"}}}}}, 5), "h    abcdefgh\n0           1\n");
}

// Widths were measured anew for every row, so that these rows took a quarter of an hour.
TEST(Table, MeasuresItsColumnsOnceHoweverManyRowsThereAre) {
  constexpr std::size_t kRows = 100'000;
  Column key{"step", {}};
  Block block{"rates", {{"a", {}}, {"b", {}}, {"c", {}}}};
  for (std::size_t row = 0; row < kRows; ++row) {
    key.cells.push_back(std::to_string(row));
    for (Column& column : block.columns) column.cells.emplace_back("0.5000");
  }
  const std::string text = lay_out(key, {block, block}, 80);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(kRows + 2));
  EXPECT_TRUE(text.ends_with("99999    0.5000  0.5000  0.5000    0.5000  0.5000  0.5000\n"));
}

TEST(DisplayWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("höher"), 5U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(Wrap, BreaksBetweenWordsAndIndents) {
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree\n");
  EXPECT_EQ(wrap("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrap("incomprehensibilities no", 5), "incomprehensibilities\nno\n");
  EXPECT_EQ(wrap("", 5), "");
}

}  // namespace
}  // namespace fairstep::cli
