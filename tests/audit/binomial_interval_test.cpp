// Intervals around a chance that was counted, worked out by hand where they have a formula.
#include <fairstep/audit/binomial_interval.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(BinomialInterval, IsThatOfClopperAndPearson) {
  // No success in n trials: the high end p has (1-p)^n = delta / 2, so p = 1 - 0.025^(1/10) for n = 10.
  const Range none = binomial_interval(0, 10, 0.05);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-13);
  const Range all = binomial_interval(10, 10, 0.05);
  EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-13);
  EXPECT_EQ(all.high, 1.0);
  // One of two: P(X >= 1) = 1 - (1-p)^2 = 0.025 at the low end, P(X <= 1) = 1 - p^2 = 0.025 at the high end.
  const Range half = binomial_interval(1, 2, 0.05);
  EXPECT_NEAR(half.low, 1 - std::sqrt(0.975), 1e-13);
  EXPECT_NEAR(half.high, std::sqrt(0.975), 1e-13);
  const Range nothing = binomial_interval(0, 0, 0.05);
  EXPECT_EQ(nothing.low, 0.0);
  EXPECT_EQ(nothing.high, 1.0);
}

// Whatever two more trials would have been: none, failures or successes.
TEST(BinomialInterval, HoldsWhateverTheMissingTrialsWere) {
  const Range wide = binomial_interval(3, 10, 2, 0.05);
  EXPECT_EQ(wide.low, binomial_interval(3, 12, 0.05).low);
  EXPECT_EQ(wide.high, binomial_interval(5, 12, 0.05).high);
  for (std::int64_t more = 0; more <= 2; ++more)
    for (std::int64_t good = 0; good <= more; ++good) {
      EXPECT_GE(binomial_interval(3 + good, 10 + more, 0.05).low, wide.low);
      EXPECT_LE(binomial_interval(3 + good, 10 + more, 0.05).high, wide.high);
    }
}

// Of people who are there `each` times and do the same each time, only the people count.
TEST(BinomialInterval, OfPeopleWhoRecurIsAsWideAsThatOfThePeople) {
  EXPECT_EQ(recurring_interval(3, 10, 0, 1, 0.05).low, binomial_interval(3, 10, 0.05).low);
  const double room = std::sqrt(std::log(2 / 0.05) / (2 * 100));  // Hoeffding's for 100 people
  const Range eight = recurring_interval(400, 800, 0, 8, 0.05);
  EXPECT_NEAR(eight.low, 0.5 - room, 1e-15);
  EXPECT_NEAR(eight.high, 0.5 + room, 1e-15);
  const Range lossy = recurring_interval(400, 800, 80, 8, 0.05);
  EXPECT_NEAR(lossy.low, 400.0 / 880 - room, 1e-15);
  EXPECT_NEAR(lossy.high, 480.0 / 880 + room, 1e-15);
  EXPECT_EQ(recurring_interval(0, 0, 5, 8, 0.05).high, 1);
}

}  // namespace
}  // namespace fairstep
