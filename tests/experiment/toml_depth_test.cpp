// How deep a TOML text nests, before anybody parses it.
#include <fairstep/experiment/internal/toml_depth.hpp>

#include <string>

#include <gtest/gtest.h>

#include <fairstep/experiment/experiment.hpp>

namespace fairstep {
namespace {

std::string nested_in(const std::string& open, const std::string& close, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += open;
  for (std::size_t i = 0; i < times; ++i) text += close;
  return text;
}

TEST(TomlDepth, GoesToThirtyTwoAndNoFurther) {
  EXPECT_TRUE(internal::check_toml_depth("x = " + nested_in("[", "]", 32)));
  EXPECT_FALSE(internal::check_toml_depth("x = " + nested_in("[", "]", 33)));
  EXPECT_TRUE(internal::check_toml_depth(nested_in("a.", "", 31) + "a = 1"));
  EXPECT_FALSE(internal::check_toml_depth(nested_in("a.", "", 32) + "a = 1"));
}

TEST(TomlDepth, BracketsThatAreClosedCountNoMore) {
  EXPECT_TRUE(internal::check_toml_depth("x = [" + nested_in("[1], ", "", 100) + "]"));
  EXPECT_TRUE(internal::check_toml_depth(nested_in("]", "", 100)));  // the parser's to complain of
}

TEST(TomlDepth, SaysWhichLine) {
  const auto checked = internal::check_toml_depth("a = 1\nb = 2\nc = " + nested_in("[", "]", 40));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "line 3: brackets nest more than 32 deep");
}

TEST(TomlDepth, TextsThatNeverEndAreTheParsersToComplainOf) {
  EXPECT_TRUE(internal::check_toml_depth("x = \"" + nested_in("[", "", 100)));
  EXPECT_TRUE(internal::check_toml_depth("x = '''" + nested_in("[", "", 100)));
}

TEST(TomlDepth, AQuoteThatIsEscapedEndsNoText) {
  EXPECT_TRUE(internal::check_toml_depth(R"(x = "a\")" + nested_in("[", "", 100) + "\""));
  EXPECT_FALSE(internal::check_toml_depth(R"(x = 'a\')" + nested_in("[", "", 100) + "'"));  // nothing escapes in these
}

// toml++ takes tables apart one within the other: 50,000 of them ended the program by its stack.
TEST(TomlDepth, RefusesKeysAndBracketsThatNestWithoutEnd) {
  const auto many = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  const auto message = [](const std::string& text) {
    const auto read = parse_experiment(text, {}, "loans.toml");
    EXPECT_FALSE(read);
    return read ? Text() : read.error().message;
  };
  const std::string keys = "line 2: keys nest more than 32 deep", brackets = "line 2: brackets nest more than 32 deep";
  EXPECT_EQ(message("# first\n" + many("a.", 50'000) + "b = 1\n"), keys);
  EXPECT_EQ(message("\n[" + many("a.", 50'000) + "b]\n"), keys);
  EXPECT_EQ(message("\n" + many("a . 'b c' . \"d\\\"e\" .", 20) + " f = 1\n"), keys);
  EXPECT_EQ(message("\nx = {" + many("a.", 40) + "b = 1}\n"), keys);
  EXPECT_EQ(message("\nx = " + many("[", 50'000) + "\n"), brackets);
  EXPECT_EQ(message("\nx = " + many("{a = ", 50'000) + "\n"), brackets);
  // Dots and brackets in texts and remarks are none.
  EXPECT_EQ(message("x = '" + many("a.", 100) + "'").find("nest"), std::string::npos);
  EXPECT_EQ(message("x = \"\"\"" + many("[a.\n\"", 100) + "\"\"\"").find("nest"), std::string::npos);
  EXPECT_EQ(message("# " + many("[a.", 100)).find("nest"), std::string::npos);
  EXPECT_EQ(message("x = [" + many("1.5, ", 100) + "]").find("nest"), std::string::npos);
}

}  // namespace
}  // namespace fairstep
