#include "options/search_options.hpp"

#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>

namespace fairstep::cli {
void SearchOptions::declare(Options& options, const std::vector<Method>& methods, const std::string& time_limit_help) {
  options.choice("--method", method, "what is looked for (default constrained)", methods);
  options.number("--gap", proof.gap, "stop once the value is proven to be within this share of the best");
  options.flag("--no-proof", no_proof, "a good policy, quickly, and no upper bound");
  options.number("--time-limit", proof.time_limit, time_limit_help);
  options.whole("--effort", effort,
                "work on each proof, in steps of some 10 microseconds: a limit that is the same on every machine", {1});
  options.progress(progress);
}

SolveOptions SearchOptions::solve_options() const {
  SolveOptions options;
  if (method) options.method = *method;
  options.proof = {!no_proof, proof.gap, proof.time_limit, effort.value_or(0)};
  return options;
}

ExitCode exit_code(const SolveResult& result, const SolveOptions& options) {
  switch (result.outcome) {
    case Outcome::optimal:
      return ExitCode::done;
    case Outcome::infeasible:
      return ExitCode::no;
    case Outcome::unknown:
      return ExitCode::undecided;
    case Outcome::feasible:  // all that was asked for, if no proof was
      return !options.proof.wanted || options.method == Method::myopic ? ExitCode::done : ExitCode::undecided;
  }
  return ExitCode::failed;
}

std::string in_short(const Bounds& bounds) {
  std::string text = std::isfinite(bounds.lower) ? "value " + round_down_short(bounds.lower, 5) : "no policy yet";
  if (std::isfinite(bounds.upper)) text += ", bound " + round_up_short(bounds.upper, 5);
  return text;
}

}  // namespace fairstep::cli
