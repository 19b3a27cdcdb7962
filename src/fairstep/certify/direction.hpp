// A direction that the design part has chosen, and how far the truth can be from the design part's population in it.
//
// A question is a payoff for states and steps; its answer is what people who follow the policy get on average. The
// answer is the design part's, plus a sum that is linear in what is unknown of the rows, plus a remainder of second
// order. The errors of all rows in the linear sum are bounded at once, so that their variances add. docs/guarantees.md,
// H has lemmas and proofs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <fairstep/certify/two_samples.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// What is paid to a person in a state at a step.
class Payoff {
 public:
  /// Nothing at steps up to the last.
  Payoff(std::size_t steps, std::size_t states) : paid_({steps, states}) {}
  /// At this step only.
  static Payoff at(std::size_t step, std::span<const double> paid);

  [[nodiscard]] std::size_t steps() const { return paid_.extents()[0]; }
  [[nodiscard]] std::span<const double> of_step(std::size_t t) const { return paid_.block(t); }
  [[nodiscard]] double& operator()(std::size_t t, std::size_t s) { return paid_(t, s); }

 private:
  Tensor<double, 2> paid_;  ///< [t,s]
};

/// [t,s] ranges of how much more often the true people are in a state than those of the design part. Filled step by
/// step: what is asked about a step needs those before it.
using Deviations = std::vector<std::vector<Range>>;

/// One question to one group, with all that its bounds need of the rows.
class Direction {
 public:
  /// Draws of the audit part that came to one state; x is what it pays above the mean of the design part's row.
  struct Drawn {
    double x = 0, times = 0;
  };
  /// What Lemma H2 needs of a row.
  struct Row {
    double planned = 0;          ///< draws, by the design part
    double width = 0;            ///< greatest less least x
    double noise = 0;            ///< (variance + width^2 / planned) / planned
    double least = 0, most = 0;  ///< x
    double size = 0;             ///< sum of |x| over the audit part's draws
    double draws = 0, in_doubt = 0, missing = 0;
    std::size_t begin = 0, end = 0;  ///< in `drawn`
    Range drift{};                   ///< (p - design).F over the row's set
  };

  /// `deviations` of all steps before the payoff's last.
  Direction(const TwoSamples& samples, const Payoff& payoff, const Deviations& deviations);

  [[nodiscard]] double design_answer() const { return answer_; }
  /// The group's first states, then all others that do not pay the same whatever they are.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] std::span<const Drawn> drawn(const Row& row) const {
    return std::span(drawn_).subspan(row.begin, row.end - row.begin);
  }
  [[nodiscard]] const Range& remainder() const { return remainder_; }

 private:
  void add_row(const TwoSamples& samples, std::size_t row, const std::vector<double>& payoff);

  double answer_ = 0;
  std::vector<Row> rows_{};
  std::vector<Drawn> drawn_{};
  Range remainder_{0, 0};
};

struct SignedDirection {
  const Direction& direction;
  double sign = 1;  ///< or -1
};

/// Where the sum of the answers to these questions is, each to a group of its own: either end holds for all but
/// `alpha`. Rounded outwards.
[[nodiscard]] Range answer_range(std::span<const SignedDirection> questions, double alpha);

/// All products of a number in the one and a number in the other.
[[nodiscard]] Range times(const Range& a, const Range& b);
[[nodiscard]] Range plus(const Range& a, const Range& b);

}  // namespace fairstep
