// How many are qualified at a feature, q_g(x) of core/label_assumption.hpp, when some labels were not seen: a point,
// and intervals that hold.
#pragma once

#include <cstdint>

#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// The decisions of a group at a feature, by what is known of the label.
struct LabelTally {
  std::int64_t qualified = 0, unqualified = 0;  ///< labels seen
  std::int64_t unseen = 0;                      ///< decisions without a label
  std::int64_t lost = 0;                        ///< decisions at most that are missing altogether

  [[nodiscard]] std::int64_t seen() const { return qualified + unqualified; }
};
/// Over all steps and decisions. Of counts that do not know their losses, none.
[[nodiscard]] LabelTally label_tally(const FeatureCounts& features, std::size_t g, std::size_t x);

/// σs + (1-σ)v with the shares seen, at a point of the rule. 1/2 stands for a share of which nothing was seen.
[[nodiscard]] double label_share(const LabelTally& tally, const RefusedRule& rule, RefusedPoint point);

/// Holds q for all numbers of decisions at once with probability 1 - delta, where labels follow features and the rule
/// is true, whatever lost rows would have said (estimate/proportion.hpp):
///   like-accepted  the interval of the labels seen;
///   odds Γ         σs + (1-σ)v over the intervals of s and σ, with delta / 2 each, and every v that the rule allows;
///   anything       the interval of all decisions, with every label that was not seen 0 for the low end and 1 for the
///   high.
[[nodiscard]] Range label_share_at_all_times(const LabelTally& tally, const RefusedRule& rule, double delta);

}  // namespace fairstep
