// How fast regret and violation fall: the theorems' rates, and what a run shows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/estimate/bonus.hpp>

namespace fairstep {

/// H k^(-1/3) sqrt(H S ln(S^2 A H^2 k^3 / delta)): the theorem's rate of the reward regret, its constant taken as 1.
[[nodiscard]] double reward_rate(const AtEpisode& at);
/// k^(-1/3) sqrt(S H ln(S^2 H A k^3 / delta)): that of the violation.
[[nodiscard]] double violation_rate(const AtEpisode& at);

/// value ~ exp(intercept) k^slope, by least squares on a log-log scale. Values that are not positive, or infinite, have
/// no logarithm: they are left out, and said so.
struct PowerFit {
  double slope = 0, intercept = 0;  ///< NaN with fewer than two points
  std::size_t points = 0;
  std::vector<std::uint64_t> omitted{};  ///< k of those left out
};
[[nodiscard]] PowerFit fit_power(std::span<const std::uint64_t> k, std::span<const double> value);

}  // namespace fairstep
