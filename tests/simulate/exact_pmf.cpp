#include "simulate/exact_pmf.hpp"

#include <cmath>
#include <cstddef>

namespace fairstep::testing {

std::vector<double> exact_pmf(std::int64_t n, double p) {
  const auto size = static_cast<std::size_t>(n) + 1;
  std::vector<long double> log_factorial(size);
  for (std::size_t k = 1; k < size; ++k)
    log_factorial[k] = log_factorial[k - 1] + std::log(static_cast<long double>(k));
  const long double log_hit = std::log(static_cast<long double>(p));
  const long double log_miss = std::log1p(-static_cast<long double>(p));
  std::vector<double> pmf(size);
  for (std::size_t k = 0; k < size; ++k)
    pmf[k] = static_cast<double>(std::exp(log_factorial[size - 1] - log_factorial[k] - log_factorial[size - 1 - k] +
                                          static_cast<long double>(k) * log_hit +
                                          static_cast<long double>(size - 1 - k) * log_miss));
  return pmf;
}

}  // namespace fairstep::testing
