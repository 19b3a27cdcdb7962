// Numbers of repeats in sentences and tables.
#pragma once

#include <string>

#include <fairstep/page/numbers.hpp>
#include <fairstep/report/internal/statistics.hpp>

namespace fairstep::report {

using page::as_power;
using page::fixed;
using page::fixed_down;
using page::fixed_up;
using page::percent;
using page::percent_asked;
using page::percent_up;
using page::small;
using page::with_interval;

[[nodiscard]] inline std::string with_band(const Band& band, int most_decimals = 4) {
  return page::with_band(band.mean, band.low, band.high, most_decimals);
}

}  // namespace fairstep::report
