// Whole solves: optima worked out by hand, with value, policy and shadow price.
#include <fairstep/optimise/solve.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::kMixed;
using testing::standing_still;
using testing::unwrap;

SolveOptions exact() { return {.proof = {.gap = 1e-7, .time_limit = 600}}; }

TEST(HandWorked, ParityIsBoughtWhereItIsCheapest) {
  // Left alone: accept the high, rates 1/2 and 1/4, value 1/2 (1/2 + 1/4) = 3/8. A limit of 1/8 leaves 1/8 of rate to
  // close. Refusing the high of a costs 1/2 * 1 per unit of rate, accepting the low of b 1/2 * 1/2 = 1/4: do the
  // latter for 1/8 of b, that is 1/6 of its low. Value 3/8 - 1/8 * 1/4 = 11/32, and a unit of limit is worth 1/4.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.125}}}}, exact()));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 11.0 / 32, 1e-7);
  EXPECT_NEAR(result.bounds.upper, 11.0 / 32, 1e-7);
  EXPECT_GE(result.bounds.upper, 11.0 / 32);
  EXPECT_NEAR(result.solution->policy.accept(0, 0, 0), 0, 1e-6);
  EXPECT_NEAR(result.solution->policy.accept(0, 0, 1), 1, 1e-6);
  EXPECT_NEAR(result.solution->policy.accept(1, 0, 0), 1.0 / 6, 1e-6);
  EXPECT_NEAR(result.solution->policy.accept(1, 0, 1), 1, 1e-6);
  EXPECT_NEAR(result.parity_gap[0], 0.125, 1e-7);
  EXPECT_NEAR(result.shadow_price[0], 0.25, 1e-5);
  ASSERT_EQ(result.binding.size(), 1U);
  EXPECT_EQ(result.binding[0].step, 0U);
  EXPECT_EQ(result.binding[0].pair, "a-b");
  EXPECT_NEAR(result.binding[0].shadow_price, 0.25, 1e-5);
}

TEST(HandWorked, LimitsPerStepHavePricesPerStep) {
  // The same people twice. A limit of 1/8, then one of 1/2 that the best policy (a gap of 1/4) does not meet: the first
  // step is worth 11/32, the second 3/8 = 12/32.
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.125, 0.5}}}}, exact()));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 23.0 / 32, 1e-6);
  EXPECT_GE(result.bounds.upper, 23.0 / 32);
  EXPECT_NEAR(result.shadow_price[0], 0.25, 1e-5);
  EXPECT_NEAR(result.shadow_price[1], 0, 1e-5);
}

TEST(HandWorked, ParityOverTheEpisodeIsBoughtAtTheStepWhereItIsCheapest) {
  // The same people twice, and the second step counts half. Left alone the rates are 1/2 and 1/4 at either step, value
  // 3/8 + 3/16 = 18/32. A limit of 1/8 on the mean of both gaps leaves a quarter of rate to close in all, at any step:
  // at the second a unit costs 1/4 * 1/2 = 1/8, so 1/4 of b is accepted more there (1/3 of its low), and the gap of 1/4
  // stays at the first. Value 18/32 - 1/4 * 1/8 = 17/32; a limit of 1/8 at each step leaves 3/2 * 11/32 = 16.5/32. A
  // unit of limit is two of rate: worth 1/4.
  ModelSpec spec = standing_still(2, kHighAndLow, -0.5, 1).spec();
  spec.discount = 0.5;
  const Model model = unwrap(Model::make(std::move(spec)));
  const SolveResult result = unwrap(solve(model, {.aggregate_dp = 0.125}, exact()));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 17.0 / 32, 1e-6);
  EXPECT_GE(result.bounds.upper, 17.0 / 32);
  const Evaluation& evaluation = result.solution->evaluation;
  EXPECT_NEAR(evaluation.aggregate_dp_gap.gap, 0.125, 1e-7);
  EXPECT_NEAR(evaluation.gap.dp[0].gap, 0.25, 1e-5);
  EXPECT_NEAR(evaluation.gap.dp[1].gap, 0, 1e-5);
  ASSERT_EQ(result.binding.size(), 1U);
  EXPECT_EQ(result.binding[0].step, 2U);
  EXPECT_EQ(result.binding[0].constraint, "aggregate dp");
  EXPECT_NEAR(result.binding[0].shadow_price, 0.25, 1e-5);
}

TEST(HandWorked, EqualOpportunityIsPaidByTheCheaperGroup) {
  // Accepting earns 1 from the qualified and -2 from the others: the high of a bring 3/8 - 2/8 = 1/8, everybody else a
  // loss (low of a 1/4 - 1/2, low of b 1/4 - 1, high of b 1/8 - 1/4 = -1/8). Left alone a's rate among the qualified is
  // (3/8) / (5/8) = 3/5 and b's 0, value 1/2 * 1/8 = 1/16. With a limit of 1/5: lowering a's rate gives up 1/8 per 3/5
  // of rate, 5/24 a unit; raising b's by its high costs 1/8 per 1/3 of rate, 3/8 a unit. So a falls to 1/5, one third
  // of its high: value 1/2 * 1/24 = 1/48, and a unit of limit is worth 1/2 * 5/24 = 5/48.
  const Model once = standing_still(1, kMixed, -2, 1);
  const SolveResult result = unwrap(solve(once, {.parity = {{Notion::eqopt, {0.2}}}}, exact()));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 1.0 / 48, 1e-7);
  EXPECT_GE(result.bounds.upper, 1.0 / 48);
  EXPECT_NEAR(result.bounds.upper, 1.0 / 48, 1e-7);
  EXPECT_NEAR(result.solution->policy.accept(0, 0, 1), 1.0 / 3, 1e-5);
  EXPECT_NEAR(result.shadow_price[0], 5.0 / 48, 1e-5);

  // Twice the same, and at the second step the denominators are no longer known beforehand.
  const Model twice = standing_still(2, kMixed, -2, 1);
  const SolveResult both = unwrap(solve(twice, {.parity = {{Notion::eqopt, {0.2}}}}, exact()));
  ASSERT_EQ(both.outcome, Outcome::optimal);
  EXPECT_NEAR(both.bounds.lower, 1.0 / 24, 1e-7);
  EXPECT_GE(both.bounds.upper, 1.0 / 24);
  EXPECT_NEAR(both.shadow_price[0], 5.0 / 48, 1e-5);
  EXPECT_NEAR(both.shadow_price[1], 5.0 / 48, 1e-5);
}

// The two models above with 160 features, so that a table has 320 entries and counts as large.
constexpr std::size_t kCopies = 80;

TEST(HandWorked, LargeTablesEndAtTheSameOptimum) {
  SolveOptions local;
  local.proof.wanted = false;
  const Model first = standing_still(2, kHighAndLow, -0.5, 1, kCopies);
  const SolveResult dp = unwrap(solve(first, {.parity = {{Notion::dp, {0.125, 0.5}}}}, local));
  ASSERT_TRUE(dp.solution);
  EXPECT_NEAR(dp.bounds.lower, 23.0 / 32, 1e-6);
  EXPECT_NEAR(dp.parity_gap[0], 0.125, 1e-7);
  EXPECT_NEAR(dp.shadow_price[0], 0.25, 1e-5);
  const Model second = standing_still(2, kMixed, -2, 1, kCopies);
  const SolveResult eqopt = unwrap(solve(second, {.parity = {{Notion::eqopt, {0.2}}}}, local));
  ASSERT_TRUE(eqopt.solution);
  EXPECT_NEAR(eqopt.bounds.lower, 1.0 / 24, 1e-6);
  EXPECT_NEAR(eqopt.shadow_price[1], 5.0 / 48, 1e-5);
}

TEST(HandWorked, LargeTablesComeAsNearToImpossibleLimitsAsCanBe) {
  // Everybody is accepted with at least 2/5, at most 3/10 may be.
  SolveOptions local;
  local.proof.wanted = false;
  local.policies = {.floor = 0.4, .floor_kind = FloorKind::accept_only};
  const Model model = standing_still(2, kMixed, -2, 1, kCopies);
  const SolveResult result = unwrap(solve(model, {.capacity = Capacity{{0.3}}}, local));
  EXPECT_EQ(result.outcome, Outcome::unknown);  // a local search proves nothing
  ASSERT_TRUE(result.infeasibility);
  EXPECT_NEAR(result.infeasibility->attained_excess, 0.1, 1e-6);
}

TEST(HandWorked, ADeterministicPolicyMayHaveToGiveUpMore) {
  // First model, limit 1/8. Rates of b from its tables: 0, 1/4, 3/4, 1; of a: 0, 1/2, 1. Within 1/8 of each other: only
  // nobody (value 0) and everybody: 1/2 (1/2 - 1/4) + 1/2 (1/4 - 3/8) = 1/8 - 1/16 = 1/16.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  SolveOptions options = exact();
  options.policies.deterministic = true;
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.125}}}}, options));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 1.0 / 16, 1e-12);
  EXPECT_TRUE(result.accepts_everybody);
  ASSERT_TRUE(result.randomised_value);
  EXPECT_NEAR(*result.randomised_value, 11.0 / 32, 1e-6);
}

TEST(HandWorked, ACapacityBelowTheFloorIsInfeasibleByTheDifference) {
  // Everybody is accepted with at least 2/5, at most 3/10 may be: 1/10 too many at the least, at every step.
  const Model model = testing::random_model(11, 2, 2, 2);
  SolveOptions options = exact();
  options.policies = {.floor = 0.4, .floor_kind = FloorKind::accept_only};
  const SolveResult result = unwrap(solve(model, {.capacity = Capacity{{0.3}}}, options));
  ASSERT_EQ(result.outcome, Outcome::infeasible);
  EXPECT_FALSE(result.solution);
  ASSERT_TRUE(result.infeasibility);
  EXPECT_NEAR(result.infeasibility->least_excess, 0.1, 1e-5);
  EXPECT_LE(result.infeasibility->least_excess, 0.1);
  EXPECT_NEAR(result.infeasibility->attained_excess, 0.1, 1e-5);
  EXPECT_NEAR(result.infeasibility->smallest_limit, 0.4, 1e-5);
  EXPECT_EQ(result.infeasibility->constraint, "capacity");
  ASSERT_TRUE(result.infeasibility->nearest);
  const Evaluation nearest = unwrap(evaluate(model, *result.infeasibility->nearest));
  for (std::size_t h = 0; h < 2; ++h)
    EXPECT_LE(model.share(0) * nearest.rates.accept(0, h) + model.share(1) * nearest.rates.accept(1, h), 0.4 + 1e-5);
}

TEST(HandWorked, RowsThatContradictEachOtherMeetInTheMiddle) {
  // P(a=1) <= 3/10 and P(a=1) >= 1/2: at 2/5 both are exceeded by 1/10, and no policy does better.
  const Model model = testing::random_model(12, 2, 2, 2);
  MomentConstraint rows;
  ConditionalMean accepted{"accepted", Tensor<double, 4>({2, 2, kLabels, kActions}),
                           Tensor<double, 3>({2, 2, kLabels})};
  for (double& inside : accepted.event.flat()) inside = 1;
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < 2; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) accepted.payoff(g, x, y, 1) = 1;
  rows.means = {accepted};
  rows.matrix = Tensor<double, 2>({2, 1});
  rows.matrix(0, 0) = 1;
  rows.matrix(1, 0) = -1;
  rows.bound = {0.3, -0.5};
  rows.names = {"few", "many"};
  const SolveResult result = unwrap(solve(model, {.moments = {rows}}, exact()));
  ASSERT_EQ(result.outcome, Outcome::infeasible);
  EXPECT_NEAR(result.infeasibility->least_excess, 0.1, 1e-5);
  EXPECT_LE(result.infeasibility->least_excess, 0.1);
  EXPECT_NEAR(result.infeasibility->attained_excess, 0.1, 1e-5);
}

TEST(HandWorked, ALimitOfZeroOnAcceptancesIsKeptByRefusingAll) {
  const Model model = testing::random_model(13, 2, 2, 2);
  const SolveResult result = unwrap(solve(model, {.capacity = Capacity{{0.0}}}, exact()));
  ASSERT_TRUE(result.solution);
  EXPECT_TRUE(result.accepts_nobody);
}

}  // namespace
}  // namespace fairstep
