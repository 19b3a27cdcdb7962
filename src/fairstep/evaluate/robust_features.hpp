// What a fixed policy can do where labels follow features: the extreme rates over all chains of features within balls
// and boxes, and over all shares of labels within ranges. As robust.hpp, with features in place of states; a rate given
// a label weighs each feature by its share of the label, and whichever end of that share is worse counts.
// docs/guarantees.md, I.
#pragma once

#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// A Markov chain of features for each group, and how far the truth may be from each of its rows p: all distributions q
/// with half of sum |q - p| at most the radius, and 0 <= low <= q <= high <= 1. Rows sum to 1 within kSumTolerance; if
/// not exactly, the ball is also that around the row rescaled to 1. p is within its box.
struct FeatureSets {
  Tensor<double, 2> initial{}, initial_low{}, initial_high{};  ///< [g,x]
  std::vector<double> initial_radius{};                        ///< [g] in [0,1]
  Tensor<double, 4> transition{}, low{}, high{};               ///< [g,x,a,x1]
  Tensor<double, 3> radius{};                                  ///< [g,x,a] in [0,1]
};

/// Rates given a label. Rounded outwards; where nobody may have the label, the hull of the policy's entries.
struct LabelRateRanges {
  Tensor<Range, 2> tpr{};        ///< [g,h] P(a=1 | y=1)
  Tensor<Range, 2> fpr{};        ///< [g,h] P(a=1 | y=0)
  Tensor<Range, 2> qualified{};  ///< [g,h] P(y=1)
};

/// [g,h] all that P(a=1) can be, rounded outwards. An error if the policy does not fit the sets, or if it was stopped.
[[nodiscard]] Expected<Tensor<Range, 2>> robust_acceptance(const FeatureSets& sets, const Policy& policy,
                                                           const Watch& watch = {});

/// The same for rates given a label, if P(y=1 | x) is within `qualified`, [g,x], parts of [0,1].
[[nodiscard]] Expected<LabelRateRanges> robust_label_rates(const FeatureSets& sets, const Tensor<Range, 2>& qualified,
                                                           const Policy& policy, const Watch& watch = {});

}  // namespace fairstep
