// People drawn from a model under a policy: one by one, or as counts directly.
//
// Both ways have the same distribution. `simulate_counts` splits whole crowds by multinomial draws, so that a thousand
// people and 10^12 cost the same; `simulate_people` and `simulate_log` walk each person. Same seed, same answer,
// whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/split.hpp>

namespace fairstep {

/// How many people: drawn by the groups' shares, or the same number of each group.
struct Crowd {
  std::uint64_t people = 0;
  bool per_group = false;
};

struct SimulateOptions {
  Crowd crowd{};
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;  ///< independent draws under one seed: run, episode, ...
  unsigned threads = 1;      ///< for simulate_people; the answer does not depend on it
  std::stop_token stop{};    ///< asked every millisecond or so; what was stopped is an error
  /// Successors are counted by these; none: by the model's own. The same people, whatever they are.
  std::optional<Periods> periods{};
  bool history = false;  ///< for simulate_people: count the history as well, in a second walk
};

/// Crowd level: cost independent of the number of people. An error if the policy does not fit or the crowd is too
/// large.
[[nodiscard]] Expected<Counts> simulate_counts(const Model& model, const Policy& policy,
                                               const SimulateOptions& options);

/// Person level, into counts.
[[nodiscard]] Expected<Counts> simulate_people(const Model& model, const Policy& policy,
                                               const SimulateOptions& options);

/// Both parts of a crowd that is split: how many of each group go to the design part is drawn, as if each person had
/// tossed a coin of the split's share, and then either part lives on its own. Coins know nothing of the people, so that
/// this has the very distribution of drawing everybody and splitting them. Drawn with the options' seed; that of the
/// split is only told. An error too if nobody is in a part.
[[nodiscard]] Expected<SplitCounts> simulate_split_counts(const Model& model, const Policy& policy,
                                                          const SimulateOptions& options, const Split& split);

/// The very people of `simulate_people`, split by their numbers as those of a log are.
[[nodiscard]] Expected<SplitCounts> simulate_split_people(const Model& model, const Policy& policy,
                                                          const SimulateOptions& options, const Split& split);

/// One decision about one person.
struct Decision {
  std::uint64_t person = 0;
  std::uint32_t group = 0, step = 0, x = 0, y = 0, a = 0;
  double reward = 0;
};

/// Person level, row by row in the order of persons and steps; these are the very people of `simulate_people`. Persons
/// are numbered from 0, with `per_group` group after group. The sink gets blocks of rows, in the caller's own thread,
/// and returns false to stop.
[[nodiscard]] Expected<void> simulate_log(const Model& model, const Policy& policy, const SimulateOptions& options,
                                          const std::function<bool(std::span<const Decision>)>& sink);

}  // namespace fairstep
