// The worst that a policy can do to any population in the sets: backward recursion, every operation rounded up.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {

/// What a state at the step asked for pays.
using Payoff = std::function<Real(std::size_t x, std::size_t y)>;

class WorstCase {
 public:
  WorstCase(const Question& question, const Split& split, std::size_t g);

  /// The sets around the group's rows.
  [[nodiscard]] const RowSet& first_row() const { return first_; }
  [[nodiscard]] const RowSet& row(std::size_t row) const { return rows_[row]; }

  /// At least E[payoff(x_h,y_h)] under every population in the sets.
  [[nodiscard]] Real greatest(std::size_t h, const Payoff& payoff) const;

  /// At least E[sum of discount^h cost(x_h,y_h,a_h)] under every population in the sets; cost over cells.
  [[nodiscard]] Real greatest_total(const std::vector<Real>& cost) const;

 private:
  using Values = std::vector<Real>;  ///< [s]

  const Question& q_;
  std::size_t g_;
  std::vector<RowSet> rows_{};  ///< [k,cell]
  RowSet first_{};
};

}  // namespace fairstep::rigorous
