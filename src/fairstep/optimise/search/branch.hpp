// From a good policy to a proof: bound, narrow, branch, until the gap is closed or the time is up.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>
#include <fairstep/prove/trace.hpp>

namespace fairstep {

struct BranchOptions {
  double gap = 1e-3;
  double slack = 0;      ///< as gap, but absolute: added to it
  double tolerance = 0;  ///< the bound is for limits that are wider by this
  double kept = 0;       ///< and a candidate may exceed them by this, a hair less
  Deadline deadline{};
  std::function<void(double lower, double upper, const char* phase)> progress{};
  prove::Trace* trace = nullptr;  ///< where what is proven is written down, if anywhere
  double unit = 1;                ///< what a unit of the program's values is in the trace

  /// What may be open above the best: a hair less than asked for, or rounding may lift the gap above it.
  [[nodiscard]] double allowance(double best) const { return (1 - 1e-9) * gap * std::abs(best) + slack; }
};

struct BranchResult {
  Candidate best{};          ///< excess above the tolerance: none was found
  double upper = kInfinity;  ///< no allowed policy has a greater objective
  double least_excess = 0;   ///< if none was found: proven of all policies
  bool finished = false;     ///< the gap is closed, or nothing is feasible
  double contradiction = 0;  ///< a bound was below what is reached by so much; more than rounding is a mistake of ours
  std::size_t nodes = 0;
};

/// `start` is a candidate to begin with, feasible or not. Whenever the time is up: the best by then, and a bound.
[[nodiscard]] BranchResult branch_and_bound(const Program& program, Candidate start, const BranchOptions& options);

}  // namespace fairstep
