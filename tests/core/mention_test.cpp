#include <fairstep/core/mention.hpp>

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "in_brackets.hpp"

namespace fairstep {
namespace {

using testing::in_brackets;

TEST(Text, WithoutMarksIsWhatItIs) {
  const Text text("floor is 2");
  EXPECT_EQ(text, "floor is 2");
  EXPECT_TRUE(text.mentions().empty());
  EXPECT_EQ(text.spelled(in_brackets), "floor is 2");
}

TEST(Text, ReadsPlainlyByItself) {
  EXPECT_EQ(Text(subject("floor") + " is 2"), "floor is 2");
  EXPECT_EQ(Text("see " + option("floor_kind")), "see floor_kind");
  EXPECT_EQ(Text("start over with " + flag("restart")), "start over with restart = true");
  EXPECT_EQ(Text("count with " + option("censored", "drop")), "count with censored = \"drop\"");
  EXPECT_EQ(Text("say " + option("first_step", -3) + "!"), "say first_step = -3!");
  EXPECT_EQ(Text("add them: " + verb("merge")), "add them: merge");
  EXPECT_EQ(Text("map it: " + entry("map", "reward", "COLUMN")), "map it: map = {reward = \"COLUMN\"}");
}

TEST(Text, TakesTheSpellingOfAFrontEndAtEveryMark) {
  const Text text(fmt::format("{}, {} or {}: {}", option("memory"), option("censored", "drop"), flag("restart"),
                              entry("map", "x", "...")));
  EXPECT_EQ(text.spelled(in_brackets), "<memory||>, <censored||drop> or <restart||>: <map|x|...>");
  EXPECT_EQ(text.spelled(plainly), text);
}

TEST(Text, AnOptionMayGoByAnotherName) {
  Text text(subject("penalty") + " is -1, and " + option("floor") + " is not " + option("penalty"));
  text.rename("penalty", "lambda");
  EXPECT_EQ(text.spelled(in_brackets), "<lambda||> is -1, and <floor||> is not <lambda||>");
}

TEST(Text, AVerbKeepsItsNameWhereAnOptionOfThatNameHasAnother) {
  Text text(verb("report") + " or " + option("report"));
  text.rename("report", "page");
  EXPECT_EQ(text.spelled(in_brackets), "<report||> or <page||>");
}

TEST(Text, BytesThatAreHalfAMarkStay) {
  // Names of files may have any bytes.
  for (const std::string odd : {"\xfe", "\xff", "\xfe\xff",
                                "a\xfe"
                                "1name\xfd",
                                "\xff"
                                "b\xfe",
                                "\xfd\xfd\xff\xfe"}) {
    EXPECT_EQ(Text(odd), odd);
    EXPECT_TRUE(Text(odd).mentions().empty());
  }
  EXPECT_EQ(Text(std::string("\xff") + option("floor")).spelled(in_brackets), "\xff<floor||>");
}

}  // namespace
}  // namespace fairstep
