// What counts as text.
#include <fairstep/core/shared/text.hpp>

#include <string_view>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(Utf8, AcceptsWhatIsWellFormed) {
  // The least and the greatest code point of each length, and those on both sides of the surrogates.
  for (const char* text : {"", "abc", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBF\xBF", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(internal::is_utf8(text)) << text;
}

TEST(Utf8, RefusesWhatIsNot) {
  for (const char* text :
       {"\x80", "a\xBFz", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC2", "\xE2\x82", "\xF0\x9F\x98", "\xC2z"})
    EXPECT_FALSE(internal::is_utf8(text));
}

TEST(ControlCharacters, AreFound) {
  for (const char* text : {"a\nb", "\t", "\x1F", "\x7F"}) EXPECT_TRUE(internal::has_control_character(text));
  EXPECT_TRUE(internal::has_control_character(std::string_view("a\0b", 3)));
  EXPECT_FALSE(internal::has_control_character("plain text, grün"));
}

}  // namespace
}  // namespace fairstep
