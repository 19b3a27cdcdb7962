#include <fairstep/estimate/label_shares.hpp>

#include <algorithm>

#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/proportion.hpp>

namespace fairstep {
namespace {

double mix(double weight, double one, double other) { return weight * one + (1 - weight) * other; }

double share_or_half(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.5 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

LabelTally label_tally(const FeatureCounts& features, std::size_t g, std::size_t x) {
  LabelTally tally;
  for (std::size_t a = 0; a < kActions; ++a) {
    tally.qualified += features.labels(g, x, a, 1);
    tally.unqualified += features.labels(g, x, a, 0);
    tally.unseen += features.unlabelled(g, x, a);
    if (features.lost) tally.lost += features.lost->cells(g, x, a);
  }
  return tally;
}

double label_share(const LabelTally& tally, const RefusedRule& rule, RefusedPoint point) {
  const double seen = share_or_half(tally.qualified, tally.seen());
  const std::int64_t all = tally.seen() + tally.unseen;
  if (all == 0) return seen;
  return mix(static_cast<double>(tally.seen()) / static_cast<double>(all), seen, refused_share(rule, point, seen));
}

Range label_share_at_all_times(const LabelTally& tally, const RefusedRule& rule, double delta) {
  switch (rule.are) {
    case Refused::like_accepted:
      return proportion_at_all_times(tally.qualified, Draws{tally.seen(), tally.lost, 0}, delta);
    case Refused::anything:
      return proportion_at_all_times(tally.qualified, Draws{tally.seen(), tally.unseen + tally.lost, 0}, delta);
    case Refused::odds:
      break;
  }
  const Range s = proportion_at_all_times(tally.qualified, Draws{tally.seen(), tally.lost, 0}, delta / 2);
  // v below s: the fewer labels are seen, the lower is q; and the other way round.
  const double least_seen =
      proportion_at_all_times(tally.seen(), Draws{tally.seen() + tally.unseen, tally.lost, 0}, delta / 2).low;
  return {mix(least_seen, s.low, refused_share(rule, RefusedPoint::low, s.low)),
          mix(least_seen, s.high, refused_share(rule, RefusedPoint::high, s.high))};
}

}  // namespace fairstep
