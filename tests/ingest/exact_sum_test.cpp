#include <fairstep/ingest/internal/exact_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep::internal {
namespace {

double sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double number : numbers) sum.add(number);
  return sum.round();
}

TEST(ExactSum, LosesNothingBetweenTheGreatestAndTheLeast) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1.0);
  EXPECT_EQ(sum_of({1e300, 5e-324, -1e300}), 5e-324);
  EXPECT_EQ(sum_of({-1e300, 3, 1e300, -4}), -1.0);
  EXPECT_EQ(sum_of({5e-324, 5e-324, -5e-324}), 5e-324);
  // Ten times the double nearest to 1/10 is 1 + 10 * 2^-55 / 1.8...: the nearest double is 1 itself.
  EXPECT_EQ(sum_of(std::vector<double>(10, 0.1)), 1.0);
  EXPECT_EQ(sum_of({std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}),
            std::numeric_limits<double>::infinity());
}

TEST(ExactSum, RoundsOnceAndTiesToEven) {
  // 2^53 + 1 is half way between 2^53 and 2^53 + 2: even is 2^53. 2^53 + 3 is half way up to 2^53 + 4.
  EXPECT_EQ(sum_of({0x1p53, 1}), 0x1p53);
  EXPECT_EQ(sum_of({0x1p53, 1, 0x1p-60}), 0x1p53 + 2);
  EXPECT_EQ(sum_of({0x1p53, 3}), 0x1p53 + 4);
  EXPECT_EQ(sum_of({-0x1p53, -3}), -0x1p53 - 4);
  // 2^54 - 1 has 54 bits, all ones: rounding up carries into a new one.
  EXPECT_EQ(sum_of({0x1p53, 0x1p53 - 1}), 0x1p54);
}

TEST(ExactSum, TimesIsTheSameAsManyTerms) {
  ExactSum one_by_one;
  ExactSum at_once;
  for (int i = 0; i < 1000; ++i) one_by_one.add(-0.3);
  at_once.add(-0.3, 1000);
  EXPECT_EQ(one_by_one.round(), at_once.round());
  ExactSum large;
  large.add(0x1.8p0, std::uint64_t{1} << 62U);  // 1.5 * 2^62
  EXPECT_EQ(large.round(), 0x1.8p62);
}

TEST(ExactSum, DoesNotDependOnOrderOrOnParts) {
  Rng rng(7);
  std::vector<double> numbers;
  for (int i = 0; i < 2000; ++i)
    numbers.push_back(std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng() % 200) - 100));
  const double forwards = sum_of(numbers);
  std::reverse(numbers.begin(), numbers.end());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of(numbers)), std::bit_cast<std::uint64_t>(forwards));
  ExactSum left;
  ExactSum right;
  for (std::size_t i = 0; i < numbers.size(); ++i) (i % 3 == 0 ? left : right).add(numbers[i]);
  left.add(right);
  EXPECT_EQ(left.round(), forwards);
  // Against itself: adding the opposite of everything leaves nothing.
  for (const double number : numbers) left.add(-number);
  EXPECT_EQ(left.round(), 0.0);
}

}  // namespace
}  // namespace fairstep::internal
