// Days, and the windows that they are in.
#include <fairstep/ingest/internal/calendar.hpp>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

using Kind = CalendarUnit::Kind;

TEST(Calendar, AWindowBeginsOnItsFirstDay) {
  const auto window_of = [](std::int32_t day, CalendarUnit unit) { return date_text(window_start(day, unit)); };
  EXPECT_EQ(date_text(19782), "2024-02-29");
  EXPECT_EQ(window_of(19782, {Kind::month, 0}), "2024-02-01");
  EXPECT_EQ(window_of(19782, {Kind::quarter, 0}), "2024-01-01");
  EXPECT_EQ(window_of(19782 + 31 + 1, {Kind::quarter, 0}), "2024-04-01");  // 2024-04-01 itself
  EXPECT_EQ(window_of(19782, {Kind::year, 0}), "2024-01-01");
  EXPECT_EQ(window_start(25, {Kind::days, 10}), 20);
  EXPECT_EQ(window_start(-1, {Kind::days, 10}), -10);
  EXPECT_EQ(window_start(-10, {Kind::days, 10}), -10);
  EXPECT_EQ(window_of(-1, {Kind::month, 0}), "1969-12-01");
}

TEST(Calendar, UnitsHaveNames) {
  EXPECT_EQ((CalendarUnit{Kind::quarter, 0}).name(), "quarter");
  EXPECT_EQ((CalendarUnit{Kind::days, 30}).name(), "30 days");
}

TEST(Calendar, UnitsAreReadAsPeopleWriteThem) {
  for (const char* text : {"month", "quarter", "year", "30 days"}) EXPECT_EQ(CalendarUnit::parse(text)->name(), text);
  EXPECT_EQ(CalendarUnit::parse("30days")->name(), "30 days");
  EXPECT_EQ(CalendarUnit::parse("100000days")->days, 100'000);
  for (const char* text : {"", "week", "days", "0days", "-1days", "1.5days", "100001days", "30", "30 days!"})
    EXPECT_FALSE(CalendarUnit::parse(text)) << text;
}

}  // namespace
}  // namespace fairstep::internal
