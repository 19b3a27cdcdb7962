// How far a proportion that was counted may be from its probability: intervals that follow the binomial distribution
// and are narrow where the proportion is near 0 or 1, which those by Hoeffding's inequality are not.
//
// Let b(k; n, p) be the probability of k successes in n draws.
//
// For all n at once. Under p the mean of b'(k_n; n, q) / b'(k_n; n, p) over q uniform on [0,1] is a martingale that
// starts at 1, where b' leaves out the binomial coefficient; that mean is 1 / ((n+1) b(k; n, p)). By Ville's inequality
// it stays below 1/delta for all n, except with probability delta: so all p with b(k; n, p) > delta / (n+1) are the
// interval, at every n at once (Robbins 1970).
//
// For an n that was fixed beforehand. From k downwards the probabilities fall at least by the factor rho = k (1-p) /
// ((n-k+1) p) each time, so at most k successes have probability at most b(k; n, p) / (1 - rho). The upper end is where
// that is delta. The exact tail (Clopper and Pearson) would be narrower by about a hundredth; this one can be checked
// with a logarithm and a pencil.
#pragma once

#include <cstdint>

#include <fairstep/core/model.hpp>
#include <fairstep/estimate/confidence.hpp>

namespace fairstep {

/// ln b(k; n, p), 0 <= k <= n; minus infinity where it is impossible.
[[nodiscard]] double log_binomial(std::int64_t k, std::int64_t n, double p);

/// Holds p for all n at once with probability 1 - delta, both ends together. [0,1] before the first draw.
[[nodiscard]] Range proportion_at_all_times(std::int64_t k, std::int64_t n, double delta);

/// The same when draws are missing or in doubt (estimate/confidence.hpp): `k` of the draws seen are successes, and the
/// interval holds whatever the missing ones were. Its ends are those of the worst case, which is at the extremes:
/// every missing draw a failure for the lower end, a success for the upper, and those in doubt the other way.
[[nodiscard]] Range proportion_at_all_times(std::int64_t k, const Draws& draws, double delta);

/// Each end fails with probability at most `delta_tail`, for an n that does not depend on the draws.
[[nodiscard]] Range proportion_once(std::int64_t k, std::int64_t n, double delta_tail);

/// The same when up to `astray` of the draws may have been something else, or none of these draws at all.
[[nodiscard]] Range proportion_once(std::int64_t k, std::int64_t n, std::int64_t astray, double delta_tail);

}  // namespace fairstep
