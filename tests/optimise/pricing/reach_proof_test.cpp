// Proofs of prices that rest on how far tables can move people alone, against all tables, and against those that rest
// on memory.
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/pricing/pricing.hpp>

#include "optimise/pricing/random_prices.hpp"

namespace fairstep {
namespace {

using testing::best_of_all;
using testing::for_random_prices;
using testing::worth;

constexpr double kNever = -std::numeric_limits<double>::infinity();

TEST(ReachProof, FindsTheBestOfAllTables) {
  for_random_prices(150, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, box, price, weight);
    Pricing pricing(program, 2);  // memory says as little as it can
    pricing.set_prices(price, weight);
    const Priced proof = pricing.prove(
        0, box, {}, {.tolerance = 1e-7, .enough = kNever, .max_effort = 1'000'000, .evidence = Evidence::reach});
    EXPECT_GE(proof.bound, best - 1e-12) << what;
    EXPECT_NEAR(proof.bound, best, 2e-7) << what;
    EXPECT_NEAR(proof.value, best, 1e-7) << what;
    EXPECT_NEAR(proof.value, worth(program, 0, proof.accept, price, weight), 1e-11) << what;
  });
}

TEST(ReachProof, HoldsHoweverShortAndWhateverIsEnough) {
  for_random_prices(100, [](const Program& program, const Box& box, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, box, price, weight);
    for (const Evidence evidence : {Evidence::reach, Evidence::memory, Evidence::both})
      for (const std::size_t effort : {0U, 1U, 3U, 10U, 50U})
        for (const double enough : {kNever, best - 0.1, best + 0.1}) {
          Pricing pricing(program, 3);
          pricing.set_prices(price, weight);
          const Priced proof = pricing.prove(
              0, box, box.lo, {.tolerance = 1e-3, .enough = enough, .max_effort = effort, .evidence = evidence});
          EXPECT_GE(proof.bound, best - 1e-12) << what << ", effort " << effort;
        }
  });
}

/// 12 features and 5 steps are 2^60 tables; what memory alone leaves open after as much effort is many times as much.
TEST(ReachProof, EndsWhereMemoryDoesNot) {
  const Model model = testing::random_model(11, 2, 12, 5);
  const Program program = testing::unwrap(compile(model, {}, {.group_independent = true}));
  Pricing pricing(program);
  pricing.set_prices(std::vector<double>(program.functionals), 1);
  const ProofOptions options{.tolerance = 1e-3, .enough = kNever, .max_effort = 3000, .evidence = Evidence::memory};
  const Priced memory = pricing.prove(0, program.boxes[0], {}, options);
  ProofOptions by_reach = options;
  by_reach.evidence = Evidence::reach;
  const Priced reach = pricing.prove(0, program.boxes[0], {}, by_reach);
  EXPECT_LE(reach.bound, reach.value + 1e-3);
  EXPECT_GT(memory.bound, memory.value + 1e-2);
  EXPECT_GE(memory.bound, reach.value);
  EXPECT_GE(reach.bound, memory.value);
}

}  // namespace
}  // namespace fairstep
