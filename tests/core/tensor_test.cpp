#include <fairstep/core/tensor.hpp>

#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

/// [2,3,4] with entries 0, 1, 2, ... in the order of memory.
Tensor<int, 3> numbered() {
  Tensor<int, 3> tensor({2, 3, 4});
  std::iota(tensor.flat().begin(), tensor.flat().end(), 0);
  return tensor;
}

TEST(Tensor, TheLastIndexRunsFastest) {
  const Tensor<int, 3> tensor = numbered();
  EXPECT_EQ(tensor(0, 0, 0), 0);
  EXPECT_EQ(tensor(0, 0, 1), 1);
  EXPECT_EQ(tensor(0, 1, 0), 4);
  EXPECT_EQ(tensor(1, 0, 0), 12);
  EXPECT_EQ(tensor(1, 2, 3), 23);  // 1 * 12 + 2 * 4 + 3
}

TEST(Tensor, ABlockIsThePartUnderItsLeadingIndices) {
  Tensor<int, 3> tensor = numbered();
  EXPECT_EQ(tensor.block().size(), 24U);
  ASSERT_EQ(tensor.block(1).size(), 12U);
  EXPECT_EQ(tensor.block(1)[0], 12);
  ASSERT_EQ(tensor.block(1, 2).size(), 4U);
  EXPECT_EQ(tensor.block(1, 2)[0], 20);
  ASSERT_EQ(tensor.block(1, 2, 3).size(), 1U);
  EXPECT_EQ(tensor.block(1, 2, 3)[0], 23);
  tensor.block(0, 1)[2] = -7;
  EXPECT_EQ(tensor(0, 1, 2), -7);
}

TEST(Tensor, StartsAtZeroOrAtTheFill) {
  EXPECT_EQ((Tensor<double, 2>({2, 2})(1, 1)), 0);
  EXPECT_EQ((Tensor<double, 2>({2, 2}, 0.5)(1, 1)), 0.5);
}

TEST(Tensor, IsEmptyWithoutExtentsOrWithOneOfZero) {
  EXPECT_TRUE((Tensor<double, 2>().empty()));
  EXPECT_TRUE((Tensor<double, 2>({3, 0}).empty()));
  EXPECT_FALSE((Tensor<double, 2>({1, 1}).empty()));
}

TEST(Tensor, EqualMeansSameExtentsAndEntries) {
  EXPECT_EQ(numbered(), numbered());
  Tensor<int, 3> other = numbered();
  other(1, 1, 1) = 0;
  EXPECT_NE(numbered(), other);
  EXPECT_NE((Tensor<int, 2>({2, 3})), (Tensor<int, 2>({3, 2})));
}

TEST(Tensor, AnImpossibleSizeFailsInsteadOfWrappingToASmallOne) {
  // 2^32 * 2^32 is 0 modulo 2^64.
  constexpr std::size_t half = std::size_t{1} << 32;
  EXPECT_THROW((Tensor<double, 2>({half, half})), std::length_error);
  EXPECT_THROW((Tensor<double, 3>({half, half, 3})), std::length_error);
  EXPECT_TRUE((Tensor<double, 3>({half, half, 0}).empty()));
}

}  // namespace
}  // namespace fairstep
