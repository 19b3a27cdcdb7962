// Do these counts look like that distribution? Pearson's statistic, turned into a standard normal score.
#pragma once

#include <cstdint>
#include <span>

namespace fairstep::testing {

/// Chi-square scores above this have a false-alarm rate below 1e-6 (P(Z > 4.9) = 4.8e-7).
inline constexpr double kAlarm = 4.9;

/// The score of observed counts under the given probabilities, which sum to 1. Outcomes with fewer than 10 expected are
/// put together. Positive infinity if something of probability 0 was seen.
double chi_square_score(std::span<const std::int64_t> observed, std::span<const double> probability);

/// The score of two samples under the hypothesis that both have the same distribution, whatever that is.
double two_sample_score(std::span<const std::int64_t> one, std::span<const std::int64_t> other);

}  // namespace fairstep::testing
