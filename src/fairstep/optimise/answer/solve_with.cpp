#include <fairstep/optimise/answer/solve_with.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairstep/optimise/answer/explain.hpp>
#include <fairstep/optimise/answer/units.hpp>
#include <fairstep/optimise/local/first_policy.hpp>
#include <fairstep/optimise/local/myopic.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/support.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

using Clock = std::chrono::steady_clock;

/// The search is a hair stricter than the referee, whose sums are in another order.
constexpr double kKept = 0.99 * kLimitTolerance;
/// What comes after the search takes about as long as looking at so many policies; so much time is kept back, but no
/// more than a share of it all.
constexpr double kLooksAfterwards = 8;
constexpr double kMostKeptBack = 0.2;
/// For shadow prices, where the time is up already.
constexpr std::chrono::milliseconds kForPrices{200};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Expected<void> check(const SolveOptions& options) {
  if (auto ok = fairstep::check(options.proof); !ok) return ok;
  if (options.policies.deterministic && options.method == Method::myopic)
    return fail("a deterministic policy cannot be found myopically", {}, "use the constrained method");
  if (options.policies.deterministic && options.method == Method::penalty)
    return fail("a deterministic policy cannot be found by penalty", {}, "use the constrained method");
  if (options.policies.stationary && options.method == Method::myopic)
    return fail("a policy that is the same at every step cannot be found one step at a time", {},
                "use the constrained method");
  if (options.policies.threshold && options.method == Method::myopic)
    return fail("a threshold policy cannot be found myopically", {},
                "use the constrained method, or ask for " + flag("monotone"));
  return {};
}

/// A myopic step and a penalty know no doubt about the model.
Expected<void> check_limits(const Fairness& fairness, Method method) {
  const bool doubtful = std::any_of(fairness.parity.begin(), fairness.parity.end(),
                                    [](const StepwiseParity& parity) { return parity.doubt.has_value(); });
  if (doubtful && (method == Method::myopic || method == Method::penalty))
    return fail("doubt about the model needs the constrained method");
  return {};
}

/// The program that a method stands for.
Expected<Program> program_for(const Model& model, const Fairness& fairness, const SolveOptions& options) {
  if (options.method == Method::penalty)
    return compile_penalty(model, fairness, options.policies, options.penalty, options.penalty_form);
  if (options.method != Method::unconstrained) return compile(model, fairness, options.policies);
  // A capacity is a fact about the decision maker, not a wish for fairness: it stays.
  if (auto ok = check(fairness, model); !ok) return tl::unexpected(ok.error());
  Fairness rest;
  rest.capacity = fairness.capacity;
  return compile(model, rest, options.policies);
}

/// What the policy is asked to be it must be, to the last digits; else we are wrong somewhere.
Expected<void> check_rules(const Program& program, const Tables& tables) {
  constexpr double kLastDigits = 1e-12;
  if (!program.rules.any() || std::all_of(tables.begin(), tables.end(), [&](const std::vector<double>& table) {
        return program.rules.kept_by(table, kLastDigits);
      }))
    return {};
  Error error{"the policy that was found is not in the class that was asked for"};
  error.hint = "no number of this answer can be trusted: please report it, with the model";
  error.ours = true;
  return tl::unexpected(std::move(error));
}

double relative_gap(const Bounds& bounds, double scale) {
  if (!std::isfinite(bounds.lower) || !std::isfinite(bounds.upper)) return kInfinity;
  return (bounds.upper - bounds.lower) / std::max(std::abs(bounds.lower), 1e-9 * scale);
}

Expected<SolveResult> solve_as_it_is(const Helpers& helpers, const Model& model, const Fairness& fairness,
                                     const SolveOptions& options, double unit) {
  const auto begin = Clock::now();
  if (auto ok = check(options); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_limits(fairness, options.method); !ok) return tl::unexpected(ok.error());
  if (options.start)
    if (auto ok = options.start->check_fits(model); !ok) return tl::unexpected(ok.error());
  auto compiled = program_for(model, fairness, options);
  if (!compiled) return tl::unexpected(compiled.error());
  Program& program = *compiled;
  program.backends = helpers.backends;
  Effort effort(options.proof.effort);
  Deadline deadline{.at = begin + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(options.proof.time_limit, 1e8))),
                    .stop = options.stop,
                    .effort = options.proof.effort > 0 ? &effort : nullptr,
                    .interrupted = options.interrupted};

  SolveResult result;
  const auto report = [&](double lower, double upper, const char* phase) {
    if (options.progress) options.progress({{lower, upper}, seconds_since(begin), phase});
  };
  report(-kInfinity, kInfinity, "local");
  const auto before_look = Clock::now();
  const Candidate begun = assess(program, options.start ? tables_of(program, *options.start) : all_alike(program));
  deadline.at -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(
      kLooksAfterwards * seconds_since(before_look), kMostKeptBack * std::min(options.proof.time_limit, 1e8))));

  Candidate first;
  if (options.method == Method::myopic) {
    auto greedy = solve_myopically(program, deadline);
    if (!greedy) return tl::unexpected(greedy.error());
    first = std::move(*greedy);
  } else {
    first = look_locally(program, begun, kKept, deadline);
    if (options.policies.deterministic) {
      if (first.excess <= kKept) result.randomised_value = first.objective;
      first = best_ends(program, std::move(first.tables), kKept);
    }
  }

  BranchResult branched{.best = first};
  if (options.proof.wanted) {
    branched = helpers.prove(program, first,
                             {.gap = options.proof.gap,
                              .tolerance = kLimitTolerance,
                              .kept = kKept,
                              .deadline = deadline,
                              .progress = report,
                              .trace = options.trace,
                              .unit = unit});
    // A myopic policy is what it is; the bound says what it gives away.
    if (options.method == Method::myopic) branched.best = first;
  }
  if (!branched.finished && options.proof.effort > 0 && effort.spent())
    result.stopped_by = StopReason::iterations;
  else if (!branched.finished && deadline.passed())
    result.stopped_by = StopReason::time;
  else if (!branched.finished && options.proof.wanted)
    result.stopped_by = StopReason::numerical;
  if (options.stop.stop_requested() || (options.interrupted && options.interrupted()))
    result.stopped_by = StopReason::requested;

  const Candidate& best = branched.best;
  if (auto ok = check_rules(program, best.tables); !ok) return tl::unexpected(ok.error());
  Policy policy = policy_of(program, best.tables);
  auto evaluation = evaluate(model, policy);
  if (!evaluation) return tl::unexpected(evaluation.error());
  Solution solution{std::move(policy), std::move(*evaluation)};
  const std::vector<double> f = functionals_of(program, solution);
  const bool feasible = best.excess <= kKept && excess_of(program, f) <= kLimitTolerance;
  const double scale = value_scale(model);

  result.shadow_price.assign(model.shape().horizon, 0.0);
  result.vacuous_steps = vacuous_steps(fairness, model.shape().horizon);
  result.nodes = branched.nodes;
  if (!feasible) {
    result.outcome = branched.least_excess > kLimitTolerance ? Outcome::infeasible : Outcome::unknown;
    result.infeasibility = explain(program, solution, branched.least_excess);
    result.bounds.upper = result.outcome == Outcome::infeasible ? -kInfinity : branched.upper;
    result.seconds = seconds_since(begin);
    return result;
  }
  result.penalty = penalty_of(program, f);
  result.bounds.lower = solution.evaluation.value - result.penalty;
  if (options.proof.wanted) {
    const auto upper = upper_above(result.bounds.lower, branched.upper, scale + result.penalty);
    if (!upper) return tl::unexpected(upper.error());
    // Bounds on the way there were judged as well, by the search's own sums.
    const auto on_the_way =
        upper_above(result.bounds.lower, result.bounds.lower - branched.contradiction, scale + result.penalty);
    if (!on_the_way) return tl::unexpected(on_the_way.error());
    result.bounds.upper = *upper;
  }
  result.gap = relative_gap(result.bounds, scale);
  result.outcome = result.gap <= options.proof.gap * (1 + 1e-9) ? Outcome::optimal : Outcome::feasible;
  if (result.randomised_value) result.randomised_value = std::max(*result.randomised_value, result.bounds.lower);
  result.parity_gap = parity_gaps(fairness, solution.evaluation);
  result.least_ratio = least_ratios(fairness, solution.evaluation);
  if (options.policies.min_seen > 0)
    result.support = support_of(model, solution.policy, solution.evaluation.mass, options.policies.min_seen);
  note_degenerate(solution, result);
  result.solution = std::move(solution);
  if (deadline.over()) deadline = {.at = Clock::now() + kForPrices};
  describe_limits(program, best.tables, deadline, result);
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace

Expected<SolveResult> solve_with(const Helpers& helpers, const Model& model, const Fairness& fairness,
                                 const SolveOptions& options) {
  const double unit = unit_of_rewards(model);
  if (unit == 1 || !std::isfinite(options.penalty / unit)) return solve_as_it_is(helpers, model, fairness, options, 1);
  const auto converted = in_units(model, unit);
  if (!converted) return tl::unexpected(converted.error());
  SolveOptions in_unit = options;
  in_unit.penalty /= unit;
  if (options.progress)
    in_unit.progress = [&](SolveProgress progress) {
      progress.bounds.lower *= unit;
      progress.bounds.upper *= unit;
      options.progress(progress);
    };
  auto result = solve_as_it_is(helpers, *converted, fairness, in_unit, unit);
  if (!result) return result;
  convert(*result, unit);
  if (result->solution) evaluate_into(model, result->solution->policy, result->solution->evaluation);
  return result;
}

}  // namespace fairstep
