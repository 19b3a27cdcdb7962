// The referee: what a policy does to a population, exactly. Every number in every later result is recomputed here.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/unseen.hpp>

namespace fairstep {

/// Shares of people, per group and step. A conditional rate of nobody (P(y=1) = 0) is undefined and stored as NaN.
struct Rates {
  Tensor<double, 2> accept{};     ///< [g,h] P(a=1)
  Tensor<double, 2> tpr{};        ///< [g,h] P(a=1 | y=1), NaN if P(y=1) = 0
  Tensor<double, 2> fpr{};        ///< [g,h] P(a=1 | y=0), NaN if P(y=0) = 0
  Tensor<double, 2> qualified{};  ///< [g,h] P(y=1)
};

/// Rates of those who take part at a step, where people come late and leave early: what a log of such decisions shows.
struct Presence {
  Tensor<double, 2> share{};  ///< [g,h] of the group's people who take part
  Rates rates{};              ///< of these; NaN also where nobody takes part
};

/// The widest difference between two groups at a step, over all pairs for which the rate is defined.
struct StepGap {
  double gap = 0;         ///< NaN if fewer than two groups have the rate
  std::size_t first = 0;  ///< the worst pair (of several the first), first < second; meaningless if the gap is NaN
  std::size_t second = 0;
};

/// Per step; equalized odds is the worse of the tpr and fpr gaps.
struct Gaps {
  std::vector<StepGap> dp{};      ///< [h] demographic parity: P(a=1)
  std::vector<StepGap> eqopt{};   ///< [h] equal opportunity: P(a=1 | y=1)
  std::vector<StepGap> eqodds{};  ///< [h] equalized odds
};

/// Those of one notion, whichever struct has one vector for each: Gaps, RobustRates.
template <class PerNotion>
[[nodiscard]] const auto& of_notion(const PerNotion& gaps, Notion notion) {
  return notion == Notion::dp ? gaps.dp : notion == Notion::eqopt ? gaps.eqopt : gaps.eqodds;
}

struct Evaluation {
  /// Sized for a shape, all zero; `evaluate_into` fills it without allocating.
  explicit Evaluation(const Shape& n);

  double value = 0;                       ///< expected total reward of a random person, step h counting discount^h
  std::vector<double> value_per_step{};   ///< [h] what step h adds, discounted: sums to value
  std::vector<double> value_per_group{};  ///< [g] of a person of the group: value = sum of share * this
  Rates rates{};
  Tensor<double, 3> feature{};  ///< [g,h,x] P(x_h = x)
  Gaps gap{};
  std::vector<double> aggregate_dp{};  ///< [g] sum_h P(a=1) / H
  StepGap aggregate_dp_gap{};
  std::vector<double> aggregate_eqopt{};  ///< [g] sum_h P(a=1,y=1) / sum_h P(y=1), NaN if nobody is ever qualified
  StepGap aggregate_eqopt_gap{};
  Tensor<double, 4> mass{};        ///< [g,h,x,y] P(x_h = x, y_h = y)
  Tensor<double, 5> q{};           ///< [g,h,x,y,a] value to go from step h on if a is taken, discounted to step h
  Tensor<double, 4> v{};           ///< [g,h,x,y] value to go from step h on, discounted to step h
  std::optional<Unseen> unseen{};  ///< of an estimated model
  /// Of a model with participation, by `evaluate`; all else is of people who stay for the whole episode.
  std::optional<Presence> present{};
};

/// The policy must fit the model (Policy::check_fits) and `result` must have been made for the model's shape. Without
/// `present`.
void evaluate_into(const Model& model, const Policy& policy, Evaluation& result);

/// An error if the policy does not fit the model.
[[nodiscard]] Expected<Evaluation> evaluate(const Model& model, const Policy& policy);

}  // namespace fairstep
