// On what grounds claims may be made from counts: one gate for certificates, radii and everything that rests on them.
//
// A claim holds "with probability 1 - delta over the data", and the data are the complete log. Rows that could not be
// used are not blind: which ones they are may depend on what they would have said. So a claim must know how many are
// missing from where, and be widened by them (docs/guarantees.md, G, "Rows that were left out"), or not be made.
#pragma once

#include <cstdint>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/estimate/estimate.hpp>

namespace fairstep {

/// What is missing at most from these counts; nothing if they came without the record of a log, which then is an
/// assumption. An error if that is not known (a record of an older version that tells of lost rows), if labels were
/// drawn (assume-ignorable), or if counted and lost add up to more than a count can hold.
[[nodiscard]] Expected<Lost> lost_for_claims(const Counts& counts);

/// [g,h] decisions at most that are missing at a step. Of a rate that needs no label those without one are not missing,
/// and drawn labels do no harm. An error as above.
[[nodiscard]] Expected<Tensor<std::int64_t, 2>> lost_decisions(const Counts& counts, bool labels_needed);

/// What counts say of features, where it is known how much of that is missing at most (`lost` is set; nothing, if they
/// came without the record of a log). An error as above; decisions without a label are no loss here.
[[nodiscard]] Expected<FeatureCounts> features_for_claims(const Counts& counts);

/// An error if single rewards cannot all have been within the range, by their sums and the sums of their squares, or
/// if they are of a log without rewards.
[[nodiscard]] Expected<void> check_reward_range(const Estimate& estimate, const Range& range);

}  // namespace fairstep
