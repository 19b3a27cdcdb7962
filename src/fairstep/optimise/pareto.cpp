#include <fairstep/optimise/pareto.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fairstep {

Expected<std::vector<ParetoPoint>> pareto(const Model& model, const Fairness& fairness, std::span<const double> limits,
                                          const SolveOptions& options) {
  if (fairness.parity.empty() && fairness.ratios.empty())
    return fail("there is no parity limit to vary", {}, "name a notion, such as dp or eqopt");
  if (!fairness.parity.empty() && !fairness.ratios.empty())
    return fail("there are limits on gaps and on ratios, which cannot be varied together", {}, "name one kind of them");
  const bool ratios = !fairness.ratios.empty();  // where a wider limit is a smaller one
  std::vector<std::size_t> order(limits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ratios ? limits[a] < limits[b] : limits[a] > limits[b]; });

  std::vector<ParetoPoint> points(limits.size());
  for (std::size_t i = 0; i < limits.size(); ++i) {
    points[i].limit = limits[i];
    points[i].result.stopped_by = StopReason::requested;  // unless it is solved below
  }
  SolveOptions here = options;
  double upper = std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) {
    Fairness at = fairness;
    for (StepwiseParity& parity : at.parity) parity.limit = {limits[i]};
    for (StepwiseRatio& ratio : at.ratios) ratio.limit = {limits[i]};
    auto result = solve(model, at, here);
    if (!result) return tl::unexpected(result.error());
    // What no policy exceeds under a wider limit, none exceeds under this one.
    upper = std::min(upper, result->bounds.upper);
    if (result->solution) {
      const double before = result->bounds.upper - result->bounds.lower;
      auto above = upper_above(result->bounds.lower, upper, value_scale(model) + result->penalty);
      if (!above) return tl::unexpected(std::move(above.error()));
      result->bounds.upper = *above;
      if (before > 0 && std::isfinite(before)) result->gap *= (result->bounds.upper - result->bounds.lower) / before;
      if (result->gap <= options.proof.gap) result->outcome = Outcome::optimal;
      here.start = result->solution->policy;
    }
    points[i].result = std::move(*result);
    if (options.stop.stop_requested() || (options.interrupted && options.interrupted())) break;
  }
  return points;
}

}  // namespace fairstep
