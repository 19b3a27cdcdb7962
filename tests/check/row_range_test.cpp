// What a function can be worth over the set of a row, against all corners of the set.
#include <fairstep/check/row_range.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::rigorous {
namespace {

/// a (q0 - p0) + b (q1 - p1) <= most
struct HalfPlane {
  Real a = 0, b = 0, most = 0;
};

/// The set of a row of three states, in the first two: ends of each entry, and no set of states gains more than the
/// ball allows.
std::vector<HalfPlane> half_planes(const RowSet& row) {
  std::vector<HalfPlane> planes;
  const std::array<std::array<Real, 2>, 3> entries{{{1, 0}, {0, 1}, {-1, -1}}};
  for (std::size_t s = 0; s < 3; ++s) {
    const auto [a, b] = entries[s];
    planes.push_back({a, b, std::min(row.gain[s], row.reach)});
    planes.push_back({-a, -b, std::min(row.loss[s], row.reach)});  // the other two gain what it loses
  }
  return planes;
}

/// max q.f over all corners: where two of the borders meet within all others.
Real at_corners(const RowSet& row, const std::vector<Real>& f) {
  const auto planes = half_planes(row);
  Real best = -std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [a, b, most] = planes[i];
      const auto& [c, d, other] = planes[j];
      const Real determinant = a * d - b * c;
      if (determinant == 0) continue;
      const Real x = (most * d - b * other) / determinant;
      const Real y = (a * other - most * c) / determinant;
      bool inside = true;
      for (const auto& plane : planes) inside = inside && plane.a * x + plane.b * y <= plane.most + 1e-15L;
      if (inside) best = std::max(best, x * (f[0] - f[2]) + y * (f[1] - f[2]));
    }
  for (std::size_t s = 0; s < 3; ++s) best += row.seen[s] / row.all * f[s];
  return best;
}

TEST(RowRange, IsThatOfTheBestAndTheWorstCorner) {
  const std::vector<std::vector<Real>> functions{{0, 1, 2}, {1, 0, 0}, {-3, 0.5L, 0.25L}, {2, -1, 2}, {0.125L, 7, -7}};
  for (const Real reach : {0.01L, 0.05L, 0.1L, 0.4L})
    for (const auto& f : functions)
      for (std::size_t turn = 0; turn < 3; ++turn) {
        RowSet row;
        row.seen = {20, 30, 50};
        row.all = 100;
        row.reach = reach;
        row.gain = {0.04L, 0.15L, 0.06L};
        row.loss = {0.03L, 0.08L, 0.2L};
        std::rotate(row.gain.begin(), row.gain.begin() + static_cast<std::ptrdiff_t>(turn), row.gain.end());
        std::vector<Real> turned;
        std::vector<Interval> exact;
        for (const Real value : f) {
          turned.push_back(-value);
          exact.emplace_back(value);
        }
        const Interval found = RankedInterval(exact).over(row);
        EXPECT_NEAR(static_cast<double>(found.high), static_cast<double>(at_corners(row, f)), 1e-14);
        EXPECT_NEAR(static_cast<double>(found.low), static_cast<double>(-at_corners(row, turned)), 1e-14);
      }
}

TEST(RowRange, OfARowThatNobodyWasSeenInIsThatOfTheFunction) {
  RowSet row;
  row.seen = {0, 0, 0};
  row.gain = row.loss = {1, 1, 1};
  const Interval found = RankedInterval({Interval(2), Interval(-1, 0.5L), Interval(3, 4)}).over(row);
  EXPECT_EQ(found.low, -1);
  EXPECT_EQ(found.high, 4);
}

// One order serves a function that is known between ends only where they do not change it: each side has its own.
TEST(RowRange, TakesEachEndOfTheFunctionOnItsOwnSide) {
  RowSet row;
  row.seen = {1, 1};
  row.all = 2;
  row.reach = 0.25L;
  row.gain = row.loss = {0.5L, 0.5L};
  // At the upper ends 3 and 1, at the lower ends 0 and 1: 3/4 of 3 and 1/4 of 1; 3/4 of 0 and 1/4 of 1.
  const Interval found = RankedInterval({Interval(0, 3), Interval(1)}).over(row);
  EXPECT_NEAR(static_cast<double>(found.high), 2.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(found.low), 0.25, 1e-15);
}

}  // namespace
}  // namespace fairstep::rigorous
