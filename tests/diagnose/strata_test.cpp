#include <fairstep/diagnose/strata.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

/// Two rows, three strata, three outcomes; nine people in all.
Strata small() {
  Strata strata;
  strata.outcomes = 3;
  strata.rows = {{{{0, 2}, {1, 2}}, {{0, 2}, {1, 1}, {2, 1}}}, {{{0, 1}, {1, 1}, {2, 3}}, {{0, 3}, {2, 2}}}};
  strata.seen = {2, 0, 1, 1, 1, 1, 2, 0, 1};
  return strata;
}

/// Every order of the outcomes of a row among its people, which are all alike: table and how many orders make it.
std::map<std::vector<int>, double> enumerate(const Strata& strata) {
  std::map<std::vector<int>, double> tables{{std::vector<int>(strata.seen.size()), 1.0}};
  for (const Strata::Row& row : strata.rows) {
    std::vector<std::size_t> strata_of_people;
    std::vector<std::size_t> outcomes;
    for (const auto& [k, n] : row.strata)
      strata_of_people.insert(strata_of_people.end(), static_cast<std::size_t>(n), k);
    for (const auto& [o, n] : row.outcomes) outcomes.insert(outcomes.end(), static_cast<std::size_t>(n), o);
    std::map<std::vector<int>, double> next;
    double orders = 0;
    std::sort(outcomes.begin(), outcomes.end());
    std::map<std::vector<int>, double> of_row;
    do {
      std::vector<int> table(strata.seen.size());
      for (std::size_t i = 0; i < outcomes.size(); ++i) ++table[strata_of_people[i] * strata.outcomes + outcomes[i]];
      ++of_row[table];
      ++orders;
    } while (std::next_permutation(outcomes.begin(), outcomes.end()));
    for (const auto& [table, chance] : tables)
      for (const auto& [more, times] : of_row) {
        std::vector<int> sum = table;
        std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>{});
        next[sum] += chance * times / orders;
      }
    tables = std::move(next);
  }
  return tables;
}

std::vector<double> expected_table(const Strata& strata) {
  std::vector<double> table(strata.seen.size());
  for (const auto& [entries, chance] : enumerate(strata))
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += chance * entries[i];
  return table;
}

double distance(const Strata& strata, const std::vector<double>& table) {
  const std::vector<double> mean = expected_table(strata);
  std::vector<double> variance(mean.size());
  for (const auto& [entries, chance] : enumerate(strata))
    for (std::size_t i = 0; i < mean.size(); ++i) variance[i] += chance * std::pow(entries[i] - mean[i], 2);
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += std::pow(table[i] - mean[i], 2) / (variance[i] + 1);
  return sum;
}

TEST(Strata, PermutedTablesHaveTheDistributionOfAllOrders) {
  const Strata strata = small();
  const auto exact = enumerate(strata);
  const std::vector<double> mean = expected_table(strata);
  constexpr int draws = 40'000;
  Rng rng(5);
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < draws; ++i) {
    const std::vector<double> off = permuted_table(strata, rng);
    std::vector<int> table;
    for (std::size_t j = 0; j < off.size(); ++j) table.push_back(static_cast<int>(std::lround(off[j] + mean[j])));
    ++seen[table];
  }
  double sum = 0;
  for (const auto& [table, times] : seen) EXPECT_TRUE(exact.contains(table));
  for (const auto& [table, chance] : exact) sum += std::pow(seen[table] - chance * draws, 2) / (chance * draws);
  const auto freedom = static_cast<double>(exact.size() - 1);
  EXPECT_LT((sum - freedom) / std::sqrt(2 * freedom), 5);  // beyond it with a chance below 1 in 10,000
}

TEST(Strata, ThePValueIsTheShareOfOrdersAtLeastAsFar) {
  Strata strata = small();
  for (const std::vector<std::int64_t>& seen : {std::vector<std::int64_t>{2, 0, 1, 1, 1, 1, 2, 0, 1},
                                                {1, 1, 1, 1, 0, 2, 3, 0, 0},
                                                {3, 0, 0, 0, 1, 2, 2, 0, 1}}) {
    strata.seen = seen;
    const double here = distance(strata, std::vector<double>(seen.begin(), seen.end()));
    double exact = 0;
    for (const auto& [table, chance] : enumerate(strata))
      if (distance(strata, std::vector<double>(table.begin(), table.end())) >= here * (1 - 1e-9)) exact += chance;
    // 20 as far suffice, so p is off by about a quarter of itself: four times that.
    const Permuted found = permute(strata, {}, 100'000, Rng(9));
    EXPECT_TRUE(found.tested);
    EXPECT_NEAR(found.p_value, exact, exact) << exact;
  }
}

TEST(Strata, PValuesUnderTheNullAreAtMostAsOftenSmallAsTheySay) {
  // Tables drawn by the permutation itself, so that the null holds exactly: p <= 0.05 in at most 5 %, and of 1,000 such
  // tables 85 or more with a chance below 1 in 100,000.
  const Strata null = small();
  const std::vector<double> mean = expected_table(null);
  Rng rng(11);
  int small_ones = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Strata drawn = null;
    const std::vector<double> off = permuted_table(null, rng);
    for (std::size_t j = 0; j < off.size(); ++j) drawn.seen[j] = std::lround(off[j] + mean[j]);
    if (permute(drawn, {}, 199, Rng(13, i)).p_value <= 0.05) ++small_ones;
  }
  EXPECT_LT(small_ones, 85);
}

TEST(Strata, ThatCannotDifferAreNotTested) {
  Strata strata;
  strata.outcomes = 2;
  strata.rows = {{{{0, 5}}, {{0, 2}, {1, 3}}}, {{{0, 2}, {1, 3}}, {{1, 5}}}};
  strata.seen = {2, 5, 0, 3};
  EXPECT_FALSE(can_vary(strata));
  EXPECT_FALSE(permute(strata, {}, 99, Rng(1)).tested);
}

TEST(Strata, EffectsAreSharesOfPeopleElsewhereThanExpected) {
  // One row of 2,000 people, half in each stratum, half of each outcome; in stratum 0 all came to outcome 0. Expected
  // were 500: half of the stratum is elsewhere, in the other one as well.
  Strata strata;
  strata.outcomes = 2;
  strata.rows = {{{{0, 1000}, {1, 1000}}, {{0, 1000}, {1, 1000}}}};
  strata.seen = {1000, 0, 0, 1000};
  const Permuted sum = permute(strata, {EffectSize::Sum::over_strata, 1}, 199, Rng(1));
  EXPECT_NEAR(sum.effect, 0.98, 0.01);  // 0.5 + 0.5, less what chance makes: 2 x 0.009
  EXPECT_DOUBLE_EQ(sum.p_value, 1.0 / 200);
  const Permuted mean = permute(strata, {EffectSize::Sum::mean, 1}, 199, Rng(1));
  EXPECT_NEAR(mean.effect, 0.49, 0.005);
  EXPECT_NEAR(permute(strata, {EffectSize::Sum::mean, 7}, 199, Rng(1)).effect, 1, 0);
}

TEST(Strata, StopsWhenAsked) {
  const Permuted found = permute(small(), {}, 1000, Rng(1), [] { return true; });
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.tested);
}

}  // namespace
}  // namespace fairstep
