// What a unit of a limit is worth, beside what a little more of it buys.
#include <fairstep/optimise/answer/shadow_prices.hpp>

#include <chrono>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

Program limited(const Model& model, double dp, double capacity) {
  Fairness fairness{.parity = {{Notion::dp, {dp}}}};
  if (capacity < 1) fairness.capacity = Capacity{{capacity}};
  return unwrap(compile(model, fairness, {}));
}

Candidate best_of(const Program& program) { return look_around(program, middle_of(program)); }

double sum_of(const std::vector<double>& prices) {
  double sum = 0;
  for (const double price : prices) sum += price;
  return sum;
}

constexpr double kStep = 1e-4;

// A single step is a linear program, whose value is concave in its limits: a price lies between what a little more
// buys and what a little less costs, which are the same but where the value has a kink.
TEST(ShadowPrices, LieBetweenWhatALittleMoreBuysAndALittleLessCosts) {
  std::size_t binding = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = random_model(seed, 2 + seed % 2, 3, 1);
    const auto value = [&](double dp, double capacity) { return best_of(limited(model, dp, capacity)).objective; };
    const Program here = limited(model, 0.05, 0.4);
    const ShadowPrices prices = shadow_prices(here, best_of(here).tables, {});
    ASSERT_EQ(prices.parity.size(), 1U);
    ASSERT_EQ(prices.row.size(), 1U);
    const double now = value(0.05, 0.4);
    const double more_limit = (value(0.05 + kStep, 0.4) - now) / kStep;
    const double less_limit = (now - value(0.05 - kStep, 0.4)) / kStep;
    const double more_capacity = (value(0.05, 0.4 + kStep) - now) / kStep;
    const double less_capacity = (now - value(0.05, 0.4 - kStep)) / kStep;
    EXPECT_GE(prices.parity[0], more_limit - 1e-4) << "seed " << seed;
    EXPECT_LE(prices.parity[0], less_limit + 1e-4) << "seed " << seed;
    EXPECT_GE(prices.row[0], more_capacity - 1e-4) << "seed " << seed;
    EXPECT_LE(prices.row[0], less_capacity + 1e-4) << "seed " << seed;
    binding += more_limit > 0.01 && more_capacity > 0.01 ? 1 : 0;
  }
  EXPECT_GT(binding, 5U);
}

// Over several steps the program bends, and a unit everywhere is worth the prices of all steps together.
TEST(ShadowPrices, AddUpOverSteps) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Model model = random_model(seed, 2, 3, 3);
    const Program here = limited(model, 0.05, 1);
    const ShadowPrices prices = shadow_prices(here, best_of(here).tables, {});
    const double more = best_of(limited(model, 0.05 + kStep, 1)).objective;
    const double less = best_of(limited(model, 0.05 - kStep, 1)).objective;
    EXPECT_NEAR(sum_of(prices.parity), (more - less) / (2 * kStep), 1e-2) << "seed " << seed;
  }
}

TEST(ShadowPrices, OfLimitsThatDoNotBindAreZero) {
  const Model model = random_model(2, 2, 3, 2);
  const Program program = limited(model, 1, 1);
  for (const double price : shadow_prices(program, best_of(program).tables, {}).parity) EXPECT_NEAR(price, 0, 1e-9);
}

TEST(ShadowPrices, AreNoNumbersWhereThereWasNoTime) {
  const Model model = random_model(2, 2, 3, 2);
  const Program program = limited(model, 0.01, 0.4);
  const ShadowPrices prices =
      shadow_prices(program, middle_of(program), {.at = std::chrono::steady_clock::time_point::min()});
  for (const auto& some : {prices.parity, prices.row})
    for (const double price : some) EXPECT_TRUE(std::isnan(price));
}

}  // namespace
}  // namespace fairstep
