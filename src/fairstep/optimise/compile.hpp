// Model + fairness + policy class -> Program.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/program.hpp>

namespace fairstep {

/// On which actions the policy keeps a floor.
enum class FloorKind {
  two_sided,    ///< floor <= P(a=1) <= 1 - floor
  accept_only,  ///< floor <= P(a=1)
};

/// Which policies are allowed.
struct PolicyClass {
  double floor = 0;
  FloorKind floor_kind = FloorKind::two_sided;
  bool group_independent = false;
  bool deterministic = false;  ///< every P(a=1) at the floor or at the ceiling
};

/// What the penalty method subtracts from the value.
enum class PenaltyForm {
  rate,        ///< lambda * (difference of the rates)^2
  multiplied,  ///< lambda * (the rates' quotients multiplied out)^2, as in the paper's appendix
};

/// The constraints as hard rows. The model must outlive the program.
[[nodiscard]] Expected<Program> compile(const Model& model, const Fairness& fairness, const PolicyClass& policies);

/// The parity constraints as a penalty, lambda >= 0, and the others as hard rows.
[[nodiscard]] Expected<Program> compile_penalty(const Model& model, const Fairness& fairness,
                                                const PolicyClass& policies, double lambda, PenaltyForm form);

}  // namespace fairstep
