#include <fairstep/experiment/plan.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace fairstep {
namespace {

/// Programs with limits are harder than without, and those of conditional rates hardest, to prove above all.
double hardness(const ExperimentMethod& method, Notion notion, bool prove) {
  if (method.method == Method::unconstrained) return 1;
  const double of_notion = notion == Notion::dp ? 1 : 2;
  const double of_method = method.method == Method::constrained ? 2 : 1.5;
  return (prove ? 4 : 1) * of_notion * of_method;
}

double size_of(const Shape& shape) {
  return static_cast<double>(shape.groups) * static_cast<double>(shape.horizon) * static_cast<double>(shape.features);
}

}  // namespace

std::vector<PlannedRun> plan(const Experiment& experiment) {
  std::vector<PlannedRun> runs;
  for (std::size_t e = 0; e < experiment.environments.size(); ++e)
    for (std::size_t n = 0; n < experiment.notions.size(); ++n)
      for (std::size_t m = 0; m < experiment.methods.size(); ++m)
        for (std::size_t r = 0; r < experiment.repeats; ++r) {
          const ExperimentEnvironment& environment = experiment.environments[e];
          const Notion notion = experiment.notions[n];
          const ExperimentMethod& method = experiment.methods[m];
          if (!runs_under(method, notion)) break;
          runs.push_back(
              {e, n, m, r, run_seed(experiment.seed, environment.name, notion, r),
               std::filesystem::path("runs") / environment.name / name_of(notion) / method.id / std::to_string(r),
               size_of(environment.model.shape()) * hardness(method, notion, experiment.learning.proof.wanted)});
        }
  return runs;
}

bool runs_under(const ExperimentMethod& method, Notion notion) {
  return std::find(method.notions.begin(), method.notions.end(), notion) != method.notions.end();
}

std::vector<PlannedSweep> planned_sweeps(const Experiment& experiment) {
  std::vector<PlannedSweep> sweeps;
  if (experiment.frontier.limits.empty()) return sweeps;
  for (std::size_t e = 0; e < experiment.environments.size(); ++e)
    for (std::size_t n = 0; n < experiment.notions.size(); ++n)
      sweeps.push_back({e, n,
                        std::filesystem::path("frontier") / experiment.environments[e].name /
                            fmt::format("{}.json", name_of(experiment.notions[n]))});
  return sweeps;
}

std::vector<std::size_t> longest_first(const std::vector<PlannedRun>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(-runs[a].work, a) < std::pair(-runs[b].work, b); });
  return order;
}

}  // namespace fairstep
