#include <fairstep/report/internal/html.hpp>

#include <string>
#include <utility>

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
      R"({"chart":"\u003c/script>\"\\\n","parameters":{},"columns":["group","value","kind"],"hidden":["kind"],"data":[)"
      "\n"
      R"(["\u003c!--"],)"
      "\n[null],\n"
      R"(["x"]]})");
}

/// The columns of a table as the page carries them, a line for each.
std::string data_of(const Table& table) {
  Panel panel;
  panel.table = table;
  JsonWriter json(kForCharts);
  write(json, panel);
  const std::string text = std::move(json).text();
  return text.substr(text.find("\"data\":[") + 8);
}

TEST(Html, ColumnsAreTheShortestOfTheirValuesTheirRunsAndTheirPlaces) {
  Table table;
  table.columns = {{"method", "method"}, {"k", "k"}, {"mean", "mean"}};
  for (const char* method : {"the method", "unconstrained"})
    for (const double k : {1024.0, 2048.0, 4096.0}) table.rows.push_back({method, k, k / 8192});
  EXPECT_EQ(data_of(table),
            "\n"
            R"({"values":["the method","unconstrained"],"runs":[3,3]},)"
            "\n[1024,2048,4096,1024,2048,4096],\n[0.125,0.25,0.5,0.125,0.25,0.5]]}");
  const auto again = table.rows;
  table.rows.insert(table.rows.end(), again.begin(), again.end());
  EXPECT_NE(data_of(table).find(R"({"values":[1024,2048,4096],"at":[0,1,2,0,1,2,0,1,2,0,1,2]})"), std::string::npos)
      << data_of(table);
}

TEST(Html, NumbersHaveTheDigitsThatPlaceThemInTheirColumn) {
  Table wide, narrow;
  wide.columns = narrow.columns = {{"mean", "mean"}};
  wide.rows = {{0.0}, {0.123456789}, {1.0}};
  EXPECT_EQ(data_of(wide), "\n[0,0.12346,1]]}");
  // A hundred-thousandth of their range is 1e-11.
  narrow.rows = {{0.123456}, {0.123456789}, {0.123457}};
  EXPECT_EQ(data_of(narrow), "\n[0.123456,0.123456789,0.123457]]}");
}

}  // namespace
}  // namespace fairstep::report
