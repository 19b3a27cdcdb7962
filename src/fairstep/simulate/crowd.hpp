// What both simulators share: is the question sound, which random stream serves what, and rewards from counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/simulate/simulate.hpp>

namespace fairstep {

/// What a stream is for: the `part` of an Rng, so that no two uses under one (seed, stream) share a draw.
enum class Use : std::uint64_t {
  person = 1,
  noise,
  group,
  first_step,
  entrant,
  decision,
  departure,
  successor,
  reward,
  part
};

/// An error if the policy does not fit the model or the crowd has more decisions than counts can hold.
[[nodiscard]] Expected<void> check_question(const Model& model, const Policy& policy, const SimulateOptions& options);

/// Those that successors are counted by: asked for, or the model's own.
[[nodiscard]] Periods recorded_periods(const Model& model, const SimulateOptions& options);

/// Half the distance between the two rewards of a cell; 0 if the model has no noise.
[[nodiscard]] double reward_noise(const Model& model, std::size_t g, std::size_t x, std::size_t y, std::size_t a);

/// Fills reward_sum and reward_squares from the visits, `high[g,x,y,a]` of which earned mean + noise and the others
/// mean - noise. Each sum is rounded once per term, not once per person.
void fill_rewards(const Model& model, const Tensor<std::int64_t, 4>& high, CountsSpec& counts);

}  // namespace fairstep
