// The best table at given prices: ascent, proof and the bound by memory, against all 2^(H |X|) tables.
#include <fairstep/optimise/pricing/pricing.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// What a table earns: the definition, by its effects.
double worth(const Program& program, std::size_t block, const std::vector<double>& accept,
             const std::vector<double>& price, double value_weight) {
  Workspace work(program.shape());
  const Effect effect = effect_of(program, block, accept, work);
  double sum = value_weight * effect.value;
  for (std::size_t j = 0; j < price.size(); ++j) sum += price[j] * effect.functional[j];
  return sum;
}

double best_of_all(const Program& program, std::size_t block, const Box& box, const std::vector<double>& price,
                   double value_weight) {
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> accept(box.lo.size());
  for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << accept.size()); ++bits) {
    for (std::size_t i = 0; i < accept.size(); ++i) accept[i] = (bits >> i & 1) != 0 ? box.hi[i] : box.lo[i];
    best = std::max(best, worth(program, block, accept, price, value_weight));
  }
  return best;
}

/// A program with random prices and random boxes, on a small model, full or with zeros.
template <class Check>
void for_random_prices(std::uint64_t seeds, const Check& check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed, 601);
    const std::size_t features = 1 + seed % 3;
    const std::size_t horizon = std::min<std::size_t>(1 + seed / 3 % 5, 9 / features);
    const Model model = seed % 4 == 3 ? testing::sparse_model(seed, 2, features, horizon, 2)
                                      : testing::random_model(seed, 2, features, horizon);
    const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.0}}, {Notion::eqopt, {0.0}}}},
                                           {.floor = seed % 2 == 0 ? 0.0 : 0.1, .group_independent = seed % 5 == 2}));
    std::vector<double> price(program.functionals);
    for (double& p : price) p = 3 * (2 * rng.uniform() - 1);
    Box box = program.boxes[0];
    if (seed % 3 == 1)
      for (std::size_t i = 0; i < box.lo.size(); ++i) {
        const double one = rng.uniform(), other = rng.uniform();
        box.lo[i] = std::min(one, other);
        box.hi[i] = rng.uniform() < 0.2 ? box.lo[i] : std::max(one, other);
      }
    const double value_weight = seed % 6 == 5 ? 0 : 1;
    check(program, box, price, value_weight, "seed " + std::to_string(seed));
  }
}

TEST(Pricing, TheProofFindsTheBestOfAllTables) {
  for_random_prices(150, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, box, price, weight);
    Pricing pricing(program, 33);
    pricing.set_prices(price, weight);
    const Priced proof = pricing.prove(
        0, box, {}, {.tolerance = 1e-7, .enough = -std::numeric_limits<double>::infinity(), .max_effort = 100000});
    EXPECT_GE(proof.bound, best - 1e-12) << what;
    EXPECT_NEAR(proof.value, worth(program, 0, proof.accept, price, weight), 1e-11) << what;
    EXPECT_LE(proof.value, best + 1e-11) << what;
    // Every entry fixed, what is left is interpolation between beliefs; one entry at a time, it is small.
    EXPECT_NEAR(proof.value, best, 1e-7) << what;
  });
}

TEST(Pricing, NoProofIsTooShortToHold) {
  for_random_prices(100, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, box, price, weight);
    for (const std::size_t points : {2U, 3U, 9U})
      for (const std::size_t effort : {0U, 1U, 3U, 10U}) {
        Pricing pricing(program, points);
        pricing.set_prices(price, weight);
        const Priced proof = pricing.prove(
            0, box, box.lo, {.tolerance = 0, .enough = -std::numeric_limits<double>::infinity(), .max_effort = effort});
        EXPECT_GE(proof.bound, best - 1e-12) << what << ", " << points << " points, effort " << effort;
      }
  });
}

TEST(Pricing, MemoryCanOnlyHelpWhateverTheGrid) {
  for_random_prices(150, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, box, price, weight);
    double last = std::numeric_limits<double>::infinity();
    for (const std::size_t points : {2U, 3U, 5U, 9U, 33U, 129U}) {
      Pricing pricing(program, points);
      pricing.set_prices(price, weight);
      const double bound = pricing.remembering_bound(0, box);
      EXPECT_GE(bound, best - 1e-12) << what << ", " << points << " points";
      // Grids of 2^k + 1 points contain one another, so a finer one is nowhere above.
      EXPECT_LE(bound, last + 1e-11) << what << ", " << points << " points";
      last = bound;
    }
  });
}

TEST(Pricing, AscentEndsAtATableThatIsWorthWhatItSays) {
  for_random_prices(100, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    Pricing pricing(program);
    pricing.set_prices(price, weight);
    std::vector<double> middle(box.lo.size());
    for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = 0.5 * (box.lo[i] + box.hi[i]);
    const Priced found = pricing.ascend(0, box, middle);
    EXPECT_NEAR(found.value, worth(program, 0, found.accept, price, weight), 1e-11) << what;
    EXPECT_GE(found.value, worth(program, 0, middle, price, weight) - 1e-11) << what;
    EXPECT_LE(found.value, best_of_all(program, 0, box, price, weight) + 1e-11) << what;
    for (std::size_t i = 0; i < middle.size(); ++i)
      EXPECT_TRUE(found.accept[i] == box.lo[i] || found.accept[i] == box.hi[i]) << what;
  });
}

}  // namespace
}  // namespace fairstep
