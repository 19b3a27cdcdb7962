// All deterministic tables of a small group, and what they earn: what bounds are measured by.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/core/model.hpp>

namespace fairstep::testing {

/// [table][h,x]
inline std::vector<std::vector<double>> all_tables(const Shape& n) {
  const std::size_t entries = n.horizon * n.features;
  std::vector<std::vector<double>> all;
  for (std::size_t which = 0; which < (std::size_t{1} << entries); ++which) {
    all.emplace_back();
    for (std::size_t i = 0; i < entries; ++i) all.back().push_back(static_cast<double>((which >> i) & 1U));
  }
  return all;
}

/// What a table earns of pay[h,x,y,a], by pushing people on.
inline double earned_by(const Model& model, std::size_t g, const std::vector<double>& table,
                        std::span<const rigorous::Interval> pay) {
  const Shape& n = model.shape();
  std::vector<double> mass(model.initial(g).begin(), model.initial(g).end());
  double sum = 0;
  for (std::size_t h = 0; h < n.horizon; ++h) {
    std::vector<double> next(n.states(), 0.0);
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const double p = table[h * n.features + cell / (kLabels * kActions)];
      const double moved = mass[cell / kActions] * (cell % kActions == 1 ? p : 1 - p);
      sum += moved * static_cast<double>(pay[h * n.cells() + cell].low);
      if (h + 1 < n.horizon) model.kernel(g, h).push(cell, moved, next.data());
    }
    mass = next;
  }
  return sum;
}

}  // namespace fairstep::testing
