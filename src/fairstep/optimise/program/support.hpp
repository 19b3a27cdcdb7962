// Decisions that a log hardly knows: what an estimated model says of them is a guess, or nearly, and a policy that
// makes use of it may live off the guess alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/optimise/program/program.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// How often decision a was seen of people of group g with feature x: next states that followed it in the period of
/// step h, with whatever label; at the last step, which has none, rewards, or where labels follow features and rewards
/// of unlabelled decisions are nobody's, next features of any step if these are more. The model is an estimate.
[[nodiscard]] std::int64_t times_seen(const Model& model, std::size_t g, std::size_t h, std::size_t x, std::size_t a);

/// Narrows the boxes to decisions that were seen at least so often, of every group that shares the table. Where neither
/// was, either may be taken. An error if the model is no estimate.
[[nodiscard]] Expected<void> restrict_to_seen(Program& program, std::size_t min_seen);

/// What is left of hardly known decisions under a policy. `mass` is [g,h,x,y], as `evaluate` has it.
[[nodiscard]] Support support_of(const Model& model, const Policy& policy, const Tensor<double, 4>& mass,
                                 std::size_t min_seen);

}  // namespace fairstep
