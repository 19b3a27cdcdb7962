// Rewards in a unit in which the greatest is about 1: tolerances of solvers are meant for such numbers.
#pragma once

#include <fairstep/core/error.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {

/// 1 unless the greatest reward is far from it; with rewards of 1e-9 solvers would stop anywhere. A power of 2 changes
/// no digit of any number.
[[nodiscard]] double unit_of_rewards(const Model& model);
/// The same people with rewards in another unit.
[[nodiscard]] Expected<Model> in_units(const Model& model, double unit);
/// From that unit back to the model's own; the evaluation stays as it is.
void convert(SolveResult& result, double unit);

}  // namespace fairstep
