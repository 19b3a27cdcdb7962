// Figures as JSON in a page.
#pragma once

#include <fairstep/io/json.hpp>
#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report {

/// Six digits: a hundredth of what an eye or a file asks for, at half of the size.
inline constexpr JsonStyle kForCharts{.digits = 6, .in_page = true};
/// What a chart shows, for its script: column by column (report/src/unpack.mjs reads it).
void write(JsonWriter& json, const Panel& panel);

}  // namespace fairstep::report
