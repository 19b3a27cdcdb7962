#include <fairstep/core/rounding.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairstep {
namespace {

/// 0.d1 d2 d3 ... times ten to `point`, all digits of it. Nothing but zeros is 0.
struct ExactDecimal {
  bool negative = false;
  std::string digits{};
  std::ptrdiff_t point = 0;
};

enum class Towards { above, below };

/// No double has more significant digits than 767.
constexpr int kAllDigits = 766;

/// Of a finite number.
ExactDecimal exactly(double number) {
  std::array<char, kAllDigits + 16> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), std::abs(number),
                                     std::chars_format::scientific, kAllDigits);
  const std::string_view all(text.data(), static_cast<std::size_t>(written.ptr - text.data()));  // d.ddd...e-05
  const std::size_t e = all.find('e');
  ExactDecimal decimal{number < 0, std::string(all.substr(0, e)), 1};
  decimal.digits.erase(1, 1);
  int exponent = 0;
  const std::size_t sign = all[e + 1] == '+' ? 2 : 1;  // from_chars knows no plus
  std::from_chars(all.data() + e + sign, all.data() + all.size(), exponent);
  decimal.point += exponent;
  return decimal;
}

/// Cut after so many digits behind the point, towards one side.
ExactDecimal cut(ExactDecimal decimal, std::ptrdiff_t decimals, Towards side) {
  const std::ptrdiff_t kept = decimal.point + decimals;
  const auto rest =
      decimal.digits.begin() + std::clamp<std::ptrdiff_t>(kept, 0, static_cast<std::ptrdiff_t>(decimal.digits.size()));
  const bool whole = std::all_of(rest, decimal.digits.end(), [](char digit) { return digit == '0'; });
  const bool away_from_zero = (side == Towards::above) != decimal.negative;
  decimal.digits.erase(rest, decimal.digits.end());
  if (kept < 0) decimal.point = -decimals;  // the digits begin where the last one that is kept would be
  if (!whole && away_from_zero) {
    std::ptrdiff_t at = std::max<std::ptrdiff_t>(kept, 0);
    while (at > 0 && decimal.digits[static_cast<std::size_t>(at - 1)] == '9')
      decimal.digits[static_cast<std::size_t>(--at)] = '0';
    if (at > 0) {
      ++decimal.digits[static_cast<std::size_t>(at - 1)];
    } else {
      decimal.digits.insert(decimal.digits.begin(), '1');
      ++decimal.point;
    }
  }
  if (decimal.digits.find_first_not_of('0') == std::string::npos) return {};
  return decimal;
}

/// `12.50`, with so many digits behind the point.
std::string in_full(const ExactDecimal& decimal, std::ptrdiff_t decimals) {
  std::string text = decimal.negative ? "-" : "";
  const auto digit = [&](std::ptrdiff_t at) {
    return at >= 0 && at < static_cast<std::ptrdiff_t>(decimal.digits.size())
               ? decimal.digits[static_cast<std::size_t>(at)]
               : '0';
  };
  if (decimal.point <= 0) text += '0';
  for (std::ptrdiff_t at = 0; at < decimal.point; ++at) text += digit(at);
  if (decimals > 0) text += '.';
  for (std::ptrdiff_t at = decimal.point; at < decimal.point + decimals; ++at) text += digit(at);
  return text;
}

/// A number without zeros at its end; the point goes with the last of them.
void trim(std::string& digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
}

std::string fixed(double number, int decimals, int hundredfold, Towards side) {
  if (!std::isfinite(number)) return fmt::format("{}", number);
  ExactDecimal decimal = exactly(number);
  decimal.point += hundredfold;
  return in_full(cut(std::move(decimal), decimals, side), decimals);
}

std::string shortened(double number, int significant, Towards side) {
  if (!std::isfinite(number)) return fmt::format("{}", number);
  if (number == 0) return "0";
  ExactDecimal decimal = exactly(number);
  const std::ptrdiff_t before = decimal.point;
  decimal = cut(std::move(decimal), significant - before, side);
  const std::ptrdiff_t exponent = decimal.point - 1;
  if (exponent >= -4 && exponent < significant) {
    std::string text = in_full(decimal, std::max<std::ptrdiff_t>(0, significant - decimal.point));
    if (text.find('.') != std::string::npos) trim(text);
    return text;
  }
  std::string digits = decimal.digits.substr(0, 1) + '.' + decimal.digits.substr(1);
  trim(digits);
  return fmt::format("{}{}e{}{:02}", decimal.negative ? "-" : "", digits, exponent < 0 ? '-' : '+', std::abs(exponent));
}

/// The two are seen on their right sides. A double has at most 17 digits, so that comparing doubles will do.
bool tells_apart(const std::string& text, double bound, double limit) {
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return bound > limit ? read > limit : read < limit;
}

std::string beside(double bound, double limit, int decimals, Towards side) {
  constexpr int kMostDecimals = 20;
  if (bound == limit) return fmt::format("{}", limit);
  if (!std::isfinite(bound) || !std::isfinite(limit)) return fixed(bound, decimals, 0, side);
  for (; decimals <= kMostDecimals; ++decimals)
    if (std::string text = fixed(bound, decimals, 0, side); tells_apart(text, bound, limit)) return text;
  for (int significant = 1;; ++significant)
    if (std::string text = shortened(bound, significant, side); tells_apart(text, bound, limit)) return text;
}

}  // namespace

std::string round_up_text(double number, int decimals) { return fixed(number, decimals, 0, Towards::above); }
std::string round_down_text(double number, int decimals) { return fixed(number, decimals, 0, Towards::below); }

std::string round_up_short(double number, int significant) { return shortened(number, significant, Towards::above); }
std::string round_down_short(double number, int significant) { return shortened(number, significant, Towards::below); }

std::string round_up_percent(double share, int decimals) { return fixed(share, decimals, 2, Towards::above); }

std::string round_up_beside(double bound, double limit, int decimals) {
  return beside(bound, limit, decimals, Towards::above);
}
std::string round_down_beside(double bound, double limit, int decimals) {
  return beside(bound, limit, decimals, Towards::below);
}

std::string one_minus_text(double delta) {
  constexpr int kMostDecimals = 9;
  std::array<char, 32> text{};
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals) {
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), delta, std::chars_format::fixed, decimals);
    double read = 0;
    std::from_chars(text.data(), written.ptr, read);
    if (read != delta || written.ec != std::errc{}) continue;
    // Those digits are delta, so that what is left of 1 is exact in as many.
    return fmt::format("{:.{}f}", 1 - delta, decimals);
  }
  return fmt::format("1 - {}", delta);
}

}  // namespace fairstep
