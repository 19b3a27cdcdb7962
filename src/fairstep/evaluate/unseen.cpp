#include <fairstep/evaluate/unseen.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

std::string how_many(std::span<const std::int64_t> counts) {
  return internal::with_thousands(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

std::string percent_of_visits(double share) { return share == 0 ? "0 %" : round_up_percent(share, 1) + " %"; }

}  // namespace

Unseen unseen_under(const Model& model, const Policy& policy, const Grounds& grounds, const Tensor<double, 4>& mass) {
  const Shape& n = model.shape();
  Unseen unseen;
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto accept = policy.group(g);
    const auto rewards = grounds.rewards.block(g);
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const auto here = mass.block(g, h);
      const auto successors = grounds.successors.of(g, model.periods().of(h));
      for (std::size_t s = 0; s < here.size(); ++s) {
        const double p = accept[h * n.features + s / kLabels];
        for (std::size_t a = 0; a < kActions; ++a) {
          const double visits = model.share(g) * here[s] * (a == 1 ? p : 1 - p);
          if (h + 1 < n.horizon && successors[s * kActions + a] == 0) unseen.rows += visits;
          if (rewards[s * kActions + a] == 0 && !grounds.rewards_given) unseen.rewards += visits;
        }
      }
    }
  }
  const auto steps = static_cast<double>(n.horizon);
  unseen.rows = std::min(1.0, unseen.rows / std::max(1.0, steps - 1));
  unseen.rewards = std::min(1.0, unseen.rewards / steps);
  return unseen;
}

std::string in_words(const Grounds& grounds, const Unseen& unseen) {
  std::string text = fmt::format(
      "rests on {} people and {} decisions: {} of this policy's visits rest on rows that nobody "
      "saw",
      how_many(grounds.people), how_many(grounds.rewards.flat()), percent_of_visits(unseen.rows));
  if (unseen.rows > 0) text += fmt::format(" (guessed: {})", name_of(grounds.unvisited));
  if (unseen.rewards > 0)
    text += fmt::format(", {} on rewards that nobody saw (taken as 0)", percent_of_visits(unseen.rewards));
  return text;
}

}  // namespace fairstep
