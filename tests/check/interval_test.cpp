// Rounding outwards: what is exact lies between the ends, and the ends are close.
#include <fairstep/check/interval.hpp>

#include <gtest/gtest.h>

#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {
namespace {

void expect_holds(const Interval& found, Real exact) {
  EXPECT_LE(found.low, exact);
  EXPECT_GE(found.high, exact);
  EXPECT_LE(found.high - found.low, 1e-17L * (1 + std::abs(exact)));
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

// 4 choose 2 = 6 over 16; 20 choose 10 = 184756 over 2^20: below 20 by factorials, from 20 on by Stirling's series.
TEST(LogBinomial, HoldsTheExactProbability) {
  const auto near = [](const Interval& found, const Interval& exact) {
    EXPECT_LE(found.low, exact.high);
    EXPECT_GE(found.high, exact.low);
    EXPECT_LT(found.high - found.low, 1e-11L);
  };
  near(log_binomial(2, 4, 0.5), log(Interval(6) / 16));
  near(log_binomial(10, 20, 0.5), log(Interval(184756) / 1048576));
  near(log_binomial(0, 3, 0.25), log(Interval(27) / 64));
  near(log_binomial(3, 3, 0.25), log(Interval(1) / 64));
}

// None of two: 1/100 at p = 9/10.
TEST(RarelySoFew, IsSureOfItself) {
  EXPECT_TRUE(rarely_so_few(0, 2, 0.9001L, 0.01L));
  EXPECT_FALSE(rarely_so_few(0, 2, 0.8999L, 0.01L));
  EXPECT_FALSE(rarely_so_few(2, 2, 0.9999L, 0.01L));
  EXPECT_FALSE(rarely_so_few(0, 0, 0.9999L, 0.01L));
  EXPECT_TRUE(rarely_so_few(2, 2, 1, 0.01L));  // that a probability is at most 1 needs no data
}

}  // namespace
}  // namespace fairstep::rigorous
