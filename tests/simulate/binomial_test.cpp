#include <fairstep/simulate/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "simulate/chi_square.hpp"
#include "simulate/exact_pmf.hpp"

namespace fairstep {
namespace {

using testing::chi_square_score;
using testing::exact_pmf;
using testing::kAlarm;

struct Case {
  std::int64_t n;
  double p;
};

class BinomialAgainstItsPmf : public ::testing::TestWithParam<Case> {};

// False-alarm rate below 1e-6 per case, 3e-5 in all.
TEST_P(BinomialAgainstItsPmf, HasTheExactDistribution) {
  const auto [n, p] = GetParam();
  Rng rng(20, 1, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(p * 1e9));
  std::vector<std::int64_t> seen(static_cast<std::size_t>(n) + 1);
  for (int draw = 0; draw < 200'000; ++draw) {
    const std::int64_t k = binomial(n, p, rng);
    ASSERT_GE(k, 0);
    ASSERT_LE(k, n);
    ++seen[static_cast<std::size_t>(k)];
  }
  EXPECT_LT(chi_square_score(seen, exact_pmf(n, p)), kAlarm);
}

// Both methods, both sides of 1/2, both sides of the switch at n p = 10, coarse and fine grids of k, skewed and even.
INSTANTIATE_TEST_SUITE_P(Cases, BinomialAgainstItsPmf,
                         ::testing::Values(Case{1, 0.5}, Case{1, 0.01}, Case{2, 0.9}, Case{7, 0.3}, Case{10, 0.5},
                                           Case{19, 0.5}, Case{20, 0.5}, Case{21, 0.5}, Case{25, 0.6}, Case{33, 0.3},
                                           Case{34, 0.3}, Case{40, 0.2499}, Case{40, 0.25}, Case{40, 0.75},
                                           Case{100, 0.0999}, Case{100, 0.1}, Case{100, 0.101}, Case{100, 0.37},
                                           Case{100, 0.99}, Case{200, 0.95}, Case{999, 0.0101}, Case{1000, 0.5},
                                           Case{1000, 0.02}, Case{10'000, 0.0005}, Case{10'000, 0.3},
                                           Case{100'000, 0.0002}, Case{100'000, 0.9999}, Case{100'000, 0.5}));

struct Moments {
  double mean = 0;      ///< of (k - n p) / sigma
  double variance = 0;  ///< of the same
};

constexpr int kDraws = 40'000;

/// Standardised against theory. k - n p is taken in long double (64 bits), so that 10^18 people lose nothing.
Moments standardised(std::int64_t n, double p, Rng& rng) {
  const long double expected = static_cast<long double>(n) * static_cast<long double>(p);
  const double sigma = std::sqrt(static_cast<double>(expected) * (1 - p));
  double sum = 0;
  double squares = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const double z = static_cast<double>(static_cast<long double>(binomial(n, p, rng)) - expected) / sigma;
    sum += z;
    squares += z * z;
  }
  return {sum / kDraws, squares / kDraws};
}

class BinomialOfManyPeople : public ::testing::TestWithParam<Case> {};

// Mean and variance of 40,000 draws in units of their own standard deviations, 1/sqrt(40,000) = 1/200 and about
// sqrt(2/40,000) = 1/141. P(|Z| > 5) = 5.7e-7: false-alarm rate about 1.2e-6 per case.
TEST_P(BinomialOfManyPeople, HasTheMeanAndVarianceOfTheory) {
  const auto [n, p] = GetParam();
  Rng rng(21, 2, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(p * 1e18));
  const Moments found = standardised(n, p, rng);
  // The fourth moment of a binomial is 3 + (1 - 6pq)/(npq) of its squared variance: 3.1 at most here.
  EXPECT_LT(std::abs(found.mean) * std::sqrt(kDraws), 5);
  EXPECT_LT(std::abs(found.variance - 1) * std::sqrt(kDraws / 2.1), 5);
}

INSTANTIATE_TEST_SUITE_P(Cases, BinomialOfManyPeople,
                         ::testing::Values(Case{1'000'000, 0.3}, Case{1'000'000'000, 1.2e-8},
                                           Case{1'000'000'000'000, 0.5}, Case{1'000'000'000'000, 0.123},
                                           Case{1'000'000'000'000, 1e-10}, Case{1'000'000'000'000'000, 0.7},
                                           Case{1'000'000'000'000'000, 1.0 / 3}, Case{1'000'000'000'000'000, 1e-13},
                                           Case{kMostPeople, 0.5}, Case{kMostPeople, 0.3}, Case{kMostPeople, 1 - 1e-9},
                                           Case{kMostPeople, 1e-16}));

// At 10^15 people and more the binomial is normal to 1e-7, so cells cut at normal quantiles have known shares.
// False-alarm rate below 1e-6 per crowd.
TEST(Binomial, HasTheShapeOfTheNormalForGreatCrowds) {
  for (const std::int64_t n : {std::int64_t{1'000'000'000'000'000}, kMostPeople}) {
    Rng rng(22, 3, static_cast<std::uint64_t>(n));
    const double p = 0.3;
    const long double expected = static_cast<long double>(n) * static_cast<long double>(p);
    const double sigma = std::sqrt(static_cast<double>(expected) * (1 - p));
    constexpr int kCells = 64;
    std::vector<std::int64_t> seen(kCells);
    for (int draw = 0; draw < 200'000; ++draw) {
      const double z = static_cast<double>(static_cast<long double>(binomial(n, p, rng)) - expected) / sigma;
      const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
      ++seen[static_cast<std::size_t>(std::min(below * kCells, kCells - 1.0))];
    }
    EXPECT_LT(chi_square_score(seen, std::vector<double>(kCells, 1.0 / kCells)), kAlarm) << n;
  }
}

// A sampler that computes k itself in doubles cannot hit odd numbers beyond 2^53. False-alarm rate below 1e-6.
TEST(Binomial, ReachesEveryWholeNumberInTheGreatestCrowd) {
  Rng rng(23);
  std::vector<std::int64_t> seen(256);
  for (int draw = 0; draw < 100'000; ++draw) ++seen[static_cast<std::size_t>(binomial(kMostPeople, 0.3, rng) % 256)];
  EXPECT_LT(chi_square_score(seen, std::vector<double>(256, 1.0 / 256)), kAlarm);
}

// n = 2^62 people with 3 or 20 expected successes: Poisson to 1e-17. False-alarm rate below 1e-6 per case.
TEST(Binomial, IsPoissonForRareSuccessesOfManyPeople) {
  for (const double expected : {0.001, 3.0, 20.0}) {
    Rng rng(24, 0, static_cast<std::uint64_t>(expected * 1000));
    std::vector<std::int64_t> seen(100);
    std::vector<double> poisson(100);
    poisson[0] = std::exp(-expected);
    for (std::size_t k = 1; k < poisson.size(); ++k) poisson[k] = poisson[k - 1] * expected / static_cast<double>(k);
    for (int draw = 0; draw < 200'000; ++draw)
      ++seen.at(static_cast<std::size_t>(binomial(kMostPeople, std::ldexp(expected, -62), rng)));
    EXPECT_LT(chi_square_score(seen, poisson), kAlarm) << expected;
  }
}

TEST(Binomial, IsCertainWhereThereIsNoChance) {
  Rng rng(25);
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1'000'000}, kMostPeople}) {
    EXPECT_EQ(binomial(n, 0, rng), 0);
    EXPECT_EQ(binomial(n, 1, rng), n);
  }
  EXPECT_EQ(binomial(0, 0.5, rng), 0);
  // The least positive double, and the greatest below 1: 2^62 people still expect none (or, there, all but 2^9).
  EXPECT_EQ(binomial(kMostPeople, 5e-324, rng), 0);
  EXPECT_NEAR(static_cast<double>(kMostPeople - binomial(kMostPeople, 1 - 0x1p-53, rng)), 512, 150);  // 6.6 sigma
}

// The algorithm is fixed: a change of these numbers is a change of every simulation ever recorded.
TEST(Binomial, DrawsWhatItAlwaysDrew) {
  Rng rng(1);
  EXPECT_EQ(binomial(12, 0.6, rng), 6);
  EXPECT_EQ(binomial(1000, 0.3, rng), 306);
  EXPECT_EQ(binomial(1'000'000, 0.7, rng), 700426);
  EXPECT_EQ(binomial(1'000'000'000'000'000, 0.123, rng), 123'000'012'166'984);
}

TEST(Multinomial, PlacesEverybodyAndNobodyInAClassOfWeightZero) {
  Rng rng(26);
  Multinomial multinomial;
  const std::vector<double> weight{0, 0.2, 0, 0.5, 0.3, 0};
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{17}, std::int64_t{1'000'000'000'000'000}}) {
    std::vector<std::int64_t> out(6);
    multinomial.split(n, weight, rng, out);
    EXPECT_EQ(std::accumulate(out.begin(), out.end(), std::int64_t{0}), n);
    EXPECT_EQ(out[0] + out[2] + out[5], 0);
  }
}

TEST(Multinomial, AddsToWhatIsThere) {
  Rng rng(27);
  std::vector<std::int64_t> out{5, 7};
  Multinomial{}.split(3, std::vector<double>{0, 1}, rng, out);
  EXPECT_EQ(out, (std::vector<std::int64_t>{5, 10}));
}

// Each class's count is binomial; 100 people over weights 1 : 2 : 3 : 4, so class i is Binomial(100, (i+1)/10).
// False-alarm rate below 1e-6 per class.
TEST(Multinomial, GivesEachClassItsBinomial) {
  Rng rng(28);
  Multinomial multinomial;
  const std::vector<double> weight{1, 2, 3, 4};
  std::vector<std::vector<std::int64_t>> seen(4, std::vector<std::int64_t>(101));
  for (int draw = 0; draw < 100'000; ++draw) {
    std::vector<std::int64_t> out(4);
    multinomial.split(100, weight, rng, out);
    for (std::size_t i = 0; i < 4; ++i) ++seen[i][static_cast<std::size_t>(out[i])];
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(chi_square_score(seen[i], exact_pmf(100, weight[i] / 10)), kAlarm) << i;
}

// Two people over three equal classes: P(2,0,0) = 1/9 and P(1,1,0) = 2/9, each three ways. Joint, so that wrongly
// coupled classes would show. False-alarm rate below 1e-6.
TEST(Multinomial, HasTheJointDistribution) {
  Rng rng(29);
  Multinomial multinomial;
  std::vector<std::int64_t> seen(9);
  std::vector<double> probability(9, 0.0);
  for (const int index : {0, 2, 6}) probability[static_cast<std::size_t>(index)] = 1.0 / 9;  // 3 first + second
  for (const int index : {1, 3, 4}) probability[static_cast<std::size_t>(index)] = 2.0 / 9;
  for (int draw = 0; draw < 100'000; ++draw) {
    std::vector<std::int64_t> out(3);
    multinomial.split(2, std::vector<double>{1, 1, 1}, rng, out);
    ++seen[static_cast<std::size_t>(3 * out[0] + out[1])];
  }
  EXPECT_LT(chi_square_score(seen, probability), kAlarm);
}

// Tiny trailing weights: the last class's share of what is left must not drown in the rounding of the others.
// 10^15 people, weights 1 - 2e-12, 1e-12, 1e-12: the last two expect 1,000 each. |z| > 5: false-alarm rate 1.2e-6.
TEST(Multinomial, KeepsTinyLastClassesAccurate) {
  Rng rng(30);
  std::vector<std::int64_t> out(3);
  Multinomial{}.split(1'000'000'000'000'000, std::vector<double>{1 - 2e-12, 1e-12, 1e-12}, rng, out);
  EXPECT_NEAR(static_cast<double>(out[1]), 1000, 5 * std::sqrt(1000));
  EXPECT_NEAR(static_cast<double>(out[2]), 1000, 5 * std::sqrt(1000));
}

}  // namespace
}  // namespace fairstep
