// The options by which solve and pareto are told how to look for a policy and for how long.
#pragma once

#include <optional>
#include <string>

#include <fairstep/optimise/solve.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

struct SearchOptions {
  std::optional<Method> method{};
  ProofBudget proof{};
  std::optional<std::uint64_t> effort{};
  bool no_proof = false;
  std::optional<std::string> progress{"auto"};

  void declare(Options& options, const std::vector<Method>& methods, const std::string& time_limit_help);
  [[nodiscard]] SolveOptions solve_options() const;
};

/// What the shell is told: 0 for what was asked, 1 for infeasible, 3 for not known in time.
[[nodiscard]] ExitCode exit_code(const SolveResult& result, const SolveOptions& options);

/// Value and bound so far, for the progress line.
[[nodiscard]] std::string in_short(const Bounds& bounds);

}  // namespace fairstep::cli
