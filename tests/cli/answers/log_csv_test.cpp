#include "answers/log_csv.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep::cli {
namespace {

TEST(LogCsv, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(quoted("white"), "white");
  EXPECT_EQ(quoted("two words"), "two words");
  EXPECT_EQ(quoted("a,b"), "\"a,b\"");
  EXPECT_EQ(quoted("the \"b\""), "\"the \"\"b\"\"\"");
  EXPECT_EQ(quoted("a\nb"), "\"a\nb\"");
  EXPECT_EQ(quoted(""), "");
}

TEST(LogCsv, NamesThatASpreadsheetWouldRunAreRefused) {
  for (const char* name :
       {"=1+1", "=HYPERLINK(\"x\")", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "-", "+"}) {
    const auto group = check_no_formulas({.groups = {"a", name}, .features = {"x"}});
    ASSERT_FALSE(group) << name;
    EXPECT_EQ(group.error().pointer, "/groups/1");
    const auto feature = check_no_formulas({.groups = {"a"}, .features = {name}});
    ASSERT_FALSE(feature) << name;
    EXPECT_EQ(feature.error().pointer, "/features/0");
  }
}

TEST(LogCsv, NumbersWithASignAndOrdinaryNamesAreNoFormulas) {
  for (const char* name : {"-1", "+2.5", "-1e-9", "a=b", "50+", "low-income", "user@home", " =1", "'=1"})
    EXPECT_TRUE(check_no_formulas({.groups = {name}, .features = {name}})) << name;
}

TEST(LogCsv, WritesALineForEachDecisionWithNames) {
  const Model model = testing::hand_model();  // groups a and b, features low and high
  LogCsv csv(model);
  EXPECT_EQ(LogCsv::header(), "person,group,step,x,y,a,reward\n");
  const std::vector<Decision> rows{{0, 0, 0, 1, 1, 1, 1.0}, {0, 0, 1, 0, 0, 0, 0.0}, {12345, 1, 0, 0, 0, 1, -0.5}};
  EXPECT_EQ(csv.lines(rows),
            "0,a,0,high,1,1,1\n"
            "0,a,1,low,0,0,0\n"
            "12345,b,0,low,0,1,-0.5\n");
}

TEST(LogCsv, RemembersRewardsWithoutMixingThemUp) {
  const Model model = testing::hand_model();
  LogCsv csv(model);
  std::string expected;
  std::vector<Decision> rows;
  // Three rewards in one cell, more than it keeps, in an order that uses each again.
  for (const auto& [reward, text] : {std::pair{0.1, "0.1"},
                                     {0.30000000000000004, "0.30000000000000004"},
                                     {0.1, "0.1"},
                                     {-7.0, "-7"},
                                     {0.1, "0.1"},
                                     {0.30000000000000004, "0.30000000000000004"}}) {
    rows.push_back({7, 0, 0, 0, 0, 0, reward});
    expected += std::string("7,a,0,low,0,0,") + text + "\n";
  }
  EXPECT_EQ(csv.lines(rows), expected);
}

}  // namespace
}  // namespace fairstep::cli
