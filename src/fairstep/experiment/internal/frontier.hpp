// What fairness costs where the population is known: the best value over a range of limits, as a document.
#pragma once

#include <stop_token>
#include <string>

#include <fairstep/experiment/experiment.hpp>

namespace fairstep::internal {

/// `fairstep/pareto/1` with `environment`, `fairness`, `unconstrained`, and at every point `violation`, `price` and
/// `price_share`; without times, so that nothing depends on the clock but solves that the time limit has cut. Empty if
/// it was stopped.
[[nodiscard]] Expected<std::string> frontier_text(const ExperimentEnvironment& environment, Notion notion,
                                                  const ExperimentFrontier& frontier, const std::stop_token& stop);

}  // namespace fairstep::internal
