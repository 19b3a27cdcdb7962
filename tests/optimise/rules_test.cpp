// Monotone, threshold and stationary policies: against every one on a grid, against each other, and the class of every
// answer looked at again.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/optimise/pareto.hpp>
#include <fairstep/optimise/solve.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::Question;
using testing::unwrap;

constexpr double kRuleSlack = 1e-6;
/// An entry this near an end is at it.
constexpr double kLastDigits = 1e-12;

bool rises(const Policy& policy, const FeatureOrder& order) { return falls_of(policy, order, kLastDigits).empty(); }

bool is_stationary(const Policy& policy) {
  for (std::size_t g = 0; g < policy.groups(); ++g)
    for (std::size_t h = 1; h < policy.horizon(); ++h)
      for (std::size_t x = 0; x < policy.features(); ++x)
        if (std::abs(policy.accept(g, h, x) - policy.accept(g, 0, x)) > kLastDigits) return false;
  return true;
}

bool has_one_cut(const Policy& policy, const FeatureOrder& order, double lo, double hi) {
  for (std::size_t g = 0; g < policy.groups(); ++g)
    for (std::size_t h = 0; h < policy.horizon(); ++h)
      for (const std::vector<std::size_t>& chain : order) {
        const auto between = std::count_if(chain.begin(), chain.end(), [&](std::size_t x) {
          return policy.accept(g, h, x) > lo + kLastDigits && policy.accept(g, h, x) < hi - kLastDigits;
        });
        if (between > 1) return false;
      }
  return true;
}

bool in_class(const Question& question, const Policy& policy) {
  const PolicyClass& policies = question.options.policies;
  const FeatureOrder order =
      unwrap(feature_order(question.model.names().features, policies.order, policies.monotone_in));
  return (!policies.is_monotone() || rises(policy, order)) && (!policies.stationary || is_stationary(policy)) &&
         (!policies.threshold ||
          has_one_cut(policy, order, testing::floor_of(question), testing::ceiling_of(question)));
}

/// The best objective over the policies of the class whose entries are `steps` + 1 evenly spaced levels.
double best_on_grid(const Question& question, std::size_t steps) {
  const Shape& n = question.model.shape();
  const double lo = testing::floor_of(question), hi = testing::ceiling_of(question);
  std::vector<double> levels;
  for (std::size_t k = 0; k <= steps; ++k)
    levels.push_back(lo + (hi - lo) * static_cast<double>(k) / static_cast<double>(steps));
  std::vector<std::vector<double>> rows{{}};
  for (std::size_t x = 0; x < n.features; ++x) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& row : rows)
      for (const double level : levels) {
        if (question.options.policies.is_monotone() && !row.empty() && level < row.back()) continue;
        longer.push_back(row);
        longer.back().push_back(level);
      }
    rows = std::move(longer);
  }
  const bool stationary = question.options.policies.stationary;
  const std::size_t tables = testing::table_size(question) / (n.horizon * n.features);
  const std::size_t choices = stationary ? tables : tables * n.horizon;
  std::vector<std::size_t> chosen(choices, 0);
  std::vector<double> accept(testing::table_size(question));
  Evaluation evaluation(n);
  double best = -std::numeric_limits<double>::infinity();
  while (true) {
    for (std::size_t k = 0; k < tables * n.horizon; ++k)
      std::copy_n(rows[chosen[stationary ? k / n.horizon : k]].begin(), n.features,
                  accept.begin() + static_cast<std::ptrdiff_t>(k * n.features));
    const Policy policy = testing::policy_from(question, accept);
    if (in_class(question, policy)) {
      evaluate_into(question.model, policy, evaluation);
      if (testing::excess(question, policy, evaluation) <= 1e-9)
        best = std::max(best, testing::objective(question, evaluation));
    }
    std::size_t i = 0;
    while (i < choices && ++chosen[i] == rows.size()) chosen[i++] = 0;
    if (i == choices) return best;
  }
}

SolveResult answer(Question& question) {
  question.options.proof.gap = 1e-4;
  question.options.proof.effort = 3000;  // whatever is proven by then must hold
  question.options.proof.time_limit = 600;
  auto result = solve(question.model, question.fairness, question.options);
  EXPECT_TRUE(result) << rules_in_words(question.options.policies) << ": " << result.error().message;
  return result ? *std::move(result) : SolveResult{};
}

void expect_holds(Question& question, double best, const std::string& what) {
  SCOPED_TRACE(what);
  const SolveResult result = answer(question);
  ASSERT_TRUE(result.solution) << what;
  EXPECT_TRUE(in_class(question, result.solution->policy)) << what;
  EXPECT_GE(result.bounds.upper, best - kRuleSlack) << what;
  EXPECT_GE(result.bounds.upper, result.bounds.lower) << what;
  if (result.outcome == Outcome::optimal) {
    EXPECT_GE(result.bounds.lower, best - 1e-4 * std::abs(best) - kRuleSlack) << what;
  }
  if (question.options.policies.has_rules()) {
    ASSERT_TRUE(result.rules_price) << what;
    EXPECT_GE(result.rules_price->without.lower, result.bounds.lower) << what;
    EXPECT_LE(result.rules_price->at_least, result.rules_price->at_most) << what;
  }
}

std::vector<std::pair<std::string, PolicyClass>> classes() {
  return {{"monotone", {.monotone = true}},
          {"threshold", {.threshold = true}},
          {"stationary", {.stationary = true}},
          {"monotone and stationary", {.monotone = true, .stationary = true}},
          {"threshold and stationary", {.threshold = true, .stationary = true}},
          {"monotone above a floor", {.floor = 0.1, .monotone = true}},
          {"monotone, one table", {.group_independent = true, .monotone = true}},
          {"threshold, one table, stationary", {.group_independent = true, .threshold = true, .stationary = true}}};
}

TEST(Rules, NoPolicyOnAGridIsBetterThanTheBoundNorThanAProvenOptimum) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Notion notion : {Notion::dp, Notion::eqopt})
      for (const auto& [name, policies] : classes()) {
        Question question{testing::random_model(seed, 2, 2, 2), {.parity = {{notion, {0.1}}}}, {}};
        question.options.policies = policies;
        expect_holds(question, best_on_grid(question, 4),
                     name + ", seed " + std::to_string(seed) + (notion == Notion::dp ? ", dp" : ", eqopt"));
      }
}

TEST(Rules, WithoutCoinsTheAnswerIsTheBestOfAllTablesOfTheClass) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Notion notion : {Notion::dp, Notion::eqopt})
      for (auto [name, policies] : classes()) {
        policies.deterministic = true;
        Question question{testing::random_model(seed, 2, 3, 2), {.parity = {{notion, {0.3}}}}, {}};
        question.options.policies = policies;
        expect_holds(question, best_on_grid(question, 1),
                     name + ", seed " + std::to_string(seed) + (notion == Notion::dp ? ", dp" : ", eqopt"));
      }
}

TEST(Rules, PenaltiesAndCapacitiesKeepThemToo) {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (const auto& [name, policies] : classes()) {
      Question penalised{testing::random_model(seed, 2, 2, 2), {.parity = {{Notion::eqopt, {}}}}, {}};
      penalised.fairness.parity[0].limit = {0.0};
      penalised.options.method = Method::penalty;
      penalised.options.penalty = 1;
      penalised.options.policies = policies;
      expect_holds(penalised, best_on_grid(penalised, 4), name + ", penalty, seed " + std::to_string(seed));
      Question scarce{testing::random_model(seed, 2, 2, 2), {.capacity = Capacity{{0.4}}}, {}};
      scarce.options.policies = policies;
      expect_holds(scarce, best_on_grid(scarce, 4), name + ", capacity, seed " + std::to_string(seed));
    }
}

TEST(Rules, ClassesNest) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Notion notion : {Notion::dp, Notion::eqopt}) {
      const Model model = testing::random_model(seed, 2 + seed % 2, 2 + seed % 3, 2 + seed % 2);
      const auto solved = [&](PolicyClass policies) {
        Question question{model, {.parity = {{notion, {0.05}}}}, {}};
        question.options.policies = std::move(policies);
        return answer(question).bounds;
      };
      const Bounds free = solved({}), monotone = solved({.monotone = true}), threshold = solved({.threshold = true});
      const Bounds stationary = solved({.stationary = true});
      const Bounds both = solved({.monotone = true, .stationary = true});
      const Bounds all = solved({.threshold = true, .stationary = true});
      const std::string what = "seed " + std::to_string(seed) + (notion == Notion::dp ? ", dp" : ", eqopt");
      for (const auto& [smaller, larger] : {std::pair{&monotone, &free},
                                            {&threshold, &monotone},
                                            {&stationary, &free},
                                            {&both, &monotone},
                                            {&both, &stationary},
                                            {&all, &both},
                                            {&all, &threshold}})
        EXPECT_LE(smaller->lower, larger->upper + kRuleSlack) << what;
    }
}

TEST(Rules, AnOrderTurnedRoundTurnsTheMonotonePolicyRound) {
  const Model model = testing::random_model(5, 2, 3, 2);
  Question up{model, {.parity = {{Notion::dp, {0.05}}}}, {}};
  up.options.policies.monotone = true;
  Question down = up;
  std::reverse_copy(model.names().features.begin(), model.names().features.end(),
                    std::back_inserter(down.options.policies.order));
  const SolveResult rising = answer(up), falling = answer(down);
  const FeatureOrder order = unwrap(feature_order(model.names().features));
  EXPECT_TRUE(rises(rising.solution->policy, order));
  EXPECT_FALSE(rises(falling.solution->policy, order));
  EXPECT_TRUE(in_class(down, falling.solution->policy));
  EXPECT_EQ(falling.rules_price->order, (FeatureOrder{{2, 1, 0}}));
}

TEST(Rules, MonotoneFicoIsProvenAndItsPriceIsBracketed) {
  const Model model = unwrap(make_fico({}));
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    Question question{model, {.parity = {{notion, {0.01}}}}, {}};
    question.options.policies.monotone = true;
    question.options.proof.time_limit = 600;
    const SolveResult result = unwrap(solve(model, question.fairness, question.options));
    EXPECT_EQ(result.outcome, Outcome::optimal);
    EXPECT_TRUE(in_class(question, result.solution->policy));
    const RulesPrice& price = result.rules_price.value();
    EXPECT_EQ(price.rules, "monotone");
    EXPECT_LE(price.at_most - price.at_least, 2.1e-3 * price.without.upper);
    EXPECT_GE(price.without.upper, result.bounds.lower);
  }
}

TEST(Rules, ASweepKeepsThem) {
  SolveOptions options;
  options.policies = {.threshold = true, .stationary = true};
  options.proof.effort = 2000;
  const Model model = testing::random_model(3, 2, 3, 3);
  const auto points = unwrap(pareto(model, {.parity = {{Notion::dp, {0.0}}}}, std::vector{0.0, 0.05, 0.3}, options));
  double before = -std::numeric_limits<double>::infinity();
  for (const ParetoPoint& point : points) {
    ASSERT_TRUE(point.result.solution);
    EXPECT_TRUE(is_stationary(point.result.solution->policy));
    EXPECT_GE(point.result.bounds.upper, before - kRuleSlack);
    before = point.result.bounds.lower;
  }
}

TEST(Rules, WhatCannotBeAskedForIsAnError) {
  const Model model = testing::random_model(1, 2, 3, 2);
  const auto said = [&](const PolicyClass& policies, Method method = Method::constrained) {
    SolveOptions options;
    options.policies = policies;
    options.method = method;
    const auto result = solve(model, {}, options);
    return result ? std::string() : std::string(result.error().message);
  };
  EXPECT_EQ(said({.stationary = true}, Method::myopic),
            "a policy that is the same at every step cannot be found one step at a time");
  EXPECT_EQ(said({.threshold = true}, Method::myopic), "a threshold policy cannot be found myopically");
  EXPECT_EQ(said({.order = {"a"}}), "order is given, but no policy that would rise with the features");
  EXPECT_EQ(said({.monotone_in = 1}), "monotone_in is given, but no policy that would rise with the features");
}

TEST(Rules, WhatNoFreePolicyKeepsNoneUnderRulesDoes) {
  // Everybody is accepted with at least 0.4, and at most 0.3 of them may be.
  const Model model = testing::random_model(1, 2, 3, 2);
  SolveOptions options;
  options.policies = {.floor = 0.4, .monotone = true, .stationary = true};
  const SolveResult result = unwrap(solve(model, {.capacity = Capacity{{0.3}}}, options));
  EXPECT_EQ(result.outcome, Outcome::infeasible);
  EXPECT_GT(result.infeasibility->least_excess, 0.09);
  EXPECT_EQ(result.rules_price->at_least, 0);
  EXPECT_EQ(result.rules_price->at_most, std::numeric_limits<double>::infinity());
}

TEST(Rules, AMyopicPolicyMayHaveToRise) {
  const Model model = unwrap(make_fico({}));
  SolveOptions options;
  options.method = Method::myopic;
  options.policies.monotone = true;
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.01}}}}, options));
  ASSERT_TRUE(result.solution);
  EXPECT_TRUE(rises(result.solution->policy, unwrap(feature_order(model.names().features))));
  EXPECT_FALSE(result.rules_price);
}

}  // namespace
}  // namespace fairstep
