#include "shell/quantity.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace fairstep::cli {
namespace {

TEST(WithThousands, GroupsDigitsByThree) {
  EXPECT_EQ(with_thousands(std::uint64_t{0}), "0");
  EXPECT_EQ(with_thousands(std::uint64_t{999}), "999");
  EXPECT_EQ(with_thousands(std::uint64_t{1000}), "1,000");
  EXPECT_EQ(with_thousands(std::int64_t{1234567}), "1,234,567");
}

TEST(NumberOrDash, HasFourDecimalsOrIsADash) {
  EXPECT_EQ(number_or_dash(0.125), "0.1250");
  EXPECT_EQ(number_or_dash(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(AtMost, IsRoundedUpAndAtLeastDown) {
  EXPECT_EQ(at_most(0.026826), "0.0269");
  EXPECT_EQ(at_least(0.026826), "0.0268");
  EXPECT_EQ(at_most(0.25), "0.2500");
  EXPECT_EQ(at_most(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(percent_at_most(0), "0 %");
  EXPECT_EQ(percent_at_most(0.25), "25 %");
  EXPECT_EQ(percent_at_most(1e-9), "0.0001 %");
  EXPECT_EQ(percent_at_most(0.00999999), "1 %");
}

TEST(Total, IsTheSum) {
  EXPECT_EQ(total({}), 0);
  EXPECT_EQ(total(std::array<std::int64_t, 3>{1, 2, 4}), 7);
}

}  // namespace
}  // namespace fairstep::cli
