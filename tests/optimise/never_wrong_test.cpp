// Never a wrong bound: hundreds of small random models, every kind of constraint and every class of policies, against
// policies found without the optimiser.
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/reference.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace fairstep {
namespace {

using testing::Question;
using testing::unwrap;

/// Everything that can be asked, by name.
struct Kind {
  std::string name;
  Fairness (*fairness)(const Model& model, double limit);
  void (*set)(SolveOptions& options);
};

Fairness of_dp(const Model&, double limit) { return {.parity = {{Notion::dp, {limit}}}}; }
Fairness of_eqopt(const Model&, double limit) { return {.parity = {{Notion::eqopt, {limit}}}}; }
Fairness of_eqodds(const Model&, double limit) { return {.parity = {{Notion::eqodds, {limit}}}}; }
Fairness of_aggregate(const Model&, double limit) { return {.aggregate_eqopt = limit}; }
Fairness of_aggregate_dp(const Model&, double limit) { return {.aggregate_dp = limit}; }
Fairness of_both_aggregates(const Model&, double limit) {
  return {.parity = {{Notion::dp, {limit + 0.2}}}, .aggregate_dp = limit, .aggregate_eqopt = limit + 0.1};
}
Fairness of_capacity(const Model&, double limit) {
  return {.parity = {{Notion::dp, {limit}}}, .capacity = Capacity{{0.3}}};
}
Fairness of_moment(const Model& model, double limit) { return {.moments = {testing::moment_row(model, limit)}}; }
Fairness of_several(const Model& model, double limit) {
  return {.parity = {{Notion::dp, {limit + 0.1}}, {Notion::eqopt, {limit + 0.2}}},
          .moments = {testing::moment_row(model, 0.4)}};
}

/// The limit in doubt, some groups and cells more than others.
Fairness in_doubt(const Model& model, Notion notion, double limit, Doubt::Stance stance, double size) {
  const Shape& n = model.shape();
  Doubt doubt{stance, std::vector<double>(n.groups), Tensor<double, 4>({n.groups, n.features, kLabels, kActions})};
  Rng rng(n.groups + 10 * n.features, 502);
  for (double& start : doubt.start) start = size * rng.uniform();
  for (double& cell : doubt.cell.flat()) cell = size * rng.uniform();
  return {.parity = {{notion, {limit}, doubt}}};
}
Fairness of_hopeful_dp(const Model& model, double limit) {
  return in_doubt(model, Notion::dp, limit, Doubt::Stance::hopeful, 0.05);
}
Fairness of_hopeful_eqopt(const Model& model, double limit) {
  return in_doubt(model, Notion::eqopt, limit, Doubt::Stance::hopeful, 0.05);
}
Fairness of_cautious_dp(const Model& model, double limit) {
  return in_doubt(model, Notion::dp, limit, Doubt::Stance::cautious, 0.02);
}
Fairness of_cautious_eqodds(const Model& model, double limit) {
  return in_doubt(model, Notion::eqodds, limit, Doubt::Stance::cautious, 0.01);
}

/// Limits on gaps are small where those on ratios are near 1.
Fairness of_dp_ratio(const Model&, double limit) { return {.ratios = {{RatioNotion::dp, {1 - limit}, {}}}}; }
Fairness of_eqopt_ratio(const Model&, double limit) { return {.ratios = {{RatioNotion::eqopt, {1 - limit}, {}}}}; }
Fairness of_dp_ratio_to_one(const Model& model, double limit) {
  return {.ratios = {{RatioNotion::dp, {1 - limit}, model.shape().groups - 1}}};
}
Fairness of_eqopt_ratio_to_one(const Model&, double limit) {
  return {.ratios = {{RatioNotion::eqopt, {1 - limit}, 0}}};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"dp", of_dp, [](SolveOptions&) {}},
      {"eqopt", of_eqopt, [](SolveOptions&) {}},
      {"eqodds", of_eqodds, [](SolveOptions&) {}},
      {"aggregate eqopt", of_aggregate, [](SolveOptions&) {}},
      {"aggregate dp", of_aggregate_dp, [](SolveOptions&) {}},
      {"both aggregates and dp", of_both_aggregates, [](SolveOptions&) {}},
      {"dp and capacity", of_capacity, [](SolveOptions&) {}},
      {"moment row", of_moment, [](SolveOptions&) {}},
      {"several at once", of_several, [](SolveOptions&) {}},
      {"unconstrained", of_capacity, [](SolveOptions& o) { o.method = Method::unconstrained; }},
      {"penalty dp", of_dp, [](SolveOptions& o) { o.method = Method::penalty, o.penalty = 2; }},
      {"penalty eqopt", of_eqopt, [](SolveOptions& o) { o.method = Method::penalty, o.penalty = 2; }},
      {"penalty cross", of_eqopt,
       [](SolveOptions& o) { o.method = Method::penalty, o.penalty = 5, o.penalty_form = PenaltyForm::cross; }},
      {"dp, one table for all", of_dp, [](SolveOptions& o) { o.policies.group_independent = true; }},
      {"eqopt, one table for all", of_eqopt, [](SolveOptions& o) { o.policies.group_independent = true; }},
      {"dp, floors on both", of_dp, [](SolveOptions& o) { o.policies.floor = 0.1; }},
      {"eqopt, floor on accepting", of_eqopt,
       [](SolveOptions& o) { o.policies.floor = 0.15, o.policies.floor_kind = FloorKind::accept_only; }},
      {"dp, hopeful", of_hopeful_dp, [](SolveOptions&) {}},
      {"eqopt, hopeful", of_hopeful_eqopt, [](SolveOptions&) {}},
      {"dp, cautious", of_cautious_dp, [](SolveOptions&) {}},
      {"eqodds, cautious", of_cautious_eqodds, [](SolveOptions&) {}},
      {"dp ratio", of_dp_ratio, [](SolveOptions&) {}},
      {"eqopt ratio", of_eqopt_ratio, [](SolveOptions&) {}},
      {"dp ratio to one", of_dp_ratio_to_one, [](SolveOptions&) {}},
      {"eqopt ratio to one", of_eqopt_ratio_to_one, [](SolveOptions&) {}},
      {"eqopt ratio, one table for all", of_eqopt_ratio, [](SolveOptions& o) { o.policies.group_independent = true; }},
  };
  return all;
}

/// One of several sizes, full or with zeros in its kernel; the same for the same seed.
Model small_model(std::uint64_t seed) {
  const std::size_t features = 1 + seed % 3;
  const std::size_t horizon = 1 + seed / 3 % 4;
  const std::size_t groups = 2 + seed / 12 % 2;
  if (seed % 5 == 4) return testing::sparse_model(seed, groups, features, horizon, 2);
  return testing::random_model(seed, groups, features, horizon, seed % 7 == 6 ? 0.9 : 1.0);
}

constexpr double kLimits[] = {0, 0.02, 0.1, 0.3};

/// What every answer with a policy must satisfy.
void check_policy(const Question& question, const SolveResult& result, const std::string& what) {
  const Policy& policy = result.solution->policy;
  const Evaluation again = unwrap(evaluate(question.model, policy));
  EXPECT_EQ(again.value, result.solution->evaluation.value) << what;
  EXPECT_NEAR(result.bounds.lower, testing::objective(question, again), 1e-12) << what;
  EXPECT_LE(testing::excess(question, policy, again), 2 * kLimitTolerance) << what;
  EXPECT_LE(result.bounds.lower, result.bounds.upper) << what;
  for (const double p : testing::table_of(question, policy)) {
    EXPECT_GE(p, testing::floor_of(question)) << what;
    EXPECT_LE(p, testing::ceiling_of(question)) << what;
    const bool at_an_end = p == testing::floor_of(question) || p == testing::ceiling_of(question);
    EXPECT_TRUE(at_an_end || !question.options.policies.deterministic) << what;
  }
}

constexpr std::uint64_t kModels = testing::cases(24, 4);  // of each kind
constexpr std::size_t kEffort = 10000;
/// Gaps that are closed with this effort, of each kind: 16 to 24 when this was written.
constexpr std::size_t kLeastClosed = 14;

class NeverWrong : public ::testing::TestWithParam<std::size_t> {};

TEST_P(NeverWrong, NoPolicyIsWorthMoreThanTheUpperBound) {
  const Kind& kind = kinds()[GetParam()];
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    Question question{small_model(seed + 100 * GetParam()), {}, {}};
    const double limit = kLimits[seed % 4];
    question.fairness = kind.fairness(question.model, limit);
    kind.set(question.options);
    // A loose gap stops in the middle of the proof, where a careless bound would show.
    question.options.proof.gap = seed % 3 == 0 ? 0.05 : seed % 3 == 1 ? 1e-3 : 1e-6;
    question.options.proof.effort = kEffort;
    question.options.proof.time_limit = 600;  // never the reason to stop
    const std::string what = kind.name + ", seed " + std::to_string(seed) + ", limit " + std::to_string(limit);
    const SolveResult result = unwrap(solve(question.model, question.fairness, question.options));
    std::vector<std::vector<double>> near;
    if (result.solution) {
      check_policy(question, result, what);
      near.push_back(testing::table_of(question, result.solution->policy));
    }
    const double reference = testing::best_on_walks(question, near, 250, 0, seed);
    EXPECT_LE(reference, result.bounds.upper + 1e-9) << what;
    EXPECT_FALSE(std::isfinite(reference) && result.outcome == Outcome::infeasible) << what;
    // A bound that is merely infinite would pass all of the above.
    if (result.solution) {
      EXPECT_TRUE(std::isfinite(result.bounds.upper)) << what;
    }
    closed += result.outcome == Outcome::optimal || result.outcome == Outcome::infeasible ? 1 : 0;
    if (result.outcome == Outcome::optimal) {
      EXPECT_GE(result.bounds.lower, reference - question.options.proof.gap * std::abs(result.bounds.lower) - 1e-6)
          << what;
    }
    // Whatever one run finds, another one's bound must not rule out.
    question.options.proof.gap = 0.2;
    question.options.proof.effort = 200;
    const SolveResult rough = unwrap(solve(question.model, question.fairness, question.options));
    EXPECT_LE(result.bounds.lower, rough.bounds.upper + 1e-9) << what;
    EXPECT_LE(rough.bounds.lower, result.bounds.upper + 1e-9) << what;
  }
  RecordProperty("closed", static_cast<int>(closed));
  if (!testing::kSmallSamples) {
    EXPECT_GE(closed, kLeastClosed) << kind.name;
  }
}

std::string word(const ::testing::TestParamInfo<std::size_t>& at) {
  std::string name;
  for (const char c : kinds()[at.param].name) name += std::isalnum(c) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, NeverWrong, ::testing::Range(std::size_t{0}, kinds().size()), word);

TEST(NeverWrongDeterministic, TheBestOfAllTablesLiesBetweenTheBounds) {
  Fairness (*const fairness[])(const Model&, double) = {of_dp, of_eqopt, of_capacity, of_moment, of_aggregate};
  Fairness (*const ratios[])(const Model&, double) = {of_dp_ratio, of_eqopt_ratio, of_eqopt_ratio_to_one};
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < 72; ++seed) {
    const std::size_t features = 1 + seed % 3;
    const std::size_t horizon = features == 3 ? 1 + seed % 2 : 1 + seed % 3;
    const std::size_t groups = features * horizon <= 2 ? 3 : 2;
    Question question{testing::random_model(seed, groups, features, horizon), {}, {}};
    const auto kind = seed < 40 ? fairness[seed % 5] : seed < 48 ? of_aggregate_dp : ratios[seed % 3];
    question.fairness = kind(question.model, 0.1 + 0.2 * static_cast<double>(seed % 3));
    question.options.policies.deterministic = true;
    question.options.policies.group_independent = seed % 7 == 3;
    question.options.policies.floor = seed % 4 == 1 ? 0.05 : 0;
    question.options.proof.gap = seed % 2 == 0 ? 1e-6 : 0.1;
    question.options.proof.effort = kEffort;
    question.options.proof.time_limit = 600;
    const std::string what = "seed " + std::to_string(seed);
    double least_excess = 0;
    // The bounds are for limits that are a tolerance wider.
    const double best = testing::best_deterministic(question, 0, &least_excess);
    const double best_wider = testing::best_deterministic(question, 2 * kLimitTolerance);
    const SolveResult result = unwrap(solve(question.model, question.fairness, question.options));
    EXPECT_LE(best, result.bounds.upper + 1e-9) << what;
    EXPECT_GE(best_wider, result.bounds.lower - 1e-9) << what;
    if (result.solution) check_policy(question, result, what);
    if (std::isfinite(best)) {
      EXPECT_NE(result.outcome, Outcome::infeasible) << what;
    } else {
      EXPECT_FALSE(result.solution) << what;
      ASSERT_TRUE(result.infeasibility) << what;
      EXPECT_LE(result.infeasibility->least_excess, least_excess + 1e-9) << what;
      EXPECT_GE(result.infeasibility->attained_excess, least_excess - 1e-9) << what;
    }
    closed += result.outcome == Outcome::optimal || result.outcome == Outcome::infeasible ? 1 : 0;
    if (result.outcome == Outcome::optimal && question.options.proof.gap < 1e-3) {
      EXPECT_NEAR(result.bounds.lower, best_wider, 1e-6 + 1e-6 * std::abs(best_wider)) << what;
    }
  }
  EXPECT_GE(closed, 54U);
}

/// So much of the qualified is accepted at least, of all groups together.
Fairness of_qualified(const Model& model, double least) {
  const Shape& n = model.shape();
  MomentConstraint moment;
  moment.means = {{"qualified", Tensor<double, 4>({n.groups, n.features, kLabels, kActions}),
                   Tensor<double, 3>({n.groups, n.features, kLabels})}};
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x) {
      moment.means[0].event(g, x, 1) = 1;
      moment.means[0].payoff(g, x, 1, 1) = 1;
    }
  moment.matrix = Tensor<double, 2>({1, 1}, -1.0);
  moment.bound = {-least};
  moment.names = {"qualified"};
  return {.moments = {moment}};
}

TEST(NeverWrongDeterministic, WhatIsNarrowInOnePartOfTheSearchIsWideInTheNext) {
  // How many are qualified depends on the tables of the steps before. It enters no product here, and its range in one
  // node was once that of all nodes after it: with seeds 26 and 29 the best of all tables was above its bound, and with
  // seed 33 the policy that was found.
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Question question{testing::random_model(seed, 2 + seed % 2, 2, 2), {}, {}};
    question.fairness = of_qualified(question.model, 0.3 + 0.1 * static_cast<double>(seed % 5));
    question.options.policies.deterministic = true;
    question.options.proof.gap = 1e-6;
    question.options.proof.effort = kEffort;
    question.options.proof.time_limit = 600;
    const double best = testing::best_deterministic(question, 0);
    const auto result = solve(question.model, question.fairness, question.options);
    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
    EXPECT_LE(best, result->bounds.upper + 1e-9) << "seed " << seed;
    EXPECT_FALSE(std::isfinite(best) && result->outcome == Outcome::infeasible) << "seed " << seed;
  }
}

TEST(NeverWrongDeterministic, ATableIsNotAloneBecauseItsNeighboursAreNear) {
  // Floor and ceiling are so near that the search cannot tell which entry to split. What is left then are a few tables,
  // and the lowest of them was once taken for all: the best of all was above its bound with seed 29 and two features,
  // by 2e-9, and with seed 5 and one, by 7e-10.
  struct Case {
    std::size_t features;
    double half_width;
    std::uint64_t first_seed;
  };
  for (const Case& at : {Case{2, 4e-8, 20}, Case{1, 2e-9, 0}})
    for (std::uint64_t seed = at.first_seed; seed < at.first_seed + 20; ++seed) {
      Question question{testing::random_model(seed, 2, at.features, 3), {}, {}};
      question.fairness = of_eqopt(question.model, 0);
      question.options.policies.floor = 0.5 - at.half_width;
      question.options.policies.deterministic = true;
      question.options.proof.gap = 0;
      question.options.proof.effort = 2000;
      const std::string what = std::to_string(at.features) + " features, seed " + std::to_string(seed);
      const double best = testing::best_deterministic(question, 0);
      const SolveResult result = unwrap(solve(question.model, question.fairness, question.options));
      EXPECT_LE(best, result.bounds.upper + 1e-14) << what;
      EXPECT_FALSE(std::isfinite(best) && result.outcome == Outcome::infeasible) << what;
    }
}

TEST(NeverWrongInDoubt, ALimitOnNobodyIsKeptHoweverDoubtfulTheModelIs) {
  // One feature, half of either group qualified; whoever is accepted is unqualified from then on. At the second step a
  // share of 1/10 in doubt is at least 1/5 of any qualified, and both sides of a comparison are in doubt: the limit of
  // 1/10 is kept where nobody is qualified, and so only by those who accept everybody first. That is worth 1/2, and was
  // once called infeasible.
  ModelSpec spec;
  spec.horizon = 2;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"all"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 1, kLabels}, 0.5);
  spec.transition = Tensor<double, 6>({2, 1, kLabels, kActions, 1, kLabels});
  spec.reward = Tensor<double, 4>({2, 1, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g) {
    spec.reward(g, 0, 1, 1) = 1;
    for (std::size_t y = 0; y < kLabels; ++y) spec.transition(g, 0, y, 0, 0, y) = spec.transition(g, 0, y, 1, 0, 0) = 1;
  }
  const Model model = unwrap(Model::make(std::move(spec)));
  const Doubt doubt{Doubt::Stance::cautious, {0.1, 0.1}, Tensor<double, 4>({2, 1, kLabels, kActions})};
  for (const bool deterministic : {false, true}) {
    SolveOptions options;
    options.policies.deterministic = deterministic;
    options.proof.effort = kEffort;
    const SolveResult result = unwrap(solve(model, {.parity = {{Notion::eqopt, {1, 0.1}, doubt}}}, options));
    EXPECT_NE(result.outcome, Outcome::infeasible);
    EXPECT_GE(result.bounds.upper, 0.5);
  }
}

}  // namespace
}  // namespace fairstep
