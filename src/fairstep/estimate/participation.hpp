// Who comes when and who leaves after what, as far as counts show it.
//
// People who come back after a gap do not go with a model in which everybody joins once and leaves for good. Where
// there are few of them they are taken as leaving before the gap and as somebody joining after it; where there are
// many, nothing is estimated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep {

struct TakingPart {
  /// None if everybody takes part in every step, as far as it shows; or if `why_not` says why nothing is estimated.
  /// Leave [g,x,y,a]: of the decisions before the last step, the share after which no next one was seen; in a cell
  /// without such a decision, that of its group. First step [g,h]: of all that came, the share that came there.
  std::optional<Participation> participation{};
  std::int64_t gaps = 0;  ///< decisions after a gap, taken as somebody joining
  std::string why_not{};  ///< a sentence without a full stop; empty if nothing stands in the way
};

/// Decisions that come after a gap, and rows that were left out, may be so large a share of the decisions.
inline constexpr double kMostGaps = 0.01;

[[nodiscard]] TakingPart taking_part(const Counts& counts);

}  // namespace fairstep
