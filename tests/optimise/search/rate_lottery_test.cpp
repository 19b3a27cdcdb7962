// Lotteries over few tables, beside all of them on a fine grid of chances.
#include <fairstep/optimise/search/rate_lottery.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// A program with an eqopt penalty, its parts, and three tables: two of the first block, one of the second.
struct Small {
  explicit Small(std::uint64_t seed, double weight)
      : model(testing::random_model(seed, 2, 2, 2)),
        program(unwrap(compile_penalty(model, {.parity = {{Notion::eqopt, {0.0}}}}, {}, weight, PenaltyForm::rate))) {
    for (std::size_t b = 0; b < 2; ++b) parts.push_back(part_of(program, b));
  }
  Model model;
  Program program;
  std::vector<BlockPart> parts{};
  std::vector<double> timid = std::vector<double>(4, 0.1), bold{0.9, 0.8, 0.7, 1}, other{0.3, 0.6, 0.5, 0.4};
};

/// Value and rates [penalty], with their signs, of a table.
struct Known {
  double value = 0;
  std::vector<double> rate{};
};

Known known_of(const Small& small, std::size_t block, const std::vector<double>& table) {
  const BlockPart& part = small.parts[block];
  Workspace work(part.program.shape());
  const Effect effect = effect_of(part.program, 0, table, work);
  Known known{effect.value, std::vector<double>(small.program.penalties.size(), 0.0)};
  for (const BlockPart::Share& share : part.shares)
    known.rate[share.penalty] += share.sign * mean_of(part.program.tolls[share.toll].mean, effect.functional);
  return known;
}

/// What the lottery with this chance of the bold table is worth.
double worth_of(const Small& small, double chance) {
  const Known timid = known_of(small, 0, small.timid), bold = known_of(small, 0, small.bold);
  const Known other = known_of(small, 1, small.other);
  double sum = (1 - chance) * timid.value + chance * bold.value + other.value;
  for (std::size_t i = 0; i < other.rate.size(); ++i) {
    const double z = (1 - chance) * timid.rate[i] + chance * bold.rate[i] + other.rate[i];
    sum -= small.program.penalties[i].weight * z * z;
  }
  return sum;
}

TEST(RateLottery, IsTheBestOfAllLotteries) {
  std::size_t mixed = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Small small(seed, 2);
    const Deadline endless;
    RateLottery lottery(small.program, small.parts, endless);
    lottery.add(0, small.timid);
    lottery.add(0, small.bold);
    lottery.add(1, small.other);
    ASSERT_TRUE(lottery.solve(1e-10));
    double best = -kInfinity, at = 0;
    for (int k = 0; k <= 10000; ++k)
      if (const double here = worth_of(small, 1e-4 * k); here > best) {
        best = here;
        at = 1e-4 * k;
      }
    EXPECT_NEAR(lottery.objective(), best, 1e-7) << "seed " << seed;
    const Tables average = lottery.average();
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(average[0][i], (1 - at) * small.timid[i] + at * small.bold[i], 1e-3) << "seed " << seed;
      EXPECT_NEAR(average[1][i], small.other[i], 1e-9) << "seed " << seed;
    }
    mixed += lottery.in_use(0).size() == 2 ? 1 : 0;
  }
  EXPECT_GT(mixed, 2U);
}

// - weight z^2 is at most price^2 / (4 weight) - price z, with equality at price = 2 weight z; and at these prices a
// table in use is worth what the lottery says of its block, no other more.
TEST(RateLottery, ItsPricesBelongToItsRates) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Small small(seed, 2);
    const Deadline endless;
    RateLottery lottery(small.program, small.parts, endless);
    lottery.add(0, small.timid);
    lottery.add(0, small.bold);
    lottery.add(1, small.other);
    ASSERT_TRUE(lottery.solve(1e-12));
    const std::vector<double> price = lottery.prices();
    const Tables average = lottery.average();
    const double chance = (average[0][0] - small.timid[0]) / (small.bold[0] - small.timid[0]);
    const Known timid = known_of(small, 0, small.timid), bold = known_of(small, 0, small.bold);
    const Known other = known_of(small, 1, small.other);
    for (std::size_t i = 0; i < price.size(); ++i) {
      const double z = (1 - chance) * timid.rate[i] + chance * bold.rate[i] + other.rate[i];
      EXPECT_NEAR(price[i], 2 * small.program.penalties[i].weight * z, 1e-4) << "seed " << seed;
    }
    for (std::size_t b = 0; b < 2; ++b) {
      small.parts[b].set_tolls(price);
      for (const std::vector<double>& table : lottery.tables_of(b))
        EXPECT_LE(assess(small.parts[b].program, {table}).objective, lottery.worth(b) + 1e-7) << "seed " << seed;
      for (const std::vector<double>& table : lottery.in_use(b))
        EXPECT_NEAR(assess(small.parts[b].program, {table}).objective, lottery.worth(b), 1e-7) << "seed " << seed;
    }
  }
}

TEST(RateLottery, APartIsItsBlockAlone) {
  const Small small(3, 2);
  Workspace work(small.program.shape());
  for (std::size_t b = 0; b < 2; ++b) {
    const Program& part = small.parts[b].program;
    EXPECT_EQ(part.blocks.size(), 1U);
    EXPECT_EQ(effect_of(part, 0, small.bold, work).value, effect_of(small.program, b, small.bold, work).value);
    for (const Toll& toll : part.tolls) EXPECT_EQ(toll.price, 0);
  }
}

}  // namespace
}  // namespace fairstep
