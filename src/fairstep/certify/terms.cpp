#include <fairstep/certify/terms.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>

namespace fairstep {
namespace {

/// Sums of rewards are rounded.
constexpr double kMeanRounding = 1e-9;

/// Counts of a log without rewards have zeros, which say nothing.
bool rewards_were_seen(const Counts& counts) {
  const auto squares = counts.reward_squares().flat();
  return std::any_of(squares.begin(), squares.end(), [](double sum) { return sum > 0; });
}

/// Rows of a model sum to 1 as well as this.
constexpr double kRowRounding = 1e-9;

/// How far the mean of the rewards counted in a cell may be from a mean that is said to be true: by the noise that is
/// said or seen, whichever is more, at all times except with probability `delta`. Lost decisions may have earned as
/// much more or less as the noise allows.
double room_around(double said, double mean, double squares, double half_width, const Draws& visits, double delta) {
  const auto seen = static_cast<double>(visits.seen);
  const auto missing = static_cast<double>(visits.missing);
  const double spread = std::sqrt(std::max(0.0, squares / seen - mean * mean));
  const double radius = one_sided_mean_radius(visits, delta / 2) + missing / (seen + missing);
  return 2 * std::max(half_width, spread) * radius + kMeanRounding * std::max(std::abs(said), std::abs(mean));
}

Expected<void> check_known(const Counts& counts, const Lost& lost, const KnownRewards& known, double delta) {
  const Shape n = counts.shape();
  if (known.share.size() != n.groups || known.reward.extents() != counts.reward_sum().extents())
    return {};  // said by whoever makes a model of them
  for (std::size_t g = 0; g < n.groups; ++g)
    if (known.share[g] == 0 && counts.people(g) > 0)
      return fail(fmt::format("share of group {} is 0, but {} people of it are in the counts", counts.names().groups[g],
                              counts.people(g)),
                  fmt::format("/share/{}", g));
  if (!rewards_were_seen(counts)) return {};
  const double each = delta / static_cast<double>(counts.reward_sum().size());
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::int64_t visits = counts.visits_of(g, x, y, a);
          if (visits == 0) continue;
          const double said = known.reward(g, x, y, a);
          const double mean = counts.reward_sum()(g, x, y, a) / static_cast<double>(visits);
          const double half_width = known.noise.empty() ? 0 : known.noise(g, x, y, a);
          const double room = room_around(said, mean, counts.reward_squares()(g, x, y, a), half_width,
                                          {visits, lost.cells(g, x, y, a), 0}, each);
          if (std::abs(mean - said) > room)
            return internal::fail_at({"reward", counts.names().groups}, kCellAxes, std::array{g, x, y, a},
                                     fmt::format("is {}, but the mean of {} rewards counted there is {}, which would "
                                                 "be at most {} away",
                                                 said, visits, mean, round_up_short(room, 3)),
                                     "the data refute that rewards are those of this model");
        }
  return {};
}

/// The set around a row: within a radius of what was counted, each entry between its ends.
struct Around {
  std::span<const double> counted, low, high;
  double radius = 1;
};

/// What the set does not allow of a row; empty if it allows it.
std::string not_allowed(std::span<const double> row, const Around& set) {
  double apart = 0;
  for (std::size_t s = 0; s < row.size(); ++s) {
    apart += std::abs(row[s] - set.counted[s]) / 2;
    if (row[s] < set.low[s] - kRowRounding || row[s] > set.high[s] + kRowRounding)
      return fmt::format("has {} for state x={},y={}, but by what was counted it is between {} and {}", row[s],
                         s / kLabels, s % kLabels, round_down_short(set.low[s], 3), round_up_short(set.high[s], 3));
  }
  if (apart <= set.radius + kRowRounding) return {};
  return fmt::format("is {:.3} away from what was counted in total variation, expected at most {}", apart,
                     round_up_short(set.radius, 3));
}

}  // namespace

Expected<void> check_kernel(const Counts& counts, const Estimate& estimate, const Balls& sets,
                            const CertifyOptions& options) {
  const auto* known = std::get_if<KnownRewards>(&options.value);
  if (known == nullptr || known->initial.extents() != counts.first().extents() ||
      known->transition.extents_of_one() != counts.transitions().extents())
    return {};
  constexpr const char* hint = "the data refute that they are of people of this model";
  if (!known->periods.pooled() && known->periods != counts.periods())
    return fail("the model has a kernel for each of its periods, which are not those of the counts", "/periods",
                "count by the periods of the model, or without the model's rewards");
  const Shape n = counts.shape();
  const ModelSpec& counted = estimate.model.spec();
  for (std::size_t g = 0; g < n.groups; ++g) {
    const Around first{counted.initial.block(g), sets.boxes->initial_low.block(g), sets.boxes->initial_high.block(g),
                       sets.initial[g]};
    if (const std::string what = not_allowed(known->initial.block(g), first); !what.empty())
      return internal::fail_at({"initial", counts.names().groups}, std::array{Axis::g}, std::array{g}, what, hint);
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const auto row = [&](const ByPeriod<double, 6>& table) {
          return table.of(g, table.pooled() ? 0 : k).subspan(cell * n.states(), n.states());
        };
        const Around set{row(counted.transition), row(sets.boxes->low), row(sets.boxes->high), sets.row.of(g, k)[cell]};
        const std::string what = not_allowed(row(known->transition), set);
        if (what.empty()) continue;
        const std::size_t x = cell / (kLabels * kActions), y = cell / kActions % kLabels, a = cell % kActions;
        const internal::Field field("transition", counts.names().groups);
        if (known->periods.pooled()) return internal::fail_at(field, kCellAxes, std::array{g, x, y, a}, what, hint);
        return internal::fail_at(field, with_periods(kCellAxes), std::array{g, k, x, y, a}, what, hint);
      }
  }
  return {};
}

Expected<void> check_terms(const Counts& counts, const Estimate& estimate, const Lost& lost,
                           const CertifyOptions& options) {
  if (const auto* counted = std::get_if<CountedRewards>(&options.value))
    return check_reward_range(estimate, counted->range).map_error([](const Error& e) { return in_input("counts", e); });
  if (const auto* known = std::get_if<KnownRewards>(&options.value))
    return check_known(counts, lost, *known, options.delta).map_error([](const Error& e) {
      return in_input("model", e);
    });
  return {};
}

}  // namespace fairstep
