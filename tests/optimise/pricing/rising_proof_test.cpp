// The best table whose acceptance never falls, at given prices: against every one with extreme rows.
#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

double worth_of(const Program& program, std::size_t block, const std::vector<double>& accept,
                const std::vector<double>& price) {
  Workspace work(program.shape());
  const Effect effect = effect_of(program, block, accept, work);
  double sum = effect.value;
  for (std::size_t j = 0; j < price.size(); ++j) sum += price[j] * effect.functional[j];
  return sum;
}

/// Over all tables whose rows rise and have entries at ends of the box of their step: extreme rows are such.
double best_rising(const Program& program, const Box& box, const std::vector<double>& price) {
  const Shape& n = program.shape();
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> table(box.lo.size());
  const std::function<void(std::size_t)> fill = [&](std::size_t i) {
    if (i == table.size()) {
      if (program.rules.kept_by(table, 0)) best = std::max(best, worth_of(program, 0, table, price));
      return;
    }
    std::vector<double> levels;
    for (std::size_t x = 0; x < n.features; ++x)
      for (const double level : {box.lo[i / n.features * n.features + x], box.hi[i / n.features * n.features + x]})
        if (level >= box.lo[i] && level <= box.hi[i]) levels.push_back(level);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const double level : levels) {
      table[i] = level;
      fill(i + 1);
    }
  };
  fill(0);
  return best;
}

template <class Check>
void for_rising_prices(std::uint64_t seeds, const Check& check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed, 611);
    const std::size_t features = 2 + seed % 2;
    const std::size_t horizon = features == 2 ? 3 : 2;
    const Model model = seed % 4 == 3 ? testing::sparse_model(seed, 2, features, horizon, 2)
                                      : testing::random_model(seed, 2, features, horizon);
    PolicyClass policies{.floor = seed % 2 == 0 ? 0.0 : 0.1, .group_independent = seed % 5 == 2, .monotone = true};
    if (seed % 7 == 1)
      std::reverse_copy(model.names().features.begin(), model.names().features.end(),
                        std::back_inserter(policies.order));
    const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.0}}, {Notion::eqopt, {0.0}}}}, policies));
    std::vector<double> price(program.functionals);
    for (double& p : price) p = 3 * (2 * rng.uniform() - 1);
    Box box = program.boxes[0];
    if (seed % 3 == 1)
      for (std::size_t i = 0; i < box.lo.size(); ++i) {
        const double one = rng.uniform(), other = rng.uniform();
        Box narrower = box;
        narrower.lo[i] = std::min(one, other);
        narrower.hi[i] = rng.uniform() < 0.2 ? narrower.lo[i] : std::max(one, other);
        if (program.rules.narrow(narrower)) box = narrower;
      }
    check(program, box, price, "seed " + std::to_string(seed));
  }
}

TEST(RisingPricing, TheProofFindsTheBestOfAllTables) {
  for_rising_prices(
      150, [](const Program& program, const Box& box, const std::vector<double>& price, const std::string& what) {
        const double best = best_rising(program, box, price);
        Pricing pricing(program, 33);
        pricing.set_prices(price, 1);
        const Priced proof = pricing.prove(
            0, box, {}, {.tolerance = 1e-9, .enough = -std::numeric_limits<double>::infinity(), .max_effort = 100000});
        EXPECT_GE(proof.bound, best - 1e-12) << what;
        EXPECT_TRUE(program.rules.kept_by(proof.accept, 0)) << what;
        EXPECT_NEAR(proof.value, worth_of(program, 0, proof.accept, price), 1e-11) << what;
        EXPECT_NEAR(proof.value, best, 1e-9) << what;
        EXPECT_LE(proof.bound, best + 2e-9) << what;
      });
}

TEST(RisingPricing, NoProofIsTooShortToHoldAndMemoryCanOnlyHelp) {
  for_rising_prices(100, [](const Program& program, const Box& box, const std::vector<double>& price,
                            const std::string& what) {
    const double best = best_rising(program, box, price);
    Program free = program;
    free.rules = {};
    for (const std::size_t points : {2U, 3U, 9U}) {
      Pricing pricing(program, points);
      pricing.set_prices(price, 1);
      const double remembering = pricing.remembering_bound(0, box);
      EXPECT_GE(remembering, best - 1e-12) << what << ", " << points << " points";
      // A free policy that remembers may do all that one does which chooses rows.
      Pricing without(free, points);
      without.set_prices(price, 1);
      EXPECT_LE(remembering, without.remembering_bound(0, box) + 1e-11) << what << ", " << points << " points";
      for (const std::size_t effort : {0U, 1U, 3U}) {
        const Priced proof = pricing.prove(
            0, box, box.lo, {.tolerance = 0, .enough = -std::numeric_limits<double>::infinity(), .max_effort = effort});
        EXPECT_GE(proof.bound, best - 1e-12) << what << ", " << points << " points, effort " << effort;
      }
    }
  });
}

TEST(RisingPricing, AscentEndsAtATableThatKeepsTheRulesAndIsWorthWhatItSays) {
  for_rising_prices(
      100, [](const Program& program, const Box& box, const std::vector<double>& price, const std::string& what) {
        Pricing pricing(program);
        pricing.set_prices(price, 1);
        for (const std::vector<double>& start : {box.lo, box.hi})
          for (const Priced& found : pricing.search(0, box, std::vector<std::vector<double>>{start})) {
            EXPECT_TRUE(program.rules.kept_by(found.accept, 0)) << what;
            EXPECT_NEAR(found.value, worth_of(program, 0, found.accept, price), 1e-11) << what;
            EXPECT_LE(found.value, best_rising(program, box, price) + 1e-11) << what;
            for (std::size_t i = 0; i < found.accept.size(); ++i) {
              EXPECT_GE(found.accept[i], box.lo[i]) << what;
              EXPECT_LE(found.accept[i], box.hi[i]) << what;
            }
          }
      });
}

}  // namespace
}  // namespace fairstep
