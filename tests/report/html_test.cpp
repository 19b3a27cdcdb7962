#include <fairstep/report/internal/html.hpp>

#include <gtest/gtest.h>

namespace fairstep::report {
namespace {

TEST(Html, JsonCannotEndItsElement) {
  Panel panel;
  panel.chart = "</script>\"\\\n";
  panel.table.columns = {{"group", "group"}, {"value", "value"}, {"kind", ""}};
  panel.table.rows = {{"<!--", kUnknown, "x"}};
  JsonWriter json(kForCharts);
  write(json, panel);
  EXPECT_EQ(
      std::move(json).text(),
      R"({"chart":"\u003c/script>\"\\\n","parameters":{},"columns":["group","value","kind"],"hidden":["kind"],"rows":[)"
      "\n"
      R"(["\u003c!--",null,"x"]]})");
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
