// What a unit of each limit is worth near a policy: the duals of the program linearised there.
#pragma once

#include <vector>

#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/candidate.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

struct ShadowPrices {
  std::vector<double> parity{};  ///< [parity] per unit of limit
  std::vector<double> row{};     ///< [row] per unit of its upper side
};

/// Zeros where the linearised program has no solution, NaN where there was no time for it.
[[nodiscard]] ShadowPrices shadow_prices(const Program& program, const Tables& tables, const Deadline& deadline);

}  // namespace fairstep
