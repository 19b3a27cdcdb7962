#include <fairstep/estimate/confidence.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/claims.hpp>

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

/// The largest radius for any number of draws from `least` to `most`. It falls but for a step up at each power of two,
/// and from one such step to the next it falls, too: so it is the first, or that at the first power of two after it.
double largest_radius(std::int64_t least, std::int64_t most, double log_sets, double delta) {
  const double first = time_uniform_radius(least, log_sets, delta);
  if (least == 0) return first;
  const std::uint64_t power = std::bit_floor(static_cast<std::uint64_t>(least)) * 2;  // at most 2^63
  if (power > static_cast<std::uint64_t>(most)) return first;
  return std::max(first, time_uniform_radius(static_cast<std::int64_t>(power), log_sets, delta));
}

/// part / (part + rest)
double share_of(std::int64_t part, std::int64_t rest) {
  return part == 0 ? 0 : static_cast<double>(part) / (static_cast<double>(part) + static_cast<double>(rest));
}

/// ln(2^states - 2), also where 2^states is larger than any number.
double log_proper_subsets(std::size_t states) {
  assert(states >= 2);
  const auto s = static_cast<double>(states);
  return s * std::numbers::ln2 + std::log1p(-std::exp2(1 - s));
}

/// Around r_hat, which is 0 in a cell without a visit.
double reward_radius(const Draws& visits, const RewardKnowledge& known, double delta) {
  if (visits.seen == 0) return std::max(std::abs(known.range.low), std::abs(known.range.high));
  if (!known.noisy) return 0;
  const double radius = largest_radius(visits.seen, visits.seen + visits.missing, std::numbers::ln2, delta);
  return (known.range.high - known.range.low) * std::min(1.0, radius + share_of(visits.missing, visits.seen));
}

}  // namespace

double tv_radius(std::int64_t seen, std::size_t states, double delta) {
  return time_uniform_radius(seen, log_proper_subsets(states), delta);
}

double tv_radius(const Draws& draws, std::size_t states, double delta) {
  assert(draws.seen >= 0 && draws.missing >= 0 && draws.in_doubt >= 0);
  const std::int64_t certain = std::max<std::int64_t>(0, draws.seen - draws.in_doubt);
  if (certain == 0) return 1;
  const double radius = largest_radius(certain, draws.seen + draws.missing, log_proper_subsets(states), delta);
  return std::min(1.0, radius + share_of(std::max(draws.missing, draws.in_doubt), certain));
}

double one_sided_mean_radius(std::int64_t seen, double delta) { return time_uniform_radius(seen, 0, delta); }

double one_sided_mean_radius(const Draws& draws, double delta) {
  return largest_radius(draws.seen, draws.seen + draws.missing, 0, delta);
}

Expected<Radii> radii(const Estimate& estimate, const RadiiOptions& options) {
  assert(options.delta > 0 && options.delta < 1);
  if (!estimate.lost) return tl::unexpected(estimate.lost.error());
  if (options.rewards)
    if (auto ok = check_reward_range(estimate, options.rewards->range); !ok) return tl::unexpected(ok.error());
  const Lost& lost = *estimate.lost;
  const Shape& n = estimate.model.shape();
  const bool noisy = options.rewards && options.rewards->noisy;
  const double of_rows = noisy ? options.delta / 2 : options.delta;
  const auto groups = static_cast<double>(n.groups);
  const auto cells = static_cast<double>(n.cells());

  Radii result;
  result.delta_row = of_rows / (groups * (static_cast<double>(n.periods) * cells + 1));
  result.row = ByPeriod<double, 4>(estimate.successors.extents_of_one(), n.periods);
  // Whatever was lost of a cell may be of any period.
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t cell = 0; cell < n.cells(); ++cell)
        result.row.of(g, k)[cell] = tv_radius({estimate.successors.of(g, k)[cell], lost.transitions.block(g)[cell]},
                                              n.states(), result.delta_row);
  for (std::size_t g = 0; g < n.groups; ++g)
    result.initial.push_back(
        tv_radius({estimate.people[g], lost.first(g), lost.first_in_doubt(g)}, n.states(), result.delta_row));

  if (!options.rewards) return result;
  result.reward = Tensor<double, 4>(estimate.visits.extents());
  const auto visits = estimate.visits.flat();
  const double of_reward = options.delta / 2 / (groups * cells);
  for (std::size_t i = 0; i < visits.size(); ++i)
    result.reward.flat()[i] = reward_radius({visits[i], lost.cells.flat()[i]}, *options.rewards, of_reward);
  return result;
}

Expected<Radii> radii(const Estimate& estimate, double delta) {
  return radii(estimate, RadiiOptions{delta, std::nullopt});
}

}  // namespace fairstep
