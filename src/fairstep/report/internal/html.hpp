// Figures as JSON in a page.
#pragma once

#include <fairstep/io/json.hpp>
#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report {

/// Of numbers that stand alone.
inline constexpr JsonStyle kForCharts{.digits = 6, .in_page = true};
/// What a chart shows, for its script: column by column, each number with the digits that place it within a
/// hundred-thousandth of the column's range, five at least (report/src/unpack.mjs reads it).
void write(JsonWriter& json, const Panel& panel);

}  // namespace fairstep::report
