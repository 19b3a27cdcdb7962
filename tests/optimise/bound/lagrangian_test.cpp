// The Lagrangian bound, where every table is a column: by duality it is the master's optimum, and above it elsewhere.
#include <fairstep/optimise/bound/lagrangian.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

/// What the best table of a block earns when value and functionals are paid for at the master's last prices.
double best_response(const Master& master, const std::vector<Effect>& effects) {
  double best = -kInfinity;
  for (const Effect& effect : effects) {
    double worth = -master.price_of_value() * effect.value;
    for (std::size_t j = 0; j < effect.functional.size(); ++j)
      worth -= master.price_of_functional(j) * effect.functional[j];
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
  /// What each block can earn at most at the master's last prices.
  [[nodiscard]] std::vector<double> best_responses() const {
    std::vector<double> best;
    for (const auto& of_block : effects) best.push_back(best_response(master, of_block));
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

}  // namespace
}  // namespace fairstep
