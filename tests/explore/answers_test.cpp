#include <fairstep/explore/answers.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using Json = nlohmann::json;
using testing::unwrap;

Explored of_fico() { return {.model = unwrap(make_fico()), .name = "fico.json"}; }

const std::vector<std::string>& some_questions() {
  static const std::vector<std::string> questions = {
      "",
      "fairness=dp&limit=0.05",
      "fairness=eqodds&limit=0.1&floor=0.02",
      "fairness=dp&limit=0.01&monotone=1&capacity=0.5",
      "fairness=eqopt&limit=0.02&group_independent=1",
      "fairness=dp-ratio&limit=0.8",
  };
  return questions;
}

/// NaN travels as null.
void expect_same(const Json& found, double expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(found.is_null());
  else
    EXPECT_EQ(found.get<double>(), expected);
}

TEST(ExploreAnswers, AreThoseOfSolveAndOfTheRefereeToTheLastBit) {
  const Explored fico = of_fico();
  for (const std::string& text : some_questions()) {
    SCOPED_TRACE(text);
    const ExploreQuestion question = unwrap(explore_question(text));
    // As `fairstep solve --no-proof` asks, price of rules included.
    SolveOptions options;
    options.policies = question.policies;
    options.proof.wanted = false;
    const SolveResult solved = unwrap(solve(fico.model, fairness_of(question), options));
    const SolveResult quick = unwrap(solve(fico.model, fairness_of(question), options_for(question, false)));
    const Json answered = Json::parse(answer(fico, question, quick, false));
    const Policy& policy = solved.solution->policy;
    EXPECT_EQ(answered["file"].get<std::string>(), to_text(policy));
    const Evaluation by_referee = unwrap(evaluate(fico.model, policy));
    const Json& effect = answered["effect"];
    EXPECT_EQ(effect["value"].get<double>(), by_referee.value);
    EXPECT_EQ(effect["value_per_group"].get<std::vector<double>>(), by_referee.value_per_group);
    EXPECT_EQ(effect["accepted_over_all"].get<std::vector<double>>(), by_referee.aggregate_dp);
    const std::vector<StepRatio> ratios = step_ratios(by_referee.rates, RatioNotion::eqopt);
    for (std::size_t h = 0; h < fico.model.shape().horizon; ++h) {
      for (std::size_t g = 0; g < 2; ++g) {
        expect_same(effect["accept"][g][h], by_referee.rates.accept(g, h));
        expect_same(effect["tpr"][g][h], by_referee.rates.tpr(g, h));
      }
      expect_same(effect["gaps"]["dp"][h], by_referee.gap.dp[h].gap);
      expect_same(effect["gaps"]["eqopt"][h], by_referee.gap.eqopt[h].gap);
      expect_same(effect["gaps"]["eqodds"][h], by_referee.gap.eqodds[h].gap);
      expect_same(effect["gaps"]["eqopt-ratio"][h], ratios[h].ratio);
    }
    EXPECT_FALSE(answered["proven"].get<bool>());
    EXPECT_EQ(answered["standing"], "not proven yet");
  }
}

TEST(ExploreAnswers, SayABoundThatHoldsAsItIsShown) {
  const Explored fico = of_fico();
  const ExploreQuestion question = unwrap(explore_question("fairness=dp&limit=0.05"));
  const SolveResult proven = unwrap(solve(fico.model, fairness_of(question), options_for(question, true)));
  const Json answered = Json::parse(answer(fico, question, proven, true));
  EXPECT_EQ(answered["solution"]["bounds"]["upper"].get<double>(), proven.bounds.upper);
  const std::string standing = answered["standing"];
  const std::string before = "proven: no such policy is worth more than ";
  ASSERT_TRUE(standing.starts_with(before)) << standing;
  EXPECT_GE(std::stod(standing.substr(before.size())), proven.bounds.upper);
}

TEST(ExploreAnswers, SayWhichLimitWouldDoIfNoneFits) {
  // Everybody is accepted with probability 1/2, whatever the policy, and at most a tenth may be: no policy.
  FicoOptions one_step;
  one_step.horizon = 1;
  Explored fico = of_fico();
  fico.model = unwrap(make_fico(one_step));
  const ExploreQuestion question = unwrap(explore_question("floor=0.5&capacity=0.1"));
  const SolveResult result = unwrap(solve(fico.model, fairness_of(question), options_for(question, true)));
  ASSERT_FALSE(result.solution);
  const Json answered = Json::parse(answer(fico, question, result, true));
  EXPECT_EQ(answered["standing"], "proven: no such policy keeps the limit at every step");
  EXPECT_FALSE(answered.contains("effect"));
  EXPECT_EQ(answered["remarks"][0], "a limit of 0.5000 on capacity would do");
}

TEST(ExploreAnswers, HaveTheCommandThatMakesThePolicyIfThereIsOne) {
  Explored explored = of_fico();
  const ExploreQuestion question = unwrap(explore_question("fairness=dp&limit=0.05"));
  const SolveResult quick = unwrap(solve(explored.model, fairness_of(question), options_for(question, false)));
  EXPECT_EQ(Json::parse(answer(explored, question, quick, false))["command"], "");
  explored.command = [](const ExploreQuestion& asked, bool proof) {
    return asked.as_query() + (proof ? " with proof" : " without");
  };
  EXPECT_EQ(Json::parse(answer(explored, question, quick, false))["command"], "fairness=dp&limit=0.05 without");
  EXPECT_EQ(Json::parse(answer(explored, question, quick, true))["command"], "fairness=dp&limit=0.05 with proof");
}

TEST(ExploreAnswers, WriteOutNamesThatWouldTurnTheReadingOrderAround) {
  Explored explored = of_fico();
  explored.name = std::string({'a', '\xE2', '\x80', '\xAE'}) + "b<script>.json";  // U+202E
  const Evaluation evaluation = unwrap(evaluate(explored.model, testing::random_policy(1, explored.model)));
  const Json said = Json::parse(about(explored, "base", evaluation));
  EXPECT_EQ(said["name"], "a\\u202eb<script>.json");
  EXPECT_EQ(said["groups"], Json({"white", "black"}));
  EXPECT_EQ(said["baseline"]["value"].get<double>(), evaluation.value);
}

TEST(ExploreAnswers, SayHowFarAProofIs) {
  // (0.75 - 0.5) / 0.5 = 50 %; all of these are binary fractions, which need no rounding
  EXPECT_EQ(standing(SolveProgress{{0.5, 0.75}, 1, ""}),
            "the proof is under way: no such policy is worth more than 0.75, which is 50.00 % more at most");
  EXPECT_EQ(standing(SolveProgress{{0, 0.25}, 1, ""}),
            "the proof is under way: no such policy is worth more than 0.25");
  EXPECT_EQ(standing(SolveProgress{}), "the proof is under way: no upper bound yet");
}

}  // namespace
}  // namespace fairstep
