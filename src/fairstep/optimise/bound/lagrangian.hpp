// The Lagrangian bound at the master's last prices: what the blocks earn at the most when every functional is paid for,
// and what rows and ranges can add. It holds whatever the prices are, and whatever rounding does: the library that
// found them is not believed in anything.
#pragma once

#include <span>
#include <vector>

#include <fairstep/optimise/bound/master.hpp>

namespace fairstep {

/// On the rows of a master: those that define V and F_j, and the others.
struct Prices {
  double value = 0;
  std::vector<double> functional{};
  std::vector<double> row{};
};

/// A price on a side that a row does not have says nothing.
[[nodiscard]] bool counts(double price, const Master::Row& row);

/// Of the last solution.
[[nodiscard]] Prices last_prices(const Master& master);
/// Prices on the other rows, and those on V and F_j that leave nothing of these to their ranges: all of it is the
/// blocks' to earn.
[[nodiscard]] Prices balanced_prices(const Master& master, std::span<const Coefficient> objective,
                                     std::span<const double> row);

/// On objective . variables, for `best` [block]: what no table of the block exceeds at these prices.
[[nodiscard]] double lagrangian_bound(const Master& master, std::span<const Coefficient> objective,
                                      const Prices& prices, std::span<const double> best);
/// At the last prices.
[[nodiscard]] double lagrangian_bound(const Master& master, std::span<const Coefficient> objective,
                                      std::span<const double> best);

}  // namespace fairstep
