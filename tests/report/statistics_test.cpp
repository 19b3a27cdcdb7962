#include <fairstep/report/internal/statistics.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::report {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TEST(Band, OfThreeNumbers) {
  // 1, 2, 3: mean 2, variance 1, standard error 1/sqrt(3); t with 2 degrees of freedom is 4.303.
  const Band band = band_of(std::vector<double>{1, 2, 3});
  EXPECT_EQ(band.count, 3U);
  EXPECT_DOUBLE_EQ(band.mean, 2);
  EXPECT_NEAR(band.half_width(), 4.303 / std::sqrt(3.0), 1e-12);
}

TEST(Band, OfOneNumberHasNoInterval) {
  const Band band = band_of(std::vector<double>{0.5});
  EXPECT_DOUBLE_EQ(band.mean, 0.5);
  EXPECT_TRUE(std::isnan(band.low) && std::isnan(band.high));
}

TEST(Band, LeavesOutWhatIsNotKnown) {
  const Band band = band_of(std::vector<double>{kNoNumber, 1, 3, kNoNumber});
  EXPECT_EQ(band.count, 2U);
  EXPECT_DOUBLE_EQ(band.mean, 2);
  EXPECT_EQ(band_of(std::vector<double>{kNoNumber}).count, 0U);
  EXPECT_TRUE(std::isnan(band_of(std::vector<double>{kNoNumber}).mean));
}

TEST(StudentT, IsThatOfTheTablesAndFallsToTheNormalOne) {
  EXPECT_DOUBLE_EQ(student_t(4), 2.776);
  EXPECT_NEAR(student_t(40), 2.0211, 2e-3);
  EXPECT_NEAR(student_t(1'000'000), 1.95996, 1e-4);
  for (std::size_t freedom = 1; freedom < 200; ++freedom) EXPECT_LT(student_t(freedom + 1), student_t(freedom) + 1e-9);
}

}  // namespace
}  // namespace fairstep::report
