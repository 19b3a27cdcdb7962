// The least value over balls is rounded down, whatever the size of rewards: compared with sums in longer arithmetic.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/robust.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using Long = long double;
static_assert(std::numeric_limits<Long>::digits >= 64, "these tests take what is lost in doubles for what is exact");

/// The model's own value of a person of group g. Rows that do not sum to 1 to the last bit are rescaled, as they stand
/// for a distribution.
Long long_value(const Model& model, const Policy& policy, std::size_t g) {
  const Shape& n = model.shape();
  const auto expected = [&](std::span<const double> row, const std::vector<Long>& next) {
    Long sum = 0, all = 0;
    for (std::size_t s = 0; s < row.size(); ++s) {
      sum += Long{row[s]} * next[s];
      all += row[s];
    }
    return sum / all;
  };
  std::vector<Long> value(n.states(), 0);
  for (std::size_t h = n.horizon; h-- > 0;) {
    std::vector<Long> before(n.states());
    for (std::size_t s = 0; s < n.states(); ++s) {
      const Long p = policy.accept(g, h, s / kLabels);
      for (std::size_t a = 0; a < kActions; ++a) {
        const auto row = model.spec().transition.block(g, s / kLabels, s % kLabels, a);
        const Long q = model.reward(g)[s * kActions + a] + Long{model.discount()} * expected(row, value);
        before[s] += (a == 1 ? p : 1 - p) * q;
      }
    }
    value = before;
  }
  return expected(model.initial(g), value);
}

Model with_rewards_in(const Model& model, double unit) {
  ModelSpec spec = model.spec();
  for (double& r : spec.reward.flat()) r *= unit;
  return testing::unwrap(Model::make(std::move(spec)));
}

// With nothing to move, the least value is the model's: never above it, and below by no more than rounding takes. The
// units are no powers of two, so that each rounds in its own way.
TEST(RobustValues, OfNoDoubtAreTheModelsOwnRoundedDownInEveryUnit) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const double unit : {1.0, 3e6, 7e-7}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", unit " + std::to_string(unit));
      const Model model =
          with_rewards_in(testing::random_model(seed, 2, 1 + seed % 5, 1 + seed % 8, seed % 2 == 0 ? 1 : 0.9), unit);
      const Policy policy = testing::random_policy(seed, model);
      const Balls none{Tensor<double, 4>({2, 1 + seed % 5, 2, 2}), {0, 0}};
      const std::vector<double> least = testing::unwrap(robust_values(model, policy, none));
      for (std::size_t g = 0; g < 2; ++g) {
        const Long exact = long_value(model, policy, g);
        EXPECT_LE(least[g], exact);
        EXPECT_GE(least[g], exact - 1e-12L * unit * static_cast<Long>(model.shape().horizon));
      }
    }
}

// Where nothing is known at all a step is worth its least reward: H times that, if every decision earns the same.
TEST(RobustValues, OfAllDoubtAreThoseOfTheWorstStateAtEveryStep) {
  ModelSpec spec = testing::random_model(3, 2, 2, 4).spec();
  for (std::size_t i = 0; i < spec.reward.size(); ++i) spec.reward.flat()[i] = i / kActions % 4 == 2 ? -0.75 : 0.5;
  const Model model = testing::unwrap(Model::make(std::move(spec)));
  const Balls all{Tensor<double, 4>({2, 2, 2, 2}, 1.0), {1, 1}};
  for (const double least : testing::unwrap(robust_values(model, testing::random_policy(3, model), all))) {
    EXPECT_LE(least, -3);
    EXPECT_GE(least, -3 - 1e-12);
  }
}

}  // namespace
}  // namespace fairstep
