// Days, and the parts of the calendar that they are in.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <fairstep/ingest/count.hpp>

namespace fairstep::internal {

/// Days since 1970-01-01, or why there is none.
inline constexpr std::int32_t kNoDay = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kBadDay = std::numeric_limits<std::int32_t>::max();

/// The window that a day is in, by its first day.
[[nodiscard]] std::int32_t window_start(std::int32_t day, const CalendarUnit& unit);

/// 2024-07-01
[[nodiscard]] std::string date_text(std::int32_t day);

}  // namespace fairstep::internal
