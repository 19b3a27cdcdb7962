// What a policy would have done: by the estimated model, and by every model that the data allow.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/core/axes.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/label_shares.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep::internal {
namespace {

/// Balls around a model in which labels follow features, whose rows are products P(x1 | x,a) q(y1 | x1): the total
/// variation of two products is at most that of the first factors, and the greatest difference of the second. Rates of
/// all people need no labels, and have the smaller balls.
struct FeatureBalls {
  Balls accept{}, labelled{};
};

FeatureBalls feature_balls(const Estimate& estimate, const FeatureCounts& features, const AuditOptions& options) {
  const Shape n = estimate.model.shape();
  const double each = options.delta / 2 / static_cast<double>(n.groups);
  const double delta_row = each / static_cast<double>(n.features * kActions + 1);
  const double delta_label = each / static_cast<double>(n.features);
  const RefusedRule& rule = options.labels->refused;
  const auto radius = [&](std::int64_t seen, std::int64_t missing, std::int64_t in_doubt) {
    return n.features < 2 ? 0 : tv_radius(Draws{seen, missing, in_doubt}, n.features, delta_row);
  };
  FeatureBalls balls;
  balls.accept.row = Tensor<double, 4>(extents_of(kCellAxes, n));
  balls.accept.initial.resize(n.groups);
  balls.labelled = balls.accept;
  for (std::size_t g = 0; g < n.groups; ++g) {
    double off = 0;  // of a share of the qualified, at most
    for (std::size_t x = 0; x < n.features; ++x) {
      const LabelTally tally = label_tally(features, g, x);
      const double q = label_share(tally, rule, RefusedPoint::like_accepted);
      const Range range = label_share_at_all_times(tally, rule, delta_label);
      off = std::max({off, q - range.low, range.high - q});
    }
    balls.accept.initial[g] = radius(features.people(g), features.lost->first(g), features.lost->first_in_doubt(g));
    balls.labelled.initial[g] = std::min(1.0, balls.accept.initial[g] + off);
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          balls.accept.row(g, x, y, a) =
              radius(features.successors_of(g, x, a), features.lost->transitions(g, x, a), 0);
          balls.labelled.row(g, x, y, a) = std::min(1.0, balls.accept.row(g, x, y, a) + off);
        }
  }
  return balls;
}

Expected<FeatureBalls> balls_of(const Counts& counts, const Estimate& estimate, const AuditOptions& options) {
  if (options.labels) {
    const auto features = features_for_claims(counts);
    if (!features) return tl::unexpected(features.error());
    return feature_balls(estimate, *features, options);
  }
  const auto radii = fairstep::radii(estimate, options.delta);
  if (!radii) return tl::unexpected(radii.error());
  FeatureBalls balls;
  balls.accept.row = radii->row;
  balls.accept.initial = radii->initial;
  balls.labelled = balls.accept;
  return balls;
}

/// At most so far apart are two groups over the whole episode, if their rates at each step are in these ranges.
double widest_over_the_episode(const Tensor<Range, 2>& accept) {
  const auto [groups, horizon] = accept.extents();
  std::vector<Range> means;
  for (std::size_t g = 0; g < groups; ++g)
    means.push_back(mean_band(horizon, [&, g](std::size_t h) { return accept(g, h); }));
  double widest = 0;
  for (const Range& above : means)
    for (const Range& below : means)
      if (&above != &below) widest = std::max(widest, above.high - below.low);
  return widest;
}

}  // namespace

Expected<PolicyAudit> audit_policy(const Counts& counts, const AuditOptions& options, const Policy& policy) {
  EstimateOptions estimating;
  estimating.labels = options.labels;
  estimating.point = RefusedPoint::like_accepted;
  const auto estimated = estimate(counts, estimating);
  if (!estimated) return fail(estimated.error().message, estimated.error().pointer, "count people first");
  const auto evaluated = evaluate(estimated->model, policy);
  if (!evaluated) return tl::unexpected(in_input("policy", evaluated.error()));
  const auto balls = balls_of(counts, *estimated, options);
  if (!balls) return tl::unexpected(balls.error());
  const auto robust = robust_rates(estimated->model, policy, balls->accept, {options.stop, {}});
  if (!robust) return tl::unexpected(robust.error());
  const auto labelled =
      options.labels ? robust_rates(estimated->model, policy, balls->labelled, {options.stop, {}}) : robust;
  if (!labelled) return tl::unexpected(labelled.error());
  PolicyAudit result;
  result.value = evaluated->value;
  result.accept = evaluated->rates.accept;
  result.accept_band = robust->accept;
  result.unvisited = estimated->unvisited;
  result.rows = estimated->successors.all().size();
  for (const Notion notion : options.notions)
    for (std::size_t h = 0; h < counts.horizon(); ++h)
      result.gaps.push_back({notion, h, of_notion(evaluated->gap, notion)[h].gap,
                             std::min(1.0, of_notion(notion == Notion::dp ? *robust : *labelled, notion)[h])});
  if (std::find(options.notions.begin(), options.notions.end(), Notion::dp) != options.notions.end())
    result.episode = {Notion::dp, counts.horizon(), evaluated->aggregate_dp_gap.gap,
                      widest_over_the_episode(robust->accept)};
  return result;
}

}  // namespace fairstep::internal
