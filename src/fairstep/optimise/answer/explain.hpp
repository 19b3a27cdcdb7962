// What an answer says beside the policy and its bounds: what binds and at what price, what is degenerate, and why
// nothing fits. All numbers are the referee's.
#pragma once

#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// All functionals, from the referee's occupancy.
[[nodiscard]] std::vector<double> functionals_of(const Program& program, const Solution& solution);

/// Limits that bind, and shadow prices, into `result`, which has a solution: `tables`.
void describe_limits(const Program& program, const Tables& tables, const Deadline& deadline, SolveResult& result);

/// The constraint that is furthest from being kept.
[[nodiscard]] Infeasibility explain(const Program& program, const Solution& nearest, double least_excess);

/// Widest gap at each step of the notions in force; NaN where none of them has a gap.
[[nodiscard]] std::vector<double> parity_gaps(const Fairness& fairness, const Evaluation& evaluation);

/// Least ratio at each step of the notions in force; NaN where none of them has one, empty if no ratio is in force.
[[nodiscard]] std::vector<double> least_ratios(const Fairness& fairness, const Evaluation& evaluation);

/// Steps whose limits can never bind.
[[nodiscard]] std::vector<std::size_t> vacuous_steps(const Fairness& fairness, std::size_t horizon);

/// Whether nobody is ever accepted, or everybody.
void note_degenerate(const Solution& solution, SolveResult& result);

}  // namespace fairstep
