// How much a function of the next state can be worth over the set of a row.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/check/sets.hpp>

namespace fairstep::rigorous {

/// A function of states, and these from the least to the greatest of it: one order serves all rows.
struct Ranked {
  std::vector<Real> f{};
  std::vector<std::size_t> order{};

  explicit Ranked(std::vector<Real> function);
};

/// At least the greatest q.f over the set of a row.
[[nodiscard]] Real greatest_of_row(const RowSet& row, const Ranked& ranked);

/// A function that is known between ends, ranked for both sides.
class RankedInterval {
 public:
  explicit RankedInterval(const std::vector<Interval>& f);

  /// Holds q.f for all q in the set of a row.
  [[nodiscard]] Interval over(const RowSet& row) const;

 private:
  Ranked high_, minus_low_;
};

}  // namespace fairstep::rigorous
