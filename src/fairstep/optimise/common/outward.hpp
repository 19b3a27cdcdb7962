// Arithmetic on ranges that errs outwards, and what the relaxation counts as narrow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairstep/core/model.hpp>

namespace fairstep {

/// A range narrower than this is not worth narrowing.
inline constexpr double kNarrow = 1e-7;
/// A result of one operation is off by at most this share of itself.
inline constexpr double kRounding = 0.5 * std::numeric_limits<double>::epsilon();

[[nodiscard]] inline double rounded_down(double x) { return x - 4 * kRounding * std::abs(x); }
[[nodiscard]] inline double rounded_up(double x) { return x + 4 * kRounding * std::abs(x); }

[[nodiscard]] inline Range product_range(const Range& a, const Range& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {rounded_down(low), rounded_up(high)};
}

/// A sum and what rounding may hide in it: n terms are off by at most n roundings of the sum of their sizes.
struct Sum {
  double value = 0, size = 0;
  double terms = 0;
  void add(double term) {
    value += term;
    size += std::abs(term);
    ++terms;
  }
  /// One more for each term, which may be a product itself.
  [[nodiscard]] double error() const { return (terms + 1) * kRounding * size; }
};

/// The most that coefficient * v can be, for v in a range.
[[nodiscard]] inline double worse_end(double coefficient, double low, double high) {
  if (coefficient == 0) return 0;
  return coefficient * (coefficient > 0 ? high : low);
}

}  // namespace fairstep
