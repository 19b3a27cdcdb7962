// The best policy that keeps its limits whatever the population is, as far as the data tell.
//
// A policy is asked to bear some of the doubt while it is optimised, and then mixed with treating everybody alike,
// which is fair to everybody, until the worst gap over all populations in the balls keeps the limits.
#pragma once

#include <fairstep/learn/internal/update_program.hpp>

namespace fairstep {

struct SafeChoice {
  Policy policy;
  Safety safety{};
  Bounds bounds{};  ///< on what a safe policy can be worth in the program
  StopReason stopped_by = StopReason::finished;
};

/// `current` is the policy in force: it stays a candidate.
[[nodiscard]] Expected<SafeChoice> choose_safely(const UpdateProgram& program, const LearnOptions& options,
                                                 const SolveOptions& solving, const Policy& current);

}  // namespace fairstep
