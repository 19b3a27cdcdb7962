#include <fairstep/ingest/internal/calendar.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <fairstep/core/quantity.hpp>

namespace fairstep {

std::string CalendarUnit::name() const {
  switch (kind) {
    case Kind::month:
      return "month";
    case Kind::quarter:
      return "quarter";
    case Kind::year:
      return "year";
    case Kind::days:
      break;
  }
  return fmt::format("{} days", days);
}

std::optional<CalendarUnit> CalendarUnit::parse(std::string_view text) {
  for (const CalendarUnit unit : {CalendarUnit{Kind::month}, CalendarUnit{Kind::quarter}, CalendarUnit{Kind::year}})
    if (text == unit.name()) return unit;
  if (!text.ends_with("days")) return std::nullopt;
  text.remove_suffix(4);
  while (text.ends_with(' ')) text.remove_suffix(1);
  constexpr std::uint64_t kMostDays = 100'000;
  const auto days = parse_whole(text);
  if (!days || *days < 1 || *days > kMostDays) return std::nullopt;
  return CalendarUnit{Kind::days, static_cast<std::int32_t>(*days)};
}

std::int32_t internal::window_start(std::int32_t day, const CalendarUnit& unit) {
  using namespace std::chrono;
  if (unit.kind == CalendarUnit::Kind::days) {
    const std::int32_t rest = day % unit.days;
    return day - (rest < 0 ? rest + unit.days : rest);
  }
  const year_month_day date{sys_days{days{day}}};
  unsigned first_month = 1;
  if (unit.kind == CalendarUnit::Kind::month) first_month = static_cast<unsigned>(date.month());
  if (unit.kind == CalendarUnit::Kind::quarter) first_month = (static_cast<unsigned>(date.month()) - 1) / 3 * 3 + 1;
  return static_cast<std::int32_t>(
      sys_days{year_month_day{date.year(), month{first_month}, std::chrono::day{1}}}.time_since_epoch().count());
}

std::string internal::date_text(std::int32_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace fairstep
