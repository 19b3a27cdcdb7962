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

}  // namespace
}  // namespace fairstep::report
