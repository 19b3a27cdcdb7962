// The occupancy-measure program of the paper's appendix as a text that other solvers read.
#pragma once

#include <optional>
#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/policy_class.hpp>

namespace fairstep {

/// Squared gaps cost lambda in the place of the parity limits, as with Method::penalty.
struct SquaredGaps {
  double lambda = 0;
  PenaltyForm form = PenaltyForm::rate;
};

/// CPLEX LP format: maximise the value over occupancies rho[g,h,x,y,a], with flow rows, the quadratic rows that keep
/// the policy from seeing y, floors, what makes policies monotone or stationary, and the fairness rows (quadratic for
/// conditional rates, multiplied out). What is to be said of a model that is an estimate stands in comments. With a
/// penalty each gap is a variable of its own, and so is what its square costs: cost >= gap^2, so that the objective
/// stays linear.
[[nodiscard]] Expected<std::string> to_lp(const Model& model, const Fairness& fairness,
                                          const PolicyClass& policies = {},
                                          const std::optional<SquaredGaps>& penalty = {});

/// The same as free MPS, quadratic rows in QCMATRIX sections.
[[nodiscard]] Expected<std::string> to_mps(const Model& model, const Fairness& fairness,
                                           const PolicyClass& policies = {},
                                           const std::optional<SquaredGaps>& penalty = {});

}  // namespace fairstep
