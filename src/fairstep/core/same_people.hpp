// Whether adding counts would count people twice, as far as that shows.
#pragma once

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep {

/// An error if all tables of the two are the same, which of different people they hardly ever are, or if both come from
/// a file of one name. Frames have no name to go by, and counts of nobody may be added as often as one likes.
[[nodiscard]] Expected<void> check_different_people(const Counts& ours, const Counts& theirs);

}  // namespace fairstep
