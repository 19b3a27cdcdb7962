// Rounding outwards: what is exact lies between the ends, and the ends are close.
#include <fairstep/check/interval.hpp>

#include <gtest/gtest.h>

namespace fairstep::rigorous {
namespace {

void expect_holds(const Interval& found, Real exact) {
  EXPECT_LE(found.low, exact);
  EXPECT_GE(found.high, exact);
  EXPECT_LE(found.high - found.low, 1e-17L * (1 + std::abs(exact)));
}

/// Where the operation itself is exact, both ends move by one unit in the last place and no more.
void expect_just_around(const Interval& found, Real low, Real high) {
  EXPECT_EQ(found.low, down(low));
  EXPECT_EQ(found.high, up(high));
}

TEST(Interval, StepsAreOneUnitInTheLastPlace) {
  EXPECT_EQ(up(1) - 1, std::numeric_limits<Real>::epsilon());
  EXPECT_EQ(1 - down(1), std::numeric_limits<Real>::epsilon() / 2);
  EXPECT_GT(up(0), 0);
  EXPECT_LT(down(0), 0);
}

TEST(Interval, OperationsHoldTheExactResult) {
  const Interval third = Interval(1) / 3;
  EXPECT_LT(third.low, third.high);  // no binary number is a third
  expect_holds(third * 3, 1);
  expect_holds(third + third + third, 1);
  expect_holds(Interval(1) - third - third - third, 0);
  expect_holds(Interval(-2) * third * 3, -2);
  expect_holds(sqrt(Interval(2)) * sqrt(Interval(2)), 2);
  expect_holds(log(Interval(6)) - log(Interval(2)) - log(Interval(3)), 0);
}

TEST(Interval, SumsTakeEndsOfTheSameSideAndDifferencesOfOppositeSides) {
  expect_just_around(Interval(1, 2) + Interval(4, 8), 5, 10);
  expect_just_around(Interval(1, 2) - Interval(4, 8), -7, -2);
  expect_just_around(sqrt(Interval(4, 9)), 2, 3);
  EXPECT_EQ(log(Interval(1)).low, down(down(down(down(0)))));  // ln 1 is 0, and logarithms get four units
  EXPECT_EQ(log(Interval(1)).high, up(up(up(up(0)))));
  EXPECT_LT(log(Interval(1, 2)).high - std::log(Real{2}), 1e-18L);
}

// Each of the four products of ends is the least in one line and the greatest in another.
TEST(Interval, ProductsAndQuotientsLookAtAllFourEnds) {
  expect_just_around(Interval(1, 2) * Interval(3, 4), 3, 8);
  expect_just_around(Interval(-2, -1) * Interval(-4, -3), 3, 8);
  expect_just_around(Interval(-2, 1) * Interval(3, 4), -8, 4);
  expect_just_around(Interval(3, 4) * Interval(-2, 1), -8, 4);
  expect_just_around(Interval(1, 2) * Interval(-4, -3), -8, -3);
  expect_just_around(Interval(-4, -3) * Interval(1, 2), -8, -3);

  expect_just_around(Interval(1, 2) / Interval(4, 8), 1 / 8.L, 1 / 2.L);
  expect_just_around(Interval(-2, -1) / Interval(4, 8), -1 / 2.L, -1 / 8.L);
  expect_just_around(Interval(1, 2) / Interval(-8, -4), -1 / 2.L, -1 / 8.L);
  expect_just_around(Interval(-2, -1) / Interval(-8, -4), 1 / 8.L, 1 / 2.L);
}

TEST(Interval, OfNothingIsZero) {
  EXPECT_EQ(Interval().low, 0);
  EXPECT_EQ(Interval().high, 0);
}

}  // namespace
}  // namespace fairstep::rigorous
