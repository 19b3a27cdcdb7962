#include <fairstep/audit/label_rates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fairstep/audit/binomial_interval.hpp>
#include <fairstep/core/axes.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/label_shares.hpp>
#include <fairstep/estimate/proportion.hpp>

namespace fairstep {
namespace {

/// Sums of logarithms are rounded; that much more of delta is more than they can be off.
constexpr double kLogRounding = 1e-6;

/// The density of Beta(accepted + 1, refused + 1), of which Robbins' interval (estimate/proportion.hpp) is where it is
/// above delta, for numbers that need not be whole.
class Density {
 public:
  Density(double accepted, double refused)
      : accepted_(accepted),
        refused_(refused),
        log_of_beta_(std::lgamma(accepted + 1) + std::lgamma(refused + 1) - std::lgamma(accepted + refused + 2)) {}

  [[nodiscard]] double log_at(double p) const { return part(accepted_, p) + part(refused_, 1 - p) - log_of_beta_; }

  /// The upper end of the interval, or `known` if that is no less: the end of another one.
  [[nodiscard]] double upper_end(double log_delta, double known) const {
    if (!(refused_ > 0)) return 1;
    double inside = std::max(known, accepted_ / (accepted_ + refused_));
    if (known >= 1 || (inside == known && log_at(known) <= log_delta)) return known;
    double outside = 1;
    while (outside - inside > 1e-10) {
      const double middle = (inside + outside) / 2;
      (log_at(middle) > log_delta ? inside : outside) = middle;
    }
    return outside;
  }

 private:
  static double part(double times, double chance) { return times > 0 ? times * std::log(chance) : 0.0; }

  double accepted_, refused_, log_of_beta_;
};

/// Of each weight the way from its least to its most goes in so many pieces, of which each is taken for all of its
/// points at once: with the accepted of its end and the refused of its beginning.
constexpr int kPieces = 32;

/// Decisions at one feature by what was seen of them: [seen][a].
using ByFeature = std::array<std::array<double, kActions>, 2>;

ByFeature decisions_of(const Counts& counts, std::size_t g, std::size_t h, std::size_t x) {
  ByFeature decisions{};
  for (std::size_t a = 0; a < kActions; ++a) {
    for (std::size_t y = 0; y < kLabels; ++y) decisions[1][a] += static_cast<double>(counts.visits()(g, h, x, y, a));
    if (counts.log() && !counts.log()->unlabelled.empty())
      decisions[0][a] += static_cast<double>(counts.log()->unlabelled(g, h, x, a));
  }
  return decisions;
}

}  // namespace

double highest_share(std::vector<Weighed> decisions, double accepted, double refused, double delta) {
  // As many accepted for as few refused as can be had: first those of whom most were accepted.
  std::sort(decisions.begin(), decisions.end(),
            [](const Weighed& a, const Weighed& b) { return a.accepted * b.refused > b.accepted * a.refused; });
  for (const Weighed& each : decisions) {
    accepted += each.least * each.accepted;
    refused += each.least * each.refused;
  }
  const double log_delta = std::log(delta) - kLogRounding;
  double highest = Density(accepted, refused).upper_end(log_delta, 0);
  for (const Weighed& each : decisions) {
    const double piece = (each.most - each.least) / kPieces;
    for (int i = 0; i < kPieces; ++i) {
      accepted += piece * each.accepted;
      highest = Density(accepted, refused).upper_end(log_delta, highest);
      refused += piece * each.refused;
    }
  }
  return highest;
}

double lowest_share(std::vector<Weighed> decisions, double accepted, double refused, double delta) {
  for (Weighed& each : decisions) std::swap(each.accepted, each.refused);
  return 1 - highest_share(std::move(decisions), refused, accepted, delta);
}

LabelRates::LabelRates(const Counts& counts, const FeatureCounts& features, RefusedRule rule, const Deltas& deltas)
    : counts_(counts), features_(features), rule_(rule), deltas_(deltas) {
  const Shape n = counts.shape();
  seen_ = Tensor<double, 2>(extents_of(kFeatureAxes, n));
  seen_range_ = Tensor<Range, 2>(extents_of(kFeatureAxes, n));
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x) {
      const LabelTally tally = label_tally(features, g, x);
      seen_(g, x) = label_share(tally, {}, RefusedPoint::like_accepted);
      seen_range_(g, x) = label_share_at_all_times(tally, {}, deltas.label);
    }
}

Observed LabelRates::observe(Rate rate, std::size_t g, std::size_t h) const {
  const std::size_t y = rate == Rate::tpr ? 1 : 0;
  Observed observed;
  double accepted = 0, all = 0;
  for (std::size_t x = 0; x < counts_.names().features.size(); ++x) {
    const ByFeature decisions = decisions_of(counts_, g, h, x);
    const double weight = y == 1 ? seen_(g, x) : 1 - seen_(g, x);
    for (std::size_t a = 0; a < kActions; ++a) {
      const double here = weight * (decisions[0][a] + decisions[1][a]);
      all += here;
      if (a == 1) accepted += here;
      observed.decisions += counts_.visits()(g, h, x, y, a);
    }
    observed.accepted += counts_.visits()(g, h, x, y, 1);
  }
  observed.rate = all > 0 ? accepted / all : std::numeric_limits<double>::quiet_NaN();
  if (!features_.lost) return observed;
  // What needs no assumption holds under each: so the bands of rules that assume more lie in those that assume less.
  observed.band = band_of_anything(rate, g, h);
  if (rule_.are == Refused::anything) return observed;
  const Range by_features = band(rate, g, h);
  const Range both{std::max(by_features.low, observed.band.low), std::min(by_features.high, observed.band.high)};
  if (both.low <= both.high) observed.band = both;  // otherwise the rule is false, or chance was against us
  return observed;
}

/// Whoever was not seen counts as c times one who was: v = c s, or 1-v = c (1-s).
Range LabelRates::band(Rate rate, std::size_t g, std::size_t h) const {
  std::vector<Weighed> for_high, for_low;
  for (std::size_t x = 0; x < counts_.names().features.size(); ++x) {
    Range s = seen_range_(g, x);
    if (rate == Rate::fpr) s = {1 - s.high, 1 - s.low};
    const double odds = rule_.are == Refused::odds ? rule_.odds : 1;
    const double least = 1 / (odds + (1 - odds) * s.low);  // (1/Γ)/(1-s + s/Γ), which rises with s
    const double most = odds / (1 + (odds - 1) * s.low);   // Γ/(1-s + Γs), which falls
    const ByFeature n = decisions_of(counts_, g, h, x);
    for_high.push_back({n[1][1] + most * n[0][1], n[1][0] + least * n[0][0], s.low, s.high});
    for_low.push_back({n[1][1] + least * n[0][1], n[1][0] + most * n[0][0], s.low, s.high});
  }
  const auto lost = static_cast<double>(features_.lost->decisions(g, h));
  return {lowest_share(std::move(for_low), 0, lost, deltas_.rate / 2),
          highest_share(std::move(for_high), lost, 0, deltas_.rate / 2)};
}

/// By the labels seen at this step alone, every other label as bad as can be: nothing is assumed about labels.
Range LabelRates::band_of_anything(Rate rate, std::size_t g, std::size_t h) const {
  const std::size_t y = rate == Rate::tpr ? 1 : 0;
  std::array<std::int64_t, kActions> seen{}, unseen{};
  for (std::size_t x = 0; x < counts_.names().features.size(); ++x)
    for (std::size_t a = 0; a < kActions; ++a) {
      seen[a] += counts_.visits()(g, h, x, y, a);
      if (counts_.log() && !counts_.log()->unlabelled.empty()) unseen[a] += counts_.log()->unlabelled(g, h, x, a);
    }
  const std::int64_t lost = features_.lost->decisions(g, h);
  const std::int64_t all = seen[0] + seen[1];
  return {binomial_interval(seen[1], all + unseen[0] + lost, deltas_.rate / 2).low,
          binomial_interval(seen[1] + unseen[1] + lost, all + unseen[1] + lost, deltas_.rate / 2).high};
}

}  // namespace fairstep
