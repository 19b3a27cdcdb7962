// Figures on the page: frames, tables and data, and the policies behind the slider.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/page.hpp>

namespace fairstep::report {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Panel panel_of(const std::string& id, const std::string& how) {
  Panel made;
  made.id = id;
  made.chart = "curve";
  made.title = "It <rises>";
  made.heading = "Town";
  made.how = how;
  made.table.columns = {{"k", "k", 0}, {"mean", "mean", 3}};
  made.table.rows = {{8.0, 0.125}};
  return made;
}

std::string written(const Group& group) {
  Html html;
  write_group(html, group);
  return std::move(html).finish();
}

TEST(GroupOnThePage, WithoutPanelsIsNotThere) { EXPECT_EQ(written({.id = "empty", .heading = "Nothing"}), ""); }

TEST(GroupOnThePage, HasAFrameATableAndTheDataOfEachPanel) {
  const std::string text = written({.id = "g", .heading = "Heading", .panels = {panel_of("one", "So.")}});
  EXPECT_EQ(count_of(text, "<section id=\"g\""), 1U);
  EXPECT_EQ(count_of(text, "<figure id=\"one\" class=\"panel\" data-chart=\"curve\""), 1U) << text;
  EXPECT_EQ(count_of(text, "<strong>It &lt;rises&gt;</strong>"), 1U) << text;
  EXPECT_EQ(count_of(text, "<figcaption id=\"one-is\">"), 1U) << text;
  EXPECT_EQ(count_of(text, "role=\"img\" aria-labelledby=\"one-is\""), 1U) << text;
  EXPECT_NE(text.find("0.125"), std::string::npos);
  EXPECT_EQ(count_of(text, "<script type=\"application/json\">{\"chart\":\"curve\""), 1U) << text;
}

TEST(GroupOnThePage, SaysOnceHowPanelsAreReadThatAreReadAlike) {
  const std::string text = written(
      {.id = "g",
       .heading = "Heading",
       .panels = {panel_of("one", "All so."), panel_of("two", "All so."), panel_of("three", "This otherwise.")}});
  EXPECT_EQ(count_of(text, "All so."), 1U);
  EXPECT_EQ(count_of(text, "id=\"g-how-0\""), 1U);
  EXPECT_EQ(count_of(text, "aria-describedby=\"g-how-0\""), 2U);
  EXPECT_EQ(count_of(text, "This otherwise."), 1U);
}

TEST(GroupOnThePage, ShowsAShorterTableWhereItsOwnWouldBeTooLong) {
  Panel panel = panel_of("one", "So.");
  panel.shown.columns = {{"short", "short"}};
  panel.shown.rows = {{"brief"}};
  const std::string text = written({.id = "g", .heading = "Heading", .panels = {panel}});
  EXPECT_EQ(count_of(text, "brief"), 1U);
  EXPECT_EQ(count_of(text, "0.125"), 1U);  // in the data alone
}

TEST(GroupOnThePage, HasALegendARampAndAChoiceWhereTheyAreNeeded) {
  Panel panel = panel_of("one", "So.");
  const std::string plain = written({.id = "g", .heading = "Heading", .panels = {panel}});
  for (const char* part : {"class=\"legend\"", "class=\"ramp\"", "data-choose"})
    EXPECT_EQ(plain.find(part), std::string::npos) << part;
  panel.parameters = {{"most", 0.75}};
  panel.choice = "Town";
  const std::string text =
      written({.id = "g", .heading = "Heading", .legend = {{"ours", "the method"}}, .panels = {panel}, .columns = 3});
  EXPECT_NE(text.find("<span class=\"key ours\"></span>the method"), std::string::npos) << text;
  EXPECT_NE(text.find("0.750"), std::string::npos);
  EXPECT_EQ(count_of(text, "data-choose=\"g\""), 1U);
  EXPECT_NE(text.find("data-kind=\"ours\""), std::string::npos);
  EXPECT_EQ(count_of(text, "class=\"panels three\""), 1U);
}

std::string written(const std::vector<PolicyTable>& tables) {
  Html html;
  write_policies(html, tables);
  return std::move(html).finish();
}

PolicyTable table_of(const std::string& method, double accept) {
  PolicyTable made{.setting = "town-dp",
                   .setting_name = "Town",
                   .method = method,
                   .method_label = method,
                   .groups = {"a", "b"},
                   .features = {"x"}};
  made.k = {8, 16};
  made.violation = {0.5, 0.25};
  made.accept = {{0, 0}, {accept, 1}};
  made.horizon = 1;
  return made;
}

TEST(PoliciesOnThePage, AreNotThereIfThereAreNone) { EXPECT_EQ(written(std::vector<PolicyTable>{}), ""); }

TEST(PoliciesOnThePage, AreDataToAThousandthAndEachStandsOnce) {
  // A third is 333 thousandths, 9 * 36 + 9; one is 1000, 27 * 36 + 28 ("rs"); the first policy accepts nobody.
  const std::string text = written({table_of("ours", 1.0 / 3), table_of("penalty", 1.0 / 3)});
  EXPECT_EQ(count_of(text, "\"accept\":[0,1]"), 2U) << text;
  EXPECT_EQ(count_of(text, "\"policies\":[\n\"0000\",\n\"99rs\"]"), 1U) << text;
}

TEST(PoliciesOnThePage, OfTheMethodAreATableAsWell) {
  const std::string text = written({table_of("ours", 0.25), table_of("penalty", 0.5)});
  EXPECT_EQ(count_of(text, "<caption>Town: ours, policy of k = 2\u2074</caption>"), 1U) << text;
  EXPECT_EQ(count_of(text, "Town: penalty"), 0U);
}

}  // namespace
}  // namespace fairstep::report
