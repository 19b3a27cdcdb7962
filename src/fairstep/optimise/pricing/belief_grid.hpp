// An upper bound on what any memoryless policy of one group can earn: let the policy remember.
//
// A policy that remembers the past knows, beside x, the belief b = P(y=1 | past). The label is binary, so a belief is
// one number, and the value-to-go W_h(x,b) is convex in it. Linear interpolation between grid points therefore errs
// upwards, and where a belief lands between which two grid points depends on the kernel alone, not on rewards, prices
// or boxes: it is worked out once for each period, and each bound is then a plain backward recursion over the grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/program/table_rules.hpp>

namespace fairstep {

class BeliefGrid {
 public:
  /// At most `points` beliefs per feature, spread over those that can be reached from the initial distribution.
  BeliefGrid(const Model& model, std::size_t g, std::size_t points, const Deadline& deadline = {});

  [[nodiscard]] std::size_t nodes() const { return feature_.size(); }
  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  [[nodiscard]] std::size_t feature(std::size_t node) const { return feature_[node]; }

  /// What is to be had from a node on.
  struct Worth {
    std::vector<double> refusing{};  ///< [h,node] by refusing now
    std::vector<double> gain{};      ///< [h,node] by accepting instead
    std::vector<double> best{};      ///< [h,node] by the better end of the box
    double error = 0;                ///< sums of these, weighted by mass, are off by at most this
  };
  /// The greatest expected sum of reward[h,x,y,a] over remembering policies with lo[h,x] <= P(a=1) <= hi[h,x], from
  /// above.
  double bound(std::span<const double> reward, std::span<const double> lo, std::span<const double> hi, Worth& worth,
               const Deadline& deadline = {}) const;

  /// The same over policies whose acceptance never falls along a chain of features, rows[h], whatever is remembered: a
  /// row is chosen by the past, before its feature is seen. Leaves worth.best as it is.
  double rising_bound(std::span<const double> reward, std::span<const RisingRows> rows, Worth& worth,
                      const Deadline& deadline = {}) const;

  /// Where mass with belief b at x lies in the grid: between a node and the next, this far.
  struct Place {
    std::size_t node;
    double up;
  };
  [[nodiscard]] Place find(std::size_t x, double b) const;

  /// For the policy that is greedy by its gains: for[h,x] and against[h,x], the mass-weighted advantage of accepting
  /// where it is positive and where it is negative. Where both are large, memory matters. Adds to both.
  void add_votes(const Worth& worth, std::span<const double> lo, std::span<const double> hi,
                 std::span<double> votes_for, std::span<double> votes_against, std::vector<double>& scratch,
                 const Deadline& deadline = {}) const;
  void add_rising_votes(const Worth& worth, std::span<const RisingRows> rows, std::span<double> votes_for,
                        std::span<double> votes_against, std::vector<double>& scratch,
                        const Deadline& deadline = {}) const;

 private:
  /// Two numbers that are worked on at once.
  using Two = double __attribute__((vector_size(16)));
  /// Mass between two neighbours of the grid, and how much of it counts for either.
  struct Between {
    std::size_t node = 0;  ///< the lower one; the upper one is the next
    Two weight{};
  };
  /// Where mass goes within one feature, under either action.
  struct Step {
    Between under[kActions]{};
  };

  /// Where a unit of mass at a node of step h goes under an action: visit(Between).
  template <class Visit>
  void each_successor(std::size_t h, std::size_t node, std::size_t action, const Visit& visit) const;

  /// The steps out of a node at step h, as the bounds into steps_ of it and of the next node.
  [[nodiscard]] const std::size_t* starts_at(std::size_t h) const {
    return start_.data() + periods_.of(h) * (nodes() + 1);
  }
  /// Multiplications of a step back from a node, on average.
  [[nodiscard]] std::size_t cost_of_node() const {
    return 4 * steps_.size() / std::max<std::size_t>(nodes() * periods_.number(), 1) + 8;
  }

  std::size_t horizon_;
  Periods periods_;
  std::vector<double> belief_{};          ///< [node] P(y=1); the last node stands for nothing, so that each has a next
  std::vector<std::uint32_t> feature_{};  ///< [node]
  std::vector<std::size_t> first_{};      ///< [x] its first node; one more than there are features
  std::vector<std::size_t> start_{};      ///< [period,node] into steps_, one more node than there are
  std::vector<Step> steps_{};             ///< where a unit of mass at a node goes
  std::vector<Between> initial_{};
  std::vector<std::size_t> first_nodes_{};  ///< where mass is at the first step
};

}  // namespace fairstep
