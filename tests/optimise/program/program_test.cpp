// Means, limits and penalties of a program, on two groups whose numbers are worked out by hand.
#include <fairstep/optimise/program/program.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

const std::vector<double> kSums{0.5, 0.25, 1, 0};  // of four functionals

Mean quotient(std::size_t numerator, std::size_t denominator) {
  return {.numerator = numerator, .denominator = denominator};
}

TEST(MeanOf, IsTheNumeratorOrAQuotient) {
  EXPECT_EQ(mean_of({.numerator = 0}, kSums), 0.5);
  EXPECT_EQ(mean_of(quotient(1, 0), kSums), 0.5);  // 1/4 over 1/2
}

TEST(MeanOf, OfNobodyIsNoNumber) { EXPECT_TRUE(std::isnan(mean_of(quotient(0, 3), kSums))); }

TEST(WidthOf, IsTheGreatestMeanLessTheLeast) {
  EXPECT_EQ(width_of({.means = {{.numerator = 0}, {.numerator = 1}, {.numerator = 2}}}, kSums), 0.75);
}

TEST(WidthOf, LeavesMeansOfNobodyOut) {
  EXPECT_EQ(width_of({.means = {{.numerator = 0}, quotient(2, 3), {.numerator = 1}}}, kSums), 0.25);
  EXPECT_EQ(width_of({.means = {quotient(0, 3), quotient(1, 3)}}, kSums), 0);
}

TEST(WidthOf, OfTwoSidesIsTheGreatestOfOneLessTheLeastOfTheOther) {
  // Means 1/2 and 1/4, at the least 0 and 1: the greatest mean is 1/2, the least of the others 0.
  const Parity parity{.means = {{.numerator = 0}, {.numerator = 1}}, .lower = {{.numerator = 3}, {.numerator = 2}}};
  EXPECT_TRUE(parity.two_sided());
  EXPECT_EQ(width_of(parity, kSums), 0.5);
}

TEST(HeightOf, IsTheWeightedSumOfMeans) {
  // 2 * 1/2 - 1/4
  EXPECT_EQ(height_of({.means = {{.numerator = 0}, {.numerator = 1}}, .coefficient = {2, -1}}, kSums), 0.75);
  EXPECT_TRUE(std::isnan(height_of({.means = {quotient(0, 3)}, .coefficient = {1}}, kSums)));
}

TEST(ExcessOf, IsTheGreatestOverAllLimits) {
  Program program;
  EXPECT_EQ(excess_of(program, kSums), -kInfinity);
  program.parities = {{.means = {{.numerator = 0}, {.numerator = 1}}, .limit = 0.5}};  // 1/4 - 1/2
  EXPECT_EQ(excess_of(program, kSums), -0.25);
  program.rows = {{.means = {{.numerator = 2}}, .coefficient = {1}, .upper = 0.875}};
  EXPECT_EQ(excess_of(program, kSums), 0.125);
}

TEST(ExcessOf, KnowsNoExcessOfNobody) {
  Program program;
  program.rows = {{.means = {quotient(0, 3)}, .coefficient = {1}, .upper = -5}};
  EXPECT_EQ(excess_of(program, kSums), -kInfinity);
}

TEST(PenaltyOf, SquaresTheDifferenceOfTheMeans) {
  Program program;
  program.penalties = {{.first = {.numerator = 0}, .second = {.numerator = 1}, .weight = 8}};
  EXPECT_EQ(gap_of(program.penalties[0], kSums), 0.25);
  EXPECT_EQ(penalty_of(program, kSums), 0.5);  // 8 / 16
}

TEST(PenaltyOf, MultipliedOutNeedsNoQuotient) {
  // 1/2 over 1 and 1/4 over 1/2: 1/2 * 1/2 - 1/4 * 1 = 0; and 1/4 over 1 and 1/2 over 1: 1/4 - 1/2.
  EXPECT_EQ(gap_of({quotient(0, 2), quotient(1, 0), 1, true}, kSums), 0);
  EXPECT_EQ(gap_of({quotient(1, 2), quotient(0, 2), 1, true}, kSums), -0.25);
  EXPECT_EQ(gap_of({quotient(1, 3), quotient(0, 2), 1, true}, kSums), 0.25);  // of nobody: 1/4 * 1 - 1/2 * 0
}

TEST(PenaltyOf, TakesNothingForNobodyAndATollForAMean) {
  Program program;
  program.penalties = {{.first = quotient(0, 3), .second = {.numerator = 1}, .weight = 8}};
  program.tolls = {{.mean = {.numerator = 0}, .price = 3}, {.mean = quotient(0, 3), .price = 100}};
  EXPECT_EQ(penalty_of(program, kSums), 1.5);
}

// Group a: half low and unqualified, half high and qualified; group b three quarters and a quarter. Shares 1/2.
// Accepting earns 1 from the qualified and -1/2 from the others.
class HighAndLow : public ::testing::Test {
 protected:
  Model model = standing_still(1, kHighAndLow, -0.5, 1);
  Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.125}}}}, {}));
  std::vector<double> high_only{0, 1};  // [x]
};

TEST_F(HighAndLow, ATableHasItsPartOfTheValueAndOfEachFunctional) {
  Workspace work(program.shape());
  const Effect a = effect_of(program, 0, high_only, work);
  EXPECT_EQ(a.value, 0.25);  // 1/2 * 1/2
  EXPECT_EQ(a.functional, (std::vector<double>{0.5, 0}));
  const Effect b = effect_of(program, 1, std::vector<double>{1, 1}, work);
  EXPECT_EQ(b.value, -0.0625);  // 1/2 (1/4 - 3/8)
  EXPECT_EQ(b.functional, (std::vector<double>{0, 1}));
}

TEST_F(HighAndLow, AnAssessmentAddsTheBlocksUp) {
  // Rates 1/2 and 1/4: value 1/2 (1/2 + 1/4), excess 1/4 - 1/8.
  const Candidate candidate = assess(program, {high_only, high_only});
  EXPECT_EQ(candidate.objective, 0.375);
  EXPECT_EQ(candidate.excess, 0.125);
  EXPECT_EQ(candidate.tables, (Tables{high_only, high_only}));
}

TEST_F(HighAndLow, AnAssessmentTakesThePenaltyOff) {
  const Program penalised = unwrap(compile_penalty(model, {.parity = {{Notion::dp, {0}}}}, {}, 2, PenaltyForm::rate));
  const Candidate candidate = assess(penalised, {high_only, high_only});
  EXPECT_EQ(candidate.objective, 0.25);  // 3/8 - 2 / 16
  EXPECT_EQ(candidate.excess, -kInfinity);
}

TEST_F(HighAndLow, PricedRewardsAreThoseOfTheValueAndOfEachFunctional) {
  // Of group a, [x,y,a]: half of the value's rewards times its share, and 3 for each acceptance.
  std::vector<double> reward(program.shape().cells());
  price_rewards(program, 0, std::vector<double>{3, 100}, 0.5, reward);
  EXPECT_EQ(reward, (std::vector<double>{0, 2.875, 0, 3.25, 0, 2.875, 0, 3.25}));
}

TEST_F(HighAndLow, AGradientIsWhatAcceptingMoreWouldEarn) {
  // Half of a is low, each -1/2 at a share of 1/2; the other half is high, each 1.
  Workspace work(program.shape());
  std::vector<double> reward(program.shape().cells());
  price_rewards(program, 0, std::vector<double>{0, 0}, 1, reward);
  std::vector<double> gradient{10, 10};  // it is added to
  const std::vector<double> mass{0.5, 0, 0, 0.5};
  add_gradient(program, 0, high_only, reward, mass, work, gradient);
  EXPECT_EQ(gradient, (std::vector<double>{10 - 0.125, 10 + 0.25}));
}

TEST(IsBetter, KeepingLimitsComesFirstThenTheObjectiveOrTheExcess) {
  const Candidate keeps{{}, 1, 0}, keeps_more{{}, 2, -1}, breaks{{}, 9, 0.5}, breaks_less{{}, 0, 0.25};
  EXPECT_TRUE(is_better(keeps, breaks, 1e-9));
  EXPECT_FALSE(is_better(breaks, keeps, 1e-9));
  EXPECT_TRUE(is_better(keeps_more, keeps, 1e-9));
  EXPECT_FALSE(is_better(keeps, keeps, 1e-9));
  EXPECT_TRUE(is_better(breaks_less, breaks, 1e-9));
  EXPECT_TRUE(is_better(breaks, breaks_less, 0.5));  // both keep them now
}

}  // namespace
}  // namespace fairstep
