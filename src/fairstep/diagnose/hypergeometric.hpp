// Hypergeometric draws of any size, the same on every platform: what a permutation test with counts needs in place of
// shuffling single persons.
#pragma once

#include <cstdint>

#include <fairstep/core/rng.hpp>

namespace fairstep {

/// How many good ones are among `drawn` taken without replacement from `good` good and `bad` bad ones. All are at least
/// 0, the sum of good and bad at most 2^62, and drawn at most that sum.
[[nodiscard]] std::int64_t hypergeometric(std::int64_t good, std::int64_t bad, std::int64_t drawn, Rng& rng);

}  // namespace fairstep
