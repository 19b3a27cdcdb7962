// Numbers where rounding to four digits goes wrong: at short decimals, beside them, and in between.
#pragma once

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace fairstep::testing {

inline std::vector<double> edges_of_rounding(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> numbers{0, 1, 0.026826, 0.0268, 1e-12, 0.00005, 0.99995, 0.99999999};
  while (numbers.size() < count) {
    const double decimal = static_cast<double>(random() % 9999 + 1) / 1e4;
    numbers.insert(numbers.end(), {decimal, std::nextafter(decimal, 0.0), std::nextafter(decimal, 1.0), decimal + 5e-5,
                                   static_cast<double>(random() % 1000003) / 1000003});
  }
  numbers.resize(count);
  return numbers;
}

/// A shown decimal against the number behind it. A long double tells them apart: it has eleven more bits.
inline bool is_at_least(const std::string& shown, double number) {
  return std::strtold(shown.c_str(), nullptr) >= static_cast<long double>(number);
}
inline bool is_at_most(const std::string& shown, double number) {
  return std::strtold(shown.c_str(), nullptr) <= static_cast<long double>(number);
}

}  // namespace fairstep::testing
