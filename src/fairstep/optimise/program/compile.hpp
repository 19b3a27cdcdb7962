// Model + fairness + policy class -> Program.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/policy_class.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// The constraints as hard rows. The model must outlive the program.
[[nodiscard]] Expected<Program> compile(const Model& model, const Fairness& fairness, const PolicyClass& policies);

/// The parity constraints as a penalty, lambda >= 0, and the others as hard rows.
[[nodiscard]] Expected<Program> compile_penalty(const Model& model, const Fairness& fairness,
                                                const PolicyClass& policies, double lambda, PenaltyForm form);

}  // namespace fairstep
