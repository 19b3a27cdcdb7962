// From the ends of rates and the gaps of pairs to ratios, and to the gap over the whole episode: arithmetic on what is
// bounded already, on the same event. docs/guarantees.md, G, has the corollaries.
#pragma once

#include <fairstep/certify/certify.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// The greatest rho with `above` >= rho `below` for all rates in these ranges that are at most `gap` apart; 1 where the
/// one below is 0, of which any rate is that much. Not rounded.
[[nodiscard]] double least_ratio(const Range& above, const Range& below, double gap);

/// What was asked for of ratios and of the whole episode, from the rates and pairs that are there.
void set_what_follows(Certificate& found);

}  // namespace fairstep
