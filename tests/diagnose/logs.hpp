// Logs that obey the model, of many kinds: the paper's populations and random ones, with and without people who come
// late and leave, few people and many, policies that mix and policies that do not.
#pragma once

#include <cstdint>

#include <fairstep/core/counts.hpp>

namespace fairstep::testing {

/// A log with its history, the same for the same number.
[[nodiscard]] Counts obeying_log(std::uint64_t number);

/// How a log of the FICO population breaks the model; each a probability, 0 for not at all.
struct Breach {
  double shift = 0;   ///< from the middle step on, so many of the next states are the lowest one instead
  double peek = 0;    ///< so many decisions look at the label
  double grudge = 0;  ///< who was refused before leaves with this probability
  double memory = 0;  ///< who was accepted before goes, with this probability, to the lowest state
};
/// People decided about by a coin of 1/2, eight steps.
[[nodiscard]] Counts breaching_log(std::uint64_t people, const Breach& breach, std::uint64_t seed);

}  // namespace fairstep::testing
