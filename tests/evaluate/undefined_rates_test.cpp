// A rate of nobody: NaN, and in no pair.
//
// Three groups, one feature, one step, everybody accepted with probability 0.2, 0.5 and 0.9. Who is qualified is set by
// each test; with one feature the rates of a group are all its acceptance.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/evaluate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

Evaluation evaluate_with_qualified(const std::vector<double>& qualified) {
  ModelSpec spec;
  spec.horizon = 1;
  spec.names.groups = {"a", "b", "c"};
  spec.names.features = {"only"};
  spec.share = {0.5, 0.25, 0.25};
  spec.initial = Tensor<double, 3>({3, 1, 2});
  spec.transition = Tensor<double, 6>({3, 1, 2, 2, 1, 2}, 0.5);
  spec.reward = Tensor<double, 4>({3, 1, 2, 2}, 1.0);
  Tensor<double, 3> accept({3, 1, 1});
  const double p[] = {0.2, 0.5, 0.9};
  for (std::size_t g = 0; g < 3; ++g) {
    spec.initial(g, 0, 0) = 1 - qualified[g];
    spec.initial(g, 0, 1) = qualified[g];
    accept(g, 0, 0) = p[g];
  }
  return unwrap(evaluate(unwrap(Model::make(std::move(spec))), unwrap(Policy::make(std::move(accept)))));
}

TEST(UndefinedRates, AGroupWithNobodyQualifiedIsInNoPair) {
  const Evaluation result = evaluate_with_qualified({0.5, 0.5, 0});
  EXPECT_TRUE(std::isnan(result.rates.tpr(2, 0)));
  EXPECT_EQ(result.rates.qualified(2, 0), 0);
  EXPECT_DOUBLE_EQ(result.gap.eqopt[0].gap, 0.3);  // a and b; c would have made it 0.7
  EXPECT_EQ(result.gap.eqopt[0].first, 0u);
  EXPECT_EQ(result.gap.eqopt[0].second, 1u);
  EXPECT_DOUBLE_EQ(result.gap.dp[0].gap, 0.7);      // everybody has an acceptance rate
  EXPECT_DOUBLE_EQ(result.gap.eqodds[0].gap, 0.7);  // fpr: a and c
  EXPECT_EQ(result.gap.eqodds[0].first, 0u);
  EXPECT_EQ(result.gap.eqodds[0].second, 2u);
  EXPECT_TRUE(std::isnan(result.aggregate_eqopt[2]));
  EXPECT_DOUBLE_EQ(result.aggregate_eqopt_gap.gap, 0.3);
}

TEST(UndefinedRates, TheFirstGroupMayBeTheOneWithoutTheRate) {
  const Evaluation result = evaluate_with_qualified({0, 0.5, 0.5});
  EXPECT_DOUBLE_EQ(result.gap.eqopt[0].gap, 0.4);  // b and c
  EXPECT_EQ(result.gap.eqopt[0].first, 1u);
  EXPECT_EQ(result.gap.eqopt[0].second, 2u);
}

TEST(UndefinedRates, WithOneGroupLeftThereIsNoGap) {
  const Evaluation result = evaluate_with_qualified({0, 0.5, 0});
  EXPECT_TRUE(std::isnan(result.gap.eqopt[0].gap));
  EXPECT_TRUE(std::isnan(result.aggregate_eqopt_gap.gap));
  EXPECT_DOUBLE_EQ(result.gap.eqodds[0].gap, 0.7);  // by the unqualified alone
}

TEST(UndefinedRates, WithEverybodyQualifiedEqualizedOddsIsEqualOpportunity) {
  const Evaluation result = evaluate_with_qualified({1, 1, 1});
  for (std::size_t g = 0; g < 3; ++g) EXPECT_TRUE(std::isnan(result.rates.fpr(g, 0)));
  EXPECT_DOUBLE_EQ(result.gap.eqopt[0].gap, 0.7);
  EXPECT_DOUBLE_EQ(result.gap.eqodds[0].gap, 0.7);
}

TEST(UndefinedRates, WithNoPairForEitherLabelEqualizedOddsIsUndefined) {
  ModelSpec spec;  // one group all qualified, the other none
  spec.horizon = 1;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"only"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 1, 2});
  spec.initial(0, 0, 1) = spec.initial(1, 0, 0) = 1;
  spec.transition = Tensor<double, 6>({2, 1, 2, 2, 1, 2}, 0.5);
  spec.reward = Tensor<double, 4>({2, 1, 2, 2});
  const Model model = unwrap(Model::make(std::move(spec)));
  const Evaluation result = unwrap(evaluate(model, unwrap(Policy::make(Tensor<double, 3>({2, 1, 1}, 0.5)))));
  EXPECT_TRUE(std::isnan(result.gap.eqopt[0].gap));
  EXPECT_TRUE(std::isnan(result.gap.eqodds[0].gap));
  EXPECT_EQ(result.gap.dp[0].gap, 0);
}

// Three groups of whom the qualified have the first feature and the others the second: tpr is 0, 1/2, 1/4 and fpr is 0,
// 1/4, 1/2. Both gaps are 1/2, and the pair named is that of the qualified.
TEST(EqualizedOdds, NamesThePairOfTheQualifiedIfBothGapsAreTheSame) {
  ModelSpec spec;
  spec.horizon = 1;
  spec.names.groups = {"a", "b", "c"};
  spec.names.features = {"first", "second"};
  spec.share = {0.5, 0.25, 0.25};
  spec.initial = Tensor<double, 3>({3, 2, 2});
  spec.transition = Tensor<double, 6>({3, 2, 2, 2, 2, 2}, 0.25);
  spec.reward = Tensor<double, 4>({3, 2, 2, 2});
  for (std::size_t g = 0; g < 3; ++g) spec.initial(g, 0, 1) = spec.initial(g, 1, 0) = 0.5;
  Tensor<double, 3> accept({3, 1, 2});
  accept(1, 0, 0) = accept(2, 0, 1) = 0.5;
  accept(2, 0, 0) = accept(1, 0, 1) = 0.25;
  const Model model = unwrap(Model::make(std::move(spec)));
  const Evaluation result = unwrap(evaluate(model, unwrap(Policy::make(std::move(accept)))));
  EXPECT_EQ(result.gap.eqodds[0].gap, 0.5);
  EXPECT_EQ(result.gap.eqodds[0].first, 0u);
  EXPECT_EQ(result.gap.eqodds[0].second, 1u);
}

TEST(OfNotion, IsTheVectorOfTheNotion) {
  const Evaluation result(Shape{2, 1, 1});
  EXPECT_EQ(&of_notion(result.gap, Notion::dp), &result.gap.dp);
  EXPECT_EQ(&of_notion(result.gap, Notion::eqopt), &result.gap.eqopt);
  EXPECT_EQ(&of_notion(result.gap, Notion::eqodds), &result.gap.eqodds);
}

TEST(UndefinedRates, AnUndefinedStepDoesNotSpoilTheEpisode) {
  ModelSpec spec;  // nobody qualified at first, everybody after
  spec.horizon = 2;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"only"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 1, 2});
  spec.transition = Tensor<double, 6>({2, 1, 2, 2, 1, 2});
  spec.reward = Tensor<double, 4>({2, 1, 2, 2});
  for (std::size_t g = 0; g < 2; ++g) {
    spec.initial(g, 0, 0) = 1;
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t a = 0; a < 2; ++a) spec.transition(g, 0, y, a, 0, 1) = 1;
  }
  const Model model = unwrap(Model::make(std::move(spec)));
  Tensor<double, 3> accept({2, 2, 1}, 0.25);
  accept(1, 1, 0) = 1;
  const Evaluation result = unwrap(evaluate(model, unwrap(Policy::make(std::move(accept)))));
  EXPECT_TRUE(std::isnan(result.gap.eqopt[0].gap));
  EXPECT_EQ(result.gap.eqopt[1].gap, 0.75);
  EXPECT_EQ(result.aggregate_eqopt, (std::vector{0.25, 1.0}));  // the second step alone
}

}  // namespace
}  // namespace fairstep
