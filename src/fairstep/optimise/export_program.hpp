// The occupancy-measure program of the paper's appendix as a text that other solvers read.
#pragma once

#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/policy_class.hpp>

namespace fairstep {

/// CPLEX LP format: maximise the value over occupancies rho[g,h,x,y,a], with flow rows, the quadratic rows that keep
/// the policy from seeing y, floors, what makes policies monotone or stationary, and the fairness rows (quadratic for
/// conditional rates, multiplied out). What is to be said of a model that is an estimate stands in comments.
[[nodiscard]] Expected<std::string> to_lp(const Model& model, const Fairness& fairness,
                                          const PolicyClass& policies = {});

/// The same as free MPS, quadratic rows in QCMATRIX sections.
[[nodiscard]] Expected<std::string> to_mps(const Model& model, const Fairness& fairness,
                                           const PolicyClass& policies = {});

}  // namespace fairstep
