// An upper bound on what any memoryless policy of one group can earn: let the policy remember.
//
// A policy that remembers the past knows, beside x, the belief b = P(y=1 | past). The label is binary, so a belief is
// one number, and the value-to-go W_h(x,b) is convex in it. Linear interpolation between grid points therefore errs
// upwards, and where a belief lands between which two grid points depends on the kernel alone, not on rewards, prices
// or boxes: it is worked out once, and each bound is then a plain backward recursion over the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/core/model.hpp>

namespace fairstep {

class BeliefGrid {
 public:
  /// At most `points` beliefs per feature, spread over those that can be reached from the initial distribution.
  BeliefGrid(const Model& model, std::size_t g, std::size_t points);

  [[nodiscard]] std::size_t nodes() const { return belief_.size(); }
  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  [[nodiscard]] std::size_t feature(std::size_t node) const { return feature_[node]; }

  /// The greatest expected sum of reward[h,x,y,a] over remembering policies with lo[h,x] <= P(a=1) <= hi[h,x], from
  /// above. Fills advantage[h,node], what accepting gains over refusing there.
  double bound(std::span<const double> reward, std::span<const double> lo, std::span<const double> hi,
               std::vector<double>& advantage, std::vector<double>& scratch) const;

  /// For the policy that `advantage` makes greedy: for[h,x] and against[h,x], the mass-weighted advantage of accepting
  /// where it is positive and where it is negative. Where both are large, memory matters. Adds to both.
  void add_votes(std::span<const double> advantage, std::span<const double> lo, std::span<const double> hi,
                 std::span<double> votes_for, std::span<double> votes_against, std::vector<double>& scratch) const;

 private:
  struct Entry {
    std::uint32_t node;
    double weight;
  };

  std::size_t horizon_;
  std::vector<double> belief_{};          ///< [node] P(y=1)
  std::vector<std::uint32_t> feature_{};  ///< [node]
  std::vector<std::size_t> start_{};      ///< [node,a] into entries_
  std::vector<Entry> entries_{};          ///< where a unit of mass at (node,a) goes
  std::vector<Entry> initial_{};
};

}  // namespace fairstep
