#include <fairstep/page/table.hpp>

#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace fairstep::page {
namespace {

TEST(Table, LeavesOutWhatOnlyChartsNeed) {
  Table table;
  table.columns = {{"k", "k", kAsPower}, {"gap", "gap", 3}, {"kind", ""}};
  table.rows = {{8.0, 0.12345, "ours"}};
  Html html;
  write_table(html, table, "caption");
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("<th scope=\"row\">2\u00b3<td>0.123"), std::string::npos);
  EXPECT_EQ(text.find("ours"), std::string::npos);
}

TEST(Table, RoundsBoundsToTheirSafeSide) {
  EXPECT_EQ(cell_text(0.12341, {"x", "x", 4, Rounded::up}), "0.1235");
  EXPECT_EQ(cell_text(0.12349, {"x", "x", 4, Rounded::down}), "0.1234");
  EXPECT_EQ(cell_text(0.12346, {"x", "x", 4}), "0.1235");
  EXPECT_EQ(cell_text(0.5, {"x", "x", kFewDecimals}), "0.5");
  for (const int decimals : {4, kFewDecimals, kAsPower})
    EXPECT_EQ(cell_text(std::numeric_limits<double>::quiet_NaN(), {"x", "x", decimals}), "\u2013");
  EXPECT_EQ(cell_text("as it is", {"x", "x"}), "as it is");
}

TEST(Table, WordsStandToTheLeft) {
  Table table = table_with({"group", "rate"}, 1);
  table.rows = {{"<a|b>", 0.5}};
  EXPECT_EQ(as_markdown(table), "| group | rate |\n|---|---:|\n| \\<a\\|b\\> | 0.5000 |\n");
  Html html;
  write_table(html, table, "c", EndTags::all);
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("<th scope=\"col\" class=\"word\">group</th><th scope=\"col\">rate</th></tr></thead><tbody>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<tr><th scope=\"row\" class=\"word\">&lt;a|b&gt;</th><td>0.5000</td></tr></tbody>"),
            std::string::npos)
      << text;
}

TEST(Table, RowsOfAGroupShareTheirFirstCell) {
  Table table;
  table.grouped = true;
  table.columns = {{"method", "method"}, {"k", "k", kAsPower}};
  table.rows = {{"a", 8.0}, {"a", 16.0}, {"b", 8.0}};
  Html html;
  write_table(html, table, "caption");
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("<tr><th scope=\"rowgroup\" rowspan=\"2\">a<td>2\u00b3\n<tr><td>2\u2074\n<tr><th "
                      "scope=\"rowgroup\" rowspan=\"1\">b<td>2\u00b3"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace fairstep::page
