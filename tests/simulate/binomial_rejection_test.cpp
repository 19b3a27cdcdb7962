// No chance in this file: the parts of the rejection method against their definitions.
#include <fairstep/simulate/binomial_rejection.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "simulate/exact_pmf.hpp"

namespace fairstep {
namespace {

using testing::exact_pmf;

constexpr std::int64_t kMostPeople = std::int64_t{1} << 62;

struct Crossing {
  std::int64_t n;
  double p;
};

TEST(BinomialRejection, KeepsACandidateWithItsExactProbability) {
  for (const auto& [n, p] : {Crossing{20, 0.5}, Crossing{23, 0.45}, Crossing{100, 0.1}, Crossing{1000, 0.3},
                             Crossing{100'000, 0.0003}, Crossing{100'000, 0.49}}) {
    const BinomialRejection rejection(n, p);
    const std::vector<double> pmf = exact_pmf(n, p);
    const double top = *std::max_element(pmf.begin(), pmf.end());
    const double spread = std::sqrt(static_cast<double>(n) * p * (1 - p));
    // Hoermann's constants, written down once more.
    const double b = 1.15 + 2.53 * spread;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double alpha = (2.83 + 5.1 / b) * spread;
    EXPECT_NEAR(rejection.surely_kept(), 0.92 - 4.2 / b, 1e-15);
    for (int i = -4999; i < 5000; ++i) {
      const double u = i / 10'000.0;
      const double edge = 0.5 - std::abs(u);
      const double k = std::floor((2 * a / edge + b) * u + static_cast<double>(n) * p + 0.5);
      const double offset = rejection.candidate(u);
      // The two may round a whole number differently; then they are neighbours.
      ASSERT_NEAR(offset + static_cast<double>(rejection.whole()), k, 1e-9);
      if (k < 0 || k > static_cast<double>(n)) continue;
      const double right = pmf[static_cast<std::size_t>(k)] / top * (a / (edge * edge) + b) / alpha;
      const double kept = std::exp(rejection.log_keep(u, static_cast<std::int64_t>(offset)));
      EXPECT_NEAR(kept, right, 1e-11 * right + 1e-300) << "n=" << n << " p=" << p << " u=" << u;
    }
  }
}

// The method is exact only if no candidate deserves to be kept more than always, and if where it keeps without a look
// every candidate deserves that. A grid over the whole range of n and p on which the method is used.
TEST(BinomialRejection, NeverNeedsToKeepMoreThanAlwaysAndKeepsUnseenOnlyWhatDeservesIt) {
  for (const double expected : {10.0, 10.4, 11.7, 15.0, 33.3, 100.5, 1e4, 1e8, 1e15})
    for (const double p : {0.5, 0.4999, 0.3, 0.1, 0.01, 1e-3}) {
      const auto n = static_cast<std::int64_t>(std::ceil(expected / p));
      const BinomialRejection rejection(n, p);
      double most = 0;
      double least = 1;
      for (int i = -49'990; i < 49'990; ++i) {
        const double u = i / 100'000.0;
        const double offset = rejection.candidate(u);
        if (offset < -static_cast<double>(rejection.whole()) || offset > static_cast<double>(n - rejection.whole())) {
          EXPECT_GT(std::abs(u), BinomialRejection::kCore);
          continue;
        }
        const double kept = std::exp(rejection.log_keep(u, static_cast<std::int64_t>(offset)));
        most = std::max(most, kept);
        if (std::abs(u) <= BinomialRejection::kCore) least = std::min(least, kept);
      }
      EXPECT_LE(most, 1) << "n p = " << expected << ", p = " << p;
      EXPECT_GE(least, rejection.surely_kept()) << "n p = " << expected << ", p = " << p;
    }
}

TEST(BinomialRejection, SplitsTheMeanWithoutRounding) {
  // 2^62 * 0.3: the double nearest to 0.3 is 5404319552844595 / 2^54, so n p = 5404319552844595 * 2^8, a whole number
  // that doubles of this size can miss by 256.
  EXPECT_EQ(BinomialRejection(kMostPeople, 0.3).whole(), 5'404'319'552'844'595 * 256);
  // The double nearest to 0.3 lies below it, so 1000 times it is 299 and a fraction.
  EXPECT_EQ(BinomialRejection(1000, 0.3).whole(), 299);
  // (2^62 - 1) / 2 = 2^61 - 1/2.
  EXPECT_EQ(BinomialRejection(kMostPeople - 1, 0.5).whole(), (std::int64_t{1} << 61) - 1);
}

TEST(BinomialRejection, HasStirlingsRemainderAndTheDevianceToTheLastDigits) {
  long double log_factorial = 0;
  for (std::int64_t k = 1; k <= 300; ++k) {
    const auto x = static_cast<long double>(k);
    log_factorial += std::log(x);
    EXPECT_NEAR(log_factorial_rest(k), static_cast<double>(log_factorial - (x * std::log(x) - x)), 4e-15) << k;
  }
  EXPECT_EQ(log_factorial_rest(0), 0);
  // At 10^15 only half of log(2 pi 10^15) is left: 1/(12 * 10^15) is below the last digit.
  EXPECT_NEAR(log_factorial_rest(1'000'000'000'000'000), 18.188326730660015, 4e-15);

  // m phi(d/m) by its definition in long double, where that has digits to spare; at d = -m it is m.
  for (const double m : {1.0, 10.0, 777.25})
    for (const double t : {-1.0, -0.9, -0.4, -0.19, -0.1, 0.05, 0.2, 0.23, 0.3, 1.0, 5.0}) {
      const long double x = static_cast<long double>(m) * (1 + static_cast<long double>(t));
      const long double right = (t == -1 ? 0 : x * std::log1p(static_cast<long double>(t))) -
                                static_cast<long double>(m) * static_cast<long double>(t);
      EXPECT_NEAR(deviance(m * t, m), static_cast<double>(right), 4e-15 * m) << m << " " << t;
    }
  // Far from where the definition has digits: d^2/(2m) - d^3/(6m^2) + ... with m = 10^15 and d = 10^8 is
  // 5 - 1e24/6e30 = 5 - 1.7e-7.
  EXPECT_NEAR(deviance(1e8, 1e15), 5 - 1e-6 / 6, 1e-14);
}

}  // namespace
}  // namespace fairstep
