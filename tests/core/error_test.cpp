#include <fairstep/core/error.hpp>

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fairstep/core/mention.hpp>

namespace fairstep {
namespace {

/// A front end of which every mark can be told apart.
std::string in_brackets(const Mention& mention) {
  return fmt::format("<{}|{}|{}>", mention.name, mention.key, mention.value);
}

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

TEST(Error, AboutAnOptionSaysWhichAndPointsNowhere) {
  const Error error =
      fail_option("limit", "[h=2] is 5, expected at most 1", "/parity/0/limit/2", "see " + option("gap")).value();
  EXPECT_EQ(error.option, "limit");
  EXPECT_EQ(error.message, "limit[h=2] is 5, expected at most 1");
  const Error told = spelled(renamed(error, "limit", "limit_per_step"), in_brackets);
  EXPECT_EQ(told.message, "<limit_per_step||>[h=2] is 5, expected at most 1");
  EXPECT_EQ(told.hint, "see <gap||>");
  EXPECT_EQ(told.pointer, "");
}

TEST(Error, InAFileNamesIt) {
  const Error error = fail_in_file("runs/a.json", "it is a folder", "see " + option("output")).value();
  EXPECT_EQ(error.file, "runs/a.json");
  EXPECT_EQ(error.message, "it is a folder");
  EXPECT_EQ(error.pointer, "");
  EXPECT_EQ(spelled(error, in_brackets).hint, "see <output||>");
}

TEST(Error, OutOfAFileIsAboutItsKey) {
  Error error = fail_option("limit", " is 5", "/parity/0/limit", "see " + option("gap")).value();
  error.file = "fair.json";
  const Error told = spelled(error, in_brackets);
  EXPECT_EQ(told.message, "limit is 5");
  EXPECT_EQ(told.pointer, "/parity/0/limit");
  EXPECT_EQ(told.hint, "see <gap||>");  // what one may do about it has nothing to do with the file
}

TEST(Error, AboutNoOptionKeepsItsPlace) {
  const Error error = fail("visits[g=0] is -1", "/visits/0").value();
  EXPECT_EQ(spelled(error, in_brackets).pointer, "/visits/0");
  EXPECT_EQ(in_input("counts", error).input, "counts");
}

}  // namespace
}  // namespace fairstep
