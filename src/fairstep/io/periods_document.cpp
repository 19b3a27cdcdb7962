#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/periods.hpp>
#include <fairstep/io/internal/documents.hpp>
#include <fairstep/io/internal/object_reader.hpp>

namespace fairstep::internal {

Periods periods_from(const Json& list, const Shape& shape, std::optional<Error>& error) {
  Periods periods;
  if (!list.is_array() || list.empty()) {
    error = Error{
        fmt::format("periods is {}, expected a list of one period or more", list.is_array() ? "empty" : describe(list)),
        "/periods"};
    return periods;
  }
  for (std::size_t k = 0; k < list.size() && !error; ++k) {
    ObjectReader in(list[k], {{"name", "first_step"}}, error, fmt::format("periods[{}]", k),
                    fmt::format("/periods/{}", k));
    Period period;
    period.name = in.text("name");
    period.first_step = in.whole("first_step");
    periods.list.push_back(std::move(period));
  }
  if (!error)
    if (auto ok = check(periods, shape); !ok) error = ok.error();
  return periods;
}

void write_periods(JsonWriter& json, const Periods& periods) {
  json.key("periods").array();
  for (const Period& period : periods.list)
    json.object(JsonWriter::Lines::one).field("name", period.name).field("first_step", period.first_step).end();
  json.end();
}

}  // namespace fairstep::internal
