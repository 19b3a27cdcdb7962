// What the design part says about one group: where people go under the policy, and how often each row will be seen.
//
// Any numbers would do here, as long as the audit part has no share in them: they only say where to look. So what is
// computed without rounding to either side, and is meant to be taken as exact from there on, says so.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/check/question.hpp>

namespace fairstep::rigorous {

class Plan {
 public:
  /// The question has a design part.
  Plan(const Question& question, std::size_t g);

  /// A row of the design part: proportions, or all states alike if nobody was seen.
  struct Row {
    std::vector<Real> seen{};  ///< [s]
    Real all = 0;
    Real planned = 0;  ///< draws to be expected in the audit part; a number to be taken as exact

    /// Holds the mean of f over the proportions.
    [[nodiscard]] Interval mean(const std::vector<Interval>& f) const;
    [[nodiscard]] Real share(std::size_t s) const;  ///< without rounding to either side
  };
  [[nodiscard]] const Row& first_row() const { return first_; }
  [[nodiscard]] const Row& row(std::size_t row) const { return rows_[row]; }

  /// P(s_t = s) under the policy; numbers to be taken as exact.
  [[nodiscard]] Real reached(std::size_t t, std::size_t s) const { return reached_[t][s]; }

 private:
  Row first_{};
  std::vector<Row> rows_{};                   ///< [k,cell]
  std::vector<std::vector<Real>> reached_{};  ///< [t][s]
};

}  // namespace fairstep::rigorous
