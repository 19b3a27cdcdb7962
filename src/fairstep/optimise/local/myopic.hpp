// Fair at each step with no look-ahead: the greedy rule that looks no further than today's reward.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// Step after step, the table row that earns most at that step under that step's limits, given how the population got
/// there. Given the past a step's rates are linear in its row, so each step is one LP. A step that cannot keep its
/// limits takes the row that exceeds them least, and one that there is no time for treats all alike. An error for
/// constraints on the whole episode.
[[nodiscard]] Expected<Candidate> solve_myopically(const Program& program, const Deadline& deadline);

}  // namespace fairstep
