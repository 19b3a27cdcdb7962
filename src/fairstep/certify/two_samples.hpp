// One group as its two parts see it: the design part's population, in which directions are chosen, and the audit part's
// draws, which prove. A row is the distribution of the first states (row 0) or of a cell's successors (1 + cell).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// What the audit part knows of a row: proportions, and the set that holds the truth (certify/sets.hpp).
struct RowSet {
  std::span<const double> estimate{}, low{}, high{};  ///< [s]
  double radius = 1;
};

class TwoSamples {
 public:
  /// Everything but the design counts must outlive this. All are of one shape.
  TwoSamples(const Counts& design, const Counts& audit, const Lost& lost, const Policy& policy,
             const Estimate& audit_estimate, const Balls& sets, std::size_t g);

  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::size_t rows() const { return planned_.size(); }
  /// The row of a cell at step t: that of its period.
  [[nodiscard]] std::size_t row_of(std::size_t t, std::size_t s, std::size_t a) const {
    return 1 + (audit_.periods().of(t) * states_ + s) * kActions + a;
  }

  /// [s] of the design part: proportions, alike where nothing was seen.
  [[nodiscard]] std::span<const double> design(std::size_t row) const {
    return std::span(design_).subspan(row * states_, states_);
  }
  /// Draws that the audit part is expected to have, by the design part's and the share of people; 0 if it has none.
  [[nodiscard]] double planned(std::size_t row) const { return planned_[row]; }
  /// [s] P(s at step t) under the design part's population, for people who follow the policy.
  [[nodiscard]] std::span<const double> mass(std::size_t t) const {
    return std::span(mass_).subspan(t * states_, states_);
  }
  /// P(a | s) at step t.
  [[nodiscard]] double acts(std::size_t t, std::size_t s, std::size_t a) const {
    const double accept = accept_[t * (states_ / 2) + s / 2];
    return a == 1 ? accept : 1 - accept;
  }

  /// [s] draws of the audit part.
  [[nodiscard]] std::span<const std::int64_t> seen(std::size_t row) const;
  /// Of these, at most so many are in the wrong place, and at most so many more there are.
  [[nodiscard]] std::int64_t in_doubt(std::size_t row) const;
  [[nodiscard]] std::int64_t missing(std::size_t row) const;
  [[nodiscard]] RowSet set(std::size_t row) const;

 private:
  const Counts& audit_;
  const Lost& lost_;
  const Estimate& estimate_;
  const Balls& sets_;
  std::size_t group_, horizon_, states_;
  std::span<const double> accept_;  ///< [h,x]
  std::vector<double> design_;      ///< [row,s]
  std::vector<double> planned_;     ///< [row]
  std::vector<double> mass_;        ///< [h,s]
};

}  // namespace fairstep
