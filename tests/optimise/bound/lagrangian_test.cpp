// The Lagrangian bound, where every table is a column: by duality it is the master's optimum, and above it elsewhere.
#include <fairstep/optimise/bound/lagrangian.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/bound/formulation.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

/// Every table whose entries are 0 or 1, and what it does: [block].
std::vector<std::vector<Effect>> all_effects(const Program& program) {
  Workspace work(program.shape());
  std::vector<std::vector<Effect>> effects(program.blocks.size());
  for (std::size_t b = 0; b < effects.size(); ++b)
    for (std::uint32_t bits = 0; bits < (1U << program.table_size()); ++bits) {
      std::vector<double> table(program.table_size());
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = bits >> i & 1U;
      effects[b].push_back(effect_of(program, b, table, work));
    }
  return effects;
}

/// What the best table of a block earns when value and functionals are paid for.
double best_response(const Prices& prices, const std::vector<Effect>& effects) {
  double best = -kInfinity;
  for (const Effect& effect : effects) {
    double worth = -prices.value * effect.value;
    for (std::size_t j = 0; j < effect.functional.size(); ++j) worth -= prices.functional[j] * effect.functional[j];
    best = std::max(best, worth);
  }
  return best;
}

/// A master with every table as a column.
struct Everything {
  Everything(const Model& model, const Fairness& fairness) : program(testing::unwrap(compile(model, fairness, {}))) {
    for (std::size_t b = 0; b < effects.size(); ++b)
      for (const Effect& effect : effects[b]) master.add_column(b, effect);
  }
  /// What each block can earn at most, at the master's last prices unless there are others.
  [[nodiscard]] std::vector<double> best_responses() const { return best_responses(last_prices(master)); }
  [[nodiscard]] std::vector<double> best_responses(const Prices& prices) const {
    std::vector<double> best;
    for (const auto& of_block : effects) best.push_back(best_response(prices, of_block));
    return best;
  }

  Program program;
  Pricing pricing{program};
  Master master{program};
  Formulation formulation{program, pricing, master, 0, {}, {}};
  std::vector<std::vector<Effect>> effects = all_effects(program);
  std::vector<Coefficient> objective = formulation.objective(100);
};

TEST(Lagrangian, IsTheMastersOptimumOnceThereIsNoBetterColumn) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 2);
    const Fairness fairness{.parity = {{seed % 2 == 0 ? Notion::dp : Notion::eqopt, {0.05}}}};
    Everything every(model, fairness);
    Master& master = every.master;
    const std::vector<Coefficient>& objective = every.objective;
    master.set_objective(objective);
    const LpSolution& solution = master.solve();
    ASSERT_EQ(solution.status, LpStatus::optimal);

    std::vector<double> best = every.best_responses();
    const double bound = lagrangian_bound(master, objective, best);
    EXPECT_NEAR(bound, solution.objective, 1e-7) << "seed " << seed;
    // Rounding is on the safe side.
    EXPECT_GE(bound, solution.objective - 1e-12) << "seed " << seed;
    // Whatever more is feared of a block is feared of all.
    best[0] += 0.25;
    EXPECT_NEAR(lagrangian_bound(master, objective, best), bound + 0.25, 1e-12) << "seed " << seed;
  }
}

TEST(Lagrangian, HoldsAtPricesOfAnotherProgram) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 2);
    Everything every(model, {.parity = {{Notion::dp, {0.02}}}});
    Master& master = every.master;
    const std::vector<Coefficient>& objective = every.objective;
    master.set_objective(objective);
    const double optimum = master.solve().objective;
    // The master is then asked for something else, and its prices are used for the value all the same.
    master.clear_objective(objective);
    const std::vector<Coefficient> least_value{{Master::kValue, -1.0}};
    master.set_objective(least_value);
    ASSERT_EQ(master.solve().status, LpStatus::optimal);
    EXPECT_GE(lagrangian_bound(master, objective, every.best_responses()), optimum - 1e-12) << "seed " << seed;
  }
}

TEST(Lagrangian, HoldsAtAnyPricesOnRowsOnceTheyAreBalanced) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 2);
    Everything every(model, {.parity = {{Notion::eqopt, {0.05}}}});
    every.master.set_objective(every.objective);
    const double optimum = every.master.solve().objective;
    const std::vector<double> right = last_prices(every.master).row;
    Rng rng(seed, 77);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> row = right;
      for (double& price : row) price += 0.1 * trial * (rng.uniform() - 0.5);
      const Prices prices = balanced_prices(every.master, every.objective, row);
      const double bound = lagrangian_bound(every.master, every.objective, prices, every.best_responses(prices));
      EXPECT_GE(bound, optimum - 1e-12) << "seed " << seed << ", trial " << trial;
      if (trial == 0) {  // the right prices are balanced already, or as good
        EXPECT_NEAR(bound, optimum, 1e-7) << "seed " << seed;
      }
    }
  }
}

TEST(Lagrangian, BalancedPricesLeaveNothingToTheRangesOfTheFunctionals) {
  const Model model = testing::random_model(5, 2, 2, 2);
  Everything every(model, {.parity = {{Notion::eqopt, {0.05}}}});
  every.master.set_objective(every.objective);
  ASSERT_EQ(every.master.solve().status, LpStatus::optimal);
  std::vector<double> row = last_prices(every.master).row;
  for (double& price : row) price *= 1.5;
  const Prices prices = balanced_prices(every.master, every.objective, row);
  const double bound = lagrangian_bound(every.master, every.objective, prices, every.best_responses(prices));
  // Functionals that may be anything at all change nothing.
  for (std::size_t j = 0; j < every.master.functionals(); ++j) {
    const Range& known = every.master.range(Master::functional(j));
    every.master.set_range(Master::functional(j), known.low - 10, known.high + 10);
  }
  EXPECT_NEAR(lagrangian_bound(every.master, every.objective, prices, every.best_responses(prices)), bound, 1e-9);
}

}  // namespace
}  // namespace fairstep
