// Numbers in sentences and tables: as many digits as the band behind them allows.
#pragma once

#include <string>

#include <fairstep/report/internal/statistics.hpp>

namespace fairstep::report {

/// `0.0358`; a dash for what is not known. A true minus sign.
[[nodiscard]] std::string fixed(double number, int decimals);
/// `0.0358 ± 0.0009`, with two digits of the half-width where the decimals allow it, and three decimals at least.
[[nodiscard]] std::string with_band(const Band& band, int most_decimals = 4);
/// `−0.0001 (−0.0004 to 0.0002)`
[[nodiscard]] std::string with_interval(double mean, double low, double high);
[[nodiscard]] std::string percent(double share, int decimals = 1);
/// `2.4e-04` below a thousandth, else like fixed(number, 4).
[[nodiscard]] std::string small(double number);
/// 2^13 as `2¹³`, any other number in digits.
[[nodiscard]] std::string episode(unsigned long long k);

}  // namespace fairstep::report
