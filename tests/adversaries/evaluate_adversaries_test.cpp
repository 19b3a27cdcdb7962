// The referee at the edges of arithmetic: thousands of models that are unusual in several ways at once.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/evaluate/evaluate.hpp>

#include "support/edges.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::describe;
using testing::draw_edges;
using testing::edge_model;
using testing::edge_policy;
using testing::Edges;
using testing::unwrap;

constexpr std::uint64_t kModels = 4000;

/// Runs `body(model, policy, size)` on all of them; `size` is the greatest amount that anybody can earn or lose.
template <class Body>
void for_every_edge(const Body& body) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    Edges edges = draw_edges(seed, 6);
    if (seed % 200 == 199) edges.horizon = 200;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(edges));
    const Model model = edge_model(edges, seed);
    const Range rewards = model.reward_range();
    double weight = 0, factor = 1;
    for (std::size_t h = 0; h < edges.horizon; ++h, factor *= edges.discount) weight += factor;
    body(model, edge_policy(model, seed), weight * std::max(std::abs(rewards.low), std::abs(rewards.high)));
    if (::testing::Test::HasFailure()) return;
  }
}

bool is_rate(double rate) { return rate >= 0 && rate <= 1 + 1e-12; }

TEST(EvaluateAdversaries, MassIsConserved) {
  for_every_edge([](const Model& model, const Policy& policy, double) {
    const Shape& n = model.shape();
    const Evaluation result = unwrap(evaluate(model, policy));
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h) {
        const auto mass = result.mass.block(g, h);
        ASSERT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 1, 1e-12);
        ASSERT_GE(*std::min_element(mass.begin(), mass.end()), 0);
      }
  });
}

// The cause of a NaN may only be that there is nobody; and then it is one, whatever was divided.
TEST(EvaluateAdversaries, ARateIsMissingExactlyWhereThereIsNobody) {
  std::size_t missing = 0;
  for_every_edge([&](const Model& model, const Policy& policy, double) {
    const Shape& n = model.shape();
    const Evaluation result = unwrap(evaluate(model, policy));
    for (std::size_t h = 0; h < n.horizon; ++h) {
      std::size_t with_tpr = 0, with_fpr = 0;
      for (std::size_t g = 0; g < n.groups; ++g) {
        double people[kLabels] = {0, 0};
        for (std::size_t s = 0; s < n.states(); ++s) people[s % kLabels] += result.mass.block(g, h)[s];
        ASSERT_TRUE(is_rate(result.rates.accept(g, h)));
        ASSERT_EQ(std::isnan(result.rates.tpr(g, h)), people[1] == 0);
        ASSERT_EQ(std::isnan(result.rates.fpr(g, h)), people[0] == 0);
        ASSERT_TRUE(people[1] == 0 || is_rate(result.rates.tpr(g, h)));
        ASSERT_TRUE(people[0] == 0 || is_rate(result.rates.fpr(g, h)));
        with_tpr += people[1] > 0 ? 1 : 0;
        with_fpr += people[0] > 0 ? 1 : 0;
      }
      ASSERT_TRUE(is_rate(result.gap.dp[h].gap));
      ASSERT_EQ(std::isnan(result.gap.eqopt[h].gap), with_tpr < 2);
      ASSERT_EQ(std::isnan(result.gap.eqodds[h].gap), with_tpr < 2 && with_fpr < 2);
      missing += with_tpr < 2 ? 1 : 0;
    }
  });
  EXPECT_GT(missing, kModels / 10);  // or the test has not met what it is about
}

TEST(EvaluateAdversaries, ValuesAreOfTheSizeOfRewardsAndAddUp) {
  for_every_edge([](const Model& model, const Policy& policy, double size) {
    const Shape& n = model.shape();
    const Evaluation result = unwrap(evaluate(model, policy));
    const double tolerance = 1e-12 * size;
    ASSERT_LE(std::abs(result.value), size + tolerance);
    ASSERT_NEAR(std::accumulate(result.value_per_step.begin(), result.value_per_step.end(), 0.0), result.value,
                tolerance);
    double backwards = 0;
    for (std::size_t g = 0; g < n.groups; ++g) {
      const auto initial = model.initial(g);
      backwards +=
          model.share(g) * std::inner_product(initial.begin(), initial.end(), result.v.block(g, 0).begin(), 0.0);
    }
    ASSERT_NEAR(result.value, backwards, tolerance);
  });
}

// Rewards in another currency change the value by the rate of exchange, to the last bit if that is a power of 2.
TEST(EvaluateAdversaries, TheUnitOfRewardsDoesNotMatter) {
  for_every_edge([](const Model& model, const Policy& policy, double) {
    ModelSpec spec = model.spec();
    for (double& reward : spec.reward.flat()) reward *= 0x1p30;
    const Evaluation small = unwrap(evaluate(model, policy));
    const Evaluation large = unwrap(evaluate(unwrap(Model::make(std::move(spec))), policy));
    ASSERT_EQ(large.value, 0x1p30 * small.value);
    ASSERT_EQ(large.mass, small.mass);
  });
}

// P(x, a=1) / P(x) at each step is the policy again, wherever there is anybody with x.
TEST(EvaluateAdversaries, ThePolicyComesBackFromItsOccupancy) {
  for_every_edge([](const Model& model, const Policy& policy, double) {
    const Shape& n = model.shape();
    const Evaluation result = unwrap(evaluate(model, policy));
    Tensor<double, 3> accept({n.groups, n.horizon, n.features});
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h)
        for (std::size_t x = 0; x < n.features; ++x) {
          const double there = result.feature(g, h, x);
          const double p = policy.accept(g, h, x);
          const double accepted = result.mass(g, h, x, 0) * p + result.mass(g, h, x, 1) * p;
          accept(g, h, x) = there > 1e-290 ? std::min(accepted / there, 1.0) : 0;
        }
    const Evaluation again = unwrap(evaluate(model, unwrap(Policy::make(std::move(accept), model.names().groups))));
    for (std::size_t i = 0; i < result.mass.flat().size(); ++i)
      ASSERT_NEAR(again.mass.flat()[i], result.mass.flat()[i], 1e-12);
  });
}

TEST(EvaluateAdversaries, TheOrderOfGroupsDoesNotMatter) {
  for_every_edge([](const Model& model, const Policy& policy, double size) {
    const std::size_t last = model.shape().groups - 1;
    ModelSpec spec = model.spec();
    Tensor<double, 3> accept = policy.table();
    const auto swap = [&](auto& tensor) {
      std::swap_ranges(tensor.block(0).begin(), tensor.block(0).end(), tensor.block(last).begin());
    };
    swap(spec.initial), swap(spec.transition), swap(spec.reward), swap(accept);
    std::swap(spec.share[0], spec.share[last]);
    const Evaluation one = unwrap(evaluate(model, policy));
    const Evaluation other =
        unwrap(evaluate(unwrap(Model::make(std::move(spec))), unwrap(Policy::make(std::move(accept)))));
    const auto expect_same = [](const StepGap& a, const StepGap& b) {
      ASSERT_EQ(std::isnan(a.gap), std::isnan(b.gap));
      ASSERT_TRUE(std::isnan(a.gap) || a.gap == b.gap);
    };
    ASSERT_NEAR(one.value, other.value, 1e-12 * size);
    for (std::size_t h = 0; h < model.shape().horizon; ++h) {
      expect_same(one.gap.dp[h], other.gap.dp[h]);
      expect_same(one.gap.eqopt[h], other.gap.eqopt[h]);
      expect_same(one.gap.eqodds[h], other.gap.eqodds[h]);
    }
  });
}

// Rows of almost 0 and 1 lose nobody on a long way: 1 - 1e-12 stay at each of 199 moves, and by hand
//   P(still there) = (1 - 1e-12)^199 = 1 - 199e-12 + O(1e-20).
TEST(EvaluateAdversaries, ATrickleOfATrillionthIsCountedOverTwoHundredSteps) {
  ModelSpec spec;
  spec.horizon = 200;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"only"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 1, kLabels});
  spec.transition = Tensor<double, 6>({2, 1, kLabels, kActions, 1, kLabels});
  spec.reward = Tensor<double, 4>({2, 1, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g) {
    spec.initial(g, 0, 0) = 1;
    for (std::size_t a = 0; a < kActions; ++a) {
      spec.transition(g, 0, 0, a, 0, 0) = 1 - 1e-12;
      spec.transition(g, 0, 0, a, 0, 1) = 1e-12;
      spec.transition(g, 0, 1, a, 0, 1) = 1;
    }
  }
  const Model model = unwrap(Model::make(std::move(spec)));
  const Evaluation result = unwrap(evaluate(model, unwrap(Policy::make(Tensor<double, 3>({2, 200, 1}, 0.25)))));
  EXPECT_NEAR(result.rates.qualified(0, 199) / 199e-12, 1, 1e-9);
  EXPECT_TRUE(std::isnan(result.rates.tpr(0, 0)));
  for (std::size_t h = 1; h < 200; ++h) EXPECT_EQ(result.rates.tpr(1, h), 0.25) << h;  // of very few, but of somebody
}

}  // namespace
}  // namespace fairstep
