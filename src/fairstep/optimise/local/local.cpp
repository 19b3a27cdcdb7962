#include <fairstep/optimise/local/local.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/backends/nonlinear_program.hpp>
#include <fairstep/optimise/local/climb.hpp>
#include <fairstep/optimise/local/one_cut.hpp>
#include <fairstep/optimise/local/table_program.hpp>
#include <fairstep/optimise/program/tables.hpp>

namespace fairstep {
namespace {

bool is_large(const Program& program) { return program.table_size() > TableProgram::kSmallTable; }

LocalResult through_the_interior(const Program& program, const Tables& start, const LocalOptions& options, Goal goal) {
  TableProgram tables(program, start, options.margin, goal, options.deadline);
  NlpOptions nlp;
  nlp.cancelled = [&] { return options.deadline.passed(); };
  nlp.max_seconds = std::clamp(options.deadline.seconds_left(), 1e-3, 1e9);
  const NlpSolution solution = program.backends->solve(tables, nlp);
  LocalResult result;
  result.iterations = solution.iterations;
  result.converged = solution.status == NlpStatus::converged;
  const bool numbers = std::all_of(solution.x.begin(), solution.x.end(), [](double x) { return std::isfinite(x); });
  if (!solution.x.empty() && numbers) result.tables = tables.tables(solution.x);
  return result;
}

/// Nearly everybody accepted.
Tables near_ceilings(const Program& program) {
  Tables tables;
  for (const Box& box : program.boxes) {
    tables.emplace_back(box.lo.size());
    for (std::size_t i = 0; i < box.lo.size(); ++i) tables.back()[i] = 0.1 * box.lo[i] + 0.9 * box.hi[i];
  }
  return tables;
}

/// From a start that keeps what is linear in the rules.
LocalResult solve_from(const Program& program, const Tables& start, const LocalOptions& options) {
  // A penalty bends the objective, and then an optimum need not be at the ends of its box.
  return program.penalties.empty() ? climb(program, start, options, Goal::value)
                                   : through_the_interior(program, start, options, Goal::value);
}

}  // namespace

LocalResult solve_locally(const Program& program, const Tables& start, const LocalOptions& options) {
  if (!program.rules.any()) return solve_from(program, start, options);
  LocalResult result = solve_from(program, settled(program, start), options);
  if (program.rules.one_cut && !result.tables.empty())
    result.tables = cut_once(program, std::move(result.tables), options, solve_from).tables;
  return result;
}

Candidate look_around(const Program& program, const Tables& start, const LocalOptions& options) {
  Candidate best;
  const auto offer = [&](LocalResult local) {
    if (local.tables.empty()) return -kInfinity;
    Candidate candidate = assess(program, std::move(local.tables));
    const double objective = candidate.excess <= options.tolerance ? candidate.objective : -kInfinity;
    if (is_better(candidate, best, options.tolerance)) best = std::move(candidate);
    return objective;
  };
  const double first = offer(solve_from(program, settled(program, start), options));
  const auto cut = [&] {
    if (program.rules.one_cut && !best.tables.empty())
      best = cut_once(program, std::move(best.tables), options, solve_from,
                      is_large(program) ? Moves::along : Moves::each);
    return best;
  };
  if (is_large(program) || !program.penalties.empty() || options.deadline.passed()) return cut();
  // Two climbs that disagree, or fail, mean that there are several tops: then a third look from the middle of things is
  // worth its time.
  const double second = offer(climb(program, near_ceilings(program), options, Goal::value));
  if (!(std::abs(first - second) <= 1e-6 * std::abs(first)) && !options.deadline.passed())
    offer(through_the_interior(program, start, options, Goal::value));
  return cut();
}

namespace {

LocalResult violate_least(const Program& program, const Tables& start, const LocalOptions& options) {
  return is_large(program) ? climb(program, start, options, Goal::least_violation)
                           : through_the_interior(program, start, options, Goal::least_violation);
}

}  // namespace

LocalResult least_violation(const Program& program, const Tables& start, const LocalOptions& options) {
  LocalResult result = violate_least(program, settled(program, start), options);
  if (program.rules.one_cut && !result.tables.empty())
    result.tables = cut_once(program, std::move(result.tables), options, violate_least).tables;
  return result;
}

}  // namespace fairstep
