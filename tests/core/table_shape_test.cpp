#include <fairstep/core/table_shape.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(TableShape, ReadsWhatPeopleWrite) {
  const auto recode = Recode::parse("EDUCATION:1=graduate,2=a=b,*=other");
  ASSERT_TRUE(recode);
  EXPECT_EQ(*recode, (Recode{"EDUCATION", {{"1", "graduate"}, {"2", "a=b"}}, "other"}));
  for (const char* wrong : {"", "E", "E:", ":1=a", "E:1", "E:1=", "E:=a", "E:1=a,,2=b", "E:1=a,1=b", "E:*=a,*=b"})
    EXPECT_FALSE(Recode::parse(wrong)) << wrong;
  EXPECT_EQ(WideColumn::parse("a:b,c:x"), (WideColumn{{"a:b", "c"}, "x"}));
  for (const char* wrong : {"", "a,b", "a,b:", ":x", "a,,b:x"}) EXPECT_FALSE(WideColumn::parse(wrong)) << wrong;
  EXPECT_EQ(ColumnBins::parse("limit=0,1e3"), (ColumnBins{"limit", {0, 1000}}));
  for (const char* wrong : {"", "limit", "limit=", "=0", "limit=0,x"}) EXPECT_FALSE(ColumnBins::parse(wrong)) << wrong;
}

TEST(TableShape, NamesRulesOfStepsAsTheyAreRead) {
  for (const char* name : {"month", "order", "1d", "30d", "100000d"}) {
    const auto rule = StepRule::parse("day", name);
    ASSERT_TRUE(rule) << name;
    EXPECT_EQ(rule->name(), name);
    EXPECT_EQ(rule->column, "day");
  }
  for (const char* wrong : {"", "d", "0d", "-1d", "100001d", "week", "30", "30days"})
    EXPECT_FALSE(StepRule::parse("day", wrong)) << wrong;
}

TEST(TableShape, MayNotContradictItself) {
  const auto refused = [](const TableShape& shape) {
    const auto ok = check(shape);
    return ok ? std::string{} : std::string(ok.error().message);
  };
  const WideColumn two{{"a", "b"}, "x"};
  EXPECT_EQ(refused({.wide = {two, {{"c", "d"}, "z"}}}), "");
  EXPECT_EQ(refused({.wide = {{{"a"}, "x"}}}), "wide has 1 column for x, expected from 2 to 1000");
  EXPECT_EQ(refused({.wide = {two, {{"c", "d", "e"}, "z"}}}),
            "wide has 2 columns for x and 3 for z, expected one for each step");
  EXPECT_EQ(refused({.wide = {two, two}}), "wide makes x twice");
  EXPECT_EQ(refused({.wide = {two}, .step = StepRule{"day"}}),
            "step_from is day, but wide numbers the steps: expected one of the two");
  EXPECT_EQ(refused({.recodes = {{"e", {}, {}}}}), "recode of e names no value");
  EXPECT_EQ(refused({.recodes = {{"e", {}, "a"}}, .bins = {{"e", {0}}}}),
            "bins are about e, which is recoded: expected one or the other");
  EXPECT_EQ(refused({.bins = {{"e", {1, 1}}}}), "bins of e are 1,1, expected numbers that rise");
  EXPECT_EQ(refused({.bins = {{"e", {}}}}), "bins of e are , expected numbers that rise");
}

TEST(TableShape, SaysWhatWasDone) {
  const TableShape shape{"SELECT 1", {{{"a", "b"}, "x"}}, {{"e", {{"1", "one"}}, "rest"}}, {{"l", {0, 12.5}}}, {},
                         {{}}};
  EXPECT_EQ(in_words(shape), (std::vector<std::string>{
                                 "query: SELECT 1", "x at each step: a, b", "recode e: 1 = one, all others = rest",
                                 "bins of l: [0,12.5), [12.5,inf)", "no text but the empty one is a missing value"}));
  EXPECT_EQ(shape.rows_of_one(), 2U);
  EXPECT_TRUE(TableShape{}.empty());
}

}  // namespace
}  // namespace fairstep
