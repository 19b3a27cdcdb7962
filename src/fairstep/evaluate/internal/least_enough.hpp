// Where a convex function that falls comes down to zero: in few steps, and on the safe side.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairstep/core/model.hpp>

namespace fairstep::internal {

/// Ends are found this closely.
inline constexpr double kClose = 1e-13;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double at = kUnknown;
  double excess = kUnknown;
};

/// Where the line through two points is zero; not finite if it is level or a point is unknown.
inline double zero_of_line(const Point& p, const Point& q) {
  return p.at - p.excess * (q.at - p.at) / (q.excess - p.excess);
}

/// A t within `hull` with excess(t) <= 0, at most kClose above the least there is. `excess` is convex and falls (but
/// for rounding); the high end of the hull is right even if rounding says otherwise. `start` and `slope` are guesses of
/// the answer and of how fast excess falls.
///
/// The line through two points below the answer meets zero before it, the chord across it behind it: taking turns
/// closes in from both sides in some five steps, where halving takes forty. Each fourth turn halves in case they do
/// not.
template <class Excess>
double least_enough(Range hull, double start, double slope, const Excess& excess) {
  Point low{hull.low};
  Point high{hull.high};
  Point before;  // the low end before the last
  for (int turn = 0; high.at - low.at > kClose; ++turn) {
    double next = turn % 2 == 0 ? zero_of_line(before, low) : kUnknown;
    if (turn == 0) next = start;
    if (turn == 1) next = low.at + low.excess / slope;
    if (!std::isfinite(next)) next = zero_of_line(low, high);
    if (turn % 4 == 3 || !std::isfinite(next)) next = low.at + (high.at - low.at) / 2;
    next = std::min(std::max(next, low.at + kClose / 2), high.at - kClose / 2);
    const Point found{next, excess(next)};
    if (found.excess <= 0) {
      high = found;
    } else {
      before = low;
      low = found;
    }
  }
  return high.at;
}

}  // namespace fairstep::internal
