// Limits on ratios: optima worked out by hand, and what must hold between answers. never_wrong_test.cpp holds their
// bounds against policies found without the optimiser.
#include <fairstep/evaluate/ratios.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/pareto.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/solve.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

SolveOptions closely() { return {.proof = {.gap = 1e-7, .time_limit = 600}}; }

TEST(Ratios, FourFifthsAreBoughtWhereTheyAreCheapest) {
  // Left alone the rates are 1/2 and 1/4, value 3/8 (solve_test.cpp), a ratio of 1/2. For 4/5 of 1/2 the second group
  // needs 3/20 more, at 1/4 a unit of rate: value 3/8 - 3/80 = 27/80. That is 3/20 over 3/4, a fifth of its low. A unit
  // of limit is worth 1/2 (the rate it is a share of) times 1/4.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const SolveResult result = unwrap(solve(model, {.ratios = {{RatioNotion::dp, {0.8}, {}}}}, closely()));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 27.0 / 80, 1e-7);
  EXPECT_GE(result.bounds.upper, 27.0 / 80);
  EXPECT_NEAR(result.solution->policy.accept(1, 0, 0), 0.2, 1e-6);
  ASSERT_EQ(result.least_ratio.size(), 1U);
  EXPECT_NEAR(result.least_ratio[0], 0.8, 1e-7);
  EXPECT_NEAR(result.shadow_price[0], 0.125, 1e-5);
  ASSERT_EQ(result.binding.size(), 1U);
  EXPECT_EQ(result.binding[0].constraint, "dp-ratio");
  EXPECT_EQ(result.binding[0].pair, "b/a");
  EXPECT_NEAR(result.binding[0].value, 0.8, 1e-7);
  EXPECT_EQ(result.binding[0].limit, 0.8);
  EXPECT_NEAR(result.binding[0].shadow_price, 0.125, 1e-5);
}

TEST(Ratios, AReferenceMayBeTreatedWorseThanTheOthers) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const auto value = [&](std::size_t reference) {
    return unwrap(solve(model, {.ratios = {{RatioNotion::dp, {0.8}, reference}}}, closely())).bounds.lower;
  };
  EXPECT_NEAR(value(0), 27.0 / 80, 1e-7);  // as above
  EXPECT_NEAR(value(1), 3.0 / 8, 1e-7);    // the first group has twice the second's rate, and no less is asked for
}

TEST(Ratios, AreLinearInTheOccupancyWhereDenominatorsAreNumbers) {
  const Model model = testing::random_model(1, 3, 2, 2);
  const Program to_the_best = unwrap(compile(model, {.ratios = {{RatioNotion::dp, {0.8}, {}}}}, {}));
  EXPECT_EQ(to_the_best.rows.size(), 2U * 6);  // steps x ordered pairs
  const Program to_one = unwrap(compile(model, {.ratios = {{RatioNotion::eqopt, {0.8}, 1}}}, {}));
  EXPECT_EQ(to_one.rows.size(), 2U * 2);  // steps x the others
  for (const MeanRow& row : to_the_best.rows)
    for (const Mean& mean : row.means) EXPECT_FALSE(mean.denominator);
  for (const MeanRow& row : to_one.rows) {
    EXPECT_EQ(row.means[0].name, model.names().groups[1]);
    EXPECT_EQ(row.coefficient, (std::vector{0.8, -1.0}));
  }
}

TEST(Ratios, ARatioOfOneIsAGapOfNone) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Model model = testing::random_model(seed, 2 + seed % 2, 2, 2);
    const auto bounds = [&](const Fairness& fairness) {
      return unwrap(solve(model, fairness, {.proof = {.gap = 1e-4, .time_limit = 600}})).bounds;
    };
    const Bounds gap = bounds({.parity = {{seed % 2 == 0 ? Notion::dp : Notion::eqopt, {0}}}});
    const Bounds ratio = bounds({.ratios = {{seed % 2 == 0 ? RatioNotion::dp : RatioNotion::eqopt, {1}, {}}}});
    EXPECT_LE(gap.lower, ratio.upper + 1e-7) << seed;
    EXPECT_LE(ratio.lower, gap.upper + 1e-7) << seed;
  }
}

TEST(Ratios, TighteningNeverRaisesTheBest) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Model model = testing::random_model(seed, 3, 2, 2);
    const auto notion = seed % 2 == 0 ? RatioNotion::dp : RatioNotion::eqopt;
    double before = std::numeric_limits<double>::infinity();
    for (const double limit : {0.0, 0.5, 0.8, 0.95, 1.0}) {
      const SolveResult result =
          unwrap(solve(model, {.ratios = {{notion, {limit}, {}}}}, {.proof = {.gap = 1e-4, .time_limit = 600}}));
      EXPECT_LE(result.bounds.lower, before + 1e-9) << seed << ", " << limit;
      before = result.bounds.upper;
      // To one group is less than to the best.
      const SolveResult to_one =
          unwrap(solve(model, {.ratios = {{notion, {limit}, 0}}}, {.proof = {.gap = 1e-4, .time_limit = 600}}));
      EXPECT_LE(result.bounds.lower, to_one.bounds.upper + 1e-9) << seed << ", " << limit;
    }
  }
}

TEST(Ratios, AreSweptFromTheWidestLimitTheSmallest) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Fairness any{.ratios = {{RatioNotion::dp, {0.5}, {}}}};
  const std::vector<double> limits{1, 0.8, 0.5};
  const auto points = unwrap(pareto(model, any, limits, closely()));
  // 3/8 - 1/4 * (limit * 1/2 - 1/4)
  const std::vector<double> values{5.0 / 16, 27.0 / 80, 3.0 / 8};
  for (std::size_t i = 0; i < limits.size(); ++i) EXPECT_NEAR(points[i].result.bounds.lower, values[i], 1e-6);
  Fairness both = any;
  both.parity = {{Notion::dp, {0.1}, {}}};
  const auto refused = pareto(model, both, limits, closely());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "there are limits on gaps and on ratios, which cannot be varied together");
}

TEST(Ratios, APenaltyDoesNotKnowThem) {
  const auto refused = solve(standing_still(1, kHighAndLow, -0.5, 1), {.ratios = {{RatioNotion::dp, {0.8}, {}}}},
                             {.method = Method::penalty, .penalty = 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a penalty is on gaps, and does not know ratios");
}

TEST(Ratios, ThatCannotBeKeptAreNamedWithTheGreatestThatIsReached) {
  // A moment row keeps the first group at 1/2 or more, and another the second at 1/5 or less: a ratio of 2/5 at most.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Shape& n = model.shape();
  MomentConstraint moment;
  for (std::size_t g = 0; g < 2; ++g) {
    ConditionalMean rate{model.names().groups[g], Tensor<double, 4>({n.groups, n.features, kLabels, kActions}),
                         Tensor<double, 3>({n.groups, n.features, kLabels})};
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) rate.payoff(g, x, y, 1) = rate.event(g, x, y) = 1;
    moment.means.push_back(std::move(rate));
  }
  moment.matrix = Tensor<double, 2>({2, 2});
  moment.matrix(0, 0) = -1;
  moment.matrix(1, 1) = 1;
  moment.bound = {-0.5, 0.2};
  moment.names = {"a at least half", "b at most a fifth"};
  const SolveResult result =
      unwrap(solve(model, {.moments = {moment}, .ratios = {{RatioNotion::dp, {0.8}, {}}}}, closely()));
  ASSERT_EQ(result.outcome, Outcome::infeasible);
  // With a at 1/2 - e and b at 1/5 + e the ratio's row is off by 0.8 (1/2 - e) - (1/5 + e) = 1/5 - 1.8 e, and all three
  // are off by the same at e = 1/14.
  EXPECT_NEAR(result.infeasibility->least_excess, 1.0 / 14, 1e-6);
  EXPECT_NEAR(result.infeasibility->attained_excess, 1.0 / 14, 1e-6);
}

}  // namespace
}  // namespace fairstep
