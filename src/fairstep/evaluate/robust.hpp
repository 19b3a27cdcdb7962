// What a fixed policy can do to any population near a model: the extreme rates and the least value over all kernels
// within total-variation balls, and within boxes if there are some. If the balls hold the true population, so do the
// ranges; that is how a policy is certified as fair before anybody has followed it.
//
// Every row is free to move within its ball on its own, and anew at every step. A kernel that is the same at all steps
// is one of these, so the ranges can be too wide for such kernels but never too narrow.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// What single entries of a row q can be; the model's own p is inside: 0 <= low <= p <= high <= 1.
struct Boxes {
  ByPeriod<double, 6> low{}, high{};                ///< [g,x,y,a,x1,y1], by the model's periods
  Tensor<double, 3> initial_low{}, initial_high{};  ///< [g,x,y]
};

/// How far the truth may be from each row p of a model: all distributions q with half of sum |q - p| at most this.
/// A row that sums to 1 only within kSumTolerance stands for itself and for the row rescaled to 1: both balls are in.
struct Balls {
  ByPeriod<double, 4> row{};      ///< [g,x,y,a] in [0,1], by the model's periods; 1 means that nothing is known
  std::vector<double> initial{};  ///< [g] in [0,1], of the first state's distribution
  std::optional<Boxes> boxes{};   ///< if given, q is in these as well
};

/// All that the rates can be. Every end is rounded outwards: it is never inside of what exact arithmetic would give,
/// and outside by at most e = (h+1) (S+4) 2^-49, for conditional rates by 1e-13 and e over the least P(y).
///
/// A conditional rate of nobody is no rate: evaluate() has such a group in no pair, and these ranges are over the
/// kernels that have the rate. Where P(y) can vanish they are the hull of the policy's entries at the step, of which
/// any such rate is a mean.
struct RobustRates {
  Tensor<Range, 2> accept{};  ///< [g,h] P(a=1)
  Tensor<Range, 2> tpr{};     ///< [g,h] P(a=1 | y=1)
  Tensor<Range, 2> fpr{};     ///< [g,h] P(a=1 | y=0)
  /// The widest gap between any two groups, each at its worst: max over i != j of high(i) - low(j).
  std::vector<double> dp{};      ///< [h] of accept
  std::vector<double> eqopt{};   ///< [h] of tpr
  std::vector<double> eqodds{};  ///< [h] of tpr or fpr
};

/// For whoever waits for a long reckoning.
struct Watch {
  std::stop_token stop{};                        ///< asked for now and then; what was stopped is an error
  std::function<void(double share)> progress{};  ///< of the work that is done, from 0 to 1
};

/// An error if the policy or the balls do not fit the model, or if it was stopped.
///
/// One backward pass over the steps before h for either end of P(a_h=1), about five for either end of a conditional
/// rate: G H (H-1) S A S multiplications, and ten times that.
[[nodiscard]] Expected<RobustRates> robust_rates(const Model& model, const Policy& policy, const Balls& balls,
                                                 const Watch& watch = {});

/// [g,h] all that P(y=1) can be, rounded outwards as the rates are. Where it can be 0 the rate of the qualified may be
/// one of nobody, where it can be 1 that of the unqualified.
[[nodiscard]] Expected<Tensor<Range, 2>> robust_qualified(const Model& model, const Policy& policy, const Balls& balls,
                                                          const Watch& watch = {});

/// [g] the least that a person of the group can be worth, with the rewards and the discount of the model; rounded down.
[[nodiscard]] Expected<std::vector<double>> robust_values(const Model& model, const Policy& policy, const Balls& balls,
                                                          const Watch& watch = {});

/// How far a mean at step h can be from the model's own, simply: initial[g] + sum over t < h of E[row(g,x_t,y_t,a_t)],
/// [g,h], people as the model has them. For any kernel q in the balls and any payoff f of the state at step h,
/// |E_q[f] - E_model[f]| is at most drift(g,h) times (max f - min f), so P(a_h=1) is within drift(g,h) of the model's.
/// Wider than robust_rates, but linear in the occupancy. Boxes are not used. Not rounded outwards. Policy and balls
/// must fit the model.
[[nodiscard]] Tensor<double, 2> drift(const Model& model, const Policy& policy, const Balls& balls);

}  // namespace fairstep
