#include <fairstep/certify/label_ranges.hpp>

#include <algorithm>

#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/proportion.hpp>

namespace fairstep {
namespace {

constexpr double kSlightly = 1e-12;
constexpr double kByRounding = 1e-13;

/// p with its odds times `factor`.
double with_odds_times(double factor, double p) { return factor * p / (1 - p + factor * p); }

Range both(const Range& one, const Range& other) {
  return {std::max(one.low, other.low), std::min(one.high, other.high)};
}

/// (a) of the lemma: by the labels that were seen, whose odds are at most `odds` times less or more.
Range by_those_seen(const LabelTally& tally, double odds, double delta) {
  const Range ends = proportion_at_all_times(tally.qualified, {tally.seen(), tally.lost, 0}, delta / 4);
  return {with_odds_times(1 / odds, ends.low), with_odds_times(odds, ends.high)};
}

/// (b): whatever the labels were that were not seen.
Range by_all(const LabelTally& tally, double delta) {
  return proportion_at_all_times(tally.qualified, {tally.seen(), tally.unseen + tally.lost, 0}, delta / 4);
}

/// (c): the right end, of labels `ones` among all decisions.
double end_by_shares(std::int64_t ones, std::int64_t zeros, const LabelTally& tally, double odds, double delta) {
  const Draws decisions{tally.seen() + tally.unseen, tally.lost, 0};
  if (decisions.seen == 0) return 1;
  const double radius = one_sided_mean_radius(decisions, delta / 16);
  const double all = static_cast<double>(decisions.seen) + static_cast<double>(tally.lost);
  const double most = (static_cast<double>(ones) + static_cast<double>(tally.lost)) / all + radius;
  const double least = std::max(0.0, static_cast<double>(zeros) / all - radius);
  return std::min(1.0, most * (odds - (odds - 1) * least) / (least + odds * most));
}

}  // namespace

Range range_of_label(const LabelTally& tally, const RefusedRule& refused, double delta) {
  Range range = by_all(tally, delta);
  if (refused.are != Refused::anything) {
    range = both(range, by_those_seen(tally, refused.odds, delta));
    range = both(range, {1 - end_by_shares(tally.unqualified, tally.qualified, tally, refused.odds, delta),
                         end_by_shares(tally.qualified, tally.unqualified, tally, refused.odds, delta)});
  }
  // All three hold the share of those seen, so that something is left.
  const double outwards = kSlightly * (range.high - range.low) + kByRounding;
  return {std::max(0.0, range.low - outwards), std::min(1.0, range.high + outwards)};
}

Tensor<Range, 2> ranges_of_labels(const FeatureCounts& counts, const RefusedRule& refused, double delta) {
  const auto [groups, features] = counts.first.extents();
  Tensor<Range, 2> shares({groups, features});
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t x = 0; x < features; ++x) shares(g, x) = range_of_label(label_tally(counts, g, x), refused, delta);
  return shares;
}

}  // namespace fairstep
