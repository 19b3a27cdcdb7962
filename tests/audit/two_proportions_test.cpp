// Comparisons of two shares: beside binomials that are added up term by term, and beside Fisher's test.
#include <fairstep/audit/two_proportions.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

double choose(std::int64_t n, std::int64_t k) {
  double product = 1;
  for (std::int64_t i = 1; i <= k; ++i) product = product * static_cast<double>(n - k + i) / static_cast<double>(i);
  return product;
}

double binomial_chance(std::int64_t k, std::int64_t n, double p) {
  return choose(n, k) * std::pow(p, static_cast<double>(k)) * std::pow(1 - p, static_cast<double>(n - k));
}

double both_sides(double (*tail)(const Outcomes&, const Outcomes&), const Outcomes& first, const Outcomes& second) {
  return 2 * std::min(tail(first, second), tail(second, first));
}

/// Every table of so many decisions, with what is said of it: [k1 (n2+1) + k2].
struct AllTables {
  std::int64_t n1, n2;
  std::vector<Compared> said{};

  AllTables(std::int64_t first, std::int64_t second, double delta) : n1(first), n2(second) {
    for (std::int64_t k1 = 0; k1 <= n1; ++k1)
      for (std::int64_t k2 = 0; k2 <= n2; ++k2) said.push_back(compare({k1, n1, 0}, {k2, n2, 0}, delta, delta));
  }

  /// The chance of tables of which something is so, if these are the shares.
  template <class So>
  [[nodiscard]] double chance(double p1, double p2, const So& so) const {
    double sum = 0;
    for (std::int64_t k1 = 0; k1 <= n1; ++k1)
      for (std::int64_t k2 = 0; k2 <= n2; ++k2)
        if (so(said[static_cast<std::size_t>(k1 * (n2 + 1) + k2)]))
          sum += binomial_chance(k1, n1, p1) * binomial_chance(k2, n2, p2);
    return sum;
  }
};

// Not simulated: every table counts with its chance, at shares on a grid. No false alarm is possible but by rounding.
TEST(TwoProportions, AreWrongAtMostAsOftenAsTheySayWhateverTheSharesAre) {
  for (const auto& [n1, n2] : {std::pair<std::int64_t, std::int64_t>{12, 9}, {30, 7}, {20, 20}})
    for (const double delta : {0.1, 0.01}) {
      const AllTables tables(n1, n2, delta);
      double most = 0;
      for (int i = 0; i <= 40; ++i)
        for (int j = 0; j <= 40; ++j) {
          const double p1 = i / 40., p2 = j / 40., d = p1 - p2;
          const double missed = tables.chance(p1, p2, [&](const Compared& said) {
            const bool outside = d < said.difference.low - 1e-12 || d > said.difference.high + 1e-12;
            return outside || (said.differ && (said.difference.low >= 0 ? d <= 0 : d >= 0));
          });
          EXPECT_LE(missed, delta + 1e-12) << n1 << " " << n2 << " " << p1 << " " << p2;
          most = std::max(most, missed);
          if (p2 <= 0) continue;
          const double r = p1 / p2;
          EXPECT_LE(tables.chance(p1, p2,
                                  [&](const Compared& said) {
                                    return r < said.ratio.low * (1 - 1e-12) || r > said.ratio.high * (1 + 1e-12);
                                  }),
                    delta + 1e-12);
        }
      EXPECT_GT(most, delta / 2);  // what is never wrong says too little
    }
}

// p is at most x with probability at most x for every level x, if the shares are the same; and never more than
// Fisher's.
TEST(TwoProportions, PIsValidAtEveryLevelAndNoMoreThanFishers) {
  const AllTables tables(15, 11, 0.05);
  for (int i = 1; i < 40; ++i)
    for (const double level : {0.3, 0.1, 0.05, 0.02, 0.005, 0.001})
      EXPECT_LE(tables.chance(i / 40., i / 40., [&](const Compared& said) { return said.p <= level; }), level + 1e-12);
  int sharper = 0;
  for (std::int64_t k1 = 0; k1 <= 15; ++k1)
    for (std::int64_t k2 = 0; k2 <= 11; ++k2) {
      const Outcomes first{k1, 15, 0}, second{k2, 11, 0};
      const double fisher = std::min(1.0, both_sides(fisher_tail, first, second));
      const double p = tables.said[static_cast<std::size_t>(k1 * 12 + k2)].p;
      EXPECT_LE(p, fisher * (1 + 1e-6));
      if (p < 0.9 * fisher) ++sharper;
    }
  EXPECT_GT(sharper, 20);
}

// Whatever Fisher's test shows is shown, and more; and intervals say the same as tests.
TEST(TwoProportions, ShowWhateverFishersTestShowsAndTheirRangesAgree) {
  for (const auto& [n1, n2] : {std::pair<std::int64_t, std::int64_t>{12, 9}, {30, 7}, {20, 20}, {40, 3}})
    for (const double delta : {0.1, 0.01}) {
      int ours = 0, fishers = 0;
      for (std::int64_t k1 = 0; k1 <= n1; ++k1)
        for (std::int64_t k2 = 0; k2 <= n2; ++k2) {
          const Outcomes first{k1, n1, 0}, second{k2, n2, 0};
          const Compared said = compare(first, second, delta, 0);
          const bool fisher = both_sides(fisher_tail, first, second) <= delta;
          EXPECT_TRUE(said.differ || !fisher) << k1 << "/" << n1 << " " << k2 << "/" << n2;
          EXPECT_EQ(said.differ, said.p <= delta);
          EXPECT_EQ(said.differ, !(said.difference.low < 0 && said.difference.high > 0));
          ours += said.differ ? 1 : 0;
          fishers += fisher ? 1 : 0;
        }
      EXPECT_GE(ours, fishers);
    }
}

TEST(TwoProportions, FishersTailIsThatOfTheHypergeometricDistribution) {
  // 3 of 4 and 1 of 4 accepted. Of 4 accepted among 8 the first four have 3 or 4 with chance (4 4 + 1 1) / 70.
  EXPECT_NEAR(fisher_tail({3, 4, 0}, {1, 4, 0}), 17 / 70., 1e-7);
  // The other way: at least 1 of 4, all but C(4,4)/70.
  EXPECT_NEAR(fisher_tail({1, 4, 0}, {3, 4, 0}), 69 / 70., 1e-7);
  // With one lost on either side the worst is 3 of 5 and 2 of 5: of 5 among 10, 3 or more of the first, which is half.
  EXPECT_NEAR(fisher_tail({3, 4, 1}, {1, 4, 1}), 0.5, 1e-7);
}

// 5278 people in two of six groups: 0.65512 and 0.69472. Fifteen pairs are paid for.
TEST(TwoProportions, AGapOfFourHundredthsBetweenThousandsIsShownAmongFifteenPairs) {
  const Outcomes first{2080, 3175, 0}, second{1461, 2103, 0};
  const Compared said = compare(first, second, 0.05 / 15, 0.05 / 15);
  EXPECT_TRUE(said.differ);
  EXPECT_NEAR(both_sides(fisher_tail, first, second), 0.0029401, 1e-6);
  EXPECT_LT(said.p, 0.0028);
  EXPECT_EQ(said.difference.high, 0);  // by however little
  EXPECT_GT(said.difference.low, -0.081);
  EXPECT_LE(said.ratio.high, 1);
}

// Of a log with lost rows every way to complete it is within the range.
TEST(TwoProportions, WithLostDecisionsHoldWhateverTheseWere) {
  const Outcomes first{12, 30, 3}, second{22, 28, 2};
  const Compared lost = compare(first, second, 0.05, 0.05);
  for (std::int64_t m1 = 0; m1 <= 3; ++m1)
    for (std::int64_t k1 = 0; k1 <= m1; ++k1)
      for (std::int64_t m2 = 0; m2 <= 2; ++m2)
        for (std::int64_t k2 = 0; k2 <= m2; ++k2) {
          const Compared whole = compare({12 + k1, 30 + m1, 0}, {22 + k2, 28 + m2, 0}, 0.05, 0.05);
          EXPECT_LE(lost.difference.low, whole.difference.low + 0.005);  // both are by cells of a twentieth of an error
          EXPECT_GE(lost.difference.high, whole.difference.high - 0.005);
          EXPECT_TRUE(whole.differ || !lost.differ);
        }
  EXPECT_TRUE(lost.differ);
  EXPECT_LE(lost.difference.high, 0);
}

TEST(TwoProportions, OfNobodyOrOfMillionsAreSaidToo) {
  const Compared nobody = compare({0, 0, 0}, {3, 10, 0}, 0.05, 0.05);
  EXPECT_EQ(nobody.difference.low, -1);
  EXPECT_EQ(nobody.difference.high, 1);
  EXPECT_FALSE(nobody.differ);
  EXPECT_TRUE(std::isinf(nobody.ratio.high));
  const Compared millions = compare({2'000'000, 4'000'000, 0}, {2'040'000, 4'000'000, 0}, 0.05, 0.05);
  EXPECT_TRUE(millions.differ);
  EXPECT_TRUE(std::isnan(millions.p));
  EXPECT_LT(millions.difference.low, -0.01);
  EXPECT_GT(millions.difference.high, -0.0115 + 0.0001);
}

}  // namespace
}  // namespace fairstep
