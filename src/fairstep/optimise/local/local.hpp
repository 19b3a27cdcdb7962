// A good policy, fast: a local optimum of the program. No claim about how good it is.
#pragma once

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

struct LocalOptions {
  double margin = 1e-9;     ///< limits are kept with this much to spare, where they leave room
  double tolerance = 1e-8;  ///< and may be exceeded by this
  Deadline deadline{};
};

struct LocalResult {
  bool converged = false;
  Tables tables{};
  int iterations = 0;
};

/// From one starting point.
[[nodiscard]] LocalResult solve_locally(const Program& program, const Tables& start, const LocalOptions& options = {});

/// From `start`, and from other places where that is cheap.
[[nodiscard]] Candidate look_around(const Program& program, const Tables& start, const LocalOptions& options = {});

/// Makes rows as nearly satisfied as can be: minimises the greatest excess over any limit.
[[nodiscard]] LocalResult least_violation(const Program& program, const Tables& start,
                                          const LocalOptions& options = {});

}  // namespace fairstep
