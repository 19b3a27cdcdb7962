#include <fairstep/estimate/proportion.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace fairstep {
namespace {

/// ln n! - (n ln n - n + ln(2 pi n) / 2), n >= 1: the series is off by less than its last term.
double stirling_error(double n) {
  if (n < 16) return std::lgamma(n + 1) - (n * std::log(n) - n + std::log(2 * std::numbers::pi * n) / 2);
  const double square = n * n;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square) / n;
}

/// What ln b(k; n, p) is at p = k/n, 0 < k < n; at other p it is that minus n times the divergence. Without the large
/// numbers that ln n! would bring, nearly all digits of which cancel.
double log_at_the_mode(double k, double n) {
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) +
         std::log(n / (2 * std::numbers::pi * k * (n - k))) / 2;
}

/// x ln(x/m) + m - x: what two numbers differ by, without the cancelling of the large terms when they are close.
double deviance(double x, double m) {
  const double off = (x - m) / m;
  return m * ((1 + off) * std::log1p(off) - off);
}

/// n KL(k/n, p), 0 < k < n, 0 < p < 1.
double divergence(double k, double n, double p) { return deviance(k, n * p) + deviance(n - k, n * (1 - p)); }

/// The p > k/n with n KL(k/n, p) = most, 0 < k < n. KL is convex in p: from the right Newton's steps never overshoot.
double where_divergence_is(double most, double k, double n) {
  const double mean = k / n;
  // KL is at least 2 (p - mean)^2, and at least (1 - mean) ln((1 - mean) / (1 - p)) + mean ln(mean).
  const double by_square = mean + std::sqrt(most / (2 * n));
  const double by_log = 1 - (1 - mean) * std::exp(-(most / n - mean * std::log(mean)) / (1 - mean));
  double p = std::min(by_square, by_log);
  if (p >= 1) return 1;
  for (int turn = 0; turn < 200; ++turn) {
    const double next = p - (divergence(k, n, p) - most) * p * (1 - p) / (n * (p - mean));
    if (!(next < p) || next <= mean) break;
    p = next;
  }
  return p;
}

double upper_at_all_times(std::int64_t k, std::int64_t n, double delta) {
  if (k == n) return 1;
  const auto draws = static_cast<double>(n);
  const double most = std::log((draws + 1) / delta);  // -ln b may be so much
  if (k == 0) return -std::expm1(-most / draws);
  const auto seen = static_cast<double>(k);
  return where_divergence_is(most + log_at_the_mode(seen, draws), seen, draws);
}

/// ln of the bound on the probability of at most k successes, for p > k/n.
double log_lower_tail(std::int64_t k, std::int64_t n, double p) {
  const auto seen = static_cast<double>(k);
  const double rho = seen * (1 - p) / (static_cast<double>(n - k + 1) * p);
  return log_binomial(k, n, p) - std::log1p(-rho);
}

double upper_once(std::int64_t k, std::int64_t n, double delta_tail) {
  if (k == n) return 1;
  double low = static_cast<double>(k) / static_cast<double>(n);
  double high = 1;
  const double target = std::log(delta_tail);
  if (k == 0) return -std::expm1(target / static_cast<double>(n));
  for (;;) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    (log_lower_tail(k, n, middle) <= target ? high : low) = middle;
  }
}

template <class Upper>
Range both_ends(std::int64_t k, std::int64_t n, double delta, const Upper& upper) {
  assert(0 <= k && k <= n && delta > 0 && delta < 1);
  if (n == 0) return {0, 1};
  return {1 - upper(n - k, n, delta), upper(k, n, delta)};
}

}  // namespace

double log_binomial(std::int64_t k, std::int64_t n, double p) {
  assert(0 <= k && k <= n && p >= 0 && p <= 1);
  const auto seen = static_cast<double>(k);
  const auto draws = static_cast<double>(n);
  if (k == 0) return n == 0 ? 0 : draws * std::log1p(-p);
  if (k == n) return draws * std::log(p);
  if (p == 0 || p == 1) return -std::numeric_limits<double>::infinity();
  return log_at_the_mode(seen, draws) - divergence(seen, draws, p);
}

Range proportion_at_all_times(std::int64_t k, std::int64_t n, double delta) {
  return both_ends(k, n, delta, upper_at_all_times);
}

Range proportion_at_all_times(std::int64_t k, const Draws& draws, double delta) {
  const auto [seen, missing, in_doubt] = draws;
  const std::int64_t all = seen - in_doubt + missing;  // with those in doubt taken out, and the missing put in
  const auto upper = [&](std::int64_t failures) {      // of what `failures` were counted against
    return failures <= in_doubt ? 1.0 : upper_at_all_times(all - (failures - in_doubt), all, delta);
  };
  assert(0 <= k && k <= seen && delta > 0 && delta < 1);
  return {1 - upper(k), upper(seen - k)};
}

Range proportion_once(std::int64_t k, std::int64_t n, double delta_tail) {
  return both_ends(k, n, delta_tail, upper_once);
}

Range proportion_once(std::int64_t k, std::int64_t n, std::int64_t astray, double delta_tail) {
  if (astray >= n) return {0, 1};
  return {proportion_once(std::max<std::int64_t>(0, k - astray), n, delta_tail).low,
          proportion_once(std::min(n, k + astray), n, delta_tail).high};
}

}  // namespace fairstep
