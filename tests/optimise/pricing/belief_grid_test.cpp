// The bound by memory, beside the recursion over all that can be remembered.
#include <fairstep/optimise/pricing/belief_grid.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/common/infinity.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

struct Remembered {
  const Model& model;
  std::size_t g = 0;
  std::vector<double> reward{};    ///< [h,x,y,a]
  std::vector<double> lo{}, hi{};  ///< [h,x]
};

/// The model's rewards at the first `steps` steps, and none after them.
Remembered rewards_of(const Model& model, std::size_t g, std::size_t steps, double lo, double hi) {
  const Shape& n = model.shape();
  Remembered asked{model, g, std::vector<double>(n.horizon * n.cells(), 0.0),
                   std::vector<double>(n.horizon * n.features, lo), std::vector<double>(n.horizon * n.features, hi)};
  for (std::size_t h = 0; h < steps; ++h)
    std::copy(model.reward(g).begin(), model.reward(g).end(),
              asked.reward.begin() + static_cast<std::ptrdiff_t>(h * n.cells()));
  return asked;
}

/// What a policy that remembers everything makes of mass at (x, y = 0) and (x, y = 1) from step h on: what it does next
/// is worth the better end of the box, as what it did is known to it ever after.
double by_memory(const Remembered& asked, std::size_t h, std::size_t x, double zero, double one) {
  const Shape& n = asked.model.shape();
  if (zero + one <= 0) return 0;
  const KernelView kernel = asked.model.kernel(asked.g, 0);
  double worth[kActions];
  for (std::size_t a = 0; a < kActions; ++a) {
    const double* pay = asked.reward.data() + h * n.cells();
    worth[a] = zero * pay[cell_of(x, 0, a)] + one * pay[cell_of(x, 1, a)];
    const double *from0 = kernel.row(cell_of(x, 0, a)), *from1 = kernel.row(cell_of(x, 1, a));
    for (std::size_t x1 = 0; h + 1 < n.horizon && x1 < n.features; ++x1)
      worth[a] += by_memory(asked, h + 1, x1, zero * from0[state_of(x1, 0)] + one * from1[state_of(x1, 0)],
                            zero * from0[state_of(x1, 1)] + one * from1[state_of(x1, 1)]);
  }
  const double gain = worth[1] - worth[0];
  return worth[0] + gain * (gain > 0 ? asked.hi : asked.lo)[h * n.features + x];
}

double by_memory(const Remembered& asked) {
  double sum = 0;
  const auto initial = asked.model.initial(asked.g);
  for (std::size_t x = 0; x < asked.model.shape().features; ++x)
    sum += by_memory(asked, 0, x, initial[state_of(x, 0)], initial[state_of(x, 1)]);
  return sum;
}

double by_grid(const Remembered& asked, std::size_t points) {
  const BeliefGrid grid(asked.model, asked.g, points);
  BeliefGrid::Worth worth;
  return grid.bound(asked.reward, asked.lo, asked.hi, worth);
}

TEST(BeliefGrid, BoundsASingleStepByTheBetterEndOfEachBox) {
  // Group a: accepting the low earns 1/8 - 3/8 / 2 = -1/16, accepting the high 3/8 - 1/8 / 2 = 5/16. With chances
  // between 1/10 and 9/10: -1/160 + 45/160 = 44/160.
  const Model model = testing::hand_model();
  EXPECT_NEAR(by_grid(rewards_of(model, 0, 1, 0, 1), 9), 0.3125, 1e-12);
  EXPECT_NEAR(by_grid(rewards_of(model, 0, 1, 0.1, 0.9), 9), 0.275, 1e-12);
}

TEST(BeliefGrid, IsNeverBelowWhatMemoryReachesAndMeetsItAsItGrowsFiner) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const std::size_t features = 1 + seed % 3, horizon = 2 + seed % 2;
    const Model model = seed % 4 == 3 ? testing::sparse_model(seed, 2, features, horizon, 2)
                                      : testing::random_model(seed, 2, features, horizon);
    for (std::size_t g = 0; g < 2; ++g) {
      const Remembered asked = rewards_of(model, g, horizon, seed % 5 == 4 ? 0.2 : 0, seed % 7 == 6 ? 0.7 : 1);
      const double exact = by_memory(asked);
      double last = kInfinity;
      for (const std::size_t points : {2U, 3U, 5U, 9U, 17U}) {  // each has the points of the one before
        const double bound = by_grid(asked, points);
        EXPECT_GE(bound, exact) << "seed " << seed << ", " << points << " points";
        EXPECT_LE(bound, last + 1e-12) << "seed " << seed << ", " << points << " points";
        last = bound;
      }
      EXPECT_NEAR(by_grid(asked, 1000), exact, 1e-5) << "seed " << seed;
    }
  }
}

TEST(BeliefGrid, FindsABeliefBetweenItsNeighbours) {
  const Model model = testing::random_model(2, 2, 2, 3);
  const BeliefGrid grid(model, 0, 9);
  for (std::size_t x = 0; x < 2; ++x) {
    std::size_t last = 0;
    for (int k = 0; k <= 100; ++k) {
      const auto [node, up] = grid.find(x, 0.01 * k);
      EXPECT_EQ(grid.feature(node), x);
      EXPECT_EQ(grid.feature(node + 1), x);
      EXPECT_GE(up, 0);
      EXPECT_LE(up, 1);
      EXPECT_GE(node, last);  // a greater belief lies no lower
      last = node;
    }
  }
}

TEST(BeliefGrid, VotesByWhatADecisionIsWorthToThosePresent) {
  // The single step again: for accepting the high, 5/16; against accepting the low, 1/16.
  const Model model = testing::hand_model();
  const Remembered asked = rewards_of(model, 0, 1, 0, 1);
  const BeliefGrid grid(model, 0, 9);
  BeliefGrid::Worth worth;
  grid.bound(asked.reward, asked.lo, asked.hi, worth);
  std::vector<double> in_favour(4, 0.0), against(4, 0.0), scratch;
  grid.add_votes(worth, asked.lo, asked.hi, in_favour, against, scratch);
  EXPECT_NEAR(in_favour[0], 0, 1e-12);
  EXPECT_NEAR(against[0], 0.0625, 1e-12);
  EXPECT_NEAR(in_favour[1], 0.3125, 1e-12);
  EXPECT_NEAR(against[1], 0, 1e-12);
}

}  // namespace
}  // namespace fairstep
