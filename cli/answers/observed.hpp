// What a simulation saw, in the same rates as an evaluation gives exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

class Observed {
 public:
  explicit Observed(const Shape& shape);
  explicit Observed(const Counts& counts);

  /// More rows of a log, in its order.
  void add(std::span<const Decision> rows);

  [[nodiscard]] std::uint64_t people() const;
  [[nodiscard]] std::uint64_t decisions() const;

  /// people[g], decisions[g], reward_per_decision[g], rates.accept[g][h] and so on.
  [[nodiscard]] Json to_json(const Names& names) const;
  [[nodiscard]] std::vector<std::string> undefined_rates(const Names& names) const;
  /// A line for each group.
  [[nodiscard]] std::string to_text(const Names& names, std::size_t width) const;

 private:
  /// Decisions of group g about label y with outcome a, over all steps.
  [[nodiscard]] std::int64_t over_steps(std::size_t g, std::size_t y, std::size_t a) const;
  [[nodiscard]] std::int64_t of_group(std::size_t g) const;
  [[nodiscard]] double reward_per_decision(std::size_t g) const;

  std::vector<std::int64_t> people_;   ///< [g]
  Tensor<std::int64_t, 4> decisions_;  ///< [g,h,y,a]
  std::vector<double> reward_;         ///< [g] sum
  std::uint64_t next_person_ = 0;      ///< while rows are added: the first person not seen yet
};

}  // namespace fairstep::cli
