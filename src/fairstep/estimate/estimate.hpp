// From counts to a model: the paper's counting estimates p_k and r_hat_k, and the first state's distribution.
//
// A cell is (g,x,y,a). What was seen of it is two numbers: its visits (decisions taken, the last step's included), over
// which rewards are averaged, and its successors (visits whose next state was seen), over which the kernel's row is.
// They differ where an episode ends or a person leaves: such a visit says nothing of the next state, and leaves the
// row's proportions as they are (paper, App. D).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct EstimateOptions {
  std::vector<double> share{};  ///< [g] of the population; empty: the shares of all people (Counts::everybody)
  Unvisited unvisited = Unvisited::uniform;  ///< `error`: an Error that names the first such cell
  double discount = 1;
  std::string description{};  ///< of the estimated model
};

struct Cell {
  std::size_t g = 0, x = 0, y = 0, a = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Estimate {
  /// Kernel p_k: successors of the cell in each state over all of its successors, or the rule's row.
  /// Reward r_hat_k: sum over max(1, visits), so 0 in a cell without a visit.
  /// Initial: first states seen, uniform for a group of which nobody was seen.
  /// Its `rests_on` says what was seen of each row.
  Model model;
  Tensor<std::int64_t, 4> visits{};         ///< [g,x,y,a] decisions taken: N_k before its maximum with 1
  Tensor<std::int64_t, 4> successors{};     ///< [g,x,y,a] of these, with the next state seen
  std::vector<std::int64_t> people{};       ///< [g] first states seen
  std::size_t unvisited = 0;                ///< cells without a seen successor, whose rows are the rule's
  std::vector<Cell> unvisited_cells{};      ///< these cells, in the order of the axes
  std::vector<std::size_t> empty_groups{};  ///< groups of which no first state was seen
  Expected<Lost> lost{};               ///< what is missing at most from the counts, or why no claim may rest on them
  Tensor<double, 4> reward_squares{};  ///< [g,x,y,a] sum of squared rewards
  bool rewards_seen = true;            ///< false if the counts are of a log without rewards: all are 0 then
};

/// An error if these are no counts of any log (`check`), if shares are wrong or cannot be counted (nobody was seen), or
/// by the rule `Unvisited::error`.
[[nodiscard]] Expected<Estimate> estimate(const Counts& counts, const EstimateOptions& options = {});

}  // namespace fairstep
