// Tails of the binomial distribution and the sets around counts: never too small, and no larger than need be.
#include <fairstep/check/sets.hpp>

#include <numbers>

#include <gtest/gtest.h>

namespace fairstep::rigorous {
namespace {

/// ln of (n choose k) p^k (1-p)^(n-k) as a sum of logarithms.
Interval summed(int k, int n, const Interval& p) {
  Interval sum = Interval(k) * log(p) + Interval(n - k) * log(Interval(1) - p);
  for (int i = 1; i <= k; ++i) sum = sum + log(Interval(n - k + i) / i);
  return sum;
}

// 4 choose 2 = 6 over 16; 20 choose 10 = 184756 over 2^20: below 20 by factorials, from 20 on by Stirling's series.
TEST(LogBinomial, HoldsTheExactProbability) {
  const auto near = [](const Interval& found, const Interval& exact) {
    EXPECT_LE(found.low, exact.high);
    EXPECT_GE(found.high, exact.low);
    EXPECT_LT(found.high - found.low, 1e-11L);
  };
  near(log_binomial(2, 4, 0.5), log(Interval(6) / 16));
  near(log_binomial(10, 20, 0.5), log(Interval(184756) / 1048576));
  near(log_binomial(0, 3, 0.25), log(Interval(27) / 64));
  near(log_binomial(3, 3, 0.25), log(Interval(1) / 64));
}

// The series stops after three terms; each of them is needed from 40 on, where the fourth is less than 4e-15.
TEST(LogBinomial, AgreesWithTheSumOfLogarithms) {
  for (const int n : {2, 5, 19, 21, 40, 80, 200, 1000})
    for (const int k : {0, 1, 2, n / 3, n / 2, n - 1, n})
      for (const Real p : {0.125L, 0.5L, 0.875L}) {
        const Interval found = log_binomial(k, n, p);
        const Interval exact = summed(k, n, p);
        EXPECT_LE(found.low, exact.high) << k << " of " << n << " at " << static_cast<double>(p);
        EXPECT_GE(found.high, exact.low) << k << " of " << n << " at " << static_cast<double>(p);
        EXPECT_LT(found.high - found.low, 2e-12L);
      }
}

// None of two: 1/100 at p = 9/10.
TEST(RarelySoFew, IsSureOfItself) {
  EXPECT_TRUE(rarely_so_few(0, 2, 0.9001L, 0.01L));
  EXPECT_FALSE(rarely_so_few(0, 2, 0.8999L, 0.01L));
  EXPECT_FALSE(rarely_so_few(2, 2, 0.9999L, 0.01L));
  EXPECT_FALSE(rarely_so_few(0, 0, 0.9999L, 0.01L));
  EXPECT_TRUE(rarely_so_few(2, 2, 1, 0.01L));  // that a probability is at most 1 needs no data
}

// The tail is at most its last term over 1 - rho, rho being the ratio of the last two terms.
//   1 of 3 at 9/10: 3 * 0.9 * 0.01 = 0.027, rho = 1 * 0.1 / (3 * 0.9) = 1/27, so 0.027 * 27/26 = 0.028038...
//   5 of 20 at 1/2: 15504 / 2^20, rho = 5 / 16, so 15504 / 2^20 * 16/11 = 0.0215063...
TEST(RarelySoFew, AddsUpTheTermsBelow) {
  EXPECT_TRUE(rarely_so_few(1, 3, 0.9L, 0.02804L));
  EXPECT_FALSE(rarely_so_few(1, 3, 0.9L, 0.02803L));
  EXPECT_TRUE(rarely_so_few(5, 20, 0.5L, 0.021507L));
  EXPECT_FALSE(rarely_so_few(5, 20, 0.5L, 0.021506L));
  EXPECT_FALSE(rarely_so_few(1, 2, 0.5L, 0.9999L));  // not above the share that was seen
}

// c sqrt((L - ln delta + ln((j+1)(j+2))) / 2n) with 2^j <= n < 2^(j+1), c = (2^(1/4) + 2^(-1/4)) / 2.
TEST(Radius, IsTheFormulaRoundedUp) {
  const auto formula = [](Real n, int j, Real log_sets, Real delta) {
    const Real root = std::pow(Real{2}, 0.25L);
    return (root + 1 / root) / 2 *
           std::sqrt((log_sets - std::log(delta) + std::log(static_cast<Real>((j + 1) * (j + 2)))) / (2 * n));
  };
  struct Case {
    Real n;
    int j;
  };
  for (const auto& [n, j] : {Case{64, 6}, Case{127, 6}, Case{128, 7}, Case{1000, 9}, Case{1 << 20, 20}}) {
    const Real found = radius(n, 2, 0.01L);
    EXPECT_GE(found, formula(n, j, 2, 0.01L) * (1 - 1e-18L)) << static_cast<double>(n);
    EXPECT_LE(found, formula(n, j, 2, 0.01L) * (1 + 1e-17L)) << static_cast<double>(n);
  }
  EXPECT_EQ(radius(0, 2, 0.01L), 1);
  EXPECT_EQ(radius(1, 2, 0.01L), 1);  // more than 1 says nothing more
}

Question plain_question() {
  Question q;
  q.groups = 2, q.horizon = 3, q.features = 2, q.states = 4, q.cells = 8;
  q.delta = 0.06;
  return q;
}

// 2 groups with 8 rows and the first state each: 18 rows. Half of a row's part is the ball's, the rest is shared by 4
// entries.
TEST(SplitOf, SharesDeltaOverEverythingThatIsClaimed) {
  const auto is = [](const Interval& found, Real expected) {
    EXPECT_LE(found.low, expected);
    EXPECT_GE(found.high, expected);
    EXPECT_LT(found.high - found.low, 1e-16L * expected);
  };
  Question q = plain_question();
  q.delta = 0.0625;  // all parts are then fractions of 2
  q.dp = true;
  const Split plain = split_of(q);
  EXPECT_EQ(plain.rows.low, down(0.0625L));
  is(plain.row * 18, 0.0625L);
  is(plain.ball * 36, 0.0625L);
  is(plain.interval * 144, 0.0625L);
  q.followed = true;
  is(split_of(q).tail * (2 * 2 * 3 * 1) * 2, 0.0625L);  // two ends, two groups, three steps, one rate
  q.eqopt = true;
  is(split_of(q).tail * (2 * 2 * 3 * 2) * 2, 0.0625L);
  q.eqodds = true;
  q.value = Question::Value::counted;
  const Split all = split_of(q);
  is(all.rows * 3, 0.0625L);
  is(all.followed * 3, 0.0625L);
  is(all.tail * (2 * 2 * 3 * 3) * 3, 0.0625L);
  is(all.rewards * 3, 0.0625L);
  is(all.reward * 16 * 3, 0.0625L);
}

Split some_split() {
  Split split;
  split.ball = Interval(0.01L);
  split.interval = Interval(0.001L);
  return split;
}

// An entry's upper end is where b(k; n, end) = delta / (n+1), and its lower end the same for those not in it.
TEST(SetOf, EntriesEndWhereWhatWasSeenIsTooRare) {
  const Split split = some_split();
  for (const auto& seen :
       std::vector<std::vector<Real>>{{3, 1}, {40, 0, 7, 53}, {1, 999}, {500000, 123456, 1, 376543}}) {
    const RowSet row = set_of(seen, {}, split);
    Real n = 0;
    for (const Real k : seen) n += k;
    EXPECT_EQ(row.all, n);
    ASSERT_EQ(row.gain.size(), seen.size());
    const Real wanted = std::log(0.001L / (n + 1));
    for (std::size_t s = 0; s < seen.size(); ++s) {
      const Real k = seen[s];
      const Real high = k / n + row.gain[s];
      const Real low = k / n - row.loss[s];
      if (k < n && high < 1) {
        EXPECT_NEAR(static_cast<double>(log_binomial(k, n, high).high - wanted), 0, 1e-8) << static_cast<double>(k);
        EXPECT_LE(log_binomial(k, n, up(high)).low, wanted + 1e-15L);
      }
      if (low > 1e-9L) {  // below, the digits of 1 - low do not suffice to tell
        EXPECT_NEAR(static_cast<double>(log_binomial(n - k, n, 1 - low).high - wanted), 0, 1e-8)
            << static_cast<double>(k);
      }
    }
  }
}

// None of n: (1-p)^n = delta / (n+1). All of n: nothing to gain.
TEST(SetOf, EndsOfNoneAndAllHaveAClosedForm) {
  for (const Real n : {1.L, 10.L, 1000.L}) {
    const RowSet row = set_of({0, n}, {}, some_split());
    const Real end = 1 - std::pow(0.001L / (n + 1), 1 / n);
    EXPECT_NEAR(static_cast<double>(row.gain[0]), static_cast<double>(end), 1e-14);
    EXPECT_GE(row.gain[0], end * (1 - 1e-17L));
    EXPECT_EQ(row.loss[0], 0);
    EXPECT_NEAR(static_cast<double>(row.loss[1]), static_cast<double>(end), 1e-14);
    EXPECT_GE(row.loss[1], end * (1 - 1e-17L));
    EXPECT_LE(row.gain[1], 1e-18L);
  }
}

TEST(SetOf, ReachesAsFarAsTheBallOfSoManySets) {
  EXPECT_EQ(set_of({500, 500}, {}, some_split()).reach, radius(1000, log(Interval(2)), 0.01L));
  EXPECT_EQ(set_of({500, 500, 0, 0}, {}, some_split()).reach, radius(1000, log(Interval(14)), 0.01L));
  const std::vector<Real> many(70, 100);  // ln(2^70 - 2) is 70 ln 2 to all digits
  EXPECT_NEAR(static_cast<double>(set_of(many, {}, some_split()).reach),
              static_cast<double>(radius(7000, Interval(70) * log(Interval(2)), 0.01L)), 1e-15);
}

// Cause: k ln(k/np) loses a digit with every ten times as many people, and honest certificates of 10^16 were refused.
// ln of the ratio of b at the end and at k/n is wanted - ln b(k/n), and for many people half of (end - k/n)^2
// n/(p(1-p)).
TEST(SetOf, EntriesOfMoreThan1e14PeopleKeepTheirDigits) {
  for (const Real n : {1e10L, 1e14L, 1e16L, 9e18L}) {
    const RowSet row = set_of({n / 4, n * 3 / 4}, {}, some_split());
    const Real most = std::log((n + 1) / 0.001L) - std::log(2 * std::numbers::pi_v<Real> * n * 3 / 16) / 2;
    const Real expected = std::sqrt(2 * most * 3 / 16 / n);
    EXPECT_NEAR(static_cast<double>(row.gain[0] / expected), 1, 2e-4 * std::sqrt(1e10 / static_cast<double>(n)) + 1e-8);
    EXPECT_NEAR(static_cast<double>(row.loss[0] / expected), 1, 2e-4 * std::sqrt(1e10 / static_cast<double>(n)) + 1e-8);
  }
}

// 400 of 1000 were seen there, and 24 more may belong to the row: 400 to 424 of 1000 to 1024. The radius steps up at
// 1024.
TEST(SetOf, HoldsWhateverThoseMissingWereLike) {
  const Split split = some_split();
  const RowSet row = set_of({400, 600}, {24, 0}, split);
  const Interval two = log(Interval(2));
  const auto near = [](Real found, Real expected) {
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(expected), 1e-15);
  };
  EXPECT_GT(radius(1024, two, 0.01L), radius(1023, two, 0.01L));
  near(row.reach, std::max(radius(1000, two, 0.01L), radius(1024, two, 0.01L)) + 24 / 1024.L);
  near(set_of({400, 600}, {23, 0}, split).reach, radius(1000, two, 0.01L) + 23 / 1023.L);
  near(0.4L - row.loss[0], 0.400L - set_of({400, 624}, {}, split).loss[0] - (0.4L - 400 / 1024.L));
  near(0.4L + row.gain[0], 424 / 1024.L + set_of({424, 600}, {}, split).gain[0]);
  EXPECT_EQ(set_of({0, 5}, {1, 0}, split).loss[0], 0);
  EXPECT_GE(set_of({5, 0}, {1, 0}, split).gain[0], 0);
  EXPECT_EQ(set_of({0, 0}, {7, 0}, split).reach, 1);
}

// Of 1000 people up to 100 have another first state than the one counted, and up to 150 have none: 300 to 550 of 1050
// to 1150, in which 900 are as counted.
TEST(SetOf, HoldsWhateverThoseInDoubtWereLike) {
  const Split split = some_split();
  const RowSet row = set_of({400, 600}, {150, 100}, split);
  const Interval two = log(Interval(2));
  const auto near = [](Real found, Real expected) {
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(expected), 1e-15);
  };
  near(row.reach, std::max(radius(900, two, 0.01L), radius(1024, two, 0.01L)) + 150 / 1050.L);
  near(0.4L - row.loss[0], 300 / 1050.L - set_of({300, 750}, {}, split).loss[0]);
  near(0.4L + row.gain[0], 550 / 1050.L + set_of({550, 500}, {}, split).gain[0]);
  EXPECT_EQ(set_of({50, 50}, {100, 100}, split).reach, 1);  // nobody is surely there
}

TEST(SetOf, ARowThatNobodyWasSeenInCanBeAnything) {
  const RowSet row = set_of({0, 0}, {}, some_split());
  EXPECT_EQ(row.all, 0);
  EXPECT_EQ(row.reach, 1);
  EXPECT_GE(row.gain[0], 1);
  EXPECT_GE(row.gain[1], 1);
}

}  // namespace
}  // namespace fairstep::rigorous
