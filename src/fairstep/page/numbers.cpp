#include <fairstep/page/numbers.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/quantity.hpp>
#include <fairstep/core/rounding.hpp>

namespace fairstep::page {
namespace {

const char* const kMinus = "\u2212";

/// A dash for what is not known, and a true minus.
std::string dressed(double number, const std::string& text) {
  if (!std::isfinite(number)) return "\u2013";
  return text.starts_with('-') ? kMinus + text.substr(1) : text;
}

}  // namespace

std::string fixed_up(double number, int decimals) { return dressed(number, round_up_text(number, decimals)); }
std::string fixed_down(double number, int decimals) { return dressed(number, round_down_text(number, decimals)); }

std::string fixed(double number, int decimals) {
  if (!std::isfinite(number)) return "\u2013";
  const std::string text = fmt::format("{:.{}f}", std::abs(number), decimals);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return number < 0 && !zero ? kMinus + text : text;
}

std::string with_band(double mean, double low, double high, int most_decimals) {
  const double half = (high - low) / 2;
  if (std::isnan(half)) return fixed(mean, most_decimals);
  const int needed = half > 0 ? static_cast<int>(std::ceil(-std::log10(half))) + 1 : most_decimals;
  const int decimals = std::clamp(needed, 3, most_decimals);
  if (half == 0) return fixed(mean, decimals) + " \u00b1 0";  // repeats that do not differ
  // The mean is rounded to the nearest, so that the band around what is shown has to reach a little further.
  const double middle = parse_number(fmt::format("{:.{}f}", mean, decimals)).value_or(mean);
  const double reach = std::max(high - middle, middle - low);
  return fixed(mean, decimals) + " \u00b1 " + fixed_up(reach, decimals);
}

std::string with_interval(double mean, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return fixed(mean, 4);
  const double least = std::min({std::abs(low), std::abs(high), std::abs(high - low)});
  const int decimals = least < 0.0005 ? 5 : 4;
  return fmt::format("{} ({} to {})", fixed(mean, decimals), fixed_down(low, decimals), fixed_up(high, decimals));
}

std::string percent(double share, int decimals) {
  if (!std::isfinite(share)) return "\u2013";
  return fixed(100 * share, decimals) + " %";
}

std::string percent_up(double share, int decimals) {
  return std::isfinite(share) ? round_up_percent(share, decimals) + " %" : "\u2013";
}

std::string percent_asked(double share) { return fmt::format("{:.12g} %", 100 * share); }

std::string small(double number) {
  if (!std::isfinite(number)) return "\u2013";
  if (number != 0 && std::abs(number) < 1e-3) return fmt::format("{:.1e}", number);
  return fixed(number, 4);
}

std::string as_power(unsigned long long k) {
  if (k < 2 || !std::has_single_bit(k)) return std::to_string(k);
  static constexpr std::array<const char*, 10> raised{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                      "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "2";
  for (const char digit : std::to_string(std::countr_zero(k))) text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

}  // namespace fairstep::page
