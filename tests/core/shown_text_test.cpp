#include <fairstep/core/shown_text.hpp>

#include <string>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

// Descriptions and names came through to the terminal, where they could clear it, forge a line or set its title.
TEST(ShownText, WritesOutWhatATerminalWouldObey) {
  EXPECT_EQ(shown_text("\x1b[2Jx\x07"), "\\x1b[2Jx\\x07");
  EXPECT_EQ(shown_text("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(shown_text("\xC2\x9B"
                       "2J"),
            "\\x9b2J");  // CSI as one character of C1
  EXPECT_EQ(shown_text("\x7F"), "\\x7f");
  EXPECT_EQ(shown_text(std::string("a\0b", 3)), "a\\x00b");
}

TEST(ShownText, WritesOutSeparatorsAndMarksOfDirection) {
  EXPECT_EQ(shown_text("a\u2028b\u2029c"), "a\\u2028b\\u2029c");
  EXPECT_EQ(shown_text("\u202Eabc\u202C \u2066x\u2069 \u200F\u061C\uFEFF"),
            "\\u202eabc\\u202c \\u2066x\\u2069 \\u200f\\u061c\\ufeff");
}

TEST(ShownText, WritesOutBytesThatAreNoText) {
  EXPECT_EQ(shown_text("a\xFF\x80z"), "a\\xff\\x80z");
  EXPECT_EQ(shown_text("\xE2\x80"), "\\xe2\\x80");
}

TEST(ShownText, LeavesAllOtherTextAlone) {
  for (const char* text : {"", "plain", "h\u00f6her", "\u4e2d\u6587", "\u0939\u093f\u0928\u094d\u0926\u0940",
                           "\U0001F469\u200D\U0001F4BB", "back\\slash \\x1b", "\u05e9\u05dc\u05d5\u05dd"})
    EXPECT_EQ(shown_text(text), text);
}

TEST(ShownText, KeepsLinesWhereTheyAreOurs) {
  EXPECT_EQ(shown_lines("a\n\tb\x1b"), "a\n\tb\\x1b");
  EXPECT_EQ(shown_json("{\n\"a\": \"\xC2\x9B\u2028\"}"), "{\n\"a\": \"\\u009b\\u2028\"}");
}

}  // namespace
}  // namespace fairstep
