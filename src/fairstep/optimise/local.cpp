#include <fairstep/optimise/internal/local.hpp>

#include <fairstep/optimise/backends/internal/nonlinear_program.hpp>

namespace fairstep {
namespace {

LocalResult run(const Program& program, const Tables& start, const LocalOptions& options, Goal goal) {
  TableProgram tables(program, start, options.margin, goal);
  NlpOptions nlp;
  nlp.warm = options.warm;
  nlp.cancelled = [&] { return options.deadline.passed(); };
  const NlpSolution solution = solve(tables, nlp);
  LocalResult result;
  result.iterations = solution.iterations;
  result.converged = solution.status == NlpStatus::converged;
  if (!solution.x.empty()) result.tables = tables.tables(solution.x);
  return result;
}

}  // namespace

LocalResult solve_locally(const Program& program, const Tables& start, const LocalOptions& options) {
  return run(program, start, options, Goal::value);
}

LocalResult least_violation(const Program& program, const Tables& start, const LocalOptions& options) {
  return run(program, start, options, Goal::least_violation);
}

}  // namespace fairstep
