// Rates bounded by the people who followed the policy themselves: of those who were there from the first step on, so
// many were accepted.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// P(a=1), of all or of those with a label.
enum class FollowedRate { accept, tpr, fpr };

/// An error if there are more decisions at a step than people, counted or lost.
[[nodiscard]] Expected<void> check_people(const Counts& counts, const Lost& lost);

/// [g,h] people at most who were away at some step from 0 to h, or one of whose rows until then is lost: what they did
/// at step h does not count, and what they would have done is not known.
[[nodiscard]] Tensor<std::int64_t, 2> astray(const Counts& counts, const Lost& lost);

/// Takes the better one of each end and of what the people seen prove, each end for `delta_tail`. An error, after all
/// is narrowed, if they did what the policy does not do.
[[nodiscard]] Expected<void> narrow_by_those_who_followed(RateBounds& bounds, const Counts& counts,
                                                          const Tensor<std::int64_t, 2>& astray, FollowedRate rate,
                                                          double delta_tail);

}  // namespace fairstep
