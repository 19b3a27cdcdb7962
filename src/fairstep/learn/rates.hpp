// How fast regret and violation fall: the theorems' rates, and what a run shows.
#pragma once

#include <cstdint>
#include <span>

#include <fairstep/estimate/bonus.hpp>
#include <fairstep/io/records.hpp>

namespace fairstep {

/// H k^(-1/3) sqrt(H S ln(S^2 A H^2 k^3 / delta)): the theorem's rate of the reward regret, its constant taken as 1.
[[nodiscard]] double reward_rate(const AtEpisode& at);
/// k^(-1/3) sqrt(S H ln(S^2 H A k^3 / delta)): that of the violation.
[[nodiscard]] double violation_rate(const AtEpisode& at);

[[nodiscard]] PowerFit fit_power(std::span<const std::uint64_t> k, std::span<const double> value);

}  // namespace fairstep
