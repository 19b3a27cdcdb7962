// How many cases a long test tries.
#pragma once

#include <cstddef>

namespace fairstep::testing {

/// Builds with fewer cases say so (FAIRSTEP_SMALL_SAMPLES in CMakeLists.txt): there, the same code is run for less
/// long.
inline constexpr bool kSmallSamples = FAIRSTEP_SMALL_SAMPLES != 0;

/// As many cases as the test needs for what it says, or enough to run through all of its code.
constexpr std::size_t cases(std::size_t all, std::size_t few) { return kSmallSamples ? few : all; }

}  // namespace fairstep::testing
