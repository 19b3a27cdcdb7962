// Binomial draws with many expected successes: Hoermann's transformed rejection with squeeze (BTRS, 1993), around the
// exact integer mean and with Loader's saddle-point form (2000) of the probabilities.
//
// A point u in [-1/2, 1/2) is stretched into a candidate; the candidate is kept with the probability that makes up for
// the stretching. Everything is measured as a distance from the mean, so that 10^18 people lose no digits.
#pragma once

#include <cstdint>

#include <fairstep/core/rng.hpp>

namespace fairstep {

class BinomialRejection {
 public:
  /// p <= 1/2 and n p >= 10, n at most 2^62.
  BinomialRejection(std::int64_t n, double p);

  /// One draw.
  [[nodiscard]] std::int64_t operator()(Rng& rng) const;

  /// The candidate at u, as a distance from whole(); not always within [0, n].
  [[nodiscard]] double candidate(double u) const;
  /// The logarithm of the probability with which the candidate `offset` is kept at u: at most 0. |u| < 1/2.
  [[nodiscard]] double log_keep(double u, std::int64_t offset) const;
  /// Where |u| <= kCore, every candidate is kept with at least this probability: most draws need no logarithm.
  [[nodiscard]] double surely_kept() const { return surely_kept_; }
  static constexpr double kCore = 0.43;

  /// The integer part of n p, exactly.
  [[nodiscard]] std::int64_t whole() const { return whole_; }

 private:
  /// log P(whole + offset), up to a constant.
  [[nodiscard]] double log_weight(std::int64_t offset) const;

  std::int64_t people_;
  std::int64_t whole_ = 0;
  double fraction_ = 0;    ///< n p - whole
  std::int64_t mode_ = 0;  ///< as a distance from whole
  double expected_;        ///< n p
  double expected_not_;    ///< n (1 - p)
  // Hoermann's a, b, alpha and v_r.
  double stretch_;
  double width_;
  double height_;
  double surely_kept_;
};

/// log k! - (k log k - k), which is half of log(2 pi k) and Stirling's series; 0 at k = 0. To 1e-15.
[[nodiscard]] double log_factorial_rest(std::int64_t k);

/// m phi(d / m) with phi(t) = (1+t) log(1+t) - t: what lying d above a mean of m costs. Never cancels for small d.
[[nodiscard]] double deviance(double d, double m);

}  // namespace fairstep
