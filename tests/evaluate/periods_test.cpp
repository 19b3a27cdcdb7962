// A world that changes, judged three ways: by all paths, by the same world with one kernel and a copy of each feature
// for every step, and by what must not change if all periods are alike.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

#include "support/brute_force.hpp"
#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::in_copies;
using testing::random_policy;
using testing::sum_over_paths;
using testing::unwrap;

constexpr double kAlmost = 1e-12;

TEST(EvaluatePeriodsTest, ValuesAndMassAreSumsOverAllPaths) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model =
        changing_model(seed, 2, 2, 4, seed % 2 == 0 ? Periods::per_step(4) : Periods{{{"a", 0}, {"b", 1}}});
    const Policy policy = random_policy(seed, model);
    const Evaluation found = unwrap(evaluate(model, policy));
    for (std::size_t g = 0; g < 2; ++g) {
      const auto paths = sum_over_paths(model, policy, g);
      EXPECT_NEAR(found.value_per_group[g], paths.value, kAlmost);
      for (std::size_t h = 0; h < 4; ++h)
        for (std::size_t x = 0; x < 2; ++x)
          for (std::size_t y = 0; y < 2; ++y) {
            const double mass = paths.visited(h, x, y, 0) + paths.visited(h, x, y, 1);
            EXPECT_NEAR(found.mass(g, h, x, y), mass, kAlmost);
            EXPECT_NEAR(found.v(g, h, x, y) * mass, paths.return_from(h, x, y, 0) + paths.return_from(h, x, y, 1),
                        kAlmost);
            for (std::size_t a = 0; a < 2; ++a)
              EXPECT_NEAR(found.q(g, h, x, y, a) * paths.visited(h, x, y, a), paths.return_from(h, x, y, a), kAlmost);
          }
    }
  }
}

TEST(EvaluatePeriodsTest, OneKernelOverCopiesOfTheFeaturesIsTheSameWorld) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model =
        changing_model(seed, 3, 2, 5, seed % 2 == 0 ? Periods::per_step(5) : Periods{{{"a", 0}, {"b", 3}}});
    const Policy policy = random_policy(seed, model);
    const Evaluation one = unwrap(evaluate(model, policy));
    const Evaluation other = unwrap(evaluate(in_copies(model), in_copies(policy, model)));
    EXPECT_NEAR(one.value, other.value, kAlmost);
    for (std::size_t h = 0; h < 5; ++h) {
      EXPECT_NEAR(one.value_per_step[h], other.value_per_step[h], kAlmost);
      EXPECT_NEAR(one.gap.dp[h].gap, other.gap.dp[h].gap, kAlmost);
      EXPECT_NEAR(one.gap.eqopt[h].gap, other.gap.eqopt[h].gap, kAlmost);
      EXPECT_NEAR(one.gap.eqodds[h].gap, other.gap.eqodds[h].gap, kAlmost);
    }
  }
}

TEST(EvaluatePeriodsTest, PeriodsThatAreAllAlikeChangeNoBit) {
  const Model model = testing::random_model(3, 2, 3, 5);
  ModelSpec spec = model.spec();
  spec.periods = Periods::per_step(5);
  spec.transition = ByPeriod<double, 6>(model.spec().transition.extents(), 4);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t k = 0; k < 4; ++k)
      std::ranges::copy(model.spec().transition.block(g), spec.transition.of(g, k).begin());
  const Model same = unwrap(Model::make(std::move(spec)));
  const Policy policy = random_policy(3, model);
  EXPECT_EQ(unwrap(evaluate(model, policy)).value, unwrap(evaluate(same, policy)).value);
  EXPECT_EQ(unwrap(evaluate(model, policy)).q, unwrap(evaluate(same, policy)).q);
}

/// Radii by row and period.
Balls radii_of_periods(const Model& model, double scale, std::uint64_t seed) {
  const Shape& n = model.shape();
  Rng rng(seed, 80);
  Balls balls{ByPeriod<double, 4>({n.groups, n.features, kLabels, kActions}, n.periods), {}, {}};
  for (double& radius : balls.row.all()) radius = scale * rng.uniform();
  for (std::size_t g = 0; g < n.groups; ++g) balls.initial.push_back(scale * rng.uniform());
  return balls;
}

TEST(RobustPeriodsTest, RangesAreWithinThoseOfTheCopies) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Periods periods = seed % 2 == 0 ? Periods::per_step(4) : Periods{{{"a", 0}, {"b", 2}}};
    const Model model = changing_model(seed, 2, 2, 4, periods);
    const Policy policy = random_policy(seed, model);
    const Balls balls = radii_of_periods(model, 0.2, seed);
    const Model copies = in_copies(model);
    // Of the copies of each step those of its period; of the last step's, which lead nowhere, nothing.
    Balls of_copies{Tensor<double, 4>({2, 8, kLabels, kActions}), balls.initial, {}};
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 3; ++h)
        for (std::size_t cell = 0; cell < 8; ++cell)
          of_copies.row.block(g)[h * 8 + cell] = balls.row.of(g, periods.of(h))[cell];
    // A row of a copy may lead to copies of other steps as well: its worst case is at least as bad.
    const RobustRates one = unwrap(robust_rates(model, policy, balls));
    const RobustRates other = unwrap(robust_rates(copies, in_copies(policy, model), of_copies));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 4; ++h) {
        EXPECT_GE(one.accept(g, h).low, other.accept(g, h).low - kAlmost);
        EXPECT_LE(one.accept(g, h).high, other.accept(g, h).high + kAlmost);
      }
  }
}

TEST(RobustPeriodsTest, KernelsDrawnWithinTheBallsOfEachPeriodStayWithinTheRanges) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = changing_model(seed, 2, 2, 4, Periods::per_step(4));
    const Policy policy = random_policy(seed, model);
    const Balls balls = radii_of_periods(model, 0.3, seed);
    const RobustRates ranges = unwrap(robust_rates(model, policy, balls));
    const auto least = unwrap(robust_values(model, policy, balls));
    Rng rng(seed, 81);
    for (int draw = 0; draw < 20; ++draw) {
      ModelSpec spec = model.spec();
      // Each row some way towards one state: by total variation at most so far as the way is long.
      for (std::size_t g = 0; g < 2; ++g)
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t cell = 0; cell < 8; ++cell) {
            const double way = balls.row.of(g, k)[cell];
            const auto to = static_cast<std::size_t>(4 * rng.uniform());
            const auto row = spec.transition.of(g, k).subspan(cell * 4, 4);
            for (std::size_t s = 0; s < 4; ++s) row[s] = (1 - way) * row[s] + (s == to ? way : 0);
          }
      const Evaluation found = unwrap(evaluate(unwrap(Model::make(std::move(spec))), policy));
      for (std::size_t g = 0; g < 2; ++g) {
        EXPECT_GE(found.value_per_group[g], least[g]);
        for (std::size_t h = 0; h < 4; ++h) {
          EXPECT_GE(found.rates.accept(g, h), ranges.accept(g, h).low);
          EXPECT_LE(found.rates.accept(g, h), ranges.accept(g, h).high);
          EXPECT_GE(found.rates.tpr(g, h), ranges.tpr(g, h).low);
          EXPECT_LE(found.rates.tpr(g, h), ranges.tpr(g, h).high);
        }
      }
    }
  }
}

TEST(RobustPeriodsTest, OnlyTheRadiusOfTheStepsPeriodMatters) {
  // Nothing is known of the kernel of step 1, all of that of step 0: P(a=1) at step 1 is exact, at step 2 it is not.
  const Model model = changing_model(5, 2, 2, 3, Periods::per_step(3));
  const Policy policy = random_policy(5, model);
  Balls balls{ByPeriod<double, 4>({2, 2, kLabels, kActions}, 2), {0, 0}, {}};
  for (std::size_t g = 0; g < 2; ++g)
    for (double& radius : balls.row.of(g, 1)) radius = 1;
  const RobustRates ranges = unwrap(robust_rates(model, policy, balls));
  const Evaluation own = unwrap(evaluate(model, policy));
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_NEAR(ranges.accept(g, 1).low, own.rates.accept(g, 1), kAlmost);
    EXPECT_NEAR(ranges.accept(g, 1).high, own.rates.accept(g, 1), kAlmost);
    EXPECT_NEAR(ranges.accept(g, 2).low, std::min(policy.accept(g, 2, 0), policy.accept(g, 2, 1)), kAlmost);
    EXPECT_NEAR(ranges.accept(g, 2).high, std::max(policy.accept(g, 2, 0), policy.accept(g, 2, 1)), kAlmost);
  }
  const auto off = drift(model, policy, balls);
  EXPECT_EQ(off(0, 1), 0);
  EXPECT_NEAR(off(0, 2), 1, kAlmost);
}

}  // namespace
}  // namespace fairstep
