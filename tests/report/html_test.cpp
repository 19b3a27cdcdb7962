#include <fairstep/report/internal/html.hpp>

#include <gtest/gtest.h>

namespace fairstep::report {
namespace {

TEST(Html, EscapesTextAndAttributes) {
  Html html;
  html.element("p", "a < b & \"c\"", {{"title", "'\"><script>"}});
  EXPECT_EQ(std::move(html).finish(), "<p title=\"&#39;&quot;&gt;&lt;script&gt;\">a &lt; b &amp; &quot;c&quot;</p>");
}

TEST(Html, JsonCannotEndItsElement) {
  EXPECT_EQ(json_string("</script>\"\\\n"), "\"\\u003c/script>\\\"\\\\\\u000a\"");
  Panel panel;
  panel.table.columns = {{"group", "group"}, {"value", "value"}, {"kind", ""}};
  panel.table.rows = {{"<!--", kUnknown, "x"}};
  EXPECT_EQ(json_of(panel).find('<'), std::string::npos);
  EXPECT_NE(json_of(panel).find("null"), std::string::npos);
}

TEST(Html, TablesLeaveOutWhatOnlyChartsNeed) {
  Table table;
  table.columns = {{"k", "k", 0}, {"gap", "gap", 3}, {"kind", ""}};
  table.rows = {{8.0, 0.12345, "ours"}};
  Html html;
  write_table(html, table, "caption");
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("<th scope=\"row\">2\u00b3<td>0.123"), std::string::npos);
  EXPECT_EQ(text.find("ours"), std::string::npos);
}

TEST(Figure, LabelsThatWouldMeetAreShared) {
  // Ends 0.1, 0.11 and 0.5 with at least 0.05 between labels: the first two share one.
  const auto labels = end_labels({{1, 0.11}, {10, 0.1}, {0.1, 0.5}}, 0.05);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].text, "1\u201310");
  EXPECT_EQ(labels[1].text, "0.1");
  EXPECT_EQ(labels[1].of, 2U);
}

TEST(Figure, SpreadLabelsKeepTheirOrderAndDistance) {
  // Three at 1, 1 and 1 want to be 1 apart: 0, 1 and 2 around their mean; the one at 5 stays.
  EXPECT_EQ(spread({1, 5, 1, 1}, 1), (std::vector<double>{0, 5, 1, 2}));
}

TEST(Figure, PivotedTablesHaveARowForEachStep) {
  Table table;
  table.columns = {{"x", "k"}, {"y", "step"}, {"value", "gap"}};
  table.rows = {{"8", "1", 0.1}, {"8", "2", 0.2}, {"16", "1", 0.3}, {"16", "2", 0.4}};
  const Table made = pivoted(table, "step", 2);
  ASSERT_EQ(made.columns.size(), 3U);
  ASSERT_EQ(made.rows.size(), 2U);
  EXPECT_EQ(std::get<double>(made.rows[1][2]), 0.4);
}

}  // namespace
}  // namespace fairstep::report
