// The questions of a diagnosis as rows of people, each spread over strata that should not matter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/check/history.hpp>

namespace fairstep::rigorous {

enum class Ask { steps, windows, decisions, leaving, before, labels };
inline constexpr std::size_t kAsks = 6;

struct Answerable {
  std::string reason{};  ///< why it cannot be asked; empty if it can
  struct Part {
    Row strata{};    ///< how many of the row's people are in each
    Row outcomes{};  ///< and what came of how many
  };
  std::vector<Part> rows{};
  Rows seen{};  ///< [stratum][outcome]

  /// Whether permutations can make a difference: two strata and two outcomes in some row.
  [[nodiscard]] bool varies() const;
};

/// The windows' question is asked only where there are some, that of labels only where these follow features.
[[nodiscard]] Answerable ask(Ask question, const People& group);

/// How far each stratum is from what is expected, and a bound on the permutations that are as far in all.
struct Distance {
  Row far{};                   ///< [stratum]
  long double share_as_far{};  ///< at most
};
/// Of what varies.
[[nodiscard]] Distance distance_of(const Answerable& asked);

}  // namespace fairstep::rigorous
