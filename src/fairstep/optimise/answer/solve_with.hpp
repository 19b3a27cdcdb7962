// solve.hpp with a choice of who helps: for tests in which solvers and proofs lie.
#pragma once

#include <functional>

#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/optimise/search/branch.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

struct Helpers {
  const Backends* backends = &libraries();
  std::function<BranchResult(const Program&, Candidate, const BranchOptions&)> prove = branch_and_bound;
};

/// All stages in turn, and what comes of them.
[[nodiscard]] Expected<SolveResult> solve_with(const Helpers& helpers, const Model& model, const Fairness& fairness,
                                               const SolveOptions& options);

}  // namespace fairstep
