// What an answer says beside its policy, worked out on groups that never change: half of a is high and a quarter of b.
#include <fairstep/optimise/answer/explain.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

class Explained : public ::testing::Test {
 protected:
  [[nodiscard]] Program with(const Fairness& fairness) const { return unwrap(compile(model, fairness, {})); }
  [[nodiscard]] Solution measured(const Tables& tables) const {
    Policy policy = policy_of(with({}), tables);
    Evaluation evaluation = unwrap(evaluate(model, policy));
    return {std::move(policy), std::move(evaluation)};
  }
  [[nodiscard]] SolveResult described(const Fairness& fairness, const Tables& tables) const {
    SolveResult result;
    result.shadow_price.assign(1, 0.0);
    result.solution = measured(tables);
    describe_limits(with(fairness), tables, {}, result);
    return result;
  }

  Model model = standing_still(1, kHighAndLow, -0.5, 1);
  Tables high_only{{0, 1}, {0, 1}};  // rates 1/2 and 1/4
};

TEST_F(Explained, FunctionalsAreTheRefereesNumbers) {
  const Program program = with({.parity = {{Notion::dp, {0.125}}}});
  EXPECT_EQ(functionals_of(program, measured(high_only)), (std::vector<double>{0.5, 0.25}));
  // A third of b's low besides: 1/4 + 1/3 * 3/4.
  EXPECT_DOUBLE_EQ(functionals_of(program, measured({{0, 1}, {1.0 / 3, 1}}))[1], 0.5);
}

TEST_F(Explained, ALimitThatBindsHasItsPairAndItsPrice) {
  // The optimum of solve_test.cpp: 1/6 of b's low are accepted, and a unit of the limit is worth 1/4.
  const SolveResult result = described({.parity = {{Notion::dp, {0.125}}}}, {{0, 1}, {1.0 / 6, 1}});
  ASSERT_EQ(result.binding.size(), 1U);
  EXPECT_EQ(result.binding[0].constraint, "dp");
  EXPECT_EQ(result.binding[0].pair, "a-b");
  EXPECT_EQ(result.binding[0].limit, 0.125);
  EXPECT_NEAR(result.binding[0].value, 0.125, 1e-12);
  EXPECT_NEAR(result.binding[0].shadow_price, 0.25, 1e-6);
  EXPECT_EQ(result.shadow_price[0], result.binding[0].shadow_price);
}

TEST_F(Explained, ALimitThatIsKeptWithRoomDoesNotBind) {
  const SolveResult result = described({.parity = {{Notion::dp, {0.5}}}}, high_only);
  EXPECT_TRUE(result.binding.empty());
  EXPECT_NEAR(result.shadow_price[0], 0, 1e-9);
}

TEST_F(Explained, ALimitOfOneNeverBinds) {
  const Tables apart{{1, 1}, {0, 0}};  // a gap of 1
  EXPECT_TRUE(described({.parity = {{Notion::dp, {1}}}}, apart).binding.empty());
}

TEST_F(Explained, ACapacityThatBindsHasNoPair) {
  // All the high are 3/8 of the people, and one of them more earns 1.
  const SolveResult result = described({.capacity = Capacity{{0.25}}}, {{0, 1}, {0, 0}});
  ASSERT_EQ(result.binding.size(), 1U);
  EXPECT_EQ(result.binding[0].constraint, "capacity");
  EXPECT_EQ(result.binding[0].pair, "");
  EXPECT_NEAR(result.binding[0].shadow_price, 1, 1e-6);
}

TEST_F(Explained, WhyNothingFitsIsTheConstraintFurthestFromBeingKept) {
  // A gap of 1/4 for a limit of 1/8, and 3/8 accepted where 1/5 may be: 1/8 and 7/40.
  const Program program = with({.parity = {{Notion::dp, {0.125}}}, .capacity = Capacity{{0.2}}});
  const Infeasibility why = explain(program, measured(high_only), 0.01);
  EXPECT_EQ(why.constraint, "capacity");
  EXPECT_EQ(why.pair, "");
  EXPECT_NEAR(why.attained_excess, 0.175, 1e-12);
  EXPECT_NEAR(why.smallest_limit, 0.375, 1e-12);
  EXPECT_EQ(why.least_excess, 0.01);
  ASSERT_TRUE(why.nearest);
  EXPECT_EQ(why.nearest->accept(1, 0, 1), 1);
}

TEST_F(Explained, WhyNothingFitsNamesThePairThatIsFurthestApart) {
  const Program program = with({.parity = {{Notion::dp, {0.125}}}, .capacity = Capacity{{0.3}}});  // 1/8 and 3/40
  const Infeasibility why = explain(program, measured(high_only), 0);
  EXPECT_EQ(why.constraint, "dp");
  EXPECT_EQ(why.pair, "a-b");
  EXPECT_EQ(why.step, 0U);
  EXPECT_NEAR(why.attained_excess, 0.125, 1e-12);
  EXPECT_NEAR(why.smallest_limit, 0.25, 1e-12);
}

TEST_F(Explained, ThePolicysGapIsTheWidestOfAllNotions) {
  // Rates 1/2 and 1/4; all the qualified are accepted.
  const Evaluation evaluation = measured(high_only).evaluation;
  EXPECT_EQ(parity_gaps({.parity = {{Notion::eqopt, {0.5}}}}, evaluation), std::vector<double>{0});
  EXPECT_EQ(parity_gaps({.parity = {{Notion::eqopt, {0.5}}, {Notion::dp, {0.5}}}}, evaluation),
            std::vector<double>{0.25});
  EXPECT_EQ(parity_gaps({}, evaluation), std::vector<double>{0});
}

TEST(ExplainedOfNobody, AGapThatNobodyHasIsNoNumber) {
  constexpr double nobody_in_b[2][2][2] = {{{0.5, 0}, {0, 0.5}}, {{0.75, 0}, {0.25, 0}}};
  const Model model = standing_still(1, nobody_in_b, -0.5, 1);
  const Evaluation evaluation =
      unwrap(evaluate(model, unwrap(Policy::make(Tensor<double, 3>({2, 1, 2}, 0.5), {"a", "b"}))));
  EXPECT_TRUE(std::isnan(parity_gaps({.parity = {{Notion::eqopt, {0.5}}}}, evaluation)[0]));
  EXPECT_EQ(parity_gaps({.parity = {{Notion::eqopt, {0.5}}, {Notion::dp, {0.5}}}}, evaluation)[0], 0);
}

TEST(VacuousSteps, AreThoseWhereNoLimitCanBind) {
  EXPECT_EQ(vacuous_steps({.parity = {{Notion::dp, {1, 0.5, 1}}}}, 3), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(vacuous_steps({.parity = {{Notion::dp, {1, 0.5, 1}}, {Notion::eqopt, {0.5, 1, 1}}}}, 3),
            std::vector<std::size_t>{2});
  EXPECT_EQ(vacuous_steps({.parity = {{Notion::dp, {1}}}}, 2), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(vacuous_steps({}, 3).empty());
}

TEST_F(Explained, TreatingAllAlikeIsNoted) {
  SolveResult result;
  note_degenerate(measured({{0, 0}, {0, 0}}), result);
  EXPECT_TRUE(result.accepts_nobody);
  EXPECT_FALSE(result.accepts_everybody);
  note_degenerate(measured({{1, 1}, {1, 1}}), result);
  EXPECT_FALSE(result.accepts_nobody);
  EXPECT_TRUE(result.accepts_everybody);
  note_degenerate(measured(high_only), result);
  EXPECT_FALSE(result.accepts_nobody || result.accepts_everybody);
}

}  // namespace
}  // namespace fairstep
