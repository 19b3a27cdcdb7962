#include <fairstep/page/numbers.hpp>

#include <limits>

#include <gtest/gtest.h>

namespace fairstep::page {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

TEST(Numbers, HaveATrueMinusAndNoNegativeZero) {
  EXPECT_EQ(fixed(-0.5, 2), "\u22120.50");
  EXPECT_EQ(fixed(-0.0001, 2), "0.00");
  EXPECT_EQ(fixed(kNothing, 2), "\u2013");
}

TEST(Numbers, ShowAsManyDigitsAsTheBandAllows) {
  EXPECT_EQ(with_band(0.0358, 0.03485, 0.03675), "0.0358 \u00b1 0.0010");
  EXPECT_EQ(with_band(0.5, 0.25, 0.75), "0.500 \u00b1 0.250");
  EXPECT_EQ(with_band(0.123456, 0.123456, 0.123456), "0.1235 \u00b1 0");
  EXPECT_EQ(with_band(0.5, 0.49997, 0.50003), "0.5000 \u00b1 0.0001");
  EXPECT_EQ(with_band(0.123456, kNothing, kNothing), "0.1235");
}

// A half-width of 0.00094 around 0.03584 was "0.0358 ± 0.0009", which leaves out both ends.
TEST(Numbers, ShownBandsCoverTheWholeBand) {
  EXPECT_EQ(with_band(0.03584, 0.0349, 0.03678), "0.0358 \u00b1 0.0010");
  EXPECT_EQ(with_interval(0.001, -0.00201, 0.00401), "0.0010 (\u22120.0021 to 0.0041)");
  EXPECT_EQ(fixed_up(-0.00011, 4), "\u22120.0001");
  EXPECT_EQ(percent_up(0.02101), "2.2 %");
  EXPECT_EQ(percent_asked(0.001), "0.1 %");
  EXPECT_EQ(fixed_up(kNothing, 2), "\u2013");
}

TEST(Numbers, CountsArePowersWhereTheyAreOnes) {
  EXPECT_EQ(as_power(8), "2\u00b3");
  EXPECT_EQ(as_power(1ULL << 18), "2\u00b9\u2078");
  EXPECT_EQ(as_power(1), "1");
  EXPECT_EQ(as_power(100), "100");
}

TEST(Numbers, PercentAndIntervals) {
  EXPECT_EQ(percent(0.0213), "2.1 %");
  EXPECT_EQ(with_interval(0.001, -0.001953125, 0.00390625), "0.0010 (\u22120.0020 to 0.0040)");
}

}  // namespace
}  // namespace fairstep::page
