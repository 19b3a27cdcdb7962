// What the paper's theorems assume of a population (Assumption 1), as far as it can be looked at where that is known,
// and what follows from it: how often a cell is visited at least, and from which episode on the theorems speak.
#pragma once

#include <cstdint>
#include <optional>

#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/estimate/bonus.hpp>

namespace fairstep {

/// How far inside their ranges a kernel and a policy are.
struct Inside {
  double kernel_least = 0;    ///< C of Assumption 1(a): the least p(s1 | s, a)
  double policy_least = 0;    ///< C~ of Assumption 1(b): the least probability of an action, of either one
  double policy_at_ends = 0;  ///< the share of entries [g,h,x] at 0 or at 1
};

/// `best` is the best fair policy that was found; another that is as good may lie elsewhere.
[[nodiscard]] Inside inside_of(const Model& truth, const Policy& best);

/// What the proof of the theorems promises of every N_k(s,a), with probability 1 - delta:
/// m (1 - sqrt(2 H^2 ln(4 S A k^2 / delta) / m)) with m = C eta_k n_k (H - 1)(k - 1), for n_k people of the group in an
/// episode. 0 or less promises nothing.
[[nodiscard]] double promised_visits(const AtEpisode& at, double kernel_least, double floor, double people);

/// The least T such that from T on m is at least 8 H^2 ln(4 S A k^2 / delta), from where on the promise is m / 2 or
/// more, and k^(-1/3) is at most C~; the paper's floor is k^(-1/3). Nothing if there is none (C~ = 0, C = 0 or H = 1),
/// or if it is beyond 10^18.
[[nodiscard]] std::optional<double> first_episode_of_theorems(const AtEpisode& at, const Inside& inside, double people);

}  // namespace fairstep
