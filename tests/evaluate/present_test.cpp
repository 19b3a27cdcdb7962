// Rates of those who are there, by hand; and that nothing else depends on who is.
#include <fairstep/evaluate/present.hpp>

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// Two steps, nobody changes, and the feature tells the label: half are low and unqualified, half high and qualified.
/// Of a, 3/4 come at the first step and 1/4 at the second; the accepted low leave, and half of the refused high. Of b
/// all come at the second step.
Model coming_and_going(bool participation) {
  ModelSpec spec;
  spec.horizon = 2;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"low", "high"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 2, 2});
  spec.transition = Tensor<double, 6>({2, 2, 2, 2, 2, 2});
  spec.reward = Tensor<double, 4>({2, 2, 2, 2});
  for (std::size_t g = 0; g < 2; ++g) {
    spec.initial(g, 0, 0) = spec.initial(g, 1, 1) = 0.5;
    for (std::size_t x = 0; x < 2; ++x)
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t a = 0; a < 2; ++a) spec.transition(g, x, y, a, x, y) = 1;
  }
  if (!participation) return unwrap(Model::make(std::move(spec)));
  Participation& p = spec.participation.emplace();
  p.leave = Tensor<double, 4>({2, 2, 2, 2});
  p.leave(0, 0, 0, 1) = 1;
  p.leave(0, 1, 1, 0) = 0.5;
  p.first_step = Tensor<double, 2>({2, 2});
  p.first_step(0, 0) = 0.75;
  p.first_step(0, 1) = 0.25;
  p.first_step(1, 1) = 1;
  return unwrap(Model::make(std::move(spec)));
}

/// Half of all at the first step; the high at the second.
Policy half_then_high() {
  Tensor<double, 2> accept({2, 2}, 0.5);
  accept(1, 0) = 0;
  accept(1, 1) = 1;
  return unwrap(Policy::make_group_independent(accept));
}

TEST(Present, RatesAreOfThoseWhoAreThereAsWorkedOut) {
  const Presence present = rates_of_those_present(coming_and_going(true), half_then_high());
  // Step 0, a: 3/8 low and 3/8 high, half of each accepted.
  EXPECT_EQ(present.share(0, 0), 0.75);
  EXPECT_EQ(present.rates.accept(0, 0), 0.5);
  EXPECT_EQ(present.rates.tpr(0, 0), 0.5);
  EXPECT_EQ(present.rates.qualified(0, 0), 0.5);
  // Step 1, a: low 3/16 (refused) + 1/8 (new) = 10/32, high 3/16 (accepted) + 3/32 (refused) + 1/8 (new) = 13/32.
  EXPECT_EQ(present.share(0, 1), 23 / 32.);
  EXPECT_DOUBLE_EQ(present.rates.accept(0, 1), 13 / 23.);
  EXPECT_EQ(present.rates.tpr(0, 1), 1);
  EXPECT_EQ(present.rates.fpr(0, 1), 0);
  EXPECT_DOUBLE_EQ(present.rates.qualified(0, 1), 13 / 23.);
  // b: nobody, then everybody.
  EXPECT_EQ(present.share(1, 0), 0);
  for (const auto* rate : {&present.rates.accept, &present.rates.tpr, &present.rates.fpr, &present.rates.qualified})
    EXPECT_TRUE(std::isnan((*rate)(1, 0)));
  EXPECT_EQ(present.share(1, 1), 1);
  EXPECT_EQ(present.rates.accept(1, 1), 0.5);
}

TEST(Present, IsPartOfAnEvaluationThatDoesNotOtherwiseDependOnIt) {
  const Evaluation with = unwrap(evaluate(coming_and_going(true), half_then_high()));
  const Evaluation without = unwrap(evaluate(coming_and_going(false), half_then_high()));
  ASSERT_TRUE(with.present);
  EXPECT_FALSE(without.present);
  EXPECT_DOUBLE_EQ(with.present->rates.accept(0, 1), 13 / 23.);
  EXPECT_EQ(with.rates.accept, without.rates.accept);
  EXPECT_EQ(with.rates.accept(0, 1), 0.5);
  EXPECT_EQ(with.mass, without.mass);
  EXPECT_EQ(with.value, without.value);
}

TEST(Present, IsEverybodyWhereNobodyComesOrGoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = testing::random_model(seed, 2 + seed % 2, 1 + seed % 3, 4);
    const Policy policy = testing::random_policy(seed, model);
    const Presence present = rates_of_those_present(model, policy);
    const Evaluation all = unwrap(evaluate(model, policy));
    for (std::size_t i = 0; i < present.share.size(); ++i) {
      EXPECT_NEAR(present.share.flat()[i], 1, 1e-12);
      EXPECT_NEAR(present.rates.accept.flat()[i], all.rates.accept.flat()[i], 1e-12);
      EXPECT_NEAR(present.rates.tpr.flat()[i], all.rates.tpr.flat()[i], 1e-12);
      EXPECT_NEAR(present.rates.fpr.flat()[i], all.rates.fpr.flat()[i], 1e-12);
      EXPECT_NEAR(present.rates.qualified.flat()[i], all.rates.qualified.flat()[i], 1e-12);
    }
  }
}

}  // namespace
}  // namespace fairstep
