// Two groups' shares beside each other: whether they differ, by how much, and in what ratio. Every statement holds at
// every number of decisions, whatever the shares are. Method and proofs: docs/guarantees.md, "Two groups compared".
#pragma once

#include <cstdint>
#include <limits>

#include <fairstep/core/model.hpp>

namespace fairstep {

/// Decisions of a group: independent, and accepted with the same chance. Up to `lost` more were made whose outcome is
/// not known, and which of them were lost may depend on it.
struct Outcomes {
  std::int64_t accepted = 0, decisions = 0, lost = 0;
};

/// What the chance of the first minus that of the second can be, in what ratio they can be, and whether they can be
/// the same.
struct Compared {
  double p = 1;  ///< that the chances are the same: if they are, it is at most x with probability at most x, for any x.
                 ///< NaN where there are so many decisions that the ranges are those of single shares
  bool differ = false;  ///< shown at this delta: the chances are not the same, and which is greater is as observed
  Range difference{-1, 1};
  Range ratio{
      0,
      std::numeric_limits<double>::infinity()};  ///< first over second; infinite at the end where the second may be 0
};

/// P(X >= accepted of the first) given all that were accepted, if the chances are the same: Fisher's exact test, one
/// side. It rises with every refused decision more of the first and every accepted one more of the second.
[[nodiscard]] double fisher_tail(const Outcomes& first, const Outcomes& second);

/// Boschloo's test: the greatest chance, over all common shares, that Fisher's tail is at most what it is here. Never
/// more than Fisher's tail.
[[nodiscard]] double boschloo_tail(const Outcomes& first, const Outcomes& second);

/// The difference is in its range, and on the side of 0 that was observed if they are shown to differ, with probability
/// at least 1 - delta; that range has 0 inside if they are not, and otherwise leaves it out or ends there. The ratio is
/// in its range with probability at least 1 - delta_of_ratio; with 0 nothing is said of it.
[[nodiscard]] Compared compare(const Outcomes& first, const Outcomes& second, double delta, double delta_of_ratio);

/// What one share over another can be, given what each of them can be.
[[nodiscard]] Range quotient(const Range& above, const Range& below);

}  // namespace fairstep
