#include <fairstep/simulate/binomial.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fairstep/simulate/binomial_rejection.hpp>

namespace fairstep {
namespace {

/// Below this many expected successes inversion is the faster; the constants of BTRS hold from here on.
constexpr double kInversionBelow = 10;

/// Successes one after the other: P(0) = (1-p)^n, P(k) = P(k-1) (n-k+1)/k p/(1-p). For p <= 1/2 and n p < 10.
std::int64_t by_inversion(std::int64_t n, double p, Rng& rng) {
  // A sum beyond this has a probability below 1e-60: only rounding in the last place of u leads there, so draw again.
  constexpr std::int64_t kBeyond = 128;
  const auto people = static_cast<double>(n);
  const double odds = p / (1 - p);
  const double none = std::exp(people * std::log1p(-p));
  while (true) {
    double left = rng.uniform();
    double probability = none;
    for (std::int64_t k = 0; k <= std::min(n, kBeyond);) {
      if (left < probability) return k;
      left -= probability;
      ++k;
      probability *= (people - static_cast<double>(k - 1)) / static_cast<double>(k) * odds;
    }
  }
}

}  // namespace

std::int64_t binomial(std::int64_t n, double p, Rng& rng) {
  assert(n >= 0 && n <= kMostPeople && p >= 0 && p <= 1);
  if (n == 0 || p == 0) return 0;
  if (p == 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, rng);  // 1 - p is exact here
  return static_cast<double>(n) * p < kInversionBelow ? by_inversion(n, p, rng) : BinomialRejection(n, p)(rng);
}

void Multinomial::split(std::int64_t n, std::span<const double> weight, Rng& rng, std::span<std::int64_t> out) {
  assert(weight.size() == out.size());
  if (n == 0) return;
  // One conditional binomial per class. Sums from the back keep the last classes' shares of what is left accurate,
  // where one minus the weights so far would not.
  tail_.resize(weight.size());
  double sum = 0;
  for (std::size_t i = weight.size(); i-- > 0;) tail_[i] = sum += weight[i];
  assert(sum > 0);
  for (std::size_t i = 0; n > 0; ++i) {
    if (weight[i] == 0) continue;
    // The last class that can get anybody has weight == tail and takes the rest.
    const std::int64_t here = binomial(n, std::min(weight[i] / tail_[i], 1.0), rng);
    out[i] += here;
    n -= here;
  }
}

}  // namespace fairstep
