// What an update records, and how it is judged.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/robust.hpp>
#include <fairstep/learn/internal/update_program.hpp>
#include <fairstep/learn/learn.hpp>

#include "learn/watched.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::learned;
using testing::population;
using testing::quick;
using testing::unwrap;
using testing::Watched;

TEST(Learn, RecordsWhatTheProgramWas) {
  Watched environment(population());
  LearnOptions options = quick();
  options.fairness.limit = {0.1, 0.2, 0.3};
  Learner learner = unwrap(Learner::make(environment, options));
  for (std::size_t i = 0; i < 3; ++i) {
    const Update update = unwrap(learner.next());
    const UpdateProgram program =
        unwrap(update_program(learner.counts(), environment.known(), learner.options(), options.schedule[i]));
    EXPECT_EQ(update.floor, program.floor);
    EXPECT_EQ(update.epsilon, program.epsilon);
    EXPECT_EQ(update.bonus_max, program.bonus_max);
    EXPECT_EQ(update.unvisited, program.estimate.unvisited);
    EXPECT_EQ(update.relaxation, program.relaxation);
    EXPECT_EQ(update.limit, options.fairness.limit);
    const Evaluation raised = unwrap(evaluate(program.optimistic, update.policy));
    EXPECT_EQ(update.bounds.lower, raised.value);
    for (std::size_t h = 0; h < 3; ++h) {
      EXPECT_EQ(update.estimated_gap[h], raised.gap.dp[h].gap);
      EXPECT_LE(update.estimated_gap[h], program.parity.limit[h] + kLimitTolerance);
      for (std::size_t g = 0; g < 2; ++g)
        for (std::size_t x = 0; x < 2; ++x) {
          EXPECT_GE(update.policy.accept(g, h, x), program.floor);
          EXPECT_LE(update.policy.accept(g, h, x), 1 - program.floor);
        }
    }
    EXPECT_FALSE(update.safety);
    EXPECT_FALSE(update.truth);
  }
}

TEST(Learn, SaysWhereTheRelaxationIsVacuous) {
  LearnOptions options = quick({8, 1u << 20});
  options.relaxation = RelaxationMode::literal;
  options.relaxation_scale = 0.05;
  const std::vector<Update> updates = learned(population(), options);
  EXPECT_EQ(updates[0].vacuous, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_GE(updates[0].relaxation[0], 1);
  EXPECT_TRUE(updates[1].vacuous.empty());
  EXPECT_LT(updates[1].relaxation[0], 1);
}

TEST(Learn, ProvesEveryUpdateUnlessToldNotTo) {
  LearnOptions options = quick({8, 100});
  for (const Update& update : learned(population(), options)) {
    EXPECT_EQ(update.bounds.upper, HUGE_VAL);
    EXPECT_EQ(update.gap_to_bound, HUGE_VAL);
    EXPECT_EQ(update.outcome, Outcome::feasible);
  }
  options.proof.wanted = true;
  for (const Update& update : learned(population(), options)) {
    EXPECT_LE(update.bounds.lower, update.bounds.upper);
    EXPECT_LE(update.gap_to_bound, 1e-3);
    EXPECT_EQ(update.outcome, Outcome::optimal);
  }
}

// The relaxation that is reported with tight limits: what the doubt along the policy's own path allowed the worst pair.
TEST(Learn, RecordsWhatTightLimitsAllowedThePolicy) {
  const Model model = testing::random_model(3, 3, 2, 3);
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
    Watched environment(model);
    LearnOptions options = quick({100, 5000});
    options.relaxation = RelaxationMode::tight;
    options.fairness = {notion, {0.02}, {}};
    Learner learner = unwrap(Learner::make(environment, options));
    for (const std::uint64_t k : options.schedule) {
      const Update update = unwrap(learner.next());
      const UpdateProgram program = unwrap(update_program(learner.counts(), environment.known(), learner.options(), k));
      const double span = 1 - 2 * update.floor;
      const Tensor<double, 2> off =
          drift(program.estimate.model, update.policy, {program.radii->row, program.radii->initial});
      const Rates rates = unwrap(evaluate(program.estimate.model, update.policy)).rates;
      for (std::size_t h = 0; h < 3; ++h) {
        double widest = 0;
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < i; ++j) {
            const double qi = rates.qualified(i, h), qj = rates.qualified(j, h);
            const double ai = span * off(i, h), aj = span * off(j, h);
            if (notion == Notion::dp) widest = std::max(widest, ai + aj);
            if (notion != Notion::dp) widest = std::max(widest, ai / qi + aj / qj);
            if (notion == Notion::eqodds) widest = std::max(widest, ai / (1 - qi) + aj / (1 - qj));
          }
        EXPECT_NEAR(update.relaxation[h], widest, 1e-12);
        // No pair is further apart than the limit and what it was allowed.
        EXPECT_LE(update.estimated_gap[h], 0.02 + update.relaxation[h] + kLimitTolerance);
        EXPECT_EQ(std::count(update.vacuous.begin(), update.vacuous.end(), h), widest >= 1 ? 1 : 0);
      }
    }
  }
}

TEST(Learn, JudgesByTheReferee) {
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    LearnOptions options = quick();
    options.fairness = {notion, {0.05}, {}};
    options.trial_episodes = 50;
    options.people_per_episode = 2;
    options.seed = 11;
    const std::vector<Update> updates = learned(population(), options);
    for (std::size_t i = 0; i < updates.size(); ++i) {
      const Evaluation exact = unwrap(evaluate(population(), updates[i].policy));
      ASSERT_TRUE(updates[i].truth);
      const Truth& truth = *updates[i].truth;
      EXPECT_EQ(truth.evaluation.value, exact.value);
      double violation = 0;
      for (std::size_t h = 0; h < 3; ++h) {
        EXPECT_EQ(truth.evaluation.gap.dp[h].gap, exact.gap.dp[h].gap);
        EXPECT_EQ(truth.evaluation.gap.eqopt[h].gap, exact.gap.eqopt[h].gap);
        violation += (notion == Notion::dp ? exact.gap.dp : exact.gap.eqopt)[h].gap / 3;
      }
      EXPECT_NEAR(truth.violation, violation, 1e-15);
      // 50 episodes of 2 people a group, drawn for the update's number.
      ASSERT_TRUE(truth.trial);
      const Trial again = unwrap(try_out(population(), updates[i].policy, notion, 100, 11, i));
      EXPECT_EQ(truth.trial->people, 100u);
      EXPECT_EQ(truth.trial->value.mean, again.value.mean);
      EXPECT_EQ(truth.trial->gap, again.gap);
    }
  }
}

TEST(Learn, ATrialHasNoMorePeopleThanCanBeWalked) {
  LearnOptions options = quick({2});
  options.method = Method::unconstrained;
  for (const auto& [episodes, people] : {std::pair<std::size_t, std::uint64_t>{1, std::uint64_t{1} << 40},
                                         {std::size_t{1} << 40, std::uint64_t{1} << 40}}) {
    options.trial_episodes = episodes;
    options.people_per_episode = people;
    EXPECT_EQ(learned(population(), options)[0].truth->trial->people, kMostTrialPeople);
  }
}

TEST(Learn, AGapOfNobodyIsNoViolation) {
  // Nobody of b is ever qualified.
  ModelSpec spec = testing::hand_model().spec();
  spec.initial(1, 0, 0) = 1;
  spec.initial(1, 0, 1) = 0;
  const Model model = unwrap(Model::make(std::move(spec)));
  LearnOptions options = quick();
  options.fairness.notion = Notion::eqopt;
  for (const Update& update : learned(model, options)) EXPECT_EQ(update.truth->violation, 0);
}

TEST(Learn, MeasuresRegretAgainstTheBestFairPolicy) {
  SimulatedEnvironment environment(population(), 5);
  LearnOptions options = quick({8, 64, 4096});
  options.proof.wanted = true;
  options.fairness.limit = {0.02};
  Learner learner = unwrap(Learner::make(environment, options, &population()));
  const SolveResult best =
      unwrap(solve(population(), {.parity = {options.fairness}}, {.proof = {.gap = options.proof.gap}}));
  ASSERT_TRUE(learner.oracle());
  EXPECT_EQ(learner.oracle()->bounds.lower, best.bounds.lower);
  EXPECT_EQ(learner.oracle()->bounds.upper, best.bounds.upper);
  EXPECT_EQ(learner.oracle()->outcome, Outcome::optimal);
  while (!learner.finished()) {
    const Update update = unwrap(learner.next());
    const double value = update.truth->evaluation.value;
    EXPECT_NEAR(update.truth->reward_regret, (best.bounds.lower - value) / 3, 1e-15);
    EXPECT_NEAR(update.truth->regret_bound, (best.bounds.upper - value) / 3, 1e-15);
    EXPECT_GE(update.truth->regret_bound, update.truth->reward_regret);
  }
}

TEST(Learn, TheTruthChangesNothingButTheVerdict) {
  LearnOptions options = quick();
  options.trial_episodes = 10;
  const std::vector<Update> blind = learned(population(), options, 5, false), judged = learned(population(), options);
  for (std::size_t i = 0; i < blind.size(); ++i) {
    EXPECT_EQ(blind[i].policy, judged[i].policy);
    EXPECT_FALSE(blind[i].truth);
  }
}

TEST(Learn, UnconstrainedIgnoresLimitsAndAllAboutThem) {
  LearnOptions options = quick({8, 64, 1000});
  options.method = Method::unconstrained;
  const std::vector<Update> updates = learned(population(), options);
  options.fairness = {Notion::eqodds, {0.3}, {}};
  options.relaxation_scale = 7;
  const std::vector<Update> others = learned(population(), options);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    EXPECT_EQ(updates[i].policy, others[i].policy);
    EXPECT_EQ(updates[i].relaxation, (std::vector<double>{0, 0, 0}));
    EXPECT_TRUE(updates[i].vacuous.empty());
  }
  // Each entry is at its floor or its ceiling: nothing asks for a mixture.
  const double floor = updates[2].floor;
  for (std::size_t g = 0; g < 2; ++g)
    for (const double p : updates[2].policy.group(g)) EXPECT_NEAR(std::min(p, 1 - p), floor, 1e-6);
  EXPECT_GT(updates[2].truth->violation, 0.05);
}

TEST(Learn, ThePenaltyMethodPaysForGaps) {
  Watched environment(population());
  LearnOptions options = quick({64, 4096});
  options.method = Method::penalty;
  double before = HUGE_VAL;
  for (const double lambda : {0.0, 1.0, 100.0}) {
    options.penalty = lambda;
    const std::vector<Update> updates = learned(population(), options);
    // The heavier the weight, the smaller the gap under the estimate.
    const auto& gaps = updates[1].estimated_gap;
    const double widest = *std::max_element(gaps.begin(), gaps.end());
    EXPECT_LT(widest, before);
    before = widest;
    if (lambda == 0) {
      options.method = Method::unconstrained;
      EXPECT_NEAR(updates[1].bounds.lower, learned(population(), options)[1].bounds.lower, 1e-6);
      options.method = Method::penalty;
    }
  }
  EXPECT_LT(before, 0.01);
  // The objective that was reached: the value with the bonus, minus lambda times the squared gaps.
  Learner learner = unwrap(Learner::make(environment, options));
  for (const std::uint64_t k : options.schedule) {
    const Update update = unwrap(learner.next());
    const UpdateProgram program = unwrap(update_program(learner.counts(), environment.known(), learner.options(), k));
    const Evaluation raised = unwrap(evaluate(program.optimistic, update.policy));
    double objective = raised.value;
    for (const StepGap& step : raised.gap.dp) objective -= 100 * step.gap * step.gap;
    EXPECT_NEAR(update.bounds.lower, objective, 1e-9);
  }
}

}  // namespace
}  // namespace fairstep
