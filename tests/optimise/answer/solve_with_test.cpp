// All stages in turn: questions that are no questions, and what each method keeps.
#include <fairstep/optimise/answer/solve_with.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/solve.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

std::string refusal(const Fairness& fairness, const SolveOptions& options) {
  const auto result = solve(hand_model(), fairness, options);
  return result ? "" : result.error().message;
}

TEST(Questions, ThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal({}, {.proof = {.gap = -0.5}}), "gap is -0.5, expected 0 or more");
  EXPECT_EQ(refusal({}, {.proof = {.gap = std::numeric_limits<double>::quiet_NaN()}}),
            "gap is nan, expected 0 or more");
  EXPECT_EQ(refusal({}, {.proof = {.time_limit = 0}}), "time_limit is 0, expected more than 0 seconds");
  const PolicyClass whole{.deterministic = true};
  EXPECT_EQ(refusal({}, {.method = Method::myopic, .policies = whole}),
            "a deterministic policy cannot be found myopically");
  EXPECT_EQ(refusal({}, {.method = Method::penalty, .policies = whole}),
            "a deterministic policy cannot be found by penalty");
  EXPECT_EQ(refusal({.parity = {{Notion::dp, {2}, {}}}}, {.method = Method::unconstrained}),
            "limit is 2, expected between 0 and 1");
}

TEST(Questions, AboutDoubtAreForTheConstrainedMethod) {
  Doubt doubt;
  doubt.start = {0.5, 0.5};
  doubt.cell = Tensor<double, 4>({2, 2, 2, 2}, 0.25);
  const Fairness fairness{.parity = {{Notion::dp, {0.125}, doubt}}};
  for (const Method method : {Method::myopic, Method::penalty})
    EXPECT_EQ(refusal(fairness, {.method = method}), "doubt about the model needs the constrained method");
  EXPECT_EQ(refusal(fairness, {}), "");
}

TEST(SolveWith, WithoutConstraintsKeepsTheCapacityAndNothingElse) {
  // A quarter of all may be accepted, and the high earn 1 each; treating a and b alike would cost more.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Fairness fairness{.parity = {{Notion::dp, {0}}}, .capacity = Capacity{{0.25}}};
  const SolveResult result = unwrap(solve_with({}, model, fairness, {.method = Method::unconstrained}));
  EXPECT_EQ(result.outcome, Outcome::optimal);
  EXPECT_NEAR(result.bounds.lower, 0.25, 1e-3);
  ASSERT_TRUE(result.solution);
  EXPECT_LE(0.5 * result.solution->evaluation.rates.accept(0, 0) + 0.5 * result.solution->evaluation.rates.accept(1, 0),
            0.25 + 1e-7);
}

TEST(SolveWith, RewardsInAnotherUnitHaveBoundsInTheirOwn) {
  // 11/32 (solve_test.cpp) of a reward of 2^-40, where solvers would stop anywhere; on the way as well as in the end.
  constexpr double unit = 0x1p-40;
  const Model model = standing_still(1, kHighAndLow, -0.5 * unit, unit);
  SolveOptions options{.proof = {.gap = 1e-6, .time_limit = 600}};
  double last_lower = 0;
  options.progress = [&](const SolveProgress& progress) { last_lower = progress.bounds.lower; };
  const SolveResult result = unwrap(solve_with({}, model, {.parity = {{Notion::dp, {0.125}}}}, options));
  EXPECT_NEAR(result.bounds.lower / unit, 11.0 / 32, 1e-6);
  EXPECT_NEAR(result.bounds.upper / unit, 11.0 / 32, 1e-6);
  EXPECT_NEAR(result.solution->evaluation.value / unit, 11.0 / 32, 1e-6);
  EXPECT_NEAR(last_lower / unit, 11.0 / 32, 1e-4);
  EXPECT_NEAR(result.shadow_price[0] / unit, 0.25, 1e-4);
}

TEST(SolveWith, APolicyToStartFromMustFitTheModel) {
  const Policy other = unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 5}, 0.5)));
  const auto result = solve_with({}, standing_still(1, kHighAndLow, -0.5, 1), {}, {.start = other});
  EXPECT_FALSE(result);
}

TEST(SolveWith, AProofThatIsNotWantedIsNotAskedFor) {
  const Helpers helpers{.prove = [](const Program&, const Candidate&, const BranchOptions&) -> BranchResult {
    ADD_FAILURE() << "asked all the same";
    return {};
  }};
  const SolveResult result = unwrap(solve_with(helpers, standing_still(1, kHighAndLow, -0.5, 1),
                                               {.parity = {{Notion::dp, {0.125}}}}, {.proof = {.wanted = false}}));
  EXPECT_EQ(result.outcome, Outcome::feasible);
  EXPECT_EQ(result.stopped_by, StopReason::finished);
  EXPECT_EQ(result.bounds.upper, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(result.bounds.lower, 11.0 / 32, 1e-6);
}

TEST(SolveWith, AMyopicPolicyIsItselfWhateverTheProofFinds) {
  const Model model = hand_model();
  const SolveResult result = unwrap(solve_with({}, model, {}, {.method = Method::myopic}));
  EXPECT_NEAR(result.bounds.lower, 83.0 / 128, 1e-9);  // local/myopic_test.cpp
  EXPECT_GE(result.bounds.upper, result.bounds.lower);
}

}  // namespace
}  // namespace fairstep
