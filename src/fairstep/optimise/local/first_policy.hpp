// A policy to begin a proof with.
#pragma once

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// A local optimum, looked for from `begun`, or the least violation if no policy was found that exceeds its limits by
/// no more than `tolerance`.
[[nodiscard]] Candidate look_locally(const Program& program, const Candidate& begun, double tolerance,
                                     const Deadline& deadline);

/// A deterministic policy: the tables rounded, or everybody treated alike at every step, which is fair.
[[nodiscard]] Candidate best_ends(const Program& program, Tables tables, double tolerance);

}  // namespace fairstep
