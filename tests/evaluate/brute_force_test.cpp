// Every number of an Evaluation against the sum over all paths that defines it, on hundreds of tiny models.
#include "support/brute_force.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::PathSums;
using testing::sum_over_paths;
using testing::unwrap;

constexpr double kClose = 1e-12;

/// P(x_h, y_h = y, a_h = a) summed over x.
double by_label_and_action(const PathSums& paths, std::size_t h, std::size_t y, std::size_t a) {
  double sum = 0;
  for (std::size_t x = 0; x < paths.visited.extents()[1]; ++x) sum += paths.visited(h, x, y, a);
  return sum;
}

void expect_rate(double found, double accepted, double all) {
  if (all == 0)
    EXPECT_TRUE(std::isnan(found));
  else
    EXPECT_NEAR(found, accepted / all, kClose);
}

void expect_group(const Evaluation& result, const PathSums& paths, const Shape& n, std::size_t g) {
  EXPECT_NEAR(result.value_per_group[g], paths.value, kClose);
  double everybody = 0, everybody_accepted = 0, qualified = 0, qualified_accepted = 0;
  for (std::size_t h = 0; h < n.horizon; ++h) {
    const double accepted[] = {by_label_and_action(paths, h, 0, 1), by_label_and_action(paths, h, 1, 1)};
    const double all[] = {accepted[0] + by_label_and_action(paths, h, 0, 0),
                          accepted[1] + by_label_and_action(paths, h, 1, 0)};
    EXPECT_NEAR(result.rates.accept(g, h), accepted[0] + accepted[1], kClose);
    EXPECT_NEAR(result.rates.qualified(g, h), all[1], kClose);
    expect_rate(result.rates.tpr(g, h), accepted[1], all[1]);
    expect_rate(result.rates.fpr(g, h), accepted[0], all[0]);
    everybody += all[0] + all[1];
    everybody_accepted += accepted[0] + accepted[1];
    qualified += all[1];
    qualified_accepted += accepted[1];
    for (std::size_t x = 0; x < n.features; ++x) {
      double feature = 0;
      for (std::size_t y = 0; y < 2; ++y) {
        const double mass = paths.visited(h, x, y, 0) + paths.visited(h, x, y, 1);
        feature += mass;
        EXPECT_NEAR(result.mass(g, h, x, y), mass, kClose);
        // A value to go is a conditional expectation; where nobody comes no path defines it.
        if (mass == 0) continue;
        EXPECT_NEAR(result.v(g, h, x, y), (paths.return_from(h, x, y, 0) + paths.return_from(h, x, y, 1)) / mass,
                    kClose);
        for (std::size_t a = 0; a < 2; ++a) {
          if (paths.visited(h, x, y, a) == 0) continue;
          EXPECT_NEAR(result.q(g, h, x, y, a), paths.return_from(h, x, y, a) / paths.visited(h, x, y, a), kClose);
        }
      }
      EXPECT_NEAR(result.feature(g, h, x), feature, kClose);
    }
  }
  expect_rate(result.aggregate_dp[g], everybody_accepted, everybody);
  expect_rate(result.aggregate_eqopt[g], qualified_accepted, qualified);
}

/// The largest |rate_i - rate_j|; NaN if no pair has both.
double largest_difference(const Tensor<double, 2>& rate, std::size_t h) {
  double largest = std::nan("");
  for (std::size_t i = 0; i < rate.extents()[0]; ++i)
    for (std::size_t j = 0; j < i; ++j) largest = std::fmax(largest, std::fabs(rate(i, h) - rate(j, h)));
  return largest;
}

void expect_gap_of(const StepGap& found, double expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(found.gap));
  else
    EXPECT_NEAR(found.gap, expected, kClose);
}

void expect_agreement(const Model& model, const Policy& policy) {
  const Shape& n = model.shape();
  const Evaluation result = unwrap(evaluate(model, policy));
  double value = 0;
  std::vector<double> per_step(n.horizon);
  for (std::size_t g = 0; g < n.groups; ++g) {
    const PathSums paths = sum_over_paths(model, policy, g);
    expect_group(result, paths, n, g);
    value += model.share(g) * paths.value;
    for (std::size_t h = 0; h < n.horizon; ++h) per_step[h] += model.share(g) * paths.value_per_step[h];
  }
  EXPECT_NEAR(result.value, value, kClose);
  for (std::size_t h = 0; h < n.horizon; ++h) {
    EXPECT_NEAR(result.value_per_step[h], per_step[h], kClose);
    const double tpr = largest_difference(result.rates.tpr, h);
    expect_gap_of(result.gap.dp[h], largest_difference(result.rates.accept, h));
    expect_gap_of(result.gap.eqopt[h], tpr);
    expect_gap_of(result.gap.eqodds[h], std::fmax(tpr, largest_difference(result.rates.fpr, h)));
  }
}

/// Sizes that go through all of 2-3 groups, 1-3 features, 1-4 steps.
struct Size {
  explicit Size(std::uint64_t seed) : groups(2 + seed % 2), features(1 + seed % 3), horizon(1 + seed / 6 % 4) {}
  std::size_t groups, features, horizon;
};

TEST(BruteForce, FullModelsAgree) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Size n(seed);
    const double discount = seed % 5 == 0 ? 0.9 : 1;
    const Model model = testing::random_model(seed, n.groups, n.features, n.horizon, discount);
    expect_agreement(model, testing::random_policy(seed, model));
    if (HasFailure()) return;
  }
}

// One or two successors a row, and a third of the policy's entries 0, a third 1: many states that nobody reaches and
// rates that nobody has.
TEST(BruteForce, ModelsFullOfZerosAgree) {
  std::size_t undefined = 0;
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Size n(seed);
    ModelSpec spec = unwrap(make_random({.groups = n.groups,
                                         .features = n.features,
                                         .horizon = n.horizon,
                                         .discount = seed % 4 == 0 ? 0.5 : 1,
                                         .successors = 1 + seed % 2,
                                         .seed = seed}))
                         .spec();
    Rng rng(seed, 99);
    for (std::size_t g = 0; g < n.groups; ++g) {  // everybody starts in one state
      const auto row = spec.initial.block(g);
      std::fill(row.begin(), row.end(), 0.0);
      row[rng() % row.size()] = 1;
    }
    const Model model = unwrap(Model::make(std::move(spec)));
    Tensor<double, 3> accept({n.groups, n.horizon, n.features});
    for (double& p : accept.flat()) p = std::min(1.0, std::max(0.0, 3 * rng.uniform() - 1));
    const Policy policy = unwrap(Policy::make(std::move(accept)));
    expect_agreement(model, policy);
    const Evaluation result = unwrap(evaluate(model, policy));
    for (const double rate : result.rates.tpr.flat()) undefined += std::isnan(rate) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(undefined, 100u);  // or these models do not test what they are for
}

}  // namespace
}  // namespace fairstep
