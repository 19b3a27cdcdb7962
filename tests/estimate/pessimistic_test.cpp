// In the pessimistic model no policy is worth more than in truth: as often as is said, and always where the radii hold.
#include <fairstep/estimate/pessimistic.hpp>

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

TEST(Pessimism, IsRewardRowAndFirstState) {
  // Three steps with discount 1/2: of those to come 1/2 + 1/4 count. Rewards from -1 to 1: a width of 2.
  Model model = random_model(1, 2, 1, 3, 0.5);
  Radii radii{ByPeriod<double, 4>({2, 1, 2, 2}, 1, 0.25), {0.0625, 0.5}, Tensor<double, 4>({2, 1, 2, 2}, 0.125), 0.1};
  const Tensor<double, 4> less = pessimism(model, radii, {-1, 1});
  EXPECT_DOUBLE_EQ(less(0, 0, 1, 0), 0.125 + 2 * (0.75 * 0.25 + 0.0625));
  EXPECT_DOUBLE_EQ(less(1, 0, 0, 1), 0.125 + 2 * (0.75 * 0.25 + 0.5));
  radii.reward = {};
  EXPECT_DOUBLE_EQ(pessimism(model, radii, {-1, 1})(0, 0, 1, 0), 2 * (0.75 * 0.25 + 0.0625));
}

/// Whether rows and first states are within the radii.
bool rows_hold(const Model& truth, const Model& estimate, const Radii& radii) {
  const Shape& n = truth.shape();
  const auto apart = [](std::span<const double> p, std::span<const double> q) {
    double sum = 0;
    for (std::size_t s = 0; s < p.size(); ++s) sum += std::abs(p[s] - q[s]) / 2;
    return sum;
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (apart(truth.initial(g), estimate.initial(g)) > radii.initial[g]) return false;
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const auto row = [&](const Model& of) {
        return of.spec().transition.block(g).subspan(cell * n.states(), n.states());
      };
      if (apart(row(truth), row(estimate)) > radii.row.block(g)[cell]) return false;
    }
  }
  return true;
}

// At delta = 0.5 more than 165 of 240 logs are wrong with probability below 1e-8 (120 expected at most, standard
// deviation 7.7). In each the policy that looks best of 40 in the pessimistic model is asked about, and all others.
TEST(Pessimism, NoPolicyIsWorthMoreThanInTruth) {
  constexpr int logs = 240;
  int wrong = 0;
  for (int i = 0; i < logs; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    const Model truth = random_model(seed % 12, 2, 1 + seed % 2, 1 + seed % 3, 0.9);
    const std::uint64_t people = std::uint64_t{5} << (2 * (seed % 8));  // 5 to 81,920 of each group
    const Counts counts = unwrap(simulate_counts(truth, random_policy(seed, truth), {{people, true}, seed, 3, 1}));
    EstimateOptions how;
    how.share = truth.spec().share;
    how.discount = truth.discount();
    const Estimate estimated = unwrap(estimate(counts, how));
    const Radii known = unwrap(radii(estimated, {0.5, RewardKnowledge{truth.reward_range(), true}}));
    const Model low = unwrap(pessimistic(estimated.model, known, {0.5, RewardKnowledge{truth.reward_range(), true}}));
    bool holds = true;
    for (std::uint64_t p = 0; p < 40; ++p) {
      const Policy policy = random_policy(1000 + p, truth);
      holds = holds && unwrap(evaluate(low, policy)).value <= unwrap(evaluate(truth, policy)).value + 1e-12;
    }
    wrong += holds ? 0 : 1;
    // Mean rewards that are known: then the rows are all that is needed.
    ModelSpec spec = estimated.model.spec();
    spec.reward = truth.spec().reward;
    spec.rests_on->rewards_given = true;
    const Model known_rewards = unwrap(Model::make(std::move(spec)));
    const Radii of_rows = unwrap(radii(estimated, 0.5));
    if (!rows_hold(truth, estimated.model, of_rows)) continue;
    const Model lower = unwrap(pessimistic(known_rewards, of_rows, {0.5, {}}));
    for (std::uint64_t p = 0; p < 40; ++p) {
      const Policy policy = random_policy(1000 + p, truth);
      EXPECT_LE(unwrap(evaluate(lower, policy)).value, unwrap(evaluate(truth, policy)).value + 1e-12) << i;
    }
  }
  EXPECT_LE(wrong, 165);
}

TEST(Pessimism, IsSmallOnceMuchIsKnown) {
  const Model truth = random_model(3, 2, 2, 3);
  const Policy policy = random_policy(4, truth);
  const Counts counts =
      unwrap(simulate_counts(truth, random_policy(5, truth), {{std::uint64_t{1} << 30, true}, 1, 3, 1}));
  EstimateOptions how;
  how.share = truth.spec().share;
  const Estimate estimated = unwrap(estimate(counts, how));
  const Radii known = unwrap(radii(estimated, {0.1, RewardKnowledge{truth.reward_range(), true}}));
  const Model low = unwrap(pessimistic(estimated.model, known, {0.1, RewardKnowledge{truth.reward_range(), true}}));
  const double value = unwrap(evaluate(truth, policy)).value;
  EXPECT_NEAR(unwrap(evaluate(low, policy)).value, value, 0.02);
  EXPECT_TRUE(low.spec().rests_on->rewards_given);
  const auto refused = pessimistic(estimated.model, known, {0.1, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "rewards were counted, and nobody says in which range they lie");
}

}  // namespace
}  // namespace fairstep
