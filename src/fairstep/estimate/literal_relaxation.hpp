// The paper's limits on the gaps while the model is still being learned, as its lemmas print them: c_hat for
// demographic parity and d_hat for equal opportunity, and the sequences eta_k and eps_k that go with them.
//
// The lemmas know two groups and add up a term for each. With more groups every pair has such a sum, and the limit that
// is used for all pairs is the largest of them; the logarithms pay for all groups (AtEpisode::per_group), so that with
// two they are those that are printed. A limit of 1 or more never binds: it is vacuous.
//
// A `scale` multiplies what is printed. The 1 that stands for "nothing is known" stays 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/estimate/bonus.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// Which decisions N counts.
enum class CountedBy {
  visits,      ///< all of them, as in the paper's main text
  successors,  ///< those whose next state was seen, as in its App. D, where people may leave
};

/// [g,x,y,a] N before its maximum with 1.
[[nodiscard]] Tensor<std::int64_t, 4> counted(const Estimate& estimate, CountedBy by);

/// What the lemmas see of the data: the worst cell of each group.
struct WorstCells {
  std::vector<std::int64_t> visits{};  ///< [g] N_min = min over cells of max(1, N)
  std::vector<double> qualified{};     ///< [g] p_min = min over cells of the estimated P(y1 = 1 | cell)
};
[[nodiscard]] WorstCells worst_cells(const Estimate& estimate, CountedBy by = CountedBy::visits);

/// c_hat = sum over the pair of H sqrt(2 S ln(16 S A H k^2 / (eps delta)) / N_min) + 2 eps H S. The same at every step;
/// the largest over pairs is the one of the two groups with the fewest visits.
[[nodiscard]] double c_hat(std::span<const std::int64_t> least_visits, const AtEpisode& at, double epsilon,
                           double scale = 1);

/// What the scale of d_hat multiplies.
enum class Scaled {
  result,  ///< the sum as it is printed; whether d_hat is that sum or 1 is decided as printed
  widths,  ///< every width in it, w as well: a small scale moves the branch, so that p_min > w holds earlier
};

/// d_hat = sum over the pair of (3 H sqrt(2 S ln(32 S A k^2 / (eps delta)) / N_min) + 3 eps H S) / (p_min (p_min - w)),
/// w = sqrt((4 ln 2 + 2 ln(4 S A k^2 / delta)) / N_min), if p_min > w in both groups of the pair; otherwise 1. The same
/// at every step.
[[nodiscard]] double d_hat(const WorstCells& worst, const AtEpisode& at, double epsilon, double scale = 1,
                           Scaled what = Scaled::result);

/// eta_k = k^(-1/3): the paper's floor under the probability to accept.
[[nodiscard]] double paper_eta(std::uint64_t k);
/// The same where it is a floor under both actions: at most 1/2, which leaves one policy (k <= 8).
[[nodiscard]] double paper_eta_two_sided(std::uint64_t k);
/// eps_k = 1 / (k H S)
[[nodiscard]] double paper_epsilon(const AtEpisode& at);

}  // namespace fairstep
