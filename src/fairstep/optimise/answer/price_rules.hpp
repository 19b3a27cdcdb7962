// What the rules of a class cost: the same question once more without them.
#pragma once

#include <functional>

#include <fairstep/core/error.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

using SolveOnce = std::function<Expected<SolveResult>(const Model&, const Fairness&, const SolveOptions&)>;

/// Solves under the rules, and then without them in the time that is left, at least a quarter. What no free policy
/// exceeds, none under rules does; both together are one answer.
[[nodiscard]] Expected<SolveResult> solve_and_price(const SolveOnce& solve_once, const Model& model,
                                                    const Fairness& fairness, const SolveOptions& options);

}  // namespace fairstep
