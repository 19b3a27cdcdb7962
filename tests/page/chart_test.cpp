#include <fairstep/page/chart.hpp>

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace fairstep::page {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Chart, PointsStandWhereTheirNumbersSay) {
  // From 0 to 1 by quarters: 0 is at y = 240 - 34 = 206, 1 at y = 10, 1/4 at 206 - 196/4 = 157. Two places: x = 42 and
  // x = 430 - 112 = 318.
  const std::string svg = to_svg({"rate", "step", {"0", "1"}, {{"a", {0.25, 1}, {{0, 0.5}, {0.75, 1}}}}});
  EXPECT_NE(svg.find("<polyline points=\"42.0,157.0 318.0,10.0 \"/>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<polygon points=\"42.0,108.0 318.0,10.0 318.0,59.0 42.0,206.0 \"/>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("aria-label=\"rate. a: from 0.250 to 1.000.\""), std::string::npos) << svg;
}

TEST(Chart, ALineIsBrokenWhereThereIsNoNumber) {
  const Range band{0, 1};
  const std::string svg =
      to_svg({"rate", "step", {"0", "1", "2", "3"}, {{"a", {0.5, kNone, 0.5, 0.5}, {band, band, band, band}}}});
  EXPECT_EQ(times(svg, "<polyline"), 2u);
  EXPECT_EQ(times(svg, "<circle"), 3u);
  EXPECT_EQ(times(svg, "nan"), 0u);
}

TEST(Chart, NothingToShowIsAnEmptyChart) {
  for (const std::size_t places : {0u, 1u, 3u}) {
    const std::string svg = to_svg({"rate",
                                    "step",
                                    std::vector<std::string>(places, "0"),
                                    {{"a", std::vector<double>(places, kNone), std::vector<Range>(places)}}});
    EXPECT_EQ(times(svg, "<polyline"), 0u);
    EXPECT_EQ(times(svg, "class=\"name"), 0u);
    EXPECT_EQ(times(svg, "nan"), 0u);
  }
}

TEST(Chart, NamesAreNoMarkupAndAreCutBetweenLetters) {
  const std::string svg = to_svg({"<i>", "<b>", {"<u>"}, {{"\"><script>äöüäöüäöü", {0.5}, {{0.4, 0.6}}}}});
  for (const char* markup : {"<i>", "<b>", "<u>", "<script>"}) EXPECT_EQ(svg.find(markup), std::string::npos) << markup;
  EXPECT_NE(svg.find("&quot;&gt;&lt;script&gt;äöüäöü…</text>"), std::string::npos) << svg;
}

TEST(Chart, EightLinesHaveColoursOfTheirOwnAndTheNinthIsBroken) {
  Chart chart{"rate", "step", {"0"}, {}};
  for (int i = 0; i < 9; ++i) chart.series.push_back({std::to_string(i), {0.1 * i}, {{0, 1}}});
  const std::string svg = to_svg(chart);
  for (int i = 0; i < 8; ++i) EXPECT_NE(svg.find("<g class=\"s" + std::to_string(i) + "\">"), std::string::npos) << i;
  EXPECT_NE(svg.find("<g class=\"s0 again\">"), std::string::npos);
}

TEST(Chart, NamesOfLinesThatEndTogetherDoNotStandOnEachOther) {
  // Both end at 0.5, in the middle: y = 108, its name's foot 4 below; the other's 14 further down.
  const Series series{"a", {0.5}, {{0, 1}}};
  const std::string svg = to_svg({"rate", "step", {"0"}, {series, series}});
  EXPECT_NE(svg.find("y=\"112.0\">a</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("y=\"126.0\">a</text>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace fairstep::page
