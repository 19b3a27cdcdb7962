// Numbers in sentences and tables: as many digits as the band behind them allows, and bounds rounded to their safe
// side.
#pragma once

#include <string>

namespace fairstep::page {

/// `0.0358`; a dash for what is not known. A true minus sign.
[[nodiscard]] std::string fixed(double number, int decimals);
/// The same of a bound, rounded so that it holds as it is shown.
[[nodiscard]] std::string fixed_up(double number, int decimals);
[[nodiscard]] std::string fixed_down(double number, int decimals);
/// `0.0358 ± 0.0009`, with two digits of the half-width where the decimals allow it, and three decimals at least. What
/// is shown covers the whole band.
[[nodiscard]] std::string with_band(double mean, double low, double high, int most_decimals = 4);
/// `−0.0001 (−0.0004 to 0.0002)`
[[nodiscard]] std::string with_interval(double mean, double low, double high);
[[nodiscard]] std::string percent(double share, int decimals = 1);
/// The same of what may be missing, rounded up.
[[nodiscard]] std::string percent_up(double share, int decimals = 1);
/// A share that was asked for, with the digits it has.
[[nodiscard]] std::string percent_asked(double share);
/// `2.4e-04` below a thousandth, else like fixed(number, 4).
[[nodiscard]] std::string small(double number);
/// 2^13 as `2¹³`, any other number in digits.
[[nodiscard]] std::string as_power(unsigned long long k);

}  // namespace fairstep::page
