#include <fairstep/certify/sets.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/proportion.hpp>

namespace fairstep {
namespace {

constexpr double kRelative = 1e-12;
constexpr double kAbsolute = 1e-13;

}  // namespace

double set_of_row(std::span<const std::int64_t> seen, std::span<const double> estimate, Draws draws,
                  const DeltaSplit& split, std::span<double> low, std::span<double> high) {
  draws.seen = std::accumulate(seen.begin(), seen.end(), std::int64_t{0});
  for (std::size_t s = 0; s < seen.size(); ++s) {
    const Range ends = proportion_at_all_times(seen[s], draws, split.interval);
    low[s] = std::max(0.0, ends.low - kRelative * (estimate[s] - ends.low) - kAbsolute);
    high[s] = std::min(1.0, ends.high + kRelative * (ends.high - estimate[s]) + kAbsolute);
  }
  if (seen.size() == 1) return 0;  // there is one distribution
  return std::min(1.0, tv_radius(draws, seen.size(), split.ball) * (1 + kRelative));
}

bool wants(const CertifyOptions& options, Notion notion) {
  return std::find(options.notions.begin(), options.notions.end(), notion) != options.notions.end();
}

DeltaSplit split_delta(const CertifyOptions& options, const Shape& shape, bool two_parts) {
  const bool counted = std::holds_alternative<CountedRewards>(options.value);
  const double worst_case = two_parts ? options.delta / 5 : options.delta;
  const double part = worst_case / (1 + (options.followed ? 1 : 0) + (counted ? 1 : 0));
  const auto groups = static_cast<double>(shape.groups);
  const auto cells = static_cast<double>(shape.cells());
  const auto steps = static_cast<double>(shape.horizon);
  const double conditional = wants(options, Notion::eqodds) ? 2 : wants(options, Notion::eqopt) ? 1 : 0;
  const double rates = conditional + (wants(options, Notion::dp) ? 1 : 0);
  DeltaSplit split;
  if (options.labels) {
    const auto features = static_cast<double>(shape.features);
    split.rows = conditional > 0 ? options.delta / 2 : options.delta;
    split.row = split.rows / (groups * (2 * features + 1));
    split.ball = split.row / 2;
    split.interval = split.ball / features;
    split.labels = conditional > 0 ? options.delta / 2 : 0;
    split.label = split.labels / (groups * features);
    return split;
  }
  if (two_parts) {
    const double asked = steps * groups * (groups - 1) * rates +  // each pair in both directions
                         (std::holds_alternative<std::monostate>(options.value) ? 0 : 1);
    // What people do at the last step leads nowhere; rewards that are counted are earned there, too.
    const double paths =
        2 * groups *
        (static_cast<double>(shape.states()) * (counted ? steps : steps - 1) + (conditional > 0 ? steps : 0));
    split.directions = options.delta * 4 / 5;
    split.question = split.directions * (paths > 0 ? 4.0 / 5 : 1) / std::max(1.0, asked);
    split.path = paths > 0 ? split.directions / 5 / paths : 0;
  }
  split.rows = part;
  split.row = part / (groups * (static_cast<double>(shape.periods) * cells + 1));
  split.ball = split.row / 2;
  split.interval = split.ball / static_cast<double>(shape.states());
  if (options.followed) {
    split.followed = part;
    split.tail = part / (2 * groups * steps * rates);
  }
  if (counted) {
    split.rewards = part;
    split.reward = part / (groups * cells);
  }
  return split;
}

Balls confidence_sets(const Counts& counts, const Estimate& estimate, const Lost& lost, const DeltaSplit& split,
                      const std::stop_token& stop) {
  const Shape n = counts.shape();
  const ModelSpec& spec = estimate.model.spec();
  Balls balls{ByPeriod<double, 4>({n.groups, n.features, kLabels, kActions}, n.periods, 1.0),
              std::vector<double>(n.groups, 1.0), Boxes{}};
  Boxes& boxes = *balls.boxes;
  boxes.low = ByPeriod<double, 6>(counts.transitions().extents(), n.periods);
  boxes.high = ByPeriod<double, 6>(counts.transitions().extents(), n.periods, 1.0);
  boxes.initial_low = Tensor<double, 3>(counts.first().extents());
  boxes.initial_high = Tensor<double, 3>(counts.first().extents(), 1.0);
  for (std::size_t g = 0; g < n.groups; ++g) {
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        if (stop.stop_requested()) return balls;
        const auto row = [&](auto& table) { return table.of(g, k).subspan(cell * n.states(), n.states()); };
        // Whatever was lost of a cell may be of any period.
        balls.row.of(g, k)[cell] =
            set_of_row(counts.kernel(g, k).subspan(cell * n.states(), n.states()), row(spec.transition),
                       {0, lost.transitions.block(g)[cell], 0}, split, row(boxes.low), row(boxes.high));
      }
    balls.initial[g] =
        set_of_row(counts.first().block(g), spec.initial.block(g), {0, lost.first(g), lost.first_in_doubt(g)}, split,
                   boxes.initial_low.block(g), boxes.initial_high.block(g));
  }
  return balls;
}

}  // namespace fairstep
