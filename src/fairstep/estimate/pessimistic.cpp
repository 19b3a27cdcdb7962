#include <fairstep/estimate/pessimistic.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/mention.hpp>
#include <fairstep/core/rounding.hpp>

namespace fairstep {

Tensor<double, 4> pessimism(const Model& model, const Radii& radii, const Range& range) {
  const Shape& n = model.shape();
  double later = 0, factor = model.discount();  // the steps after one, discounted
  for (std::size_t h = 1; h < n.horizon; ++h, factor *= model.discount()) later += factor;
  const double width = range.high - range.low;
  Tensor<double, 4> less({n.groups, n.features, kLabels, kActions});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      double row = 0;
      for (std::size_t k = 0; k < n.periods; ++k) row = std::max(row, radii.row.of(g, k)[cell]);
      const double reward = radii.reward.empty() ? 0 : radii.reward.block(g)[cell];
      less.block(g)[cell] = reward + width * (later * row + radii.initial[g]);
    }
  return less;
}

Expected<Model> pessimistic(const Model& model, const Radii& radii, const RadiiOptions& options) {
  ModelSpec spec = model.spec();
  if (!options.rewards && spec.rests_on && !spec.rests_on->rewards_given)
    return fail("rewards were counted, and nobody says in which range they lie", {},
                "give " + option("reward_range") + ", or rewards that are known");
  const auto [least, most] = std::minmax_element(spec.reward.flat().begin(), spec.reward.flat().end());
  const Range range = options.rewards ? options.rewards->range : Range{*least, *most};
  const Tensor<double, 4> less = pessimism(model, radii, range);
  for (std::size_t i = 0; i < less.size(); ++i) spec.reward.flat()[i] -= less.flat()[i];
  if (spec.rests_on) spec.rests_on->rewards_given = true;
  spec.description += fmt::format(
      "; pessimistic: rewards are lowered so that with probability {} no policy is worth less in truth than here",
      one_minus_text(options.delta));
  return Model::make(std::move(spec));
}

}  // namespace fairstep
