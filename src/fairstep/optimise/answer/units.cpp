#include <fairstep/optimise/answer/units.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairstep {

double unit_of_rewards(const Model& model) {
  const Range rewards = model.reward_range();
  const double greatest = std::max(std::abs(rewards.low), std::abs(rewards.high));
  constexpr double kUsual = 128;
  if (greatest == 0 || (greatest <= kUsual && greatest >= 1 / kUsual)) return 1;
  return std::ldexp(1.0, std::max(std::ilogb(greatest), -1000));
}

Expected<Model> in_units(const Model& model, double unit) {
  ModelSpec spec = model.spec();
  for (double& reward : spec.reward.flat()) reward /= unit;
  for (double& noise : spec.reward_noise.flat()) noise /= unit;
  return Model::make(std::move(spec));
}

void convert(SolveResult& result, double unit) {
  for (double* amount : {&result.bounds.lower, &result.bounds.upper, &result.penalty}) *amount *= unit;
  for (double& price : result.shadow_price) price *= unit;
  for (Binding& limit : result.binding) limit.shadow_price *= unit;
  if (result.randomised_value) *result.randomised_value *= unit;
}

}  // namespace fairstep
