#include <fairstep/optimise/common/outward.hpp>

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

TEST(Outward, AProductsRangeHoldsEveryProduct) {
  // [-1, 2] * [3, 4]: from -4 to 8.
  const Range range = product_range({-1, 2}, {3, 4});
  EXPECT_LE(range.low, -4);
  EXPECT_NEAR(range.low, -4, 1e-14);
  EXPECT_GE(range.high, 8);
  EXPECT_NEAR(range.high, 8, 1e-14);
}

TEST(Outward, TheWorseEndDependsOnTheSign) {
  EXPECT_EQ(worse_end(2, -1, 3), 6);
  EXPECT_EQ(worse_end(-2, -1, 3), 2);
  EXPECT_EQ(worse_end(0, -INFINITY, INFINITY), 0);  // not NaN
}

TEST(Outward, ASumKnowsWhatRoundingMayHide) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, 603);
    Sum sum;
    long double exact = 0;
    for (int i = 0; i < 1000; ++i) {
      const double term = (rng.uniform() - 0.5) * std::pow(10.0, 6 * rng.uniform());
      sum.add(term);
      exact += term;
    }
    EXPECT_LE(std::abs(sum.value - static_cast<double>(exact)), sum.error()) << "seed " << seed;
    EXPECT_LE(sum.error(), 1e-12 * sum.size) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fairstep
