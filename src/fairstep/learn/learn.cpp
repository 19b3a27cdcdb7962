#include <fairstep/learn/learn.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/evaluate/robust.hpp>
#include <fairstep/learn/internal/safe_choice.hpp>
#include <fairstep/learn/internal/update_program.hpp>

namespace fairstep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the learner does not know of ratios.
Expected<void> check_ratio(const LearnOptions& options) {
  const char* name = name_of(options.ratio->notion);
  const auto refuse = [&](const std::string& what, const char* hint) {
    return fail(fmt::format("{} is limited, and {} knows gaps alone", name, what), {}, hint);
  };
  if (options.safe) return refuse(option("safe"), "limit a gap in its place");
  if (options.method == Method::penalty) return refuse("the penalty", "use the constrained method");
  if (options.discounted_limits) return refuse(option("discounted_limits"), "limit a gap in its place");
  if (options.method == Method::constrained && options.relaxation == RelaxationMode::tight)
    return refuse(option("relaxation", "tight"), "literal, scaled and scaled-width know ratios");
  if (options.method == Method::constrained && options.ratio->limit.size() != 1)
    return fail_option("limit", fmt::format(" has {} entries, expected 1 for {}: its relaxation is the same at all "
                                            "steps",
                                            options.ratio->limit.size(), name));
  return {};
}

Expected<void> check(const LearnOptions& options) {
  const auto& schedule = options.schedule;
  for (std::size_t i = 0; i < schedule.size(); ++i)
    if (schedule[i] == 0 || (i > 0 && schedule[i] <= schedule[i - 1]))
      return fail_option("schedule",
                         fmt::format("[{}] is {}, expected rising episode numbers from 1 on", i, schedule[i]));
  if (options.people_per_episode == 0) return fail_option("people_per_episode", " is 0, expected at least 1");
  if (!(options.delta > 0 && options.delta < 1))
    return fail_option("delta", fmt::format(" is {}, expected between 0 and 1", options.delta));
  for (const auto& [name, scale] :
       {std::pair{"bonus_scale", options.bonus_scale}, std::pair{"relaxation_scale", options.relaxation_scale}})
    if (scale && !(*scale >= 0 && std::isfinite(*scale)))
      return fail_option(name, fmt::format(" is {}, expected a finite number of 0 or more", *scale));
  const double most = options.floor_kind == FloorKind::two_sided ? 0.5 : 1;
  if (options.floor && !(*options.floor >= 0 && *options.floor <= most))
    return fail_option("floor", fmt::format(" is {}, expected between 0 and {}", *options.floor, most));
  if (options.epsilon && !(*options.epsilon > 0 && *options.epsilon <= 1))
    return fail_option("epsilon", fmt::format(" is {}, expected more than 0 and at most 1", *options.epsilon));
  if (options.method == Method::myopic) return fail("the learner has no myopic method");
  if (options.safe && options.method != Method::constrained)
    return fail("safe learning is for the constrained method", {},
                fmt::format("drop {}, or use {}", option("safe"), option("method", "constrained")));
  if (options.relaxation != RelaxationMode::tight && options.fairness.notion == Notion::eqodds &&
      options.method == Method::constrained && !options.safe)
    return fail("the paper's lemmas have no relaxation for equalized odds", {},
                option("relaxation", "tight") + " has one");
  if (options.fairness.doubt) return fail("the learner's limits are without doubt: it adds its own");
  if (options.safe && options.rules.has_rules())
    return fail("safe learning mixes policies, which need not keep rules", {},
                fmt::format("drop {}, or the rules", option("safe")));
  if (auto ok = fairstep::check(policies_of(options, 0)); !ok) return ok;
  return options.ratio ? check_ratio(options) : Expected<void>{};
}

void fill_in(LearnOptions& options) {
  if (options.ratio) options.fairness = {notion_of(options.ratio->notion), {1.0}, {}};
  const bool scaled = is_scaled(options.relaxation);
  options.bonus_scale = options.bonus_scale.value_or(scaled ? 1e-3 : 1);
  // d_hat is about ten times c_hat: it pays for the quotient.
  const double relaxed = options.fairness.notion == Notion::dp ? 1e-3 : 1e-4;
  options.relaxation_scale = options.relaxation_scale.value_or(scaled ? relaxed : 1);
  if (options.schedule.empty())
    for (unsigned l = 3; l <= 18; ++l) options.schedule.push_back(std::uint64_t{1} << l);
}

/// A gap between fewer than two groups is none.
double gap_or_zero(const StepGap& step) { return std::isnan(step.gap) ? 0 : step.gap; }

/// What the doubt in force allowed the worst pair at each step, under the policy: A_i / D_i + A_j / D_j.
std::vector<double> allowed(const Doubt& doubt, Notion notion, const Model& model, const Policy& policy,
                            const Evaluation& evaluation) {
  const Shape& n = model.shape();
  const Tensor<double, 2> off = drift(model, policy, {doubt.cell, doubt.start});
  std::vector<double> sums(n.horizon, 0.0);
  for (std::size_t h = 0; h < n.horizon; ++h) {
    const auto add = [&](const auto& denominator) {
      std::vector<double> parts;
      for (std::size_t g = 0; g < n.groups; ++g)
        if (denominator(g) > 0) parts.push_back(off(g, h) / denominator(g));
      std::sort(parts.begin(), parts.end(), std::greater<>{});
      if (parts.size() > 1) sums[h] = std::max(sums[h], parts[0] + parts[1]);
    };
    if (notion == Notion::dp) add([](std::size_t) { return 1.0; });
    if (notion != Notion::dp) add([&](std::size_t g) { return evaluation.rates.qualified(g, h); });
    if (notion == Notion::eqodds) add([&](std::size_t g) { return 1 - evaluation.rates.qualified(g, h); });
  }
  return sums;
}

}  // namespace

const char* notion_in_force(const LearnOptions& options) {
  return options.ratio ? name_of(options.ratio->notion) : name_of(options.fairness.notion);
}

PolicyClass policies_of(const LearnOptions& options, double floor) {
  PolicyClass policies = options.rules;
  policies.floor = floor;
  policies.floor_kind = options.floor_kind;
  policies.group_independent = options.group_independent;
  return policies;
}

std::vector<double> limits_in_force(const LearnOptions& options, double discount, std::size_t horizon) {
  std::vector<double> limits;
  double factor = 1;
  for (std::size_t h = 0; h < horizon; ++h) {
    if (options.discounted_limits) factor *= discount;
    if (options.ratio) {
      limits.push_back(limit_at(*options.ratio, h));
      continue;
    }
    limits.push_back(std::min(1.0, limit_at(options.fairness, h) / factor));
  }
  return limits;
}

Expected<Oracle> find_oracle(const Model& truth, const LearnOptions& options) {
  SolveOptions best;
  best.policies = policies_of(options, 0);
  best.price_rules = false;
  best.proof = options.proof;
  best.stop = options.stop;
  StepwiseParity parity = options.fairness;
  if (options.discounted_limits) parity.limit = limits_in_force(options, truth.discount(), truth.shape().horizon);
  Fairness limits{.parity = {parity}};
  if (options.ratio) limits = {.ratios = {*options.ratio}};
  auto found = solve(truth, limits, best);
  if (!found) return tl::unexpected(found.error());
  std::optional<Policy> policy;
  if (found->solution) policy = std::move(found->solution->policy);
  return Oracle{found->bounds, found->outcome, std::move(policy)};
}

Expected<Learner> Learner::make(Environment& environment, LearnOptions options, const Model* truth) {
  if (auto ok = check(options); !ok) return tl::unexpected(ok.error());
  fill_in(options);
  const Known& known = environment.known();
  if (auto ok = require_pooled(known.periods, "the population", "learning"); !ok) return tl::unexpected(ok.error());
  const auto [low, high] = known.reward;
  if (!(low <= high && std::isfinite(low) && std::isfinite(high)))
    return fail(fmt::format("known.reward is {} to {}, expected a range that holds every reward", low, high));
  auto counts = Counts::make(CountsSpec::zeros(known.horizon, known.names));
  if (!counts) return tl::unexpected(counts.error());
  // Nothing has been seen yet, but the shape is known: enough to ask whether the limits fit.
  const auto blank = estimate(*counts, {.share = known.share, .discount = known.discount});
  if (!blank) return tl::unexpected(blank.error());
  Fairness wanted{.parity = {options.fairness}};
  if (options.ratio) wanted.ratios = {*options.ratio};
  if (auto ok = fairstep::check(wanted, blank->model); !ok) return tl::unexpected(ok.error());
  auto half = uniform_policy(blank->model, 0.5,
                             options.group_independent ? PolicyForm::group_independent : PolicyForm::per_group);
  if (!half) return tl::unexpected(half.error());

  Learner learner(environment, std::move(options), truth, std::move(*half), std::move(*counts));
  if (truth == nullptr) return learner;
  learner.oracle_ = learner.options_.oracle;
  if (learner.oracle_) return learner;
  auto oracle = find_oracle(*truth, learner.options_);
  if (!oracle) return tl::unexpected(oracle.error());
  learner.oracle_ = *oracle;
  return learner;
}

Expected<void> Learner::resume(std::size_t done, Policy policy, Counts counts) {
  if (done > options_.schedule.size())
    return fail(fmt::format("{} updates are done, expected at most {}", done, options_.schedule.size()));
  const Shape shape = environment_->known().shape();
  if (counts.shape() != shape || counts.names() != environment_->known().names)
    return fail("the kept counts are of another population");
  // The shape is all that matters: any model of it will do.
  const auto blank = Counts::make(CountsSpec::zeros(shape.horizon, counts.names())).and_then([&](const Counts& nobody) {
    return estimate(nobody, {.share = environment_->known().share});
  });
  if (!blank) return tl::unexpected(blank.error());
  if (auto ok = policy.check_fits(blank->model); !ok) return ok;
  done_ = done;
  policy_ = std::move(policy);
  counts_ = std::move(counts);
  return {};
}

Expected<std::optional<Truth>> Learner::judge(const Policy& policy) const {
  if (truth_ == nullptr) return std::nullopt;
  auto exact = evaluate(*truth_, policy);
  if (!exact) return tl::unexpected(exact.error());
  Truth truth{std::move(*exact)};
  const auto horizon = static_cast<double>(truth_->shape().horizon);
  truth.reward_regret = (oracle_->bounds.lower - truth.evaluation.value) / horizon;
  truth.regret_bound = (oracle_->bounds.upper - truth.evaluation.value) / horizon;
  if (const auto& wanted = options_.ratio) {
    for (const StepRatio& step : step_ratios(truth.evaluation.rates, wanted->notion, wanted->reference)) {
      const double lacks = limit_at(*wanted, truth.ratio.size()) - step.ratio;
      truth.violation += std::fmax(0.0, lacks) / horizon;  // where there is no ratio no limit is broken
      truth.ratio.push_back(step.ratio);
    }
    return truth;
  }
  for (const StepGap& step : of_notion(truth.evaluation.gap, options_.fairness.notion))
    truth.violation += gap_or_zero(step) / horizon;
  return truth;
}

Expected<Update> Learner::next() {
  if (finished()) return fail(fmt::format("all {} updates are done", done_));
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t k = options_.schedule[done_];
  const Phase phase{done_, k - (done_ == 0 ? 1 : options_.schedule[done_ - 1]), options_.people_per_episode,
                    options_.people_by_share, options_.stop};
  if (phase.episodes > 0) {
    const auto seen = environment_->act(policy_, phase);
    if (!seen) return tl::unexpected(seen.error());
    if (auto ok = counts_.add(*seen); !ok) return tl::unexpected(ok.error());
  }
  const auto program = update_program(counts_, environment_->known(), options_, k);
  if (!program) return tl::unexpected(program.error());

  SolveOptions solving;
  solving.method = options_.method;
  solving.policies = policies_of(options_, program->floor);
  solving.price_rules = false;
  solving.penalty = options_.penalty;
  solving.penalty_form = options_.penalty_form;
  const bool last = done_ + 1 == options_.schedule.size();
  solving.proof = last ? options_.last_proof.value_or(options_.proof) : options_.proof;
  solving.start = policy_;
  solving.stop = options_.stop;

  Update update{.k = k, .policy = policy_};
  if (options_.safe) {
    auto chosen = choose_safely(*program, options_, solving, policy_);
    if (!chosen) return tl::unexpected(chosen.error());
    update.policy = std::move(chosen->policy);
    update.safety = std::move(chosen->safety);
    update.bounds = chosen->bounds;
    update.outcome = Outcome::feasible;
    update.stopped_by = chosen->stopped_by;
  } else {
    auto result = solve(program->optimistic, program->fairness, solving);
    if (!result) return tl::unexpected(result.error());
    // Treating everybody alike keeps every parity, so there always is a policy; a solver that was stopped before it
    // found one leaves the policy in force as it is.
    if (result->solution) update.policy = result->solution->policy;
    update.bounds = result->bounds;
    update.outcome = result->outcome;
    update.stopped_by = result->stopped_by;
  }
  update.gap_to_bound = std::isfinite(update.bounds.upper)
                            ? (update.bounds.upper - update.bounds.lower) / std::abs(update.bounds.lower)
                            : kInfinity;
  update.floor = program->floor;
  update.epsilon = program->epsilon;
  update.bonus_max = program->bonus_max;
  update.unvisited = program->estimate.unvisited;

  const auto estimated = evaluate(program->estimate.model, update.policy);
  if (!estimated) return tl::unexpected(estimated.error());
  const std::size_t horizon = environment_->known().horizon;
  update.relaxation = program->relaxation;
  if (program->parity.doubt)
    update.relaxation =
        allowed(*program->parity.doubt, options_.fairness.notion, program->estimate.model, update.policy, *estimated);
  update.relaxation.resize(horizon, 0.0);
  update.limit = limits_in_force(options_, environment_->known().discount, horizon);
  for (std::size_t h = 0; h < horizon; ++h) {
    update.estimated_gap.push_back(of_notion(estimated->gap, options_.fairness.notion)[h].gap);
    // The row of a ratio says nothing if it may be off by the limit: rates are at most 1.
    if (update.relaxation[h] >= (options_.ratio ? update.limit[h] : 1)) update.vacuous.push_back(h);
  }
  auto truth = judge(update.policy);
  if (!truth) return tl::unexpected(truth.error());
  update.truth = std::move(*truth);
  if (update.truth && options_.trial_episodes > 0) {
    std::uint64_t people = 0;
    if (__builtin_mul_overflow(options_.trial_episodes, options_.people_per_episode, &people))
      people = kMostTrialPeople;
    auto trial = try_out(*truth_, update.policy, options_.fairness.notion, std::min(people, kMostTrialPeople),
                         options_.seed, done_, options_.stop, options_.ratio);
    if (!trial) return tl::unexpected(trial.error());
    update.truth->trial = std::move(*trial);
  }

  policy_ = update.policy;
  ++done_;
  update.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return update;
}

Expected<std::vector<Update>> learn(Environment& environment, const LearnOptions& options, const Model* truth,
                                    const std::function<bool(const Update&)>& on_update) {
  auto learner = Learner::make(environment, options, truth);
  if (!learner) return tl::unexpected(learner.error());
  std::vector<Update> updates;
  while (!learner->finished() && !options.stop.stop_requested()) {
    auto update = learner->next();
    if (options.stop.stop_requested()) break;  // what a stopped search found is not what it would have found
    if (!update) return tl::unexpected(update.error());
    updates.push_back(std::move(*update));
    if (on_update && !on_update(updates.back())) break;
  }
  return updates;
}

}  // namespace fairstep
