#include <fairstep/simulate/binomial.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace fairstep {
namespace {

__extension__ using Wide = unsigned __int128;

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

/// n p = whole + fraction, without rounding the whole part: p is an integer of 53 bits times a power of two.
struct Mean {
  std::int64_t whole = 0;
  double fraction = 0;
};

Mean exact_mean(std::int64_t n, double p) {
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(p, &exponent), 53));
  const int shift = 53 - exponent;  // p = mantissa / 2^shift, and p <= 1/2 makes shift >= 53
  const Wide product = static_cast<Wide>(mantissa) * static_cast<std::uint64_t>(n);
  assert(shift >= 53 && shift < 128);  // n p >= 10 with n <= 2^62 keeps p above 2^-59
  const auto whole = static_cast<std::int64_t>(product >> shift);
  const Wide rest = product - (static_cast<Wide>(whole) << shift);
  return {whole, std::ldexp(static_cast<double>(rest), -shift)};
}

/// log k! - (k log k - k): half of log(2 pi k) and Stirling's series. Zero at k = 0.
double log_factorial_rest(std::int64_t k) {
  // log k! - (k log k - k) for k = 0 .. 15, to the last bit; the series below is good to 1e-16 from 16 on.
  static constexpr std::array<double, 16> kSmall{0.0,
                                                 1.0,
                                                 1.3068528194400546,
                                                 1.4959226032237258,
                                                 1.6328763858683832,
                                                 1.7403021806115442,
                                                 1.828694396641771,
                                                 1.9037903176782212,
                                                 1.9690705693065629,
                                                 2.0268062840554952,
                                                 2.0785616431350586,
                                                 2.12545984509181,
                                                 2.168334698205882,
                                                 2.207822206123445,
                                                 2.244418568125061,
                                                 2.2785183673077407};
  if (k < static_cast<std::int64_t>(kSmall.size())) return kSmall[static_cast<std::size_t>(k)];
  const auto x = static_cast<double>(k);
  const double r = 1 / (x * x);
  constexpr double kTwoPi = 6.283185307179586476925;
  return 0.5 * std::log(kTwoPi * x) + (1. / 12 - (1. / 360 - (1. / 1260 - (1. / 1680 - r / 1188) * r) * r) * r) / x;
}

/// m phi(d / m) with phi(t) = (1+t) log(1+t) - t: what lying d above a mean of m costs. Never cancels for small d.
double deviance(double d, double m) {
  const double x = m + d;
  if (x <= 0) return m;
  if (std::abs(d) >= 0.1 * (x + m)) return x * std::log(x / m) - d;
  // With v = d / (x+m), log(x/m) = 2 atanh(v), and the terms of order d cancel by hand: what remains is
  // d v + 2 x (v^3/3 + v^5/5 + ...).
  const double v = d / (x + m);
  double sum = d * v;
  double power = 2 * x * v;
  for (int j = 3;; j += 2) {
    power *= v * v;
    const double next = sum + power / j;
    if (next == sum) return sum;
    sum = next;
  }
}

/// BTRS. For p <= 1/2 and n p >= 10. Candidates are whole + offset; offsets are small enough to be exact as doubles.
std::int64_t by_rejection(std::int64_t n, double p, Rng& rng) {
  const Mean mean = exact_mean(n, p);
  const auto people = static_cast<double>(n);
  const double expected = people * p;
  const double expected_not = people * (1 - p);
  const double spread = std::sqrt(expected * (1 - p));
  const double b = 1.15 + 2.53 * spread;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double alpha = (2.83 + 5.1 / b) * spread;
  const double sure = 0.92 - 4.2 / b;

  // log P(whole + offset), up to a constant.
  const auto log_weight = [&](std::int64_t offset) {
    const std::int64_t k = mean.whole + offset;
    const double above = static_cast<double>(offset) - mean.fraction;
    return -log_factorial_rest(k) - log_factorial_rest(n - k) - deviance(above, expected) -
           deviance(-above, expected_not);
  };
  // The mode is floor((n+1) p).
  const double log_top = log_weight(mean.fraction + p >= 1 ? 1 : 0);

  while (true) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double edge = 0.5 - std::abs(u);
    if (edge == 0) continue;  // u = -1/2 exactly: the candidate would be infinite
    const double candidate = std::floor((2 * a / edge + b) * u + mean.fraction + 0.5);
    // The squeeze: here the candidate lies within a few spreads and is accepted without a look at P.
    const bool certain = edge >= 0.07 && v <= sure;
    // A bound on what can pass the test below, so that the conversion to an integer is safe.
    if (!certain && std::abs(candidate) > 0x1p62) continue;
    const auto offset = static_cast<std::int64_t>(candidate);
    if (offset < -mean.whole || offset > n - mean.whole) continue;
    if (certain || std::log(v * alpha / (a / (edge * edge) + b)) <= log_weight(offset) - log_top)
      return mean.whole + offset;
  }
}

}  // namespace

std::int64_t binomial(std::int64_t n, double p, Rng& rng) {
  assert(n >= 0 && n <= kMostPeople && p >= 0 && p <= 1);
  if (n == 0 || p == 0) return 0;
  if (p == 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, rng);  // 1 - p is exact here
  return static_cast<double>(n) * p < kInversionBelow ? by_inversion(n, p, rng) : by_rejection(n, p, rng);
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
