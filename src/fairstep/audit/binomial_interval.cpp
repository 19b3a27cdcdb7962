#include <fairstep/audit/binomial_interval.hpp>

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>

namespace fairstep {

// P(X >= k) as a function of the chance p is the distribution function of Beta(k, n - k + 1): the low end is where it
// is delta / 2, and the high end is the same seen from the failures.
Range binomial_interval(std::int64_t successes, std::int64_t trials, double delta) {
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  Range range{0, 1};
  if (trials == 0) return range;
  if (successes > 0) range.low = boost::math::ibeta_inv(k, n - k + 1, delta / 2);
  if (successes < trials) range.high = boost::math::ibetac_inv(k + 1, n - k, delta / 2);
  return range;
}

Range binomial_interval(std::int64_t successes, std::int64_t trials, std::int64_t missing, double delta) {
  return {binomial_interval(successes, trials + missing, delta).low,
          binomial_interval(successes + missing, trials + missing, delta).high};
}

Range recurring_interval(std::int64_t successes, std::int64_t trials, std::int64_t missing, std::size_t each,
                         double delta) {
  if (each <= 1) return binomial_interval(successes, trials, missing, delta);
  if (trials == 0) return {0, 1};
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  const auto more = static_cast<double>(missing);
  const double room = std::sqrt(static_cast<double>(each) * std::log(2 / delta) / (2 * n));
  return {std::max(0.0, k / (n + more) - room), std::min(1.0, (k + more) / (n + more) + room)};
}

}  // namespace fairstep
