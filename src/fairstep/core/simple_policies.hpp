// Policies that need no optimising: for comparison, and as starting points.
//
// Each takes the model for its sizes and the names of its groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>

namespace fairstep {

/// Whether a policy is written out for each group or does not look at the group at all.
enum class PolicyForm { per_group, group_independent };

/// Everybody is accepted with probability `accept`, an error unless it is one.
[[nodiscard]] Expected<Policy> uniform_policy(const Model& model, double accept = 0.5,
                                              PolicyForm form = PolicyForm::per_group);
[[nodiscard]] Policy accept_all(const Model& model, PolicyForm form = PolicyForm::per_group);
[[nodiscard]] Policy refuse_all(const Model& model, PolicyForm form = PolicyForm::per_group);

/// Features are taken to be ordered: those above `from` are accepted, `from` itself with probability `at`, none below.
struct Threshold {
  std::size_t from = 0;  ///< 0 .. features; at `features` nobody is accepted
  double at = 1;
};
/// One threshold for all.
[[nodiscard]] Expected<Policy> threshold_policy(const Model& model, Threshold threshold,
                                                PolicyForm form = PolicyForm::per_group);
/// One threshold for each group, [g].
[[nodiscard]] Expected<Policy> threshold_policy(const Model& model, std::span<const Threshold> thresholds);

/// Every entry uniform on [0,1), different at every step; the same on every platform.
[[nodiscard]] Policy random_policy(const Model& model, std::uint64_t seed, PolicyForm form = PolicyForm::per_group);

}  // namespace fairstep
