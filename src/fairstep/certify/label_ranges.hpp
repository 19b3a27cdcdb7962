// How large the share of y=1 can be among all people with a feature, if the labels of some of them were not seen.
// docs/guarantees.md, Lemma I1.
#pragma once

#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/estimate/label_shares.hpp>

namespace fairstep {

/// Holds P(y=1 | x) at all times, except with probability `delta`; of the ranges for all odds for which the rule is
/// right all do at once, and that which assumes nothing, too. Wider than the formulas by a part in 10^12 and 10^-13, as
/// the sets of rows are. (estimate/label_shares.hpp takes decisions to be alike at all times; here no two of them need
/// be.)
[[nodiscard]] Range range_of_label(const LabelTally& tally, const RefusedRule& refused, double delta);

/// [g,x] of counts whose losses are known.
[[nodiscard]] Tensor<Range, 2> ranges_of_labels(const FeatureCounts& counts, const RefusedRule& refused, double delta);

}  // namespace fairstep
