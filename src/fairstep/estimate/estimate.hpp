// From counts to a model: the paper's counting estimates p_k and r_hat_k, and the first state's distribution.
//
// A cell is (g,x,y,a), and a row of the kernel one of it in a period (core/periods.hpp). What was seen of it is two
// numbers: its visits (decisions taken, the last step's included), over which rewards are averaged, and its successors
// (visits whose next state was seen), over which the kernel's row is. They differ where an episode ends or a person
// leaves: such a visit says nothing of the next state, and leaves the row's proportions as they are (paper, App. D).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct EstimateOptions {
  std::vector<double> share{};  ///< [g] of the population; empty: the shares of all people (Counts::everybody)
  Unvisited unvisited = Unvisited::uniform;  ///< `error`: an Error that names the first such cell
  double discount = 1;
  std::string description{};  ///< of the estimated model
  /// Labels follow features: the model's rows are P(x1 | x,a) q(y1 | x1), over all rows of the log, with a label or
  /// without. None: nothing is assumed, and rows without a label say nothing.
  std::optional<LabelAssumption> labels{};
  /// At which point of what `labels` allows of those whose label was not seen. An error if they may be anything and
  /// nobody chose one.
  std::optional<RefusedPoint> point{};
  /// [g,x,y,a] mean rewards that are given, in place of those of the log; none: they are estimated
  std::optional<Tensor<double, 4>> reward{};
  /// Who comes when and who leaves after what is part of the model, if the counts show it (`taking_part`). Not where
  /// labels follow features: counts by features do not say when people came.
  bool participation = false;
};

struct Cell {
  std::size_t g = 0, x = 0, y = 0, a = 0;
  std::size_t period = 0;  ///< of a row of the kernel

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Estimate {
  /// Kernel p_k: successors of the cell in each state over all of its successors, or the rule's row.
  /// Reward r_hat_k: sum over max(1, visits), so 0 in a cell without a visit; or what was given.
  /// Initial: first states seen, uniform for a group of which nobody was seen.
  /// Where labels follow features, of features in both, and labels by q.
  /// Its `rests_on` says what was seen of each row.
  Model model;
  Tensor<std::int64_t, 4> visits{};  ///< [g,x,y,a] decisions taken: N_k before its maximum with 1
  /// [g,x,y,a] of these, with the next state seen; where labels follow features, next features seen of (g,x,a). By the
  /// model's periods, which are those of the counts.
  ByPeriod<std::int64_t, 4> successors{};
  std::vector<std::int64_t> people{};       ///< [g] first states seen, or first features
  std::size_t unvisited = 0;                ///< rows without a seen successor, which are the rule's
  std::vector<Cell> unvisited_cells{};      ///< these cells, in the order of the axes and then of time
  std::vector<std::size_t> empty_groups{};  ///< groups of which no first state was seen
  /// What is missing at most from the counts, or why no claim may rest on them: `radii` are of states.
  Expected<Lost> lost{};
  std::string not_taking_part{};  ///< why no participation was estimated although people come and go; empty otherwise
  Tensor<double, 4> reward_squares{};  ///< [g,x,y,a] sum of squared rewards
  bool rewards_seen = true;            ///< false if the counts are of a log without rewards: estimates are 0 then
};

/// An error if these are no counts of any log (`check`), if shares are wrong or cannot be counted (nobody was seen), if
/// rewards that are given are none, or by the rule `Unvisited::error`. If labels follow features, also where
/// `feature_counts` has one.
[[nodiscard]] Expected<Estimate> estimate(const Counts& counts, const EstimateOptions& options = {});

}  // namespace fairstep
