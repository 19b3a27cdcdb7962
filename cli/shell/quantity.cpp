#include "shell/quantity.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>

namespace fairstep::cli {
namespace {

/// Of rates, gaps and values alike.
constexpr int kDecimals = 4;

}  // namespace

std::string with_thousands(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string with_thousands(std::int64_t n) { return with_thousands(static_cast<std::uint64_t>(n)); }

std::string number_or_dash(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

std::string at_most(double bound) { return std::isnan(bound) ? "-" : round_up_text(bound, kDecimals); }
std::string at_least(double bound) { return std::isnan(bound) ? "-" : round_down_text(bound, kDecimals); }

std::string percent_at_most(double share) {
  std::string text = round_up_percent(share, kDecimals);
  if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " %";
}

std::int64_t total(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace fairstep::cli
