#include <fairstep/optimise/solve.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include <fairstep/optimise/search/branch.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/local/myopic.hpp>
#include <fairstep/optimise/answer/shadow_prices.hpp>

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
  if (!(options.gap >= 0)) return fail(fmt::format("gap is {}, expected 0 or more", options.gap));
  if (!(options.time_limit > 0))
    return fail(fmt::format("time limit is {}, expected more than 0 seconds", options.time_limit));
  if (options.policies.deterministic && options.method == Method::myopic)
    return fail("a deterministic policy cannot be found myopically", {}, "use the constrained method");
  if (options.policies.deterministic && options.method == Method::penalty)
    return fail("a deterministic policy cannot be found by penalty", {}, "use the constrained method");
  return {};
}

/// A myopic step and a penalty know no doubt about the model.
Expected<void> check_doubt(const Fairness& fairness, Method method) {
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

Tables middle_of(const Program& program) {
  Tables tables;
  for (const Box& box : program.boxes) {
    tables.emplace_back(box.lo.size());
    for (std::size_t i = 0; i < box.lo.size(); ++i) tables.back()[i] = 0.5 * (box.lo[i] + box.hi[i]);
  }
  return tables;
}

Tables tables_of(const Program& program, const Policy& policy) {
  Tables tables = middle_of(program);
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const auto table = policy.group(program.blocks[b].groups.front());
    for (std::size_t i = 0; i < table.size(); ++i)
      tables[b][i] = std::clamp(table[i], program.boxes[b].lo[i], program.boxes[b].hi[i]);
  }
  return tables;
}

Policy policy_of(const Program& program, const Tables& tables) {
  const Shape& n = program.shape();
  if (tables.size() == 1 && n.groups > 1) {
    Tensor<double, 2> accept({n.horizon, n.features});
    std::copy(tables[0].begin(), tables[0].end(), accept.flat().begin());
    return *Policy::make_group_independent(accept);
  }
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g) std::copy(tables[g].begin(), tables[g].end(), accept.block(g).begin());
  return *Policy::make(std::move(accept), program.model->names().groups);
}

/// A local optimum, or the least violation if there is none.
Candidate look_locally(const Program& program, const Candidate& begun, const Deadline& deadline) {
  const LocalOptions options{.tolerance = kKept, .deadline = deadline};
  const Tables& start = begun.tables;
  Candidate best = look_around(program, start, options);
  if (best.tables.empty() || (deadline.over() && is_better(begun, best, kKept))) best = begun;
  const auto offer = [&](LocalResult local) {
    if (local.tables.empty()) return;
    Candidate candidate = assess(program, std::move(local.tables));
    if (is_better(candidate, best, kKept)) best = std::move(candidate);
  };
  if (best.excess > kKept && !deadline.passed()) {
    offer(least_violation(program, start, options));
    if (best.excess <= kKept) offer(solve_locally(program, best.tables, options));
  }
  if (best.excess > kKept) offer({.tables = middle_of(program)});  // all alike, which every parity allows
  return best;
}

/// A deterministic policy to begin with: the table rounded, or everybody treated alike at every step, which is fair.
Candidate best_ends(const Program& program, Tables tables) {
  Tables all_low;
  Tables all_high;
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const Box& box = program.boxes[b];
    for (std::size_t i = 0; i < tables[b].size(); ++i)
      tables[b][i] = tables[b][i] > 0.5 * (box.lo[i] + box.hi[i]) ? box.hi[i] : box.lo[i];
    all_low.push_back(box.lo);
    all_high.push_back(box.hi);
  }
  Candidate best;
  for (Tables* candidate : {&tables, &all_low, &all_high}) {
    Candidate here = assess(program, std::move(*candidate));
    if (is_better(here, best, kKept)) best = std::move(here);
  }
  return best;
}

/// All functionals, from the referee's occupancy.
std::vector<double> functionals_of(const Program& program, const Solution& solution) {
  const Shape& n = program.shape();
  std::vector<double> f(program.functionals, 0.0);
  for (std::size_t g = 0; g < n.groups; ++g)
    for (const Term& term : program.terms[g])
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          const double p = solution.policy.accept(g, term.step, x);
          f[term.functional] += solution.evaluation.mass(g, term.step, x, y) *
                                ((1 - p) * term.weight[cell_of(x, y, 0)] + p * term.weight[cell_of(x, y, 1)]);
        }
  return f;
}

/// The two means that are furthest apart, by name.
std::string widest_pair(const Parity& parity, std::span<const double> f) {
  std::size_t first = 0, second = 0;
  double widest = -kInfinity;
  for (std::size_t i = 0; i < parity.means.size(); ++i)
    for (std::size_t j = 0; j < parity.means.size(); ++j) {
      const double width = mean_of(parity.means[i], f) - mean_of(parity.lower_of(j), f);
      if (i == j || !(width > widest)) continue;  // nor if one of them is a mean of nobody
      widest = width;
      std::tie(first, second) = std::minmax(i, j);
    }
  if (widest == -kInfinity) return {};
  return fmt::format("{}-{}", parity.means[first].name, parity.means[second].name);
}

void describe(const Program& program, const Tables& tables, const Deadline& deadline, SolveResult& result) {
  const Shape& n = program.shape();
  const std::vector<double> f = functionals_of(program, *result.solution);
  const ShadowPrices prices = shadow_prices(program, tables, deadline);
  constexpr double kBinds = 1e-6;
  for (std::size_t i = 0; i < program.parities.size(); ++i) {
    const Parity& parity = program.parities[i];
    const double gap = width_of(parity, f);
    if (parity.step < n.horizon) result.shadow_price[parity.step] += prices.parity[i];
    if (gap >= parity.limit - kBinds && parity.limit < 1)
      result.binding.push_back(
          {parity.step, parity.notion, widest_pair(parity, f), gap, parity.limit, prices.parity[i]});
  }
  for (std::size_t i = 0; i < program.rows.size(); ++i) {
    const MeanRow& row = program.rows[i];
    const double sum = height_of(row, f);
    if (sum >= row.upper - kBinds) result.binding.push_back({row.step, row.name, {}, sum, row.upper, prices.row[i]});
  }
}

/// The constraint that is furthest from being kept.
Infeasibility explain(const Program& program, const Solution& nearest, double least_excess) {
  const std::vector<double> f = functionals_of(program, nearest);
  Infeasibility why;
  why.least_excess = least_excess;
  why.attained_excess = -kInfinity;
  for (const Parity& parity : program.parities) {
    const double excess = width_of(parity, f) - parity.limit;
    if (excess <= why.attained_excess) continue;
    why.step = parity.step;
    why.constraint = parity.notion;
    why.pair = widest_pair(parity, f);
    why.attained_excess = excess;
    why.smallest_limit = parity.limit + excess;
  }
  for (const MeanRow& row : program.rows) {
    const double excess = height_of(row, f) - row.upper;
    if (!(excess > why.attained_excess)) continue;
    why.step = row.step;
    why.constraint = row.name;
    why.pair.clear();
    why.attained_excess = excess;
    why.smallest_limit = row.upper + excess;
  }
  why.nearest = nearest.policy;
  return why;
}

/// Widest gap at each step of the notions in force, the referee's word; NaN where none of them has a gap.
std::vector<double> parity_gaps(const Fairness& fairness, const Evaluation& evaluation) {
  std::vector<double> gaps(evaluation.value_per_step.size(), fairness.parity.empty() ? 0.0 : std::nan(""));
  for (const StepwiseParity& parity : fairness.parity) {
    const auto& of = of_notion(evaluation.gap, parity.notion);
    for (std::size_t h = 0; h < gaps.size(); ++h) gaps[h] = std::fmax(gaps[h], of[h].gap);  // a number before a NaN
  }
  return gaps;
}

void note_degenerate(const Solution& solution, SolveResult& result) {
  const auto rates = solution.evaluation.rates.accept.flat();
  result.accepts_nobody = std::all_of(rates.begin(), rates.end(), [](double r) { return r <= 1e-9; });
  result.accepts_everybody = std::all_of(rates.begin(), rates.end(), [](double r) { return r >= 1 - 1e-9; });
}

double relative_gap(const Bounds& bounds, double scale) {
  if (!std::isfinite(bounds.lower) || !std::isfinite(bounds.upper)) return kInfinity;
  return (bounds.upper - bounds.lower) / std::max(std::abs(bounds.lower), 1e-9 * scale);
}

/// The unit in which the greatest reward is about 1, if it is far from that: tolerances of solvers are meant for such
/// numbers, and with rewards of 1e-9 they would stop anywhere. A power of 2 changes no digit of any number.
double unit_of_rewards(const Model& model) {
  const Range rewards = model.reward_range();
  const double greatest = std::max(std::abs(rewards.low), std::abs(rewards.high));
  constexpr double kUsual = 128;
  if (greatest == 0 || (greatest <= kUsual && greatest >= 1 / kUsual)) return 1;
  return std::ldexp(1.0, std::max(std::ilogb(greatest), -1000));
}

/// The same people with rewards in another unit.
Expected<Model> in_units(const Model& model, double unit) {
  ModelSpec spec = model.spec();
  for (double& reward : spec.reward.flat()) reward /= unit;
  for (double& noise : spec.reward_noise.flat()) noise /= unit;
  return Model::make(std::move(spec));
}

/// From that unit back to the model's own.
void convert(SolveResult& result, double unit) {
  for (double* amount : {&result.bounds.lower, &result.bounds.upper, &result.penalty}) *amount *= unit;
  for (double& price : result.shadow_price) price *= unit;
  for (Binding& limit : result.binding) limit.shadow_price *= unit;
  if (result.randomised_value) *result.randomised_value *= unit;
}

Expected<SolveResult> solve_as_it_is(const Model& model, const Fairness& fairness, const SolveOptions& options) {
  const auto begin = Clock::now();
  if (auto ok = check(options); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_doubt(fairness, options.method); !ok) return tl::unexpected(ok.error());
  if (options.start)
    if (auto ok = options.start->check_fits(model); !ok) return tl::unexpected(ok.error());
  auto compiled = program_for(model, fairness, options);
  if (!compiled) return tl::unexpected(compiled.error());
  const Program& program = *compiled;
  Effort effort(options.effort);
  Deadline deadline{.at = begin + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(options.time_limit, 1e8))),
                    .stop = options.stop,
                    .effort = options.effort > 0 ? &effort : nullptr,
                    .interrupted = options.interrupted};

  SolveResult result;
  const auto report = [&](double lower, double upper, const char* phase) {
    if (options.progress) options.progress({{lower, upper}, seconds_since(begin), phase});
  };
  report(-kInfinity, kInfinity, "local");
  const auto before_look = Clock::now();
  const Candidate begun = assess(program, options.start ? tables_of(program, *options.start) : middle_of(program));
  deadline.at -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
      std::min(kLooksAfterwards * seconds_since(before_look), kMostKeptBack * std::min(options.time_limit, 1e8))));

  Candidate first;
  if (options.method == Method::myopic) {
    auto greedy = solve_myopically(program, deadline);
    if (!greedy) return tl::unexpected(greedy.error());
    first = std::move(*greedy);
  } else {
    first = look_locally(program, begun, deadline);
    if (options.policies.deterministic) {
      if (first.excess <= kKept) result.randomised_value = first.objective;
      first = best_ends(program, std::move(first.tables));
    }
  }

  BranchResult branched{.best = first};
  if (options.prove) {
    branched = branch_and_bound(
        program, first,
        {.gap = options.gap, .tolerance = kLimitTolerance, .kept = kKept, .deadline = deadline, .progress = report});
    // A myopic policy is what it is; the bound says what it gives away.
    if (options.method == Method::myopic) branched.best = first;
  }
  if (!branched.finished && options.effort > 0 && effort.spent())
    result.stopped_by = StopReason::iterations;
  else if (!branched.finished && deadline.passed())
    result.stopped_by = StopReason::time;
  else if (!branched.finished && options.prove)
    result.stopped_by = StopReason::numerical;
  if (options.stop.stop_requested() || (options.interrupted && options.interrupted()))
    result.stopped_by = StopReason::requested;

  const Candidate& best = branched.best;
  Policy policy = policy_of(program, best.tables);
  auto evaluation = evaluate(model, policy);
  if (!evaluation) return tl::unexpected(evaluation.error());
  Solution solution{std::move(policy), std::move(*evaluation)};
  const std::vector<double> f = functionals_of(program, solution);
  const bool feasible = best.excess <= kKept && excess_of(program, f) <= kLimitTolerance;
  const double scale = value_scale(model);

  result.shadow_price.assign(model.shape().horizon, 0.0);
  for (std::size_t h = 0; h < model.shape().horizon; ++h)
    if (!fairness.parity.empty() &&
        std::all_of(fairness.parity.begin(), fairness.parity.end(),
                    [&](const StepwiseParity& p) { return (p.limit.size() == 1 ? p.limit[0] : p.limit[h]) >= 1; }))
      result.vacuous_steps.push_back(h);

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
  if (options.prove) {
    const auto upper = upper_above(result.bounds.lower, branched.upper, scale + result.penalty);
    if (!upper) return tl::unexpected(upper.error());
    // Bounds on the way there were judged as well, by the search's own sums.
    const auto on_the_way =
        upper_above(result.bounds.lower, result.bounds.lower - branched.contradiction, scale + result.penalty);
    if (!on_the_way) return tl::unexpected(on_the_way.error());
    result.bounds.upper = *upper;
  }
  result.gap = relative_gap(result.bounds, scale);
  result.outcome = result.gap <= options.gap * (1 + 1e-9) ? Outcome::optimal : Outcome::feasible;
  if (result.randomised_value) result.randomised_value = std::max(*result.randomised_value, result.bounds.lower);
  result.parity_gap = parity_gaps(fairness, solution.evaluation);
  note_degenerate(solution, result);
  result.solution = std::move(solution);
  if (deadline.over()) deadline = {.at = Clock::now() + kForPrices};
  describe(program, best.tables, deadline, result);
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace

Expected<SolveResult> solve(const Model& model, const Fairness& fairness, const SolveOptions& options) {
  const double unit = unit_of_rewards(model);
  if (unit == 1 || !std::isfinite(options.penalty / unit)) return solve_as_it_is(model, fairness, options);
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
  auto result = solve_as_it_is(*converted, fairness, in_unit);
  if (!result) return result;
  convert(*result, unit);
  if (result->solution) evaluate_into(model, result->solution->policy, result->solution->evaluation);
  return result;
}

}  // namespace fairstep
