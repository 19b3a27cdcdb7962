#include <fairstep/experiment/plan.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace fairstep {
namespace {

double size_of(const Shape& shape) {
  return static_cast<double>(shape.groups) * static_cast<double>(shape.horizon) * static_cast<double>(shape.features);
}

/// A local search takes some 10 ms at the paper's size.
double search_seconds(const Shape& shape) { return 1.5e-4 * size_of(shape); }

/// A proof that uses up what it is given.
double proof_seconds(const ProofBudget& proof) {
  if (!proof.wanted) return 0;
  return proof.effort == 0 ? proof.time_limit : std::min(proof.time_limit, 12e-6 * static_cast<double>(proof.effort));
}

/// How much of that a proof takes: programs of conditional rates mostly all of it, those without limits nothing.
double share_of_proof(const ExperimentMethod& method, Notion notion) {
  if (method.method == Method::unconstrained) return 0;
  if (method.method == Method::penalty) return notion == Notion::dp ? 0.5 : 1;
  if (method.relaxation.mode == RelaxationMode::literal) return 0.02;  // vacuous for long
  return notion == Notion::dp ? 0.4 : 0.5;
}

std::vector<double> work_of(const Experiment& experiment, const Shape& shape, const ExperimentMethod& method,
                            Notion notion) {
  const LearnOptions learning = learn_options(experiment, notion, method, 0);
  const double share = share_of_proof(method, notion);
  std::vector<double> work(learning.schedule.size(), search_seconds(shape) + share * proof_seconds(learning.proof));
  if (learning.last_proof && !work.empty())
    work.back() = search_seconds(shape) + share * proof_seconds(*learning.last_proof);
  return work;
}

double total(const PlannedRun& run) { return std::accumulate(run.work.begin(), run.work.end(), 0.0); }

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
               work_of(experiment, environment.model.shape(), method, notion)});
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
                            fmt::format("{}.json", name_of(experiment.notions[n])),
                        // Most limits are settled long before the effort is used up.
                        static_cast<double>(experiment.frontier.limits.size()) *
                            (search_seconds(experiment.environments[e].model.shape()) +
                             0.1 * proof_seconds(experiment.frontier.proof))});
  return sweeps;
}

std::vector<std::size_t> longest_first(const std::vector<PlannedRun>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-total(runs[a]), a) < std::pair(-total(runs[b]), b);
  });
  return order;
}

}  // namespace fairstep
