// Figures as JSON in a page.
#pragma once

#include <fairstep/io/json.hpp>
#include <fairstep/report/internal/figure.hpp>

namespace fairstep::report {

/// Ten digits: a tenth of a billionth, at two thirds of the size.
inline constexpr JsonStyle kForCharts{.digits = 10, .in_page = true};
/// What a chart shows, for its script.
void write(JsonWriter& json, const Panel& panel);

}  // namespace fairstep::report
