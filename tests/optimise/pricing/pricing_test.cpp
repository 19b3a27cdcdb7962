// The best table at given prices: ascent, proof and the bound by memory, against all 2^(H |X|) tables.
#include <fairstep/optimise/pricing/pricing.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/pricing/random_prices.hpp"

namespace fairstep {
namespace {

using testing::best_of_all;
using testing::for_random_prices;
using testing::worth;

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
