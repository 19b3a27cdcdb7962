#include <fairstep/monitor/bets.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

double choose(std::int64_t n, std::int64_t k) {
  return k == 0 ? 1 : choose(n - 1, k - 1) * static_cast<double>(n) / static_cast<double>(k);
}

double binomial(std::int64_t n, std::int64_t k, double p) {
  return choose(n, k) * std::pow(p, static_cast<double>(k)) * std::pow(1 - p, static_cast<double>(n - k));
}

struct Rates {
  double first = 0, second = 0;
};
struct Numbers {
  std::int64_t first = 0, second = 0;
};

/// The mean of the capital after two days, over all that can be seen on them. The second day's rates and numbers may
/// depend on what the first day showed, as a policy does that learns.
double mean_capital(double bound, const Numbers& n, const Rates& p,
                    const std::function<std::pair<Numbers, Rates>(std::int64_t, std::int64_t)>& next) {
  double mean = 0;
  for (std::int64_t i = 0; i <= n.first; ++i)
    for (std::int64_t j = 0; j <= n.second; ++j) {
      const auto [m, q] = next(i, j);
      for (std::int64_t k = 0; k <= m.first; ++k)
        for (std::int64_t l = 0; l <= m.second; ++l) {
          PairBets bets(bound);
          bets.play({i, n.first, 0}, {j, n.second, 0});
          bets.play({k, m.first, 0}, {l, m.second, 0});
          mean += binomial(n.first, i, p.first) * binomial(n.second, j, p.second) * binomial(m.first, k, q.first) *
                  binomial(m.second, l, q.second) * std::exp(bets.log_evidence());
        }
    }
  return mean;
}

TEST(PairBets, CapitalIsNeverExpectedToGrowWhileTheClaimIsTrueHoweverRatesAndNumbersChange) {
  double highest = 0;
  for (const double bound : {0.0, 0.05, 0.3})
    for (const Numbers n : {Numbers{1, 1}, {3, 2}, {1, 5}})
      for (int tenths = 0; tenths + 10 * bound <= 10.000001; ++tenths)
        for (const double slack : {0.0, 0.1}) {
          const double second = 0.1 * tenths;
          const double top = std::min(1.0, second + bound);
          const Rates p{std::max(0.0, top - slack), second};
          // Whoever is ahead is let win more: the second day's rates are at the bound, high or low by what was seen.
          const auto next = [&](std::int64_t i, std::int64_t j) {
            const double low = i > j ? 0.9 * (1 - bound) : 0.05 * (1 - bound);
            return std::pair{i > j ? Numbers{4, 1} : Numbers{1, 3}, Rates{low + bound, low}};
          };
          const double mean = mean_capital(bound, n, p, next);
          EXPECT_LE(mean, 1 + 1e-12) << bound << ' ' << n.first << ' ' << n.second << ' ' << second;
          highest = std::max(highest, mean);
        }
  EXPECT_GT(highest, 0.98);  // and bets that win nothing would be no bets
}

TEST(PairBets, CapitalIsExpectedToGrowWhereTheClaimIsFalse) {
  const auto next = [](std::int64_t, std::int64_t) { return std::pair{Numbers{4, 4}, Rates{0.7, 0.3}}; };
  EXPECT_GT(mean_capital(0.1, {4, 4}, {0.7, 0.3}, next), 1.05);
}

TEST(PairBets, ADayOnWhichOneGroupHasNoDecisionSaysNothing) {
  PairBets bets(0.05);
  const double before = bets.log_evidence();
  bets.play({900, 1000, 0}, {0, 0, 0});
  bets.play({0, 0, 0}, {3, 1000, 0});
  EXPECT_EQ(bets.log_evidence(), before);
  EXPECT_NEAR(before, 0, 1e-12);
}

TEST(PairBets, WithMissingDecisionsCapitalIsAtMostWhatItIsWhateverTheySaid) {
  for (const Tally& first : {Tally{4, 6, 2}, {0, 0, 2}, {3, 3, 0}})
    for (const Tally& second : {Tally{1, 5, 1}, {0, 3, 2}, {0, 0, 1}}) {
      PairBets lossy(0.1);
      lossy.play(first, second);
      for (std::int64_t m = 0; m <= first.missing; ++m)
        for (std::int64_t k = 0; k <= m; ++k)
          for (std::int64_t o = 0; o <= second.missing; ++o)
            for (std::int64_t l = 0; l <= o; ++l) {
              PairBets whole(0.1);
              whole.play({first.accepted + k, first.decisions + m, 0}, {second.accepted + l, second.decisions + o, 0});
              EXPECT_LE(lossy.log_evidence(), whole.log_evidence() + 1e-12);
            }
    }
}

/// The capital after one day, from the text of the theorem: of each of the four factors of (8) the least over all
/// numbers that may have been there, all missing decisions of the first group refused, those of the second accepted.
double capital_by_definition(double bound, const Tally& first, const Tally& second) {
  double sum = 0;
  for (int m = 0; m < 8; ++m)
    for (int k = 0; k < 11; ++k) {
      const double q_j = (1 - bound) * std::pow(std::sin((2 * m + 1) * std::acos(-1.0) / 32), 2);
      const double q_i = q_j + bound;
      const double epsilon = std::min(1 - q_i, q_j) * std::pow(2.0, -0.5 - k);
      double least[4] = {1e300, 1e300, 1e300, 1e300};
      for (std::int64_t i = first.decisions; i <= first.decisions + first.missing; ++i)
        for (std::int64_t j = second.decisions; j <= second.decisions + second.missing; ++j) {
          const auto n_i = static_cast<double>(i), n_j = static_cast<double>(j);
          // What is staked on a group, in all; nothing if there is nobody of one of them.
          const double c = i == 0 || j == 0 ? 0 : epsilon / (q_i * (1 - q_i) / n_i + q_j * (1 - q_j) / n_j);
          const double s_i = i == 0 ? 0 : c / n_i, s_j = j == 0 ? 0 : c / n_j;
          const auto power = [](double base, std::int64_t times) { return std::pow(base, static_cast<double>(times)); };
          const double factors[4] = {power(1 + (1 - q_i) * s_i, first.accepted),
                                     power(1 - q_i * s_i, first.decisions - first.accepted + first.missing),
                                     power(1 - (1 - q_j) * s_j, second.accepted + second.missing),
                                     power(1 + q_j * s_j, second.decisions - second.accepted)};
          for (int f = 0; f < 4; ++f) least[f] = std::min(least[f], factors[f]);
        }
      sum += least[0] * least[1] * least[2] * least[3] / 88;
    }
  return 1 / std::sqrt(2.0) + (1 - 1 / std::sqrt(2.0)) * sum;
}

TEST(PairBets, AreThoseOfTheTheorem) {
  for (const double bound : {0.0, 0.1, 0.4})
    for (const Tally& first : {Tally{4, 6, 0}, {40, 60, 3}, {1, 1, 5}, {7, 9, 2}})
      for (const Tally& second : {Tally{1, 5, 0}, {10, 20, 4}, {0, 3, 1}, {2, 30, 0}}) {
        PairBets bets(bound);
        bets.play(first, second);
        const double expected = std::log(capital_by_definition(bound, first, second));
        EXPECT_NEAR(bets.log_evidence(), expected, 1e-11);
        EXPECT_LT(bets.log_evidence(), expected);  // rounded down
      }
}

TEST(PairBets, MoreAcceptedOfTheFirstAndFewerOfTheSecondIsMoreEvidence) {
  const auto after = [](std::int64_t first, std::int64_t second) {
    PairBets bets(0.05);
    bets.play({first, 100, 0}, {second, 80, 0});
    return bets.log_evidence();
  };
  EXPECT_LT(after(60, 40), after(61, 40));
  EXPECT_LT(after(60, 40), after(60, 39));
}

TEST(PairBets, WhatBeginsAfterManyGoodDaysIsSeenAsIfTheyHadNotBeen) {
  PairBets bets(0.1);
  for (int day = 0; day < 300; ++day) bets.play({250, 500, 0}, {250, 500, 0});
  // What is left is at least what was not put in: 1/sqrt(301).
  EXPECT_GT(bets.log_evidence(), -0.5 * std::log(301) - 1e-9);
  bets.play({400, 500, 0}, {200, 500, 0});
  EXPECT_GT(bets.log_evidence(), 20);
}

TEST(PairBets, AMillionPeopleOnTheFirstDayProveAGapOfATenthBeyondALimitOfATwentieth) {
  PairBets beyond(0.05), within(0.05);
  beyond.play({550'000, 1'000'000, 0}, {450'000, 1'000'000, 0});
  within.play({520'000, 1'000'000, 0}, {480'000, 1'000'000, 0});
  EXPECT_GT(beyond.log_evidence(), 1000);
  EXPECT_LT(within.log_evidence(), 0);
}

// On the first day 1 - 1/sqrt(2) = 0.2928932 is put in. Of its 11 equal parts the k-th stakes 2^(-1/2-k) of itself on
// the one decision at even odds, k from 0 to 10. Together they win or lose 2^(-1/2) (2 - 2^-10) / 11 = 0.7071068
// * 1.9990234 / 11 = 0.1285021 of what they have, 0.0376374.
TEST(RateBets, OneDecisionAgainstAHalfWinsOrLosesWhatIsStaked) {
  RateBets won(0.5), lost(0.5);
  won.play({1, 1, 0});
  lost.play({0, 1, 0});
  EXPECT_NEAR(std::exp(won.log_evidence()), 1.0376374, 1e-7);
  EXPECT_NEAR(std::exp(lost.log_evidence()), 0.9623626, 1e-7);
}

TEST(RateBets, CapitalIsNeverExpectedToGrowWhileTheClaimIsTrue) {
  for (const double bound : {0.01, 0.3, 0.5, 0.97})
    for (const double p : {bound, bound / 2})
      for (const std::int64_t n : {1, 4, 9}) {
        double mean = 0;
        for (std::int64_t k = 0; k <= n; ++k)
          for (std::int64_t l = 0; l <= 2; ++l) {
            RateBets bets(bound);
            bets.play({k, n, 0});
            // On the second day people have two rates, whose mean is p: a day's people need not be alike.
            bets.play({l, 2, 0});
            const double low = p / 2, high = p + p / 2 > 1 ? p : p + p / 2;
            const double other = high == p ? p : low;
            const double two = l == 2   ? high * other
                               : l == 0 ? (1 - high) * (1 - other)
                                        : high * (1 - other) + other * (1 - high);
            mean += binomial(n, k, p) * two * std::exp(bets.log_evidence());
          }
        EXPECT_LE(mean, 1 + 1e-12) << bound << ' ' << p << ' ' << n;
      }
}

TEST(RateBets, OneWhoIsAcceptedRefutesThatNobodyIs) {
  RateBets bets(0);
  bets.play({0, 1000, 0});
  EXPECT_LT(bets.log_evidence(), 0);
  bets.play({1, 1000, 0});
  // On the second day 1/sqrt(2) - 1/sqrt(3) = 0.13 is put in, in 40 parts. The one that stakes 2^-10.5 of itself wins
  // 2^-10.5 / 1e-9 = 690,534 times what it has, and the 999 who are refused take half of it: 690,534 * 0.13 / 40 * 0.5
  // = 1,100.
  EXPECT_GT(bets.log_evidence(), 7);  // ln 1,100
}

TEST(RateBets, DecisionsThatAreMissingCountAsRefused) {
  RateBets lossy(0.3), whole(0.3);
  lossy.play({5, 10, 3});
  whole.play({5, 13, 0});
  EXPECT_DOUBLE_EQ(lossy.log_evidence(), whole.log_evidence());
  EXPECT_EQ(refused({5, 12, 3}), (Tally{7, 12, 3}));
}

}  // namespace
}  // namespace fairstep
