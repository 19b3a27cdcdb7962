// What a class of policies asks of a table besides that it lies in its box.
//
// Given the other steps, what a block earns is linear in one step's row, so that a best row is an extreme one: where
// acceptance may not fall, all from some feature on are accepted. Boxes are narrowed to what the rules leave of them,
// and then their own ends keep the rules.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/core/feature_order.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {

/// lo[h,x] <= accept[h,x] <= hi[h,x] of one block.
struct Box {
  std::vector<double> lo{}, hi{};
};

struct TableRules {
  FeatureOrder chains{};    ///< acceptance never falls along one; empty: it may do what it likes
  bool one_cut = false;     ///< of a step's entries in a chain at most one is off the ends of `ends`
  bool stationary = false;  ///< all steps are alike
  Shape shape{};
  double floor = 0, ceiling = 1;  ///< the ends of every entry before anything was narrowed

  [[nodiscard]] bool any() const { return stationary || !chains.empty(); }

  /// Leaves of the box what may be in a table that keeps the rules; false if nothing is.
  [[nodiscard]] bool narrow(Box& box) const;
  /// The nearest table that keeps the rules, but for `one_cut`: one that nearly does is hardly changed.
  void settle(std::span<double> table) const;
  /// By no more than `rounding` off.
  [[nodiscard]] bool kept_by(std::span<const double> table, double rounding) const;

  /// table[higher] - table[lower] >= 0, or = 0.
  struct Row {
    std::size_t lower, higher;
    bool equal;
  };
  /// All that is linear in the rules.
  [[nodiscard]] std::vector<Row> rows() const;
};

/// The rows of one step that never fall along a chain, in a narrowed box.
class RisingRows {
 public:
  /// The chains must outlive it.
  RisingRows(const FeatureOrder& chains, std::span<const double> lo, std::span<const double> hi);

  /// The greatest sum of gain[x] row[x]; `row` gets it unless it is empty. Of equal ones it accepts the
  /// fewest.
  double best(std::span<const double> gain, std::span<double> row = {}) const;

 private:
  /// What of a chain may be lifted from one level to the next: all from some place on, which is within these.
  struct Lift {
    double level, height;
    std::size_t first, last;
  };
  struct Chain {
    const std::vector<std::size_t>* features;
    double ground;  ///< where all of it is at least
    std::vector<Lift> lifts{};
  };
  std::vector<Chain> chains_{};
};

}  // namespace fairstep
