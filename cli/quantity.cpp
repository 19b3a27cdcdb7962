#include "quantity.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace fairstep::cli {

std::string with_thousands(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string with_thousands(std::int64_t n) { return with_thousands(static_cast<std::uint64_t>(n)); }

std::string number_or_dash(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

std::int64_t total(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace fairstep::cli
