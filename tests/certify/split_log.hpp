// Populations that are hard to bound, logs of their people in two parts, and policies that are picked on one of these
// until they look perfect there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/core/shape.hpp>

#include "lossy_log.hpp"

namespace fairstep::testing {

/// Rows that are certain, nearly certain, of two states, skewed or even; groups that start in one state, but for a few.
/// Of several periods each has rows of its own, and all but the last are one step long.
[[nodiscard]] Model nasty_model(std::uint64_t seed, const Shape& shape);

/// Entries of 0, 1, nearly 0 or 1, and in between: some cells are never met, others hardly ever.
[[nodiscard]] Policy nasty_policy(std::uint64_t seed, const Shape& shape);

/// Whether people are there from the first step to the last, or come late and leave when they like.
enum class Presence { whole, open };

/// `people[g]` of each group.
[[nodiscard]] std::vector<Person> draw_crowd(const Model& model, const Policy& policy,
                                             const std::vector<std::size_t>& people, Presence presence, Rng& rng);

struct Parts {
  Counts design, audit;
};

/// Says in both that they are the parts of one split.
void call_parts(Parts& parts, double share);

/// Of each group, how many of so many people belong to the design part.
[[nodiscard]] std::vector<std::size_t> draw_design(const std::vector<std::size_t>& people, double share, Rng& rng);

/// What a policy looks like under a model; the less the better. A gap that does not exist is none.
enum class Looks { dp, eqodds, value };
[[nodiscard]] double looks(const Model& model, const Policy& policy, Looks looks);

/// The best-looking of `candidates` policies on these counts, and then of its neighbours, as many again.
[[nodiscard]] Policy pick_policy(const Counts& counts, const Model& rewards, Looks by, int candidates, Rng& rng);

}  // namespace fairstep::testing
