// Policies as tables of a program, and back.
#pragma once

#include <cstddef>
#include <span>

#include <fairstep/core/policy.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// The middle of every box: all are treated alike, unless boxes differ.
[[nodiscard]] Tables middle_of(const Program& program);
/// All are treated alike, under every rule there may be: the middle, or where steps have one cut, the floor.
[[nodiscard]] Tables all_alike(const Program& program);
/// A policy that fits the model, put into the boxes and under the rules.
[[nodiscard]] Tables tables_of(const Program& program, const Policy& policy);
/// Whether a policy that fits the model is one of those that the program is about, up to rounding. Limits are not
/// looked at.
[[nodiscard]] bool is_of_class(const Program& program, const Policy& policy);
/// Puts a table into the box of its block and under the rules, but for that of one cut. Nothing to do without rules.
void settle(const Program& program, std::size_t block, std::span<double> table);
[[nodiscard]] Tables settled(const Program& program, Tables tables);
[[nodiscard]] Policy policy_of(const Program& program, const Tables& tables);

}  // namespace fairstep
