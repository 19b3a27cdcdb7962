#include "simulate/chi_square.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace fairstep::testing {
namespace {

constexpr double kFewest = 10;  ///< expected in a class

/// Wilson and Hilferty: the cube root of chi-square over its degrees of freedom is nearly normal, in the far tail too.
double as_normal(double chi_square, double degrees) {
  const double spread = 2 / (9 * degrees);
  return (std::cbrt(chi_square / degrees) - (1 - spread)) / std::sqrt(spread);
}

double total(std::span<const std::int64_t> counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

}  // namespace

double chi_square_score(std::span<const std::int64_t> observed, std::span<const double> probability) {
  const double people = total(observed);
  double chi_square = 0;
  int classes = 0;
  double rare_expected = 0;
  double rare_observed = 0;
  const auto add = [&](double seen, double expected) {
    chi_square += (seen - expected) * (seen - expected) / expected;
    ++classes;
  };
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const auto seen = static_cast<double>(observed[i]);
    const double expected = people * probability[i];
    if (expected == 0 && seen > 0) return std::numeric_limits<double>::infinity();
    if (expected >= kFewest) {
      add(seen, expected);
    } else {
      rare_expected += expected;
      rare_observed += seen;
    }
  }
  if (rare_expected >= kFewest) {
    add(rare_observed, rare_expected);
  } else if (rare_observed > rare_expected + 12 * std::sqrt(rare_expected) + 15) {
    return std::numeric_limits<double>::infinity();  // for fewer than 10 expected, P(this) is below 1e-10
  }
  return classes < 2 ? 0 : as_normal(chi_square, classes - 1);
}

double two_sample_score(std::span<const std::int64_t> one, std::span<const std::int64_t> other) {
  const double people_one = total(one);
  const double people_other = total(other);
  double chi_square = 0;
  int classes = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const auto a = static_cast<double>(one[i]);
    const auto b = static_cast<double>(other[i]);
    if (a + b < 2 * kFewest) continue;
    const double difference = a * std::sqrt(people_other / people_one) - b * std::sqrt(people_one / people_other);
    chi_square += difference * difference / (a + b);
    ++classes;
  }
  return classes < 2 ? 0 : as_normal(chi_square, classes - 1);
}

}  // namespace fairstep::testing
