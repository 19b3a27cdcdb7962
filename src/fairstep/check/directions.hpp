// One direction in which the audit part is looked at: bounds on a linear function of all rows of a population at once.
//
// docs/guarantees.md, H: a question is a payoff for each group, step and state, its answer what people who follow the
// policy are paid on average. The answer is what the design part says, plus a sum over rows that is linear in them
// (Lemma H2 bounds it, and the sets of G what is left over), plus a remainder of products of errors.
#pragma once

#include <cstddef>
#include <vector>

#include <fairstep/check/interval.hpp>
#include <fairstep/check/plan.hpp>
#include <fairstep/check/question.hpp>
#include <fairstep/check/sets.hpp>
#include <fairstep/check/worst_case.hpp>

namespace fairstep::rigorous {

/// One group: what the design part plans, what the audit part saw, and the sets around that. All of them outlive this.
struct Group {
  const Question& question;
  std::size_t g = 0;
  const Plan& plan;
  const WorstCase& worst;
};

/// [t][s] what a state pays, for all steps up to the last that pays.
using Payoffs = std::vector<std::vector<Interval>>;
/// [t][s] how far P(s_t = s) is from what the design part says.
using Drifts = std::vector<std::vector<Interval>>;

/// A row and the function F of next states that the question has for it; x(s) = F(s) - p.F with p of the design part.
struct RowDirection {
  Real least = 0, greatest = 0;  ///< all x lie between them
  Real variance = 0;             ///< of F under p, without rounding to either side
  struct Drawn {
    Interval x{};
    Real times = 0;
  };
  std::vector<Drawn> drawn{};  ///< what the audit part counted, by next state
  Interval range{};            ///< of (q - p).F over the set of the row
  Real planned = 0;
  Real draws = 0;  ///< counted in the audit part
  Unknown unknown{};

  [[nodiscard]] Real width() const { return up(greatest - least); }
};

/// What a question asks of one group.
struct Direction {
  Interval planned_answer{};         ///< under the design part
  std::vector<RowDirection> rows{};  ///< the first states, then the cells that have a share in it
  Drifts errors{};                   ///< [t][s] e: the mean over decisions of (q - p).U, over the sets of the rows
};
[[nodiscard]] Direction direction_of(const Group& group, const Payoffs& payoffs);

/// The sum over steps and states of drift times error.
[[nodiscard]] Interval remainder_of(const Direction& direction, const Drifts& drifts);

/// A group's part in a question; sign -1 turns the payoffs round.
struct Side {
  const Direction& direction;
  Interval remainder{};
  Real sign = 1;
};
/// At least what the answer is more than the design part says, but for a probability alpha.
[[nodiscard]] Real greatest_excess(const std::vector<Side>& sides, const Interval& alpha);

}  // namespace fairstep::rigorous
