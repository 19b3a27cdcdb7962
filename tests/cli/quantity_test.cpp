#include "quantity.hpp"

#include <gtest/gtest.h>

namespace fairstep::cli {
namespace {

TEST(WithThousands, GroupsDigitsByThree) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
}

}  // namespace
}  // namespace fairstep::cli
