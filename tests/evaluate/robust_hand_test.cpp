// Boxes, qualified shares and values over balls, worked out by hand; what is refused, and how far it says it is.
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/robust.hpp>

#include "low_and_high.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

using testing::kHigh;
using testing::kLow;

constexpr double kTight = 1e-12;

class RobustByHand : public ::testing::Test {
 protected:
  /// Entries of group a's first state end at
  ///   (low,0) 0.20 to 0.28, (low,1) 0.24 to 0.30, (high,0) 0.22 to 0.26, (high,1) 0.15 to 0.33; group b's are free.
  void set_boxes() {
    const double low[] = {0.20, 0.24, 0.22, 0.15};
    const double high[] = {0.28, 0.30, 0.26, 0.33};
    for (std::size_t s = 0; s < 4; ++s) {
      boxes.initial_low(0, s / 2, s % 2) = low[s];
      boxes.initial_high(0, s / 2, s % 2) = high[s];
    }
    balls.boxes = boxes;
  }

  testing::LowAndHigh at;
  const Model& model = at.model;
  const Policy& policy = at.policy;
  Balls& balls = at.balls;
  Boxes boxes{Tensor<double, 6>({2, 2, kLabels, kActions, 2, kLabels}, 0),
              Tensor<double, 6>({2, 2, kLabels, kActions, 2, kLabels}, 1), Tensor<double, 3>({2, 2, kLabels}, 0),
              Tensor<double, 3>({2, 2, kLabels}, 1)};
};

void expect_ends(const Range& found, double low, double high) {
  EXPECT_NEAR(found.low, low, kTight);
  EXPECT_NEAR(found.high, high, kTight);
}

// P(a=1) = P(high). At most: the low lose 0.05 + 0.01, the high can gain 0.01 + 0.08, the ball allows 0.125: 0.56. At
// least: the high lose 0.03 + 0.10, the low gain 0.03 + 0.05: 0.42. In group b only the ball stops it.
TEST_F(RobustByHand, ABoxStopsWhereItsEntriesEnd) {
  set_boxes();
  const RobustRates rates = unwrap(robust_rates(model, policy, balls));
  expect_ends(rates.accept(0, 0), 0.42, 0.56);
  expect_ends(rates.accept(1, 0), 0.375, 0.625);
  EXPECT_NEAR(rates.dp[0], 0.625 - 0.42, kTight);
  balls.initial[0] = 0.05;  // now the ball is what stops it
  expect_ends(unwrap(robust_rates(model, policy, balls)).accept(0, 0), 0.45, 0.55);
}

// Of the qualified, at most: (high,1) up to 0.33, of which 0.01 from (low,1) and the rest from the others, 0.33 / 0.57.
// At least: (low,1) up to 0.30 with 0.05 from (high,1), which gives another 0.04 to the others, as much as they can
// gain: 0.16 / 0.46. Of the unqualified: at most (low,0) loses 0.05 of which (high,0) takes 0.01, 0.26 / 0.46; at least
// (high,0) loses 0.03 to (low,0), at its end with 0.28: 0.22 / 0.50.
TEST_F(RobustByHand, ConditionalRatesStopThereToo) {
  set_boxes();
  const RobustRates rates = unwrap(robust_rates(model, policy, balls));
  expect_ends(rates.tpr(0, 0), 0.16 / 0.46, 0.33 / 0.57);
  expect_ends(rates.fpr(0, 0), 0.22 / 0.50, 0.26 / 0.46);
  EXPECT_NEAR(rates.eqodds[0], std::max(rates.eqopt[0], rates.fpr(1, 0).high - rates.fpr(0, 0).low), kTight);
}

// The qualified gain 0.05 + 0.08 but the others lose 0.05 + 0.03: 0.58. They lose 0.01 + 0.10 but the others gain 0.03
// + 0.01: 0.46.
TEST_F(RobustByHand, TheQualifiedStopThereToo) {
  set_boxes();
  const auto qualified = unwrap(robust_qualified(model, policy, balls));
  expect_ends(qualified(0, 0), 0.46, 0.58);
  expect_ends(qualified(1, 0), 0.375, 0.625);
}

// Step 0: 1/2 -+ 1/8. Step 1, at most: the unqualified become qualified by a radius of 1/4 (low) or 1/8 (high), the
// qualified all stay so: (1/4 + 1 + 1/8 + 1) / 4 = 19/32, and 1/8 moves from 1/8 to 1: 19/32 + 7/64 = 45/64. At least,
// the other way round: 1 - 45/64 = 19/64.
TEST_F(RobustByHand, TheQualifiedMoveWithEveryRow) {
  const auto qualified = unwrap(robust_qualified(model, policy, balls));
  for (std::size_t g = 0; g < 2; ++g) {
    expect_ends(qualified(g, 0), 3 / 8., 5 / 8.);
    expect_ends(qualified(g, 1), 19 / 64., 45 / 64.);
  }
}

// Group a at step 1: the low earn 3/4 + 2/4 = 5/4, the high 4/4 + 9/4 = 13/4. At step 0 the low earn 1 and stay: 1 +
// 5/8 = 13/8. The high earn 3, and at least 3/4 * 13/4 + 1/4 * 5/4 - 1/8 * 2 = 5/2 after: 3 + 5/4 = 17/4. The first
// state: (13/8
// + 17/4) / 2 - 1/8 * (17/4 - 13/8) = 47/16 - 21/64 = 167/64. Group b: 3/2 and 7/2 at step 1; 7/4 for the low; 3/4 *
// 7/2 + 1/4 * 3/2 - 1/4 = 11/4 and 3 + 11/8 = 35/8 for the high; (7/4 + 35/8) / 2 - 1/8 * 21/8 = 49/16 - 21/64 =
// 175/64.
TEST_F(RobustByHand, ValuesAreTheLeastOverTheBalls) {
  const std::vector<double> least = unwrap(robust_values(model, policy, balls));
  ASSERT_EQ(least.size(), 2u);
  EXPECT_NEAR(least[0], 167 / 64., kTight);
  EXPECT_NEAR(least[1], 175 / 64., kTight);
  EXPECT_LE(least[0], 167 / 64.);
  EXPECT_LE(least[1], 175 / 64.);
}

// A policy that decides by chance at step 0: 1/4 of the low and 3/4 of the high are accepted. Half of the people are
// low: 3/4
// * 1/4 + 1/4 * 1/2, half are high: 1/4 * 3/4 + 3/4 * 1/8, and 1/8 before.
TEST_F(RobustByHand, DriftMixesTheRadiiOfBothDecisions) {
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < 2; ++y) balls.row(g, kLow, y, 1) = 0.5, balls.row(g, kHigh, y, 0) = 0.75;
  Tensor<double, 3> accept({2, 2, 2}, 0.25);
  accept(0, 0, kHigh) = accept(1, 0, kHigh) = 0.75;
  const auto found = drift(model, unwrap(Policy::make(accept, {"a", "b"})), balls);
  EXPECT_NEAR(found(1, 1), 1 / 8. + (3 / 16. + 1 / 8.) / 2 + (3 / 16. + 3 / 32.) / 2, kTight);
}

TEST_F(RobustByHand, ABoxMustHoldTheModel) {
  boxes.low(1, kHigh, 0, 1, kHigh, 0) = 0.8;  // the model has 0.75
  const auto error_with = [&](const Boxes& with) {
    Balls tried = balls;
    tried.boxes = with;
    const auto found = robust_rates(model, policy, tried);
    return found ? "" : found.error().pointer + ": " + found.error().message;
  };
  EXPECT_EQ(error_with(boxes),
            "/low/1/1/0/1/1/0: low[g=b,x=1,y=0,a=1,x1=1,y1=0] is 0.8, expected 0 to 0.75, which is the model's");
  boxes.low(1, kHigh, 0, 1, kHigh, 0) = -0.1;
  EXPECT_NE(error_with(boxes).find("is -0.1, expected 0 to 0.75"), std::string::npos);
  boxes.low(1, kHigh, 0, 1, kHigh, 0) = 0.75;
  EXPECT_EQ(error_with(boxes), "");
  boxes.initial_high(0, kLow, 1) = 0.2;  // the model has 0.25
  EXPECT_NE(error_with(boxes).find("/initial_high/0/0/1: initial_high[g=a,x=0,y=1] is 0.2, expected 0.25 to 1"),
            std::string::npos);
  boxes.initial_high(0, kLow, 1) = 1.5;
  EXPECT_NE(error_with(boxes).find("is 1.5, expected 0.25 to 1"), std::string::npos);
  boxes.initial_high(0, kLow, 1) = 0.25;
  EXPECT_EQ(error_with(boxes), "");
  boxes.initial_low(1, kHigh, 0) = 0.25;  // a low end that is right does not hide a high end that is not
  boxes.initial_high(1, kHigh, 0) = 0.2;
  EXPECT_NE(error_with(boxes).find("/initial_high/1/1/0: "), std::string::npos);
  boxes.initial_high(1, kHigh, 0) = 1;
  boxes.initial_low(0, kLow, 0) = 0.3;  // the very first entry
  EXPECT_NE(error_with(boxes).find("/initial_low/0/0/0: "), std::string::npos);
  boxes.initial_low = Tensor<double, 3>({2, 1, kLabels});
  EXPECT_NE(error_with(boxes).find("initial_low has size 2 x 1 x 2, expected 2 x 2 x 2"), std::string::npos);
  boxes.high = Tensor<double, 6>({2, 2, 2, 2, 2, 1});
  EXPECT_NE(error_with(boxes).find("high has size 2 x 2 x 2 x 2 x 2 x 1"), std::string::npos);
}

TEST_F(RobustByHand, EveryQuestionRefusesWhatDoesNotFit) {
  Balls wrong = balls;
  wrong.initial = {0.5};
  EXPECT_FALSE(robust_qualified(model, policy, wrong));
  EXPECT_FALSE(robust_values(model, policy, wrong));
  const Policy other = unwrap(Policy::make_group_independent(Tensor<double, 2>({3, 2}, 0.5)));
  EXPECT_FALSE(robust_qualified(model, other, balls));
  EXPECT_FALSE(robust_values(model, other, balls));
  for (const std::vector<double>& radii : {std::vector{-0.5, 0.5}, {0.5, 1.5}}) {
    wrong.initial = radii;
    EXPECT_FALSE(robust_rates(model, policy, wrong));
  }
  for (const double radius : {0.0, 1.0}) {  // both are radii
    wrong.initial = {radius, radius};
    EXPECT_TRUE(robust_rates(model, policy, wrong));
  }
}

// A step takes as many passes as there are steps up to it: of 2 steps, the first is 1/3 of the work.
TEST_F(RobustByHand, SaysHowFarItIsAndStopsWhenAsked) {
  std::vector<double> told;
  Watch watch;
  watch.progress = [&](double part) { told.push_back(part); };
  EXPECT_TRUE(robust_rates(model, policy, balls, watch));
  ASSERT_EQ(told.size(), 4u);
  EXPECT_NEAR(told[0], 1 / 6., kTight);
  EXPECT_NEAR(told[1], 1 / 2., kTight);
  EXPECT_NEAR(told[2], 2 / 3., kTight);
  EXPECT_NEAR(told[3], 1, kTight);
  std::stop_source source;
  watch.stop = source.get_token();
  watch.progress = [&](double) { source.request_stop(); };
  const auto stopped = robust_rates(model, policy, balls, watch);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "stopped before the end");
}

}  // namespace
}  // namespace fairstep
