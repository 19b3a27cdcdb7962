// What must hold for every model and policy.
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/kernel.hpp>
#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/passes.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

/// Runs `body(seed, model)` on 50 random models of 2-4 groups, 1-6 features and 1-7 steps, half of them discounted.
template <class Body>
void for_every_seed(const Body& body) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(seed, random_model(seed, 2 + seed % 3, 1 + seed % 6, 1 + seed % 7, seed % 4 < 2 ? 1 : 0.8));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Evaluation, MassIsConserved) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Evaluation result = unwrap(evaluate(m, random_policy(m, seed)));
    for (std::size_t g = 0; g < m.shape().groups; ++g)
      for (std::size_t h = 0; h < m.shape().horizon; ++h) {
        const auto mass = result.mass.block(g, h);
        EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 1, 1e-14);
        for (const double p : mass) EXPECT_GE(p, 0);
      }
  });
}

TEST(Evaluation, ValueIsTheInitialDistributionTimesV) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Evaluation result = unwrap(evaluate(m, random_policy(m, seed)));
    double value = 0;
    for (std::size_t g = 0; g < m.shape().groups; ++g) {
      const auto initial = m.initial(g);
      const double of_group = std::inner_product(initial.begin(), initial.end(), result.v.block(g, 0).begin(), 0.0);
      EXPECT_NEAR(result.value_per_group[g], of_group, 1e-13);
      value += m.share(g) * of_group;
    }
    EXPECT_NEAR(result.value, value, 1e-13);
    EXPECT_NEAR(result.value, std::accumulate(result.value_per_step.begin(), result.value_per_step.end(), 0.0), 1e-13);
  });
}

// The value is affine in any single P(accept | g,h,x), so a wide central difference is exact but for rounding:
//   dV/dpi(g,h,x) = discount^h share_g sum_y mass(g,h,x,y) (q(g,h,x,y,1) - q(g,h,x,y,0)).
TEST(Evaluation, QAndMassGiveTheDerivativeOfTheValue) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Shape& n = m.shape();
    const Policy policy = random_policy(m, seed);
    const Evaluation result = unwrap(evaluate(m, policy));
    const auto value_with = [&](std::size_t g, std::size_t h, std::size_t x, double p) {
      Tensor<double, 3> accept({n.groups, n.horizon, n.features});
      for (std::size_t i = 0; i < n.groups; ++i)
        std::copy(policy.group(i).begin(), policy.group(i).end(), accept.block(i).begin());
      accept(g, h, x) = p;
      return unwrap(evaluate(m, unwrap(Policy::make(std::move(accept))))).value;
    };
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h)
        for (std::size_t x = 0; x < n.features; ++x) {
          double slope = 0;
          for (std::size_t y = 0; y < 2; ++y)
            slope += result.mass(g, h, x, y) * (result.q(g, h, x, y, 1) - result.q(g, h, x, y, 0));
          slope *= m.share(g) * std::pow(m.discount(), static_cast<double>(h));
          const double p = policy.accept(g, h, x);
          const double step = std::min(p, 1 - p);
          if (step < 0.01) continue;  // too narrow for the tolerance
          EXPECT_NEAR((value_with(g, h, x, p + step) - value_with(g, h, x, p - step)) / (2 * step), slope, 1e-12)
              << "g=" << g << " h=" << h << " x=" << x;
        }
  });
}

/// The same people with the groups listed backwards.
Model backwards(const Model& model) {
  ModelSpec spec = model.spec();
  const std::size_t groups = model.shape().groups;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t from = groups - 1 - g;
    spec.names.groups[g] = model.names().groups[from];
    spec.share[g] = model.share(from);
    const auto copy = [&](const auto& source, auto& target) {
      std::copy(source.block(from).begin(), source.block(from).end(), target.block(g).begin());
    };
    copy(model.spec().initial, spec.initial);
    copy(model.spec().transition, spec.transition);
    copy(model.spec().reward, spec.reward);
  }
  return unwrap(Model::make(std::move(spec)));
}

Policy backwards(const Policy& policy, const Model& relabelled) {
  Tensor<double, 3> accept({policy.groups(), policy.horizon(), policy.features()});
  for (std::size_t g = 0; g < policy.groups(); ++g) {
    const auto from = policy.group(policy.groups() - 1 - g);
    std::copy(from.begin(), from.end(), accept.block(g).begin());
  }
  return unwrap(Policy::make(std::move(accept), relabelled.names().groups));
}

TEST(Evaluation, RelabellingTheGroupsChangesNothing) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Model relabelled = backwards(m);
    const Policy policy = random_policy(m, seed);
    const Evaluation result = unwrap(evaluate(m, policy));
    const Evaluation other = unwrap(evaluate(relabelled, backwards(policy, relabelled)));
    const std::size_t last = m.shape().groups - 1;
    EXPECT_NEAR(result.value, other.value, 1e-14);
    for (std::size_t g = 0; g <= last; ++g) {
      EXPECT_EQ(result.value_per_group[g], other.value_per_group[last - g]);
      EXPECT_EQ(result.aggregate_dp[g], other.aggregate_dp[last - g]);
      EXPECT_EQ(result.aggregate_eqopt[g], other.aggregate_eqopt[last - g]);
    }
    const auto expect_same = [&](const StepGap& a, const StepGap& b) {
      EXPECT_EQ(a.gap, b.gap);
      EXPECT_EQ(a.first, last - b.second);  // the pair in the new numbers, smaller first
      EXPECT_EQ(a.second, last - b.first);
    };
    for (std::size_t h = 0; h < m.shape().horizon; ++h) {
      expect_same(result.gap.dp[h], other.gap.dp[h]);
      expect_same(result.gap.eqopt[h], other.gap.eqopt[h]);
      expect_same(result.gap.eqodds[h], other.gap.eqodds[h]);
    }
    expect_same(result.aggregate_dp_gap, other.aggregate_dp_gap);
    expect_same(result.aggregate_eqopt_gap, other.aggregate_eqopt_gap);
  });
}

TEST(Evaluation, APolicyWithoutGroupsEqualsItsExpansion) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Policy shared = random_policy(m, seed, PolicyForm::group_independent);
    Tensor<double, 3> accept({m.shape().groups, m.shape().horizon, m.shape().features});
    for (std::size_t g = 0; g < m.shape().groups; ++g)
      std::copy(shared.group(0).begin(), shared.group(0).end(), accept.block(g).begin());
    const Evaluation result = unwrap(evaluate(m, shared));
    const Evaluation expanded = unwrap(evaluate(m, unwrap(Policy::make(std::move(accept), m.names().groups))));
    EXPECT_EQ(result.value, expanded.value);
    EXPECT_EQ(result.mass, expanded.mass);
    EXPECT_EQ(result.q, expanded.q);
    EXPECT_EQ(result.rates.tpr, expanded.rates.tpr);
  });
}

TEST(Evaluation, GroupsThatAreAlikeHaveNoGap) {
  for_every_seed([](std::uint64_t seed, const Model& any) {
    ModelSpec spec = any.spec();
    for (std::size_t g = 1; g < spec.share.size(); ++g) {
      const auto copy = [g](auto& tensor) {
        std::copy(tensor.block(0).begin(), tensor.block(0).end(), tensor.block(g).begin());
      };
      copy(spec.initial);
      copy(spec.transition);
    }
    const Model alike = unwrap(Model::make(std::move(spec)));
    const Evaluation result = unwrap(evaluate(alike, random_policy(alike, seed, PolicyForm::group_independent)));
    for (std::size_t h = 0; h < alike.shape().horizon; ++h) {
      EXPECT_EQ(result.gap.dp[h].gap, 0);
      EXPECT_EQ(result.gap.eqodds[h].gap, 0);
    }
  });
}

/// An index of the non-zero entries, whether it pays or not.
NonZeros index_of(std::span<const double> rows, std::size_t states) {
  NonZeros result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % states == 0) result.start.push_back(result.state.size());
    if (rows[i] == 0) continue;
    result.state.push_back(static_cast<std::uint32_t>(i % states));
    result.probability.push_back(rows[i]);
  }
  result.start.push_back(result.state.size());
  return result;
}

// Adding a term that is zero changes no sum, so that the two ways agree to the last bit.
TEST(Evaluation, SparseRowsEqualDenseRows) {
  for_every_seed([](std::uint64_t seed, const Model&) {
    const Model m = unwrap(make_random({.features = 6, .horizon = 5, .successors = 1 + seed % 12, .seed = seed}));
    const Policy policy = random_policy(m, seed);
    const Evaluation result = unwrap(evaluate(m, policy));
    for (std::size_t g = 0; g < 2; ++g) {
      const auto rows = m.spec().transition.block(g);
      const NonZeros none;
      const NonZeros index = index_of(rows, m.shape().states());
      for (const NonZeros* nonzeros : {&none, &index}) {
        const KernelView kernel(rows.data(), m.shape().states(), *nonzeros);
        std::vector<double> mass(result.mass.block(g).size()), q(result.q.block(g).size()), v(mass.size());
        forward(kernel, m.initial(g), policy.group(g), mass);
        backward(kernel, {m.reward(g), m.discount()}, policy.group(g), q, v);
        EXPECT_TRUE(std::equal(mass.begin(), mass.end(), result.mass.block(g).begin()));
        EXPECT_TRUE(std::equal(q.begin(), q.end(), result.q.block(g).begin()));
        EXPECT_TRUE(std::equal(v.begin(), v.end(), result.v.block(g).begin()));
      }
    }
  });
}

// Rewards that differ by step (as a bonus or a multiplier makes them): the same reward at every step, written out,
// gives the same answer; a reward at the last step alone is worth what the people of that step earn.
TEST(Evaluation, RewardsPerStepAreReadStepByStep) {
  for_every_seed([](std::uint64_t seed, const Model& m) {
    const Shape& n = m.shape();
    const Policy policy = random_policy(m, seed);
    const Evaluation result = unwrap(evaluate(m, policy));
    std::vector<double> q(n.horizon * n.cells()), v(n.horizon * n.states());
    std::vector<double> repeated;
    for (std::size_t h = 0; h < n.horizon; ++h) repeated.insert(repeated.end(), m.reward(0).begin(), m.reward(0).end());
    backward(m.kernels(0), {repeated, m.discount(), n.cells()}, policy.group(0), q, v);
    EXPECT_TRUE(std::equal(q.begin(), q.end(), result.q.block(0).begin()));

    std::fill(repeated.begin(), repeated.end() - static_cast<std::ptrdiff_t>(n.cells()), 0.0);
    backward(m.kernels(0), {repeated, 1, n.cells()}, policy.group(0), q, v);
    const double from_start = std::inner_product(m.initial(0).begin(), m.initial(0).end(), v.begin(), 0.0);
    double at_end = 0;
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < 2; ++y) {
        const double p = policy.accept(0, n.horizon - 1, x);
        const auto reward = m.reward(0).subspan(cell_of(x, y, 0), 2);
        at_end += result.mass(0, n.horizon - 1, x, y) * ((1 - p) * reward[0] + p * reward[1]);
      }
    EXPECT_NEAR(from_start, at_end, 1e-13);
  });
}

// Acceptance 1/4, 3/4, 1/4: the pairs (0,1) and (1,2) are equally far apart.
TEST(Evaluation, OfPairsEquallyFarApartTheFirstIsNamed) {
  const Model m = random_model(1, 3, 2, 1);
  Tensor<double, 3> accept({3, 1, 2}, 0.25);
  accept(1, 0, 0) = accept(1, 0, 1) = 0.75;
  ModelSpec spec = m.spec();
  for (double& p : spec.initial.flat()) p = 0.25;
  const Evaluation result =
      unwrap(evaluate(unwrap(Model::make(std::move(spec))), unwrap(Policy::make(std::move(accept)))));
  for (const StepGap& gap : {result.gap.dp[0], result.gap.eqopt[0], result.gap.eqodds[0], result.aggregate_eqopt_gap}) {
    EXPECT_EQ(gap.gap, 0.5);
    EXPECT_EQ(gap.first, 0u);
    EXPECT_EQ(gap.second, 1u);
  }
}

TEST(Evaluation, ASecondUseOfTheSameResultLeavesNothingBehind) {
  const Model m = random_model(3, 3, 4, 5);
  Evaluation reused(m.shape());
  evaluate_into(m, random_policy(m, 1), reused);
  evaluate_into(m, random_policy(m, 2), reused);
  const Evaluation fresh = unwrap(evaluate(m, random_policy(m, 2)));
  EXPECT_EQ(reused.value, fresh.value);
  EXPECT_EQ(reused.value_per_step, fresh.value_per_step);
  EXPECT_EQ(reused.value_per_group, fresh.value_per_group);
  EXPECT_EQ(reused.mass, fresh.mass);
  EXPECT_EQ(reused.feature, fresh.feature);
  EXPECT_EQ(reused.v, fresh.v);
}

TEST(Evaluation, ParticipationAndNoiseDoNotChangeWhatAPolicyIsWorth) {
  const Model plain = unwrap(make_random({.seed = 5}));
  const Model busy = unwrap(make_random({.reward_noise = 0.5, .participation = true, .seed = 5}));
  const Policy policy = random_policy(plain, 1);
  EXPECT_EQ(unwrap(evaluate(plain, policy)).value, unwrap(evaluate(busy, policy)).value);
  EXPECT_EQ(unwrap(evaluate(plain, policy)).rates.tpr, unwrap(evaluate(busy, policy)).rates.tpr);
}

}  // namespace
}  // namespace fairstep
