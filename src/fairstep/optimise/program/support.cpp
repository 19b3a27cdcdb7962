#include <fairstep/optimise/program/support.hpp>

#include <algorithm>
#include <span>

namespace fairstep {

std::int64_t times_seen(const Model& model, std::size_t g, std::size_t h, std::size_t x, std::size_t a) {
  const Grounds& grounds = *model.spec().rests_on;
  const bool last = h + 1 == model.shape().horizon;
  const auto seen = [&](std::span<const std::int64_t> counts, std::size_t y) { return counts[cell_of(x, y, a)]; };
  const auto rewards = grounds.rewards.block(g);
  const std::int64_t rewarded = seen(rewards, 0) + seen(rewards, 1);
  if (last && !grounds.labels) return rewarded;
  const auto followed = grounds.successors.of(g, last ? 0 : model.periods().of(h));
  if (!grounds.labels) return seen(followed, 0) + seen(followed, 1);
  // Where labels follow features both labels' rows are those of the feature, counted once. Whose label nobody saw has
  // no reward that counts, and yet was decided about.
  const std::int64_t by_feature = std::max(seen(followed, 0), seen(followed, 1));
  return last ? std::max(rewarded, by_feature) : by_feature;
}

Expected<void> restrict_to_seen(Program& program, std::size_t min_seen) {
  const Model& model = *program.model;
  const Shape& n = program.shape();
  if (!model.spec().rests_on)
    return fail_option("min_seen", " is for a model that was estimated: this one does not say what it rests on", {});
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const auto known = [&](std::size_t a) {
          const auto& groups = program.blocks[b].groups;
          return std::all_of(groups.begin(), groups.end(), [&](std::size_t g) {
            return times_seen(model, g, h, x, a) >= static_cast<std::int64_t>(min_seen);
          });
        };
        const bool refusal = known(0), acceptance = known(1);
        const std::size_t at = h * n.features + x;
        if (!acceptance && refusal) program.boxes[b].hi[at] = program.boxes[b].lo[at] = 0;
        if (!refusal && acceptance) program.boxes[b].lo[at] = program.boxes[b].hi[at] = 1;
      }
  return {};
}

Support support_of(const Model& model, const Policy& policy, const Tensor<double, 4>& mass, std::size_t min_seen) {
  const Shape& n = model.shape();
  Support support{.min_seen = min_seen};
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        bool known[kActions];
        for (std::size_t a = 0; a < kActions; ++a) {
          known[a] = times_seen(model, g, h, x, a) >= static_cast<std::int64_t>(min_seen);
          support.scarce += known[a] ? 0 : 1;
          const double p = policy.accept(g, h, x);
          if (!known[a])
            support.visits += model.share(g) * (mass(g, h, x, 0) + mass(g, h, x, 1)) * (a == 1 ? p : 1 - p);
        }
        support.neither += known[0] || known[1] ? 0 : 1;
        ++support.decisions;
      }
  support.visits = std::min(1.0, support.visits / static_cast<double>(n.horizon));
  return support;
}

}  // namespace fairstep
