// Numbers that are known to lie between two others: after every operation both ends move outwards by at least one unit
// in the last place, which is more than the operation can be off.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairstep::rigorous {

using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64, "rounding must be finer than that of the certificate");
inline constexpr Real kLeastStep = 1e-4900L;
static_assert(kLeastStep > std::numeric_limits<Real>::min());

/// One or two units in the last place of a finite x: three quarters of epsilon times |x| is at least three quarters of
/// a unit, and what is nearest to x plus that is not x itself. The library's function that steps exactly one takes ten
/// times as long. Close to 0, where units stop getting smaller, and a product may have lost all its digits, the least
/// is far more than what was lost.
inline Real step_of(Real x) { return std::abs(x) * (0.75L * std::numeric_limits<Real>::epsilon()) + kLeastStep; }
inline Real up(Real x) { return x + step_of(x); }
inline Real down(Real x) { return x - step_of(x); }

struct Interval {
  Real low = 0;
  Real high = 0;

  Interval() = default;
  Interval(Real exact) : low(exact), high(exact) {}  // NOLINT(google-explicit-constructor): a number is an interval
  Interval(Real from, Real to) : low(from), high(to) {}
};

inline Interval operator+(const Interval& a, const Interval& b) { return {down(a.low + b.low), up(a.high + b.high)}; }
inline Interval operator-(const Interval& a, const Interval& b) { return {down(a.low - b.high), up(a.high - b.low)}; }
inline Interval operator*(const Interval& a, const Interval& b) {
  const Real products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {down(*std::min_element(products, products + 4)), up(*std::max_element(products, products + 4))};
}
/// b does not hold 0.
inline Interval operator/(const Interval& a, const Interval& b) {
  const Real quotients[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  return {down(*std::min_element(quotients, quotients + 4)), up(*std::max_element(quotients, quotients + 4))};
}
/// a >= 0; rounded correctly by the hardware.
inline Interval sqrt(const Interval& a) { return {down(std::sqrt(a.low)), up(std::sqrt(a.high))}; }
/// a > 0; library logarithms are off by at most one unit or two, and get four.
inline Interval log(const Interval& a) {
  return {down(down(down(down(std::log(a.low))))), up(up(up(up(std::log(a.high)))))};
}
/// ln(1 + a), a > -1; also exact to the last digits where a is tiny.
inline Interval log1p(const Interval& a) {
  return {down(down(down(down(std::log1p(a.low))))), up(up(up(up(std::log1p(a.high)))))};
}

}  // namespace fairstep::rigorous
