// Tables that grow as values come.
#include <fairstep/ingest/internal/tables.hpp>

#include <cstddef>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

// They grew by 64 groups at a time, and were copied each time: 200,000 groups took minutes.
TEST(Tables, AreCopiedAFewTimesHoweverManyValuesCome) {
  Tables tables;
  std::size_t copies = 0;
  for (std::size_t groups = 1; groups <= 50'000; ++groups) {
    const std::size_t before = tables.groups();
    tables.reserve(groups, 1, 1);
    copies += static_cast<std::size_t>(tables.groups() != before);
    EXPECT_GE(tables.groups(), groups);
  }
  EXPECT_LE(copies, 60U);
  EXPECT_LE(tables.groups(), 63'000U);  // and not much room is wasted
}

// Windows times groups was limited by nothing: a log of few rows could ask for any amount of memory.
TEST(Tables, HaveRoomForSoManyCalendarWindowsTimesGroups) {
  Tables tables;
  tables.reserve(1, 1, 1);
  constexpr std::size_t windows = 10, each = 3 * kActions;
  for (std::size_t i = 0; i < windows; ++i) ++tables.window(static_cast<std::int32_t>(i))[0];
  const std::size_t groups = Tables::kMostWindowEntries / (windows * each);
  EXPECT_TRUE(tables.windows_fit(groups));
  EXPECT_FALSE(tables.windows_fit(groups + 1));

  Tables wide;  // and none is made that does not fit
  wide.reserve(200'000, 1, 1);
  for (std::int32_t day = 0; day < 1000; ++day) ++wide.window(day)[0];
  EXPECT_FALSE(wide.windows_fit(1));
  EXPECT_LE(wide.windows().size(), 2 * Tables::kMostWindowEntries / (200'000 * each));
}

}  // namespace
}  // namespace fairstep::internal
