#include <fairstep/estimate/bonus.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fairstep {

double unit_bonus(std::int64_t visits, const AtEpisode& at) {
  assert(at.k >= 1 && at.delta > 0 && at.delta < 1);
  const auto h = static_cast<double>(at.shape.horizon);
  const auto cells = static_cast<double>(at.shape.cells());
  const auto n = static_cast<double>(std::max<std::int64_t>(1, visits));
  // ln k apart from the rest: k^2 may be larger than any number.
  const double log = std::log(at.per_group(8) * cells * h / at.delta) + 2 * std::log(static_cast<double>(at.k));
  return 2 * h * std::min(1.0, std::sqrt(2 * log / n));
}

Tensor<double, 4> bonus(const Tensor<std::int64_t, 4>& visits, const AtEpisode& at, const BonusOptions& options) {
  const double factor = options.scale * (options.reward.high - options.reward.low);
  Tensor<double, 4> result(visits.extents());
  std::transform(visits.flat().begin(), visits.flat().end(), result.flat().begin(),
                 [&](std::int64_t n) { return factor * unit_bonus(n, at); });
  return result;
}

}  // namespace fairstep
