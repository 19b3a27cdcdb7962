// Questions that are no questions, and what an endless horizon adds to an answer.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/solve.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
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

TEST(Truncated, AModelNeedsATailADiscountAndNoStepsOfItsOwn) {
  ModelSpec spec = testing::random_model(1, 2, 1, 3, 0.5).spec();
  const Model model = unwrap(Model::make(spec));
  EXPECT_EQ(truncate(model, 0).error().message, "tail is 0, expected more than 0");
  EXPECT_EQ(truncate(hand_model(), 0.1).error().pointer, "/discount");
  Participation stays;
  stays.leave = Tensor<double, 4>({2, 1, 2, 2});
  stays.first_step = Tensor<double, 2>({2, 3});
  for (std::size_t g = 0; g < 2; ++g) stays.first_step(g, 0) = 1;
  spec.participation = stays;
  EXPECT_EQ(truncate(unwrap(Model::make(std::move(spec))), 0.1).error().pointer, "/participation");
}

// The value is 2, at most 2.5: a tail of 1/2 makes that 1.5 to 3, a gap of 1.
TEST(Truncated, AnAnswerIsAsWideAsItsTail) {
  const Model model = hand_model();
  SolveResult result = unwrap(solve(model, {}));
  ASSERT_EQ(result.outcome, Outcome::optimal);
  result.bounds = {2, 2.5};
  SolveResult generous = result;
  widen(result, 0.5, 0.5);
  EXPECT_EQ(result.bounds.lower, 1.5);
  EXPECT_EQ(result.bounds.upper, 3);
  EXPECT_EQ(result.gap, 1);
  EXPECT_EQ(result.outcome, Outcome::feasible);  // more than the gap asked for
  widen(generous, 0.5, 1);
  EXPECT_EQ(generous.outcome, Outcome::optimal);
}

TEST(Truncated, WithoutAPolicyThereIsNothingToWiden) {
  SolveResult none;
  none.outcome = Outcome::infeasible;
  widen(none, 1, 0.5);
  EXPECT_EQ(none.outcome, Outcome::infeasible);
  EXPECT_EQ(none.bounds.upper, std::numeric_limits<double>::infinity());
  SolveResult unbounded = unwrap(solve(hand_model(), {}));
  unbounded.bounds.upper = std::numeric_limits<double>::infinity();
  widen(unbounded, 1, 0.5);
  EXPECT_EQ(unbounded.gap, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace fairstep
