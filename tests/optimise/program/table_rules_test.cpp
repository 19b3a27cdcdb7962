// What rules leave of boxes and rows, against every table on a grid.
#include <fairstep/optimise/program/table_rules.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>

namespace fairstep {
namespace {

constexpr std::size_t kGrid = 4;  ///< levels 0, 1/4, ..., 1

/// Every table of this length on the grid.
void for_every_table(std::size_t size, const std::function<void(const std::vector<double>&)>& visit) {
  std::vector<double> table(size);
  std::vector<std::size_t> at(size, 0);
  while (true) {
    for (std::size_t i = 0; i < size; ++i) table[i] = static_cast<double>(at[i]) / kGrid;
    visit(table);
    std::size_t i = 0;
    while (i < size && ++at[i] > kGrid) at[i++] = 0;
    if (i == size) return;
  }
}

bool inside(const Box& box, const std::vector<double>& table) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] < box.lo[i] || table[i] > box.hi[i]) return false;
  return true;
}

Box random_box(Rng& rng, std::size_t size) {
  Box box;
  for (std::size_t i = 0; i < size; ++i) {
    const double one = std::floor(rng.uniform() * (kGrid + 1)) / kGrid;
    const double other = std::floor(rng.uniform() * (kGrid + 1)) / kGrid;
    // Most entries are as free as at the beginning of a search.
    box.lo.push_back(rng.uniform() < 0.6 ? 0 : std::min(one, other));
    box.hi.push_back(rng.uniform() < 0.6 ? 1 : std::max(one, other));
  }
  return box;
}

/// Rules of every kind in turn, over two steps of two or three features or one step of four.
TableRules random_rules(std::uint64_t seed) {
  TableRules rules;
  rules.shape = {.groups = 2, .horizon = seed % 3 == 2 ? 1U : 2U, .features = seed % 3 == 2 ? 4U : 2 + seed % 2};
  rules.stationary = seed % 4 >= 2;
  if (seed % 5 != 4) {
    rules.chains = rules.shape.features == 4   ? FeatureOrder{{2, 0, 1}, {3}}
                   : rules.shape.features == 3 ? FeatureOrder{{1, 2, 0}}
                                               : FeatureOrder{{0, 1}};
    rules.one_cut = seed % 7 >= 4;
  }
  return rules;
}

TEST(TableRules, ANarrowedBoxHasTheSameTablesThatKeepTheRules) {
  std::size_t narrower = 0, empty = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed, 901);
    const TableRules rules = random_rules(seed);
    const Box before = random_box(rng, rules.shape.horizon * rules.shape.features);
    Box after = before;
    const bool any = rules.narrow(after);
    bool found = false;
    for_every_table(before.lo.size(), [&](const std::vector<double>& table) {
      if (!rules.kept_by(table, 0)) return;
      const bool was = inside(before, table);
      found = found || was;
      if (any) {
        ASSERT_EQ(was, inside(after, table)) << "seed " << seed;
      }
    });
    EXPECT_EQ(any, found) << "seed " << seed;
    if (any) {
      // Its own ends keep the rules, but that there may be several places left for one cut.
      TableRules linear = rules;
      linear.one_cut = false;
      EXPECT_TRUE(linear.kept_by(after.lo, 0)) << "seed " << seed;
      EXPECT_TRUE(linear.kept_by(after.hi, 0)) << "seed " << seed;
      Box again = after;
      EXPECT_TRUE(rules.narrow(again)) << "seed " << seed;
      EXPECT_EQ(again.lo, after.lo) << "seed " << seed;
      EXPECT_EQ(again.hi, after.hi) << "seed " << seed;
      narrower += before.lo != after.lo || before.hi != after.hi ? 1 : 0;
    }
    empty += any ? 0 : 1;
  }
  EXPECT_GT(narrower, 100U);
  EXPECT_GT(empty, 20U);
}

TEST(TableRules, ATableThatKeepsTheRulesIsLeftAsItIsAndOthersComeToKeepThem) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, 902);
    TableRules rules = random_rules(seed);
    rules.one_cut = false;
    std::vector<double> table(rules.shape.horizon * rules.shape.features);
    for (double& p : table) p = rng.uniform();
    rules.settle(table);
    EXPECT_TRUE(rules.kept_by(table, 0)) << "seed " << seed;
    const std::vector<double> once = table;
    rules.settle(table);
    EXPECT_EQ(table, once) << "seed " << seed;
  }
}

TEST(TableRules, NeighboursThatFallMeetInTheMiddle) {
  // 0.5 above 0.3 falls: both become 0.4, which is above the 0.2 that comes after, and all three become 1/3.
  const TableRules rules{.chains = {{0, 1, 2}}, .shape = {.groups = 2, .horizon = 1, .features = 3}};
  std::vector<double> table{0.5, 0.3, 0.2};
  rules.settle(table);
  for (const double p : table) EXPECT_NEAR(p, 1.0 / 3, 1e-15);
  std::vector<double> rising{0.1, 0.6, 0.5};
  rules.settle(rising);
  EXPECT_EQ(rising, (std::vector<double>{0.1, 0.55, 0.55}));
}

TEST(RisingRows, NoRowOnAnyGridIsBetter) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed, 903);
    TableRules rules;
    rules.shape = {.groups = 2, .horizon = 1, .features = 4};
    rules.chains = seed % 3 == 0   ? FeatureOrder{{0, 1, 2, 3}}
                   : seed % 3 == 1 ? FeatureOrder{{3, 1}, {0, 2}}
                                   : FeatureOrder{{1}, {2, 3, 0}};
    Box box = random_box(rng, 4);
    if (!rules.narrow(box)) continue;
    std::vector<double> gain(4), row(4);
    for (double& g : gain) g = rng.uniform() < 0.2 ? 0 : 2 * rng.uniform() - 1;
    const double best = RisingRows(rules.chains, box.lo, box.hi).best(gain, row);
    EXPECT_TRUE(rules.kept_by(row, 0)) << "seed " << seed;
    EXPECT_TRUE(inside(box, row)) << "seed " << seed;
    double sum = 0;
    for (std::size_t x = 0; x < 4; ++x) sum += gain[x] * row[x];
    EXPECT_NEAR(sum, best, 1e-14) << "seed " << seed;
    double most = -std::numeric_limits<double>::infinity();
    for_every_table(4, [&](const std::vector<double>& other) {
      if (!rules.kept_by(other, 0) || !inside(box, other)) return;
      double worth = 0;
      for (std::size_t x = 0; x < 4; ++x) worth += gain[x] * other[x];
      most = std::max(most, worth);
    });
    EXPECT_NEAR(best, most, 1e-14) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fairstep
