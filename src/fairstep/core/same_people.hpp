// Whether adding counts would count people twice, as far as that shows.
#pragma once

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>

namespace fairstep {

/// An error if all tables of the two are the same, which of different people they hardly ever are, or if both come from
/// a file of one name, or are parts of the same log. Frames have no name to go by, and counts of nobody may be added as
/// often as one likes. Parts that do not go together are for `Counts::add` to refuse, whoever they are of.
[[nodiscard]] Expected<void> check_different_people(const Counts& ours, const Counts& theirs);

}  // namespace fairstep
