// What must hold between answers: no number worked out, only comparisons that are theorems.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/optimise/solve.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// Comparisons between optima hold for bounds crosswise: the smaller one's lower is at most the larger one's upper. The
/// slack is for limits that may be exceeded by their tolerance.
constexpr double kSlack = 1e-6;

SolveResult answer(const Model& model, const Fairness& fairness, SolveOptions options = {}) {
  options.proof.gap = 1e-4;
  options.proof.effort = 10000;  // whatever is proven by then must hold
  options.proof.time_limit = 600;
  SolveResult result = unwrap(solve(model, fairness, options));
  EXPECT_TRUE(result.solution);
  EXPECT_TRUE(std::isfinite(result.bounds.upper));
  return result;
}

void expect_at_most(const SolveResult& smaller, const SolveResult& larger, const std::string& what) {
  EXPECT_LE(smaller.bounds.lower, larger.bounds.upper + kSlack) << what;
}

Model model_of(std::uint64_t seed) { return testing::random_model(seed, 2 + seed % 2, 2, 2 + seed % 2); }

template <class Check>
void for_each_case(const Check& check) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Notion notion : {Notion::dp, Notion::eqopt})
      check(model_of(seed), notion, "seed " + std::to_string(seed) + (notion == Notion::dp ? ", dp" : ", eqopt"));
}

TEST(SolveProperties, ALimitOnEffortGivesTheSameAnswerEveryTimeAndABoundThatHolds) {
  const Model model = unwrap(make_synthetic());
  const Fairness fairness{.parity = {{Notion::eqopt, {0.05}}}};
  SolveOptions options;
  options.proof.time_limit = 600;  // never the reason to stop
  const SolveResult whole = unwrap(solve(model, fairness, options));
  double before = std::numeric_limits<double>::infinity();
  for (const std::size_t effort : {1U, 500U, 5000U}) {
    options.proof.effort = effort;
    const SolveResult once = unwrap(solve(model, fairness, options));
    const SolveResult again = unwrap(solve(model, fairness, options));
    EXPECT_EQ(once.stopped_by, StopReason::iterations) << effort;
    EXPECT_EQ(once.bounds.lower, again.bounds.lower) << effort;
    EXPECT_EQ(once.bounds.upper, again.bounds.upper) << effort;
    EXPECT_EQ(once.solution->policy, again.solution->policy) << effort;
    EXPECT_GE(once.bounds.upper, whole.bounds.lower) << effort;
    EXPECT_LE(once.bounds.upper, before) << "more effort, no worse a bound";
    before = once.bounds.upper;
  }
  EXPECT_LT(before, std::numeric_limits<double>::infinity());
}

TEST(SolveProperties, ATighterLimitNeverRaisesTheOptimum) {
  for_each_case([](const Model& model, Notion notion, const std::string& what) {
    const SolveResult tight = answer(model, {.parity = {{notion, {0.02}}}});
    const SolveResult wide = answer(model, {.parity = {{notion, {0.15}}}});
    expect_at_most(tight, wide, what);
  });
}

TEST(SolveProperties, ALimitOfOneIsNoLimit) {
  for_each_case([](const Model& model, Notion notion, const std::string& what) {
    const SolveResult limited = answer(model, {.parity = {{notion, {1.0}}}});
    const SolveResult free = answer(model, {});
    expect_at_most(limited, free, what);
    expect_at_most(free, limited, what);
    ASSERT_EQ(free.outcome, Outcome::optimal) << what;
    EXPECT_EQ(limited.vacuous_steps.size(), model.shape().horizon) << what;
    EXPECT_TRUE(limited.binding.empty()) << what;
  });
}

TEST(SolveProperties, FewerPoliciesAreNeverWorthMore) {
  for_each_case([](const Model& model, Notion notion, const std::string& what) {
    const Fairness fairness{.parity = {{notion, {0.3}}}};
    const SolveResult all = answer(model, fairness);
    SolveOptions options;
    options.policies.group_independent = true;
    expect_at_most(answer(model, fairness, options), all, what + ", one table for all");
    options.policies = {.floor = 0.1};
    expect_at_most(answer(model, fairness, options), all, what + ", floor");
    options = {.method = Method::myopic};
    expect_at_most(answer(model, fairness, options), all, what + ", myopic");
    options = {.proof = {.time_limit = 600, .effort = 10000}};
    options.policies.deterministic = true;
    const SolveResult ends = unwrap(solve(model, fairness, options));
    if (ends.solution) expect_at_most(ends, all, what + ", deterministic");
  });
}

TEST(SolveProperties, APenaltyLiesBetweenItsExtremes) {
  for_each_case([](const Model& model, Notion notion, const std::string& what) {
    const Fairness fairness{.parity = {{notion, {0.0}}}};
    const SolveResult free = answer(model, {});
    const SolveResult strict = answer(model, fairness);
    double last = std::numeric_limits<double>::infinity();  // the optimum falls as the penalty grows
    for (const double lambda : {0.0, 0.5, 5.0}) {
      const SolveResult result = answer(model, fairness, {.method = Method::penalty, .penalty = lambda});
      // A policy that keeps a limit of 0 pays no penalty; no policy gains by paying one.
      expect_at_most(strict, result, what);
      expect_at_most(result, free, what);
      EXPECT_GE(result.penalty, 0) << what;
      EXPECT_NEAR(result.bounds.lower, result.solution->evaluation.value - result.penalty, 1e-12) << what;
      EXPECT_LE(result.bounds.lower, last + kSlack) << what;
      last = result.bounds.upper;
    }
  });
}

TEST(SolveProperties, NamesAndOrderOfGroupsDoNotMatter) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Model model = testing::random_model(seed, 3, 2, 2);
    ModelSpec spec = model.spec();
    const std::size_t order[] = {2, 0, 1};
    for (std::size_t g = 0; g < 3; ++g) {
      spec.share[g] = model.share(order[g]);
      std::ranges::copy(model.initial(order[g]), spec.initial.block(g).begin());
      std::ranges::copy(model.reward(order[g]), spec.reward.block(g).begin());
      std::ranges::copy(model.spec().transition.block(order[g]), spec.transition.block(g).begin());
    }
    const Model other = unwrap(Model::make(std::move(spec)));
    for (const Notion notion : {Notion::dp, Notion::eqopt}) {
      const SolveResult one = answer(model, {.parity = {{notion, {0.05}}}});
      const SolveResult two = answer(other, {.parity = {{notion, {0.05}}}});
      expect_at_most(one, two, "seed " + std::to_string(seed));
      expect_at_most(two, one, "seed " + std::to_string(seed));
    }
  }
}

TEST(SolveProperties, TheSameQuestionHasTheSameAnswerToTheLastBit) {
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    const Model model = testing::random_model(21, 2, 2, 2);
    SolveOptions options;  // no clock in it: the proof ends by itself
    options.proof.gap = 0.01;
    const SolveResult one = unwrap(solve(model, {.parity = {{notion, {0.05}}}}, options));
    const SolveResult two = unwrap(solve(model, {.parity = {{notion, {0.05}}}}, options));
    ASSERT_TRUE(one.solution && two.solution);
    EXPECT_EQ(one.bounds.lower, two.bounds.lower);
    EXPECT_EQ(one.bounds.upper, two.bounds.upper);
    EXPECT_EQ(one.solution->policy, two.solution->policy);
    EXPECT_EQ(one.shadow_price, two.shadow_price);
    EXPECT_EQ(one.nodes, two.nodes);
  }
}

TEST(SolveProperties, WithoutAProofThereIsNoUpperBound) {
  const Model model = testing::random_model(22, 2, 2, 3);
  SolveOptions options;
  options.proof.wanted = false;
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.05}}}}, options));
  EXPECT_EQ(result.outcome, Outcome::feasible);
  EXPECT_EQ(result.bounds.upper, std::numeric_limits<double>::infinity());
}

TEST(SolveProperties, AStopRequestLeavesBoundsThatHold) {
  const Model model = unwrap(make_synthetic({.horizon = 4}));
  const SolveResult whole = answer(model, {.parity = {{Notion::eqopt, {0.01}}}});
  std::stop_source source;
  source.request_stop();
  SolveOptions options;
  options.stop = source.get_token();
  const SolveResult stopped = unwrap(solve(model, {.parity = {{Notion::eqopt, {0.01}}}}, options));
  EXPECT_EQ(stopped.stopped_by, StopReason::requested);
  EXPECT_GE(stopped.bounds.upper, whole.bounds.lower - kSlack);
}

TEST(SolveProperties, ANodeWhoseBoxNoColumnFitsHasABoundOfItsOwn) {
  // The first group's rate among the qualified is at most half the second's plus 0.3, beside a parity. Such a node was
  // once split without end: what its columns do could not be reconciled with the range of a rate.
  const Model model = unwrap(make_random({.groups = 2, .features = 2, .horizon = 2, .successors = 4, .seed = 7}));
  MomentConstraint rows;
  for (std::size_t g = 0; g < 2; ++g) {
    ConditionalMean rate{g == 0 ? "first" : "second", Tensor<double, 4>({2, 2, kLabels, kActions}),
                         Tensor<double, 3>({2, 2, kLabels})};
    for (std::size_t x = 0; x < 2; ++x) {
      rate.event(g, x, 1) = 1;
      rate.payoff(g, x, 1, 1) = 1;
    }
    rows.means.push_back(std::move(rate));
  }
  rows.matrix = Tensor<double, 2>({1, 2});
  rows.matrix(0, 0) = 1;
  rows.matrix(0, 1) = -0.5;
  rows.bound = {0.3};
  rows.names = {"half"};
  const SolveResult result = unwrap(solve(model, {.parity = {{Notion::dp, {0.1}}}, .moments = {rows}},
                                          {.proof = {.gap = 1e-4, .time_limit = 600, .effort = 20000}}));
  EXPECT_EQ(result.outcome, Outcome::optimal);
}

}  // namespace
}  // namespace fairstep
