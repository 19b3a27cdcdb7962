// A good policy, fast: a local optimum of the program from one starting point. No claim about how good it is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/optimise/internal/deadline.hpp>
#include <fairstep/optimise/internal/program.hpp>
#include <fairstep/optimise/internal/table_program.hpp>

namespace fairstep {

struct LocalOptions {
  double margin = 1e-9;  ///< limits are kept with this much to spare, where they leave room
  bool warm = false;     ///< the start is thought to be near an optimum
  Deadline deadline{};
};

struct LocalResult {
  bool converged = false;
  Tables tables{};
  int iterations = 0;
};

[[nodiscard]] LocalResult solve_locally(const Program& program, const Tables& start, const LocalOptions& options = {});

/// Makes rows as nearly satisfied as can be: minimises the greatest excess over any limit.
[[nodiscard]] LocalResult least_violation(const Program& program, const Tables& start,
                                          const LocalOptions& options = {});

}  // namespace fairstep
