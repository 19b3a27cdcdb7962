#include <fairstep/learn/trial.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

Trial trial_of(const Model& model, const Policy& policy, Notion notion, std::uint64_t people, std::uint64_t seed = 1,
               std::uint64_t number = 0) {
  return unwrap(try_out(model, policy, notion, people, seed, number));
}

const std::vector<StepGap>& exact_gaps(const Evaluation& evaluation, Notion notion) {
  if (notion == Notion::dp) return evaluation.gap.dp;
  return notion == Notion::eqopt ? evaluation.gap.eqopt : evaluation.gap.eqodds;
}

void expect_same(const Trial& first, const Trial& second) {
  EXPECT_EQ(first.people, second.people);
  EXPECT_EQ(first.value.mean, second.value.mean);
  EXPECT_EQ(first.value.low, second.value.low);
  EXPECT_EQ(first.value.high, second.value.high);
  EXPECT_EQ(first.violation.mean, second.violation.mean);
  EXPECT_EQ(first.violation.low, second.violation.low);
  EXPECT_EQ(first.violation.high, second.violation.high);
  EXPECT_EQ(first.gap, second.gap);
}

TEST(Trial, IsTheSameForTheSameSeedAndNumber) {
  const Model model = testing::random_model(1, 2, 2, 3);
  const Policy policy = testing::random_policy(1, model);
  const Trial first = trial_of(model, policy, Notion::dp, 500, 7, 3);
  expect_same(first, trial_of(model, policy, Notion::dp, 500, 7, 3));
  EXPECT_NE(first.value.mean, trial_of(model, policy, Notion::dp, 500, 8, 3).value.mean);
  EXPECT_NE(first.value.mean, trial_of(model, policy, Notion::dp, 500, 7, 4).value.mean);
}

TEST(Trial, MeasuresWhatIsExactWhereNothingIsLeftToChance) {
  // Everybody of a is qualified and accepted, everybody of b is not and is refused; states stay. Accepting a qualified
  // person brings 1, at discount 1/2 over two steps 3/2; a are 3/4 of all: 9/8.
  ModelSpec spec = testing::hand_model().spec();
  spec.discount = 0.5;
  spec.initial = Tensor<double, 3>({2, 2, kLabels});
  spec.initial(0, 1, 1) = 1;
  spec.initial(1, 0, 0) = 1;
  const Model model = unwrap(Model::make(std::move(spec)));
  Tensor<double, 3> accept({2, 2, 2});
  for (double& p : accept.block(0)) p = 1;
  const Policy policy = unwrap(Policy::make(std::move(accept)));
  const Trial dp = trial_of(model, policy, Notion::dp, 10);
  EXPECT_EQ(dp.people, 10u);
  EXPECT_EQ(dp.value.mean, 1.125);
  EXPECT_EQ(dp.value.low, 1.125);
  EXPECT_EQ(dp.value.high, 1.125);
  EXPECT_EQ(dp.gap, (std::vector<double>{1, 1}));
  EXPECT_EQ(dp.violation.mean, 1);
  EXPECT_EQ(dp.violation.low, 1);
  // Of b nobody is qualified, of a everybody: no rate can be compared.
  for (const Notion notion : {Notion::eqopt, Notion::eqodds}) {
    const Trial none = trial_of(model, policy, notion, 10);
    ASSERT_EQ(none.gap.size(), 2u);
    for (const double gap : none.gap) EXPECT_TRUE(std::isnan(gap));
    EXPECT_EQ(none.violation.mean, 0);
  }
}

TEST(Trial, OfOnePersonHasAMean) {
  const Model model = testing::random_model(1, 2, 2, 3);
  const Trial trial = trial_of(model, testing::random_policy(1, model), Notion::dp, 1);
  EXPECT_TRUE(std::isfinite(trial.value.mean));
  EXPECT_TRUE(std::isfinite(trial.violation.high));
}

// 10^5 people a group, totals within an interval of length at most 6: a group's mean is off by more than 0.06 with
// probability below 2 exp(-2 * 10^5 * 0.06^2 / 36) < 5e-9, a rate of at least 10^4 people by more than 0.035 below
// 2 exp(-2 * 10^4 * 0.035^2) < 5e-11, a gap by twice that. 12 trials of up to 3 groups, 3 steps and 2 labels: below
// 1e-6 for all of it.
TEST(Trial, AgreesWithTheReferee) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Model model = testing::random_model(seed, 2 + seed % 2, 2, 3, seed < 2 ? 1 : 0.8);
    const Policy policy = testing::random_policy(seed + 10, model);
    const Evaluation exact = unwrap(evaluate(model, policy));
    for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
      const Trial trial = trial_of(model, policy, notion, 100'000, seed);
      EXPECT_NEAR(trial.value.mean, exact.value, 0.06);
      double violation = 0;
      for (std::size_t h = 0; h < 3; ++h) {
        EXPECT_GT(exact.rates.qualified(0, h) * (1 - exact.rates.qualified(0, h)), 0.1);  // 10^4 people of each label
        EXPECT_NEAR(trial.gap[h], exact_gaps(exact, notion)[h].gap, 0.07);
        violation += trial.gap[h] / 3;
      }
      EXPECT_NEAR(trial.violation.mean, violation, 1e-12);
      EXPECT_LE(trial.violation.low, trial.violation.mean);
      EXPECT_GE(trial.violation.high, trial.violation.mean);
      EXPECT_LT(trial.value.high - trial.value.low, 0.05);
    }
  }
}

TEST(Trial, CountsNoiseOfRewardsInItsInterval) {
  ModelSpec spec = testing::hand_model().spec();
  const Policy policy = accept_all(testing::hand_model());
  const Trial without = trial_of(testing::hand_model(), policy, Notion::dp, 2000);
  spec.reward_noise = Tensor<double, 4>(spec.reward.extents(), 5.0);
  const Trial with = trial_of(unwrap(Model::make(std::move(spec))), policy, Notion::dp, 2000);
  // Variance 25 a step, two steps: the half-width is at least 1.96 sqrt(50 (9/16 + 1/16) / 2000) = 0.245; 4 % less for
  // chance.
  EXPECT_GT(with.value.high - with.value.mean, 0.96 * 0.245);
  EXPECT_LT(without.value.high - without.value.mean, 0.1);
}

TEST(Trial, IsOfPeopleWhoStayWhateverParticipationSays) {
  const Model leaving = unwrap(make_random({.features = 2, .horizon = 4, .participation = true, .seed = 5}));
  ModelSpec spec = leaving.spec();
  spec.participation.reset();
  const Policy policy = testing::random_policy(5, leaving);
  expect_same(trial_of(leaving, policy, Notion::dp, 300),
              trial_of(unwrap(Model::make(std::move(spec))), policy, Notion::dp, 300));
}

// An interval of 95 % misses in 20 of 400 trials on average, with standard deviation 4.4. The normal interval is not
// exact for 300 people; were the level 93 to 97 %, more than 57 or fewer than 1 misses would still have a probability
// below 1e-5. The seeds are fixed.
TEST(Trial, IntervalsCoverAtTheirLevel) {
  const Model model = testing::random_model(2, 3, 2, 1);
  Tensor<double, 3> accept({3, 1, 2});
  // Rates clearly apart, so that the widest gap is that of one pair.
  for (std::size_t x = 0; x < 2; ++x) {
    accept(0, 0, x) = 0.2;
    accept(1, 0, x) = 0.5;
    accept(2, 0, x) = 0.8;
  }
  const Policy policy = unwrap(Policy::make(std::move(accept)));
  const double value = unwrap(evaluate(model, policy)).value;
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    int value_missed = 0, violation_missed = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Trial trial = trial_of(model, policy, notion, 300, seed);
      value_missed += trial.value.low > value || trial.value.high < value ? 1 : 0;
      violation_missed += trial.violation.low > 0.6 || trial.violation.high < 0.6 ? 1 : 0;
    }
    EXPECT_GE(value_missed, 1);
    EXPECT_LE(value_missed, 57);
    EXPECT_GE(violation_missed, 1);
    EXPECT_LE(violation_missed, 57);
  }
}

// Of several steps the interval adds up those of each: it misses at most as often. 400 trials, more than 57 misses has
// a probability below 1e-5 even at a level of 93 %.
TEST(Trial, TheIntervalOfAnAverageGapIsWideEnough) {
  const Model model = testing::random_model(4, 2, 2, 3);
  Tensor<double, 3> accept({2, 3, 2}, 0.3);
  for (double& p : accept.block(1)) p = 0.7;
  const Policy policy = unwrap(Policy::make(std::move(accept)));
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Trial trial = trial_of(model, policy, Notion::eqodds, 300, seed);
    missed += trial.violation.low > 0.4 || trial.violation.high < 0.4 ? 1 : 0;
  }
  EXPECT_LE(missed, 57);
}

TEST(Trial, RefusesAPolicyForAnotherModel) {
  const Model model = testing::random_model(1, 2, 2, 3), other = testing::random_model(1, 2, 3, 3);
  EXPECT_FALSE(try_out(model, testing::random_policy(1, other), Notion::dp, 10, 1, 0));
}

}  // namespace
}  // namespace fairstep
