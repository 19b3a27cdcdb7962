#include <fairstep/explore/background_proof.hpp>

#include <thread>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/explore/answers.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

BackgroundProof::State when_done(const BackgroundProof& proof) {
  for (;;) {
    BackgroundProof::State state = proof.state();
    if (!state.running) return state;
    std::this_thread::yield();
  }
}

/// One that no machine proves while a test looks at it.
Model a_hard_one() { return testing::random_model(7, 3, 30, 30); }

TEST(BackgroundProof, EndsWithWhatSolveFinds) {
  const Model model = unwrap(make_fico());
  const ExploreQuestion question = unwrap(explore_question("fairness=dp&limit=0.05"));
  BackgroundProof proof(model);
  EXPECT_EQ(proof.state().number, 0U);
  EXPECT_EQ(proof.start(question, 60), 1U);
  const BackgroundProof::State state = when_done(proof);
  ASSERT_TRUE(state.result && *state.result);
  const SolveResult expected = unwrap(solve(model, fairness_of(question), options_for(question, true)));
  EXPECT_EQ((*state.result)->outcome, Outcome::optimal);
  EXPECT_EQ((*state.result)->bounds.upper, expected.bounds.upper);
  EXPECT_EQ((*state.result)->solution->policy, expected.solution->policy);
  EXPECT_EQ(state.question, question);
}

TEST(BackgroundProof, EndsTheOneBefore) {
  const Model model = a_hard_one();
  BackgroundProof proof(model);
  proof.start(unwrap(explore_question("fairness=eqodds&limit=0.01")), 3600);
  EXPECT_TRUE(proof.state().running);
  const ExploreQuestion free = unwrap(explore_question(""));
  EXPECT_EQ(proof.start(free, 0.01), 2U);  // or this would take an hour
  const BackgroundProof::State state = when_done(proof);
  EXPECT_EQ(state.question, free);
  ASSERT_TRUE(state.result && *state.result);
  EXPECT_EQ((*state.result)->stopped_by, StopReason::time);
}

TEST(BackgroundProof, HasNoAnswerIfItWasCancelled) {
  const Model model = a_hard_one();
  BackgroundProof proof(model);
  proof.start(unwrap(explore_question("fairness=eqodds&limit=0.01")), 3600);
  proof.cancel();
  EXPECT_FALSE(proof.state().running);
  EXPECT_FALSE(proof.state().result);
}

TEST(BackgroundProof, HasTheErrorOfAQuestionThatCannotBeSolved) {
  const Model model = unwrap(make_fico());
  BackgroundProof proof(model);
  proof.start(unwrap(explore_question("fairness=dp&limit=2")), 60);
  const BackgroundProof::State state = when_done(proof);
  ASSERT_TRUE(state.result);
  EXPECT_FALSE(*state.result);
}

}  // namespace
}  // namespace fairstep
