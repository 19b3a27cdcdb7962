#include <fairstep/simulate/binomial_rejection.hpp>

#include <array>
#include <cassert>
#include <cmath>

namespace fairstep {

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

BinomialRejection::BinomialRejection(std::int64_t n, double p)
    : people_(n), expected_(static_cast<double>(n) * p), expected_not_(static_cast<double>(n) * (1 - p)) {
  // n p without rounding its integer part: p is an integer of 53 bits over 2^shift.
  __extension__ using Wide = unsigned __int128;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(p, &exponent), 53));
  const int shift = 53 - exponent;
  assert(shift >= 53 && shift < 128);  // p <= 1/2; and n p >= 10 with n <= 2^62 keeps p above 2^-59
  const Wide product = static_cast<Wide>(mantissa) * static_cast<std::uint64_t>(n);
  whole_ = static_cast<std::int64_t>(product >> shift);
  const Wide rest = product - (static_cast<Wide>(whole_) << shift);
  fraction_ = std::ldexp(static_cast<double>(rest), -shift);
  mode_ = fraction_ + p >= 1 ? 1 : 0;  // floor((n+1) p)

  const double spread = std::sqrt(expected_ * (1 - p));
  width_ = 1.15 + 2.53 * spread;
  stretch_ = -0.0873 + 0.0248 * width_ + 0.01 * p;
  height_ = (2.83 + 5.1 / width_) * spread;
  surely_kept_ = 0.92 - 4.2 / width_;
}

double BinomialRejection::log_weight(std::int64_t offset) const {
  const std::int64_t k = whole_ + offset;
  const double above = static_cast<double>(offset) - fraction_;
  return -log_factorial_rest(k) - log_factorial_rest(people_ - k) - deviance(above, expected_) -
         deviance(-above, expected_not_);
}

double BinomialRejection::candidate(double u) const {
  const double edge = 0.5 - std::abs(u);
  return std::floor((2 * stretch_ / edge + width_) * u + fraction_ + 0.5);
}

double BinomialRejection::log_keep(double u, std::int64_t offset) const {
  const double edge = 0.5 - std::abs(u);
  return log_weight(offset) - log_weight(mode_) + std::log((stretch_ / (edge * edge) + width_) / height_);
}

std::int64_t BinomialRejection::operator()(Rng& rng) const {
  while (true) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double distance = candidate(u);
    // Also false for the infinite distance at u = -1/2; and what is left converts to an integer.
    if (!(std::abs(distance) < 0x1p62)) continue;
    const auto offset = static_cast<std::int64_t>(distance);
    if (offset < -whole_ || offset > people_ - whole_) continue;
    if (std::abs(u) <= kCore && v <= surely_kept_) return whole_ + offset;
    if (std::log(v) <= log_keep(u, offset)) return whole_ + offset;
  }
}

}  // namespace fairstep
