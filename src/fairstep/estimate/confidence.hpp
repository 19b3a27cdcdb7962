// How far the estimate may be from the truth: radii that hold for every cell, and for every number of people at once.
//
// The number of times a cell was seen depends on what was seen before, so a bound for a fixed number would not do.
// These are time-uniform: with probability 1 - delta, along the whole history, every estimated row is within its radius
// of the true one, however people were treated and whenever one looks. Needed is only that the next state of a cell
// does not depend on how the cell came about, and that leaving does not depend on the next state.
//
// Why. For a set B of states let M_t be the sum over the first t successors of a cell of 1(in B) - p(B). By Hoeffding's
// lemma exp(l M_t - l^2 t / 8) is a supermartingale for every l, so by Ville's inequality M_t < L/l + l t/8 for all t
// at once, except with probability exp(-L). Cut time into epochs [2^j, 2^(j+1)), j = 0, 1, ..., and take
// l = sqrt(8 L / 2^(j + 1/2)) in epoch j: then M_t / t < c sqrt(L / (2 t)) throughout it, where
// c = (2^(1/4) + 2^(-1/4)) / 2 = 1.01505... is what the fixed l costs at the ends of an epoch. The total variation
// distance is the largest M_t / t over the 2^S - 2 sets B that are neither empty nor everything (a set's complement is
// its other side). With L = ln((2^S - 2) (j+1) (j+2) / delta) all sets and epochs together fail with probability at
// most the sum over j of delta / ((j+1) (j+2)) = delta.
//
// Draws that were made but are missing from the counts (core/lost.hpp) can have been anything. The bounds hold for the
// complete draws, and the complete proportions are near the counted ones: docs/guarantees.md, G.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// How many draws were counted, and what may be wrong with that.
struct Draws {
  std::int64_t seen = 0;
  std::int64_t missing = 0;   ///< so many more were made, at most
  std::int64_t in_doubt = 0;  ///< so many of those seen, at most, do not belong there
};

/// Total variation distance (half of the L1 distance) that the proportions of `seen` draws from a distribution on
/// `states` >= 2 states keep from it, for all numbers of draws at once with probability 1 - delta. At most 1, and 1
/// before the first draw. It falls with `seen` but for a small step up at powers of two.
[[nodiscard]] double tv_radius(std::int64_t seen, std::size_t states, double delta);

/// The same, around the proportions of the draws seen, when others may be missing: whatever they would have been.
[[nodiscard]] double tv_radius(const Draws& draws, std::size_t states, double delta);

/// The same for the mean of `seen` numbers that lie within an interval of length 1, and on one side only: it is more
/// than this above the truth at some time with probability at most delta.
[[nodiscard]] double one_sided_mean_radius(std::int64_t seen, double delta);

/// The largest of these for any number of draws from `seen` to `seen + missing`.
[[nodiscard]] double one_sided_mean_radius(const Draws& draws, double delta);

/// What is known of single rewards beforehand.
struct RewardKnowledge {
  Range range{0, 1};  ///< in which each of them lies
  bool noisy = true;  ///< false: a cell's reward is always the same, so one visit tells it
};

struct RadiiOptions {
  double delta = 0.1;  ///< within (0,1): all radii hold together with probability 1 - delta
  /// If given, radii of mean rewards as well. If these are noisy, half of delta is for rows and half for rewards;
  /// otherwise rows keep all of it.
  std::optional<RewardKnowledge> rewards{};
};

struct Radii {
  ByPeriod<double, 4> row{};      ///< [g,x,y,a] total variation radius of the kernel's row; 1 where nothing was seen
  std::vector<double> initial{};  ///< [g] total variation radius of the first state's distribution
  Tensor<double, 4> reward{};     ///< [g,x,y,a] of the mean reward, around r_hat; empty unless asked for
  double delta_row = 0;           ///< what each row was allowed to fail with
};

/// Delta is spread evenly over groups and, in each, its cells and its first state: delta / (G (S A + 1)) a row. Of K
/// periods each has rows of its own, delta / (G (K S A + 1)). Rewards
/// have a row per cell and no other. They hold whatever the rows that were left out of the counts would have said; an
/// error if it is not known how many these are (`lost_for_claims`), or if the data refute the range of rewards.
[[nodiscard]] Expected<Radii> radii(const Estimate& estimate, const RadiiOptions& options);
/// Of the kernel and the first state only.
[[nodiscard]] Expected<Radii> radii(const Estimate& estimate, double delta);

}  // namespace fairstep
