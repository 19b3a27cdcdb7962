// Two policies on the model of support/models.cpp, every number worked out on paper. All are fractions with a power of
// two below the line, which doubles hold exactly: the tests ask for equality.
//
// The model: from the start, a is (low,0) 3/8, (low,1) 1/8, (high,0) 1/8, (high,1) 3/8 and b is (low,0) 1/2, (low,1)
// 1/2. Shares 3/4 and 1/4. Refused: nothing changes, nothing earned. Accepted with y = 1: to (high,1), earns 1.
// Accepted with y = 0: to (low,0) or (high,0) with 1/2 each, earns -1/2. Two steps.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/passes.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::unwrap;

constexpr std::size_t kA = 0, kB = 1, kTheHigh = 1;

Model discounted_hand_model() {
  ModelSpec spec = hand_model().spec();
  spec.discount = 0.5;
  return unwrap(Model::make(std::move(spec)));
}

/// Accept the high ones, refuse the low ones.
Policy high_only(const Model& model) { return unwrap(threshold_policy(model, Threshold{kTheHigh})); }

/// P(accept), low then high. a: (0, 1) then (1/2, 1). b: (1/2, 0) then (1/4, 1).
Policy mixed() {
  Tensor<double, 3> accept({2, 2, 2});
  const double table[] = {0, 1, 0.5, 1, 0.5, 0, 0.25, 1};
  std::copy(std::begin(table), std::end(table), accept.flat().begin());
  return unwrap(Policy::make(std::move(accept), {"a", "b"}));
}

void expect_row(std::span<const double> found, const std::vector<double>& expected) {
  EXPECT_EQ(std::vector<double>(found.begin(), found.end()), expected);
}

void expect_gap(const StepGap& found, double gap) {
  EXPECT_EQ(found.gap, gap);
  EXPECT_EQ(found.first, kA);
  EXPECT_EQ(found.second, kB);
}

// High only, group a.
//   step 0: accepted y=1: 3/8, y=0: 1/8. Earned: 3/8 - 1/2 * 1/8 = 5/16.
//   step 1: (low,0) = 3/8 + 1/2 * 1/8 = 7/16, (low,1) = 1/8, (high,0) = 1/16, (high,1) = 3/8.
//           accepted y=1: 3/8, y=0: 1/16. Earned: 3/8 - 1/32 = 11/32.
// Group b is low for ever and never accepted.
TEST(HandModel, HighOnlyMovesTheMassAsWorkedOut) {
  const Model model = hand_model();
  const Evaluation result = unwrap(evaluate(model, high_only(model)));
  expect_row(result.mass.block(kA, 0), {3 / 8., 1 / 8., 1 / 8., 3 / 8.});
  expect_row(result.mass.block(kA, 1), {7 / 16., 1 / 8., 1 / 16., 3 / 8.});
  expect_row(result.mass.block(kB, 0), {1 / 2., 1 / 2., 0, 0});
  expect_row(result.mass.block(kB, 1), {1 / 2., 1 / 2., 0, 0});
  expect_row(result.feature.block(kA), {1 / 2., 1 / 2., 9 / 16., 7 / 16.});
  expect_row(result.feature.block(kB), {1, 0, 1, 0});
}

TEST(HandModel, HighOnlyEarnsWhatWasWorkedOut) {
  const Model model = hand_model();
  const Evaluation result = unwrap(evaluate(model, high_only(model)));
  EXPECT_EQ(result.value_per_group, (std::vector{21 / 32., 0.}));        // 5/16 + 11/32
  EXPECT_EQ(result.value_per_step, (std::vector{15 / 64., 33 / 128.}));  // 3/4 of 5/16 and of 11/32
  EXPECT_EQ(result.value, 63 / 128.);                                    // 3/4 * 21/32
}

TEST(HandModel, HighOnlyHasTheRatesAndGapsWorkedOut) {
  const Model model = hand_model();
  const Evaluation result = unwrap(evaluate(model, high_only(model)));
  expect_row(result.rates.accept.block(kA), {1 / 2., 7 / 16.});
  expect_row(result.rates.tpr.block(kA), {3 / 4., 3 / 4.});  // 3/8 of 1/2, twice
  expect_row(result.rates.fpr.block(kA), {1 / 4., 1 / 8.});  // 1/8 of 1/2, 1/16 of 1/2
  for (const auto* rate : {&result.rates.accept, &result.rates.tpr, &result.rates.fpr})
    expect_row(rate->block(kB), {0, 0});
  for (const std::size_t g : {kA, kB}) expect_row(result.rates.qualified.block(g), {1 / 2., 1 / 2.});
  expect_gap(result.gap.dp[0], 1 / 2.);
  expect_gap(result.gap.dp[1], 7 / 16.);
  for (std::size_t h = 0; h < 2; ++h) {
    expect_gap(result.gap.eqopt[h], 3 / 4.);
    expect_gap(result.gap.eqodds[h], 3 / 4.);
  }
  EXPECT_EQ(result.aggregate_dp, (std::vector{15 / 32., 0.}));  // (1/2 + 7/16) / 2
  expect_gap(result.aggregate_dp_gap, 15 / 32.);
  EXPECT_EQ(result.aggregate_eqopt, (std::vector{3 / 4., 0.}));  // (3/8 + 3/8) / (1/2 + 1/2)
  expect_gap(result.aggregate_eqopt_gap, 3 / 4.);
}

// Last step: q = 0 if refused, -1/2 (y=0) or 1 (y=1) if accepted; v(low) = 0, v(high) = -1/2, 1.
// First step: refused, v of the same state a step later. Accepted, y=0: -1/2 + 1/2 (0) + 1/2 (-1/2) = -3/4; y=1: 1 + 1
// = 2.
TEST(HandModel, HighOnlyHasTheQAndVWorkedOut) {
  const Model model = hand_model();
  const Evaluation result = unwrap(evaluate(model, high_only(model)));
  for (const std::size_t g : {kA, kB}) {  // kernel, rewards and policy are the same for both groups
    expect_row(result.q.block(g, 1), {0, -1 / 2., 0, 1, 0, -1 / 2., 0, 1});
    expect_row(result.v.block(g, 1), {0, 0, -1 / 2., 1});
    expect_row(result.q.block(g, 0), {0, -3 / 4., 0, 2, -1 / 2., -3 / 4., 1, 2});
    expect_row(result.v.block(g, 0), {0, 0, -3 / 4., 2});
  }
}

// Mixed, group a: the first step and the move are as above. Step 1: accepted y=1: 1/2 * 1/8 + 3/8 = 7/16,
//   y=0: 1/2 * 7/16 + 1/16 = 9/32. Earned: 7/16 - 9/64 = 19/64.
// Group b, step 0: accepted y=1: 1/4, y=0: 1/4. Earned: 1/4 - 1/8 = 1/8.
//   step 1: (low,0) = 1/4 + 1/2 * 1/4 = 3/8, (low,1) = 1/4, (high,0) = 1/8, (high,1) = 1/4.
//           accepted y=1: 1/4 * 1/4 + 1/4 = 5/16, y=0: 1/4 * 3/8 + 1/8 = 7/32. Earned: 5/16 - 7/64 = 13/64.
TEST(HandModel, MixedEarnsWhatWasWorkedOut) {
  const Evaluation result = unwrap(evaluate(hand_model(), mixed()));
  expect_row(result.mass.block(kA, 1), {7 / 16., 1 / 8., 1 / 16., 3 / 8.});
  expect_row(result.mass.block(kB, 1), {3 / 8., 1 / 4., 1 / 8., 1 / 4.});
  EXPECT_EQ(result.value_per_group, (std::vector{39 / 64., 21 / 64.}));  // 5/16 + 19/64, 1/8 + 13/64
  EXPECT_EQ(result.value_per_step, (std::vector{17 / 64., 35 / 128.}));  // 3/4 5/16 + 1/4 1/8, 3/4 19/64 + 1/4 13/64
  EXPECT_EQ(result.value, 69 / 128.);                                    // 3/4 39/64 + 1/4 21/64
}

TEST(HandModel, MixedHasTheRatesAndGapsWorkedOut) {
  const Evaluation result = unwrap(evaluate(hand_model(), mixed()));
  expect_row(result.rates.accept.block(kA), {1 / 2., 23 / 32.});
  expect_row(result.rates.accept.block(kB), {1 / 2., 17 / 32.});
  expect_row(result.rates.tpr.block(kA), {3 / 4., 7 / 8.});
  expect_row(result.rates.tpr.block(kB), {1 / 2., 5 / 8.});
  expect_row(result.rates.fpr.block(kA), {1 / 4., 9 / 16.});
  expect_row(result.rates.fpr.block(kB), {1 / 2., 7 / 16.});
  expect_gap(result.gap.dp[0], 0);
  expect_gap(result.gap.dp[1], 3 / 16.);
  expect_gap(result.gap.eqopt[0], 1 / 4.);
  expect_gap(result.gap.eqopt[1], 1 / 4.);
  expect_gap(result.gap.eqodds[0], 1 / 4.);                             // fpr: 1/4 as well
  expect_gap(result.gap.eqodds[1], 1 / 4.);                             // fpr: 1/8
  EXPECT_EQ(result.aggregate_dp, (std::vector{39 / 64., 33 / 64.}));    // (1/2 + 23/32) / 2, (1/2 + 17/32) / 2
  expect_gap(result.aggregate_dp_gap, 3 / 32.);                         // less than that of step 1
  EXPECT_EQ(result.aggregate_eqopt, (std::vector{13 / 16., 9 / 16.}));  // 3/8 + 7/16, 1/4 + 5/16, each of 1
  expect_gap(result.aggregate_eqopt_gap, 1 / 4.);
}

// Group b, last step: v(low) = 1/4 (-1/2), 1/4 (1); v(high) = -1/2, 1.
// First step, refused: the same a step later. Accepted, y=0: -1/2 + 1/2 (-1/8) + 1/2 (-1/2) = -13/16; y=1: 1 + 1 = 2.
//   v(low,0) = 1/2 (-1/8) + 1/2 (-13/16) = -15/32, v(low,1) = 1/2 (1/4) + 1/2 (2) = 9/8.
TEST(HandModel, MixedHasTheQAndVWorkedOut) {
  const Evaluation result = unwrap(evaluate(hand_model(), mixed()));
  expect_row(result.v.block(kB, 1), {-1 / 8., 1 / 4., -1 / 2., 1});
  expect_row(result.q.block(kB, 0), {-1 / 8., -13 / 16., 1 / 4., 2, -1 / 2., -13 / 16., 1, 2});
  expect_row(result.v.block(kB, 0), {-15 / 32., 9 / 8., -1 / 2., 1});
}

// With discount 1/2 the second step counts half: a: 5/16 + 19/128, b: 1/8 + 13/128. Rates do not change.
// Group b, first step: accepted, y=0: -1/2 + 1/2 (-5/16) = -21/32; y=1: 1 + 1/2 = 3/2. Refused: half of v a step later.
//   v(low,0) = 1/2 (-1/16) + 1/2 (-21/32) = -23/64, v(low,1) = 1/2 (1/8) + 1/2 (3/2) = 13/16.
TEST(HandModel, ADiscountOfOneHalfHalvesTheSecondStep) {
  const Evaluation result = unwrap(evaluate(discounted_hand_model(), mixed()));
  EXPECT_EQ(result.value_per_group, (std::vector{59 / 128., 29 / 128.}));
  EXPECT_EQ(result.value_per_step, (std::vector{17 / 64., 35 / 256.}));
  EXPECT_EQ(result.value, 103 / 256.);                               // 3/4 59/128 + 1/4 29/128
  expect_row(result.v.block(kB, 1), {-1 / 8., 1 / 4., -1 / 2., 1});  // seen from its own step
  expect_row(result.q.block(kB, 0), {-1 / 16., -21 / 32., 1 / 8., 3 / 2., -1 / 4., -21 / 32., 1 / 2., 3 / 2.});
  expect_row(result.v.block(kB, 0), {-23 / 64., 13 / 16., -1 / 4., 1 / 2.});
  EXPECT_EQ(result.rates.tpr, unwrap(evaluate(hand_model(), mixed())).rates.tpr);
}

TEST(HandModel, APolicyThatDoesNotFitIsAnError) {
  const Model model = hand_model();
  const Policy longer = unwrap(Policy::make(Tensor<double, 3>({2, 3, 2}), {"a", "b"}));
  const auto result = evaluate(model, longer);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the policy has 3 steps, the model has horizon 2");
}

// What a caller makes to have it filled again and again is all zero at first, and rewards count in full unless told
// otherwise.
TEST(Evaluation, IsAllZeroBeforeItIsFilled) {
  const Evaluation empty(hand_model().shape());
  EXPECT_EQ(empty.value, 0);
  EXPECT_EQ(empty.gap.dp[1].gap, 0);
  EXPECT_EQ(empty.gap.dp[1].first, 0u);
  EXPECT_EQ(empty.gap.dp[1].second, 0u);
  EXPECT_EQ(Rewards{}.discount, 1);
}

}  // namespace
}  // namespace fairstep
