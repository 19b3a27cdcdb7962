// Policies as tables of a program, and back.
#pragma once

#include <fairstep/core/policy.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// The middle of every box: all are treated alike, unless boxes differ.
[[nodiscard]] Tables middle_of(const Program& program);
/// A policy that fits the model, put into the boxes.
[[nodiscard]] Tables tables_of(const Program& program, const Policy& policy);
/// Whether a policy that fits the model is one of those that the program is about, up to rounding. Limits are not
/// looked at.
[[nodiscard]] bool is_of_class(const Program& program, const Policy& policy);
[[nodiscard]] Policy policy_of(const Program& program, const Tables& tables);

}  // namespace fairstep
