#include <fairstep/optimise/internal/local.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fairstep/optimise/backends/internal/nonlinear_program.hpp>
#include <fairstep/optimise/internal/linearised.hpp>
#include <fairstep/optimise/internal/table_program.hpp>

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

/// Linear programs in a trust region, for tables too large for second derivatives. An optimum has all but a few entries
/// at an end of their box, and there linear models are as good as Newton's: a few steps do what hundreds of gradient
/// steps would. The merit of a point is its objective less a price on its excess.
LocalResult climb(const Program& program, const Tables& start, const LocalOptions& options) {
  const Range rewards = program.model->reward_range();
  const double scale =
      std::max(std::abs(rewards.low), std::abs(rewards.high)) * static_cast<double>(program.shape().horizon);
  const double price = 100 * std::max(scale, 1e-12);
  const auto merit = [&](const Candidate& c) { return c.objective - price * std::max(c.excess + options.margin, 0.0); };
  Candidate here = assess(program, start);
  LocalResult result;
  double radius = 1;
  std::optional<Linearised> last;
  while (radius > 1e-7 && result.iterations < 200 && !options.deadline.passed()) {
    ++result.iterations;
    Linearised model =
        linearise(program, here.tables, {.radius = radius, .margin = options.margin, .excess_price = price});
    if (last) model.lp.start_from(last->lp);
    const LpSolution step = model.lp.solve();
    last = std::move(model);
    if (step.status != LpStatus::optimal) break;
    const double promised = step.objective + price * std::max(here.excess + options.margin, 0.0);
    if (promised <= 1e-9 * std::max(std::abs(here.objective), 1e-9 * scale)) {
      result.converged = true;
      break;
    }
    Tables moved = here.tables;
    std::size_t at = 0;
    for (std::size_t b = 0; b < moved.size(); ++b)
      for (std::size_t i = 0; i < moved[b].size(); ++i)
        moved[b][i] = std::clamp(moved[b][i] + step.x[at++], program.boxes[b].lo[i], program.boxes[b].hi[i]);
    Candidate there = assess(program, std::move(moved));
    const double gained = merit(there) - merit(here);
    if (gained > 0.1 * promised) here = std::move(there);
    radius *= gained > 0.75 * promised ? 2 : gained > 0.1 * promised ? 1 : 0.25;
    radius = std::min(radius, 1.0);
  }
  result.converged = result.converged || radius <= 1e-7;
  result.tables = std::move(here.tables);
  return result;
}

}  // namespace

LocalResult solve_locally(const Program& program, const Tables& start, const LocalOptions& options) {
  const bool large = program.table_size() > TableProgram::kSmallTable;
  return large && program.penalties.empty() ? climb(program, start, options)
                                            : run(program, start, options, Goal::value);
}

LocalResult least_violation(const Program& program, const Tables& start, const LocalOptions& options) {
  return run(program, start, options, Goal::least_violation);
}

}  // namespace fairstep
