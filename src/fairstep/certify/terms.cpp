#include <fairstep/certify/terms.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/internal/checks.hpp>
#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>

namespace fairstep {
namespace {

/// Sums of rewards are rounded.
constexpr double kMeanRounding = 1e-9;

/// Counts of a log without rewards have zeros, which say nothing.
bool rewards_were_seen(const Counts& counts) {
  const auto squares = counts.reward_squares.flat();
  return std::any_of(squares.begin(), squares.end(), [](double sum) { return sum > 0; });
}

/// How far the mean of the rewards counted in a cell may be from a mean that is said to be true: by the noise that is
/// said or seen, whichever is more, at all times except with probability `delta`.
double room_around(double said, double mean, double squares, double half_width, std::int64_t visits, double delta) {
  const double spread = std::sqrt(std::max(0.0, squares / static_cast<double>(visits) - mean * mean));
  return 2 * std::max(half_width, spread) * mean_radius(visits, delta) +
         kMeanRounding * std::max(std::abs(said), std::abs(mean));
}

Expected<void> check_known(const Counts& counts, const KnownRewards& known, double delta) {
  const Shape n = counts.shape();
  if (known.share.size() != n.groups || known.reward.extents() != counts.reward_sum.extents())
    return {};  // said by whoever makes a model of them
  for (std::size_t g = 0; g < n.groups; ++g)
    if (known.share[g] == 0 && counts.people(g) > 0)
      return fail(fmt::format("share of group {} is 0, but {} people of it are in the counts", counts.names.groups[g],
                              counts.people(g)),
                  fmt::format("/share/{}", g));
  if (!rewards_were_seen(counts)) return {};
  const double each = delta / static_cast<double>(counts.reward_sum.size());
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::int64_t visits = counts.visits_of(g, x, y, a);
          if (visits == 0) continue;
          const double said = known.reward(g, x, y, a);
          const double mean = counts.reward_sum(g, x, y, a) / static_cast<double>(visits);
          const double half_width = known.noise.empty() ? 0 : known.noise(g, x, y, a);
          const double room = room_around(said, mean, counts.reward_squares(g, x, y, a), half_width, visits, each);
          if (std::abs(mean - said) > room)
            return internal::fail_at({"reward", counts.names.groups}, kCellAxes, std::array{g, x, y, a},
                                     fmt::format("is {}, but the mean of {} rewards counted there is {}, which would "
                                                 "be at most {} away",
                                                 said, visits, mean, round_up_short(room, 3)),
                                     "the data refute that rewards are those of this model");
        }
  return {};
}

}  // namespace

Expected<void> check_terms(const Counts& counts, const Estimate& estimate, const CertifyOptions& options) {
  if (const auto* counted = std::get_if<CountedRewards>(&options.value))
    return check_reward_range(estimate, counted->range);
  if (const auto* known = std::get_if<KnownRewards>(&options.value)) return check_known(counts, *known, options.delta);
  return {};
}

}  // namespace fairstep
