// The Lagrangian bound at the master's last prices: what the blocks earn at the most when every functional is paid for,
// and what rows and ranges can add. It holds whatever the prices are, and whatever rounding does: the library that
// found them is not believed in anything.
#pragma once

#include <span>

#include <fairstep/optimise/bound/master.hpp>

namespace fairstep {

/// On objective . variables, for `best` [block]: what no table of the block exceeds at these prices.
[[nodiscard]] double lagrangian_bound(const Master& master, std::span<const Coefficient> objective,
                                      std::span<const double> best);

}  // namespace fairstep
