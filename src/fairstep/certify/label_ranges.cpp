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
Range by_those_seen(const LabelsSeen& seen, double odds, double delta) {
  const Range ends = proportion_at_all_times(seen.ones, {seen.ones + seen.zeros, seen.missing, 0}, delta / 4);
  return {with_odds_times(1 / odds, ends.low), with_odds_times(odds, ends.high)};
}

/// (b): whatever the labels were that were not seen.
Range by_all(const LabelsSeen& seen, double delta) {
  return proportion_at_all_times(seen.ones, {seen.ones + seen.zeros, seen.unlabelled + seen.missing, 0}, delta / 4);
}

/// (c): the right end, of labels `ones` among all decisions.
double end_by_shares(std::int64_t ones, std::int64_t zeros, const LabelsSeen& seen, double odds, double delta) {
  const Draws decisions{seen.ones + seen.zeros + seen.unlabelled, seen.missing, 0};
  if (decisions.seen == 0) return 1;
  const double radius = one_sided_mean_radius(decisions, delta / 16);
  const double all = static_cast<double>(decisions.seen) + static_cast<double>(seen.missing);
  const double most = (static_cast<double>(ones) + static_cast<double>(seen.missing)) / all + radius;
  const double least = std::max(0.0, static_cast<double>(zeros) / all - radius);
  return std::min(1.0, most * (odds - (odds - 1) * least) / (least + odds * most));
}

}  // namespace

Range range_of_label(const LabelsSeen& seen, const RefusedRule& refused, double delta) {
  Range range = by_all(seen, delta);
  if (refused.are != Refused::anything) {
    range = both(range, by_those_seen(seen, refused.odds, delta));
    range = both(range, {1 - end_by_shares(seen.zeros, seen.ones, seen, refused.odds, delta),
                         end_by_shares(seen.ones, seen.zeros, seen, refused.odds, delta)});
  }
  // All three hold the share of those seen, so that something is left.
  const double outwards = kSlightly * (range.high - range.low) + kByRounding;
  return {std::max(0.0, range.low - outwards), std::min(1.0, range.high + outwards)};
}

Tensor<Range, 2> ranges_of_labels(const FeatureCounts& counts, const RefusedRule& refused, double delta) {
  const auto [groups, features] = counts.first.extents();
  Tensor<Range, 2> shares({groups, features});
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t x = 0; x < features; ++x) {
      LabelsSeen seen;
      for (std::size_t a = 0; a < kActions; ++a) {
        seen.ones += counts.labels(g, x, a, 1);
        seen.zeros += counts.labels(g, x, a, 0);
        seen.unlabelled += counts.unlabelled(g, x, a);
        seen.missing += counts.lost->cells(g, x, a);
      }
      shares(g, x) = range_of_label(seen, refused, delta);
    }
  return shares;
}

}  // namespace fairstep
