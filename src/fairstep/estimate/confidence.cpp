#include <fairstep/estimate/confidence.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fairstep/core/shape.hpp>

namespace fairstep {
namespace {

/// c sqrt((log_sets + ln(1/delta) + ln((j+1)(j+2))) / (2 seen)), at most 1; `log_sets` is the logarithm of the number
/// of one-sided bounds that hold together.
double time_uniform_radius(std::int64_t seen, double log_sets, double delta) {
  assert(seen >= 0 && delta > 0 && delta < 1);
  if (seen == 0) return 1;
  static const double fourth_root = std::sqrt(std::numbers::sqrt2);
  static const double at_the_ends = (fourth_root + 1 / fourth_root) / 2;
  const auto j = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(seen)) - 1);
  const double log = log_sets - std::log(delta) + std::log((j + 1) * (j + 2));
  return std::min(1.0, at_the_ends * std::sqrt(log / (2 * static_cast<double>(seen))));
}

/// ln(2^states - 2), also where 2^states is larger than any number.
double log_proper_subsets(std::size_t states) {
  assert(states >= 2);
  const auto s = static_cast<double>(states);
  return s * std::numbers::ln2 + std::log1p(-std::exp2(1 - s));
}

/// Around r_hat, which is 0 in a cell without a visit.
double reward_radius(std::int64_t visits, const RewardKnowledge& known, double delta) {
  if (visits == 0) return std::max(std::abs(known.range.low), std::abs(known.range.high));
  return known.noisy ? (known.range.high - known.range.low) * mean_radius(visits, delta) : 0;
}

}  // namespace

double tv_radius(std::int64_t seen, std::size_t states, double delta) {
  return time_uniform_radius(seen, log_proper_subsets(states), delta);
}

double mean_radius(std::int64_t seen, double delta) {
  return time_uniform_radius(seen, std::numbers::ln2, delta);  // two sides
}

double one_sided_mean_radius(std::int64_t seen, double delta) { return time_uniform_radius(seen, 0, delta); }

Radii radii(const Estimate& estimate, const RadiiOptions& options) {
  assert(options.delta > 0 && options.delta < 1);
  const Shape& n = estimate.model.shape();
  const bool noisy = options.rewards && options.rewards->noisy;
  const double of_rows = noisy ? options.delta / 2 : options.delta;
  const auto groups = static_cast<double>(n.groups);
  const auto cells = static_cast<double>(n.cells());

  Radii result;
  result.delta_row = of_rows / (groups * (cells + 1));
  result.row = Tensor<double, 4>(estimate.successors.extents());
  const auto seen = estimate.successors.flat();
  std::transform(seen.begin(), seen.end(), result.row.flat().begin(),
                 [&](std::int64_t count) { return tv_radius(count, n.states(), result.delta_row); });
  for (const std::int64_t people : estimate.people)
    result.initial.push_back(tv_radius(people, n.states(), result.delta_row));

  if (!options.rewards) return result;
  result.reward = Tensor<double, 4>(estimate.visits.extents());
  const auto visits = estimate.visits.flat();
  const double of_reward = options.delta / 2 / (groups * cells);
  std::transform(visits.begin(), visits.end(), result.reward.flat().begin(),
                 [&](std::int64_t count) { return reward_radius(count, *options.rewards, of_reward); });
  return result;
}

Radii radii(const Estimate& estimate, double delta) { return radii(estimate, RadiiOptions{delta, std::nullopt}); }

}  // namespace fairstep
