// Ratios of rates: beside the group that is treated best, or beside a reference.
#include <fairstep/evaluate/ratios.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

constexpr double kNobody = std::numeric_limits<double>::quiet_NaN();

/// Of three groups at one step.
Rates rates_of(const std::vector<double>& accept, const std::vector<double>& tpr) {
  Rates rates{Tensor<double, 2>({3, 1}), Tensor<double, 2>({3, 1}), Tensor<double, 2>({3, 1}),
              Tensor<double, 2>({3, 1})};
  for (std::size_t g = 0; g < 3; ++g) {
    rates.accept(g, 0) = accept[g];
    rates.tpr(g, 0) = tpr[g];
  }
  return rates;
}

TEST(StepRatios, AreBesideTheGroupThatIsTreatedBest) {
  const Rates rates = rates_of({0.5, 0.25, 0.375}, {0.5, 0.75, 0.375});
  const StepRatio accepted = step_ratios(rates, RatioNotion::dp).at(0);
  EXPECT_EQ(accepted.ratio, 0.5);  // 0.25 / 0.5
  EXPECT_EQ(accepted.group, 1U);
  EXPECT_EQ(accepted.beside, 0U);
  const StepRatio qualified = step_ratios(rates, RatioNotion::eqopt).at(0);
  EXPECT_EQ(qualified.ratio, 0.5);  // 0.375 / 0.75
  EXPECT_EQ(qualified.group, 2U);
  EXPECT_EQ(qualified.beside, 1U);
}

TEST(StepRatios, BesideAReferenceMayBeAboveOne) {
  const Rates rates = rates_of({0.5, 0.25, 0.375}, {1, 1, 1});
  const StepRatio least = step_ratios(rates, RatioNotion::dp, 1).at(0);
  EXPECT_EQ(least.ratio, 1.5);  // 0.375 / 0.25; the first group has 2
  EXPECT_EQ(least.group, 2U);
  EXPECT_EQ(least.beside, 1U);
}

TEST(StepRatios, ARateOfNobodyIsInNoComparison) {
  const StepRatio two_left = step_ratios(rates_of({1, 1, 1}, {kNobody, 0.5, 0.25}), RatioNotion::eqopt).at(0);
  EXPECT_EQ(two_left.ratio, 0.5);
  const Rates one_left = rates_of({1, 1, 1}, {kNobody, 0.5, kNobody});
  EXPECT_TRUE(std::isnan(step_ratios(one_left, RatioNotion::eqopt).at(0).ratio));
  EXPECT_TRUE(std::isnan(step_ratios(one_left, RatioNotion::eqopt, 0).at(0).ratio));  // the reference is nobody
}

TEST(StepRatios, WhereNobodyIsAcceptedThereIsNone) {
  EXPECT_TRUE(std::isnan(step_ratios(rates_of({0, 0, 0}, {0, 0, 0}), RatioNotion::dp).at(0).ratio));
  // Accepted is somebody, but nobody of the reference.
  EXPECT_TRUE(std::isnan(step_ratios(rates_of({0, 0.5, 0}, {0, 0, 0}), RatioNotion::dp, 0).at(0).ratio));
  EXPECT_EQ(step_ratios(rates_of({0, 0.5, 0}, {0, 0, 0}), RatioNotion::dp).at(0).ratio, 0);
}

}  // namespace
}  // namespace fairstep
