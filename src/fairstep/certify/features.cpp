#include <fairstep/certify/features.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <fairstep/certify/gaps.hpp>
#include <fairstep/certify/label_ranges.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {
namespace {

/// A break-even is found if no more than this of the limit is left.
constexpr double kNearLimit = 1e-6;

std::int64_t total(std::span<const std::int64_t> row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0});
}

/// Proportions, or all alike.
void set_proportions(std::span<const std::int64_t> seen, std::span<double> shares) {
  const auto all = static_cast<double>(total(seen));
  for (std::size_t i = 0; i < seen.size(); ++i)
    shares[i] = all == 0 ? 1 / static_cast<double>(seen.size()) : static_cast<double>(seen[i]) / all;
}

Expected<void> check_goes_together(const CertifyOptions& options, bool design) {
  const auto not_with = [](std::string_view other, const char* hint) {
    return fail_option("labels",
                       fmt::format(" is {} together with {}, expected one of them", name_of(LabelsAre::follow_features),
                                   option(other)),
                       {}, hint);
  };
  if (options.followed) return not_with("followed", "what followers prove is about states with their labels");
  if (design) return not_with("design", "certify all people together where labels follow features");
  if (!std::holds_alternative<std::monostate>(options.value))
    return fail_option(
        "labels", fmt::format(" is {} together with rewards, expected none", name_of(LabelsAre::follow_features)), {},
        "rewards depend on labels: nothing is certified about the value where these follow features");
  return check(options.labels->refused);
}

/// Within what people and labels may be, and what follows under one rule for those not seen.
struct Known {
  const FeatureSets& sets;
  const FeatureCounts& counts;
  const Policy& policy;
  const CertifyOptions& options;
  const DeltaSplit& split;
  const Shape shape;
  std::stop_token stop;
};

Expected<LabelRateRanges> rates_under(const Known& known, const RefusedRule& refused, const Watch& watch) {
  return robust_label_rates(known.sets, ranges_of_labels(known.counts, refused, known.split.label), known.policy,
                            watch);
}

/// Gaps by rates given a label.
GapBounds label_gaps(const LabelRateRanges& rates, const CertifyOptions& options, const Shape& n) {
  GapBounds gaps;
  for (const Notion notion : options.notions) {
    if (notion == Notion::dp) continue;
    std::vector<double>& worst = steps_of(gaps, notion);
    worst.assign(n.horizon, 0.0);
    for (std::size_t i = 0; i < n.groups; ++i)
      for (std::size_t j = i + 1; j < n.groups; ++j)
        for (std::size_t h = 0; h < n.horizon; ++h) {
          worst[h] = std::max(worst[h], widest(rates.tpr, i, j, h));
          if (notion == Notion::eqodds) worst[h] = std::max(worst[h], widest(rates.fpr, i, j, h));
        }
  }
  return gaps;
}

RefusedBounds bounds_under(const Known& known, const RefusedRule& refused, LabelRateRanges rates) {
  RefusedBounds bounds{refused, label_gaps(rates, known.options, known.shape), std::move(rates.tpr), {}};
  if (wants(known.options, Notion::eqodds)) bounds.fpr = std::move(rates.fpr);
  return bounds;
}

Expected<RefusedBounds> bounds_if(const Known& known, const RefusedRule& refused) {
  auto rates = rates_under(known, refused, {known.stop, {}});
  if (!rates) return tl::unexpected(rates.error());
  return bounds_under(known, refused, std::move(*rates));
}

/// The largest odds under which all gaps are at most the limit, by halving their logarithm. It is between 1 and what
/// `most` is, under which they are not.
Expected<RefusedBounds> break_even(const Known& known, double limit, RefusedBounds least) {
  double low = 0;
  double high = std::log(RefusedRule::kMostOdds);
  auto widest_odds = bounds_if(known, {Refused::odds, RefusedRule::kMostOdds});
  if (!widest_odds || worst_gap(widest_odds->gap) <= limit) return widest_odds;
  least.refused = {Refused::odds, 1};
  while (worst_gap(least.gap) < limit - kNearLimit) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;
    auto there = bounds_if(known, {Refused::odds, std::exp(middle)});
    if (!there) return there;
    if (worst_gap(there->gap) <= limit) {
      low = middle;
      least = std::move(*there);
    } else {
      high = middle;
    }
  }
  return least;
}

Expected<void> add_other_rules(Certificate& found, const Known& known) {
  LabelBounds& labels = *found.labels;
  auto like_accepted = bounds_if(known, {Refused::like_accepted, 1});
  if (!like_accepted) return tl::unexpected(like_accepted.error());
  auto anything = bounds_if(known, {Refused::anything, 1});
  if (!anything) return tl::unexpected(anything.error());
  labels.if_refused = {*like_accepted, *anything};
  if (!known.options.limit) return {};
  const double limit = *known.options.limit;
  BreakEven& even = labels.break_even.emplace(BreakEven{limit, std::nullopt});
  const double parity = found.gap.dp.empty() ? 0 : *std::max_element(found.gap.dp.begin(), found.gap.dp.end());
  if (parity > limit || worst_gap(like_accepted->gap) > limit) return {};
  if (worst_gap(anything->gap) <= limit) {
    even.refused = anything->refused;
    return {};
  }
  auto between = break_even(known, limit, std::move(*like_accepted));
  if (!between) return tl::unexpected(between.error());
  even.refused = between->refused;
  labels.if_refused.insert(labels.if_refused.begin() + 1, std::move(*between));
  return {};
}

Expected<Certificate> certify_chain(const FeatureCounts& counts, const Policy& policy, const CertifyOptions& options,
                                    const Evaluation& estimated, const Shape& n, const Watch& watch, bool all_rules) {
  Certificate found;
  found.asked = options;
  found.split = split_delta(options, n);
  const FeatureSets sets = feature_sets(counts, found.split);
  const Known known{sets, counts, policy, options, found.split, n, watch.stop};
  if (wants(options, Notion::dp)) {
    auto accept = robust_acceptance(sets, policy, {watch.stop, {}});
    if (!accept) return tl::unexpected(accept.error());
    found.accept = RateBounds{std::move(*accept), estimated.rates.accept};
  }
  if (wants_labels(options)) {
    found.labels.emplace().qualified = ranges_of_labels(counts, options.labels->refused, found.split.label);
    auto rates = robust_label_rates(sets, found.labels->qualified, policy, watch);
    if (!rates) return tl::unexpected(rates.error());
    found.tpr = RateBounds{std::move(rates->tpr), estimated.rates.tpr};
    if (wants(options, Notion::eqodds)) found.fpr = RateBounds{std::move(rates->fpr), estimated.rates.fpr};
    found.qualified = RateBounds{std::move(rates->qualified), estimated.rates.qualified};
  }
  set_pairs(found, n);
  for (const Notion notion : options.notions)
    for (const StepGap& gap : of_notion(estimated.gap, notion))
      steps_of(found.estimated_gap, notion).push_back(gap.gap);
  if (found.labels && all_rules)
    if (auto ok = add_other_rules(found, known); !ok) return tl::unexpected(ok.error());
  return found;
}

IfNothingLost without_losses(Certificate certificate) {
  const auto range = [](std::optional<RateBounds>& rate) {
    return rate ? std::optional(std::move(rate->range)) : std::nullopt;
  };
  return {std::move(certificate.gap), range(certificate.accept), range(certificate.tpr), range(certificate.fpr), {}};
}

}  // namespace

bool wants_labels(const CertifyOptions& options) {
  return wants(options, Notion::eqopt) || wants(options, Notion::eqodds);
}

FeatureSets feature_sets(const FeatureCounts& counts, const DeltaSplit& split) {
  const auto [groups, features] = counts.first.extents();
  const auto rows = counts.transitions.extents();
  FeatureSets sets;
  for (auto* table : {&sets.initial, &sets.initial_low, &sets.initial_high})
    *table = Tensor<double, 2>({groups, features});
  for (auto* table : {&sets.transition, &sets.low, &sets.high}) *table = Tensor<double, 4>(rows);
  sets.radius = Tensor<double, 3>({groups, features, kActions});
  for (std::size_t g = 0; g < groups; ++g) {
    set_proportions(counts.first.block(g), sets.initial.block(g));
    sets.initial_radius.push_back(set_of_row(counts.first.block(g), sets.initial.block(g),
                                             {0, counts.lost->first(g), counts.lost->first_in_doubt(g)}, split,
                                             sets.initial_low.block(g), sets.initial_high.block(g)));
    for (std::size_t x = 0; x < features; ++x)
      for (std::size_t a = 0; a < kActions; ++a) {
        set_proportions(counts.transitions.block(g, x, a), sets.transition.block(g, x, a));
        sets.radius(g, x, a) = set_of_row(counts.transitions.block(g, x, a), sets.transition.block(g, x, a),
                                          {0, counts.lost->transitions(g, x, a), 0}, split, sets.low.block(g, x, a),
                                          sets.high.block(g, x, a));
      }
  }
  return sets;
}

Expected<Certificate> certify_features(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                                       const Watch& watch, const Counts* design) {
  if (auto ok = check_goes_together(options, design != nullptr); !ok) return tl::unexpected(ok.error());
  auto features = features_for_claims(counts);
  if (!features) return tl::unexpected(in_input("counts", features.error()));
  // What would be if labels that were not seen were like the others. Without a value shares do not matter.
  EstimateOptions how;
  how.labels.emplace();
  how.share.assign(counts.shape().groups, 1 / static_cast<double>(counts.shape().groups));
  const auto estimate = fairstep::estimate(counts, how);
  if (!estimate) return tl::unexpected(in_input("counts", estimate.error()));
  const auto estimated = evaluate(estimate->model, policy);
  if (!estimated) return tl::unexpected(in_input("policy", estimated.error()));
  const Shape n = counts.shape();
  auto found = certify_chain(*features, policy, options, *estimated, n, watch, true);
  if (!found || features->lost->nothing()) return found;
  features->lost = FeatureLost::none(n);
  auto without = certify_chain(*features, policy, options, *estimated, n, {watch.stop, {}}, false);
  if (!without) return without;
  found->if_nothing_lost = without_losses(std::move(*without));
  return found;
}

}  // namespace fairstep
