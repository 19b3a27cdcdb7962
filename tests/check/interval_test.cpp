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

// The next number is one unit away, but two where the number is a power of two and the units get smaller.
TEST(Interval, StepsAreOneUnitInTheLastPlaceOrTwo) {
  EXPECT_EQ(up(1) - 1, std::numeric_limits<Real>::epsilon());
  EXPECT_EQ(1 - down(1), std::numeric_limits<Real>::epsilon());
  EXPECT_GT(up(0), 0);
  EXPECT_LT(down(0), 0);
  EXPECT_LT(up(0), 1e-4899L);
  const Real infinity = std::numeric_limits<Real>::infinity();
  Real step = 1e-18L;
  for (const Real scale : {1e-4940L, 1e-4899L, 1e-300L, 1.L, 1e18L, 1e4000L})
    for (int i = 0; i < 1000; ++i, step *= 1.0471L) {
      for (const Real x : {scale * (1 + std::fmod(step, 1.L)), -scale * (1 + std::fmod(step, 1.L))}) {
        EXPECT_GE(up(x), std::nextafter(x, infinity));
        EXPECT_LE(down(x), std::nextafter(x, -infinity));
        if (scale < 1e-4000L) continue;
        EXPECT_LE(up(x), std::nextafter(std::nextafter(x, infinity), infinity));
        EXPECT_GE(down(x), std::nextafter(std::nextafter(x, -infinity), -infinity));
      }
      if (step > 1e18L) step = 1e-18L;
    }
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
