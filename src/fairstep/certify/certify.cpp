#include <fairstep/certify/certify.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <fairstep/certify/features.hpp>
#include <fairstep/certify/followed.hpp>
#include <fairstep/certify/gaps.hpp>
#include <fairstep/certify/ratios.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/certify/terms.hpp>
#include <fairstep/certify/two_parts.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/proportion.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {
namespace {

/// What shares of a smaller delta are has no digits left, or is 0.
constexpr double kLeastDelta = 1e-200;

Expected<void> check_options(const CertifyOptions& options) {
  if (!(options.delta > 0 && options.delta < 1))
    return fail_option("delta", fmt::format(" is {}, expected more than 0 and less than 1", options.delta));
  if (options.delta < kLeastDelta)
    return fail_option("delta", fmt::format(" is {}, expected at least {}", options.delta, kLeastDelta));
  if (options.notions.empty())
    return about("fairness", fail("no notion of fairness is asked for, expected at least one"));
  for (const RatioNotion ratio : options.ratios)
    if (!wants(options, notion_of(ratio)))
      return about("fairness", fail(fmt::format("{} is asked for without {}, whose bounds it follows from",
                                                name_of(ratio), name_of(notion_of(ratio)))));
  if (options.reference && options.ratios.empty())
    return fail_option("reference", " is given, but no ratio that it would be for");
  if (options.aggregate_dp && !wants(options, Notion::dp))
    return fail_option("aggregate_dp", " is asked for without dp, whose bounds it follows from");
  const auto* counted = std::get_if<CountedRewards>(&options.value);
  if (counted == nullptr) return {};
  if (!(std::abs(counted->range.low) <= kLargestReward && std::abs(counted->range.high) <= kLargestReward &&
        counted->range.low <= counted->range.high))
    return fail_option("reward_range", fmt::format(" is {} to {}, expected the least and the greatest reward",
                                                   counted->range.low, counted->range.high));
  return {};
}

/// Gaps between pairs of groups, over all notions and steps: the certificate has each of them, and so have the
/// checkers.
constexpr std::size_t kMostPairBounds = std::size_t{1} << 18;

Expected<void> check_size(std::size_t notions, const Shape& n) {
  const double pairs = 0.5 * static_cast<double>(n.groups) * static_cast<double>(n.groups - 1);
  const double gaps = pairs * static_cast<double>(notions) * static_cast<double>(n.horizon);
  if (gaps <= static_cast<double>(kMostPairBounds)) return {};
  return fail(
      fmt::format("a certificate for {} groups, {} steps and {} notions bounds {:.3g} gaps, expected at most {}",
                  n.groups, n.horizon, notions, gaps, kMostPairBounds),
      "/visits", "count fewer groups or steps, or certify one notion of fairness: " + option("fairness", "dp"));
}

/// Mean rewards as low as they can be, given what was counted: lost decisions may have earned the least, and a cell
/// that nobody was seen in may earn it, too.
Tensor<double, 4> least_rewards(const Estimate& estimate, const Lost& lost, const CountedRewards& known,
                                double delta_reward) {
  Tensor<double, 4> least = estimate.model.spec().reward;
  for (std::size_t i = 0; i < least.size(); ++i) {
    const Draws draws{estimate.visits.flat()[i], lost.cells.flat()[i], 0};
    const auto seen = static_cast<double>(draws.seen);
    const auto missing = static_cast<double>(draws.missing);
    const double mean =
        draws.missing == 0 ? least.flat()[i] : (seen * least.flat()[i] + missing * known.range.low) / (seen + missing);
    const double radius = (known.range.high - known.range.low) * one_sided_mean_radius(draws, delta_reward);
    const double size = std::max(std::abs(mean), draws.missing == 0 ? 0 : std::abs(known.range.low));
    const double low = mean - radius * (1 + kOutwards) - kOutwards * size;
    least.flat()[i] = draws.seen == 0 ? known.range.low : std::max(known.range.low, low);
  }
  return least;
}

/// The shares that the value is said to be for; none if nobody was counted.
std::vector<double> shares_counted(const Counts& counts) {
  std::vector<double> shares;
  double all = 0;
  for (std::size_t g = 0; g < counts.shape().groups; ++g) {
    shares.push_back(static_cast<double>(counts.people(g)));
    all += shares.back();
  }
  if (all == 0) return {};
  for (double& share : shares) share /= all;
  return shares;
}

/// The estimated model, with the rewards, shares and discount that the value is about. Shares are of the people of
/// `population`.
Expected<Estimate> estimate_for(const Counts& counts, const Counts& population, const CertifyOptions& options) {
  EstimateOptions how;
  const auto* known = std::get_if<KnownRewards>(&options.value);
  if (known != nullptr) {
    how.share = known->share;
    how.discount = known->discount;
  }
  if (const auto* counted = std::get_if<CountedRewards>(&options.value)) {
    how.discount = counted->discount;
    how.share = shares_counted(population);
  }
  // Without a value shares do not matter, and nobody may have been seen yet.
  if (std::holds_alternative<std::monostate>(options.value))
    how.share.assign(counts.shape().groups, 1 / static_cast<double>(counts.shape().groups));
  auto found = estimate(counts, how);
  if (!found || known == nullptr) return found;
  ModelSpec spec = found->model.spec();
  spec.reward = known->reward;
  auto model = Model::make(std::move(spec));
  if (!model) return tl::unexpected(model.error());
  found->model = std::move(*model);
  return found;
}

/// The least value over the sets.
Expected<double> least_value(const Estimate& estimate, const Lost& lost, const Policy& policy, const Balls& sets,
                             const CertifyOptions& options, const DeltaSplit& split, const std::stop_token& stop) {
  ModelSpec spec = estimate.model.spec();
  if (const auto* counted = std::get_if<CountedRewards>(&options.value))
    spec.reward = least_rewards(estimate, lost, *counted, split.reward);
  const auto model = Model::make(std::move(spec));
  if (!model) return tl::unexpected(model.error());
  const auto values = robust_values(*model, policy, sets, {stop, {}});
  if (!values) return tl::unexpected(values.error());
  double sum = 0;
  double size = 0;
  for (std::size_t g = 0; g < values->size(); ++g) {
    sum += model->share(g) * (*values)[g];
    size += std::abs(model->share(g) * (*values)[g]);
  }
  return sum - kOutwards * size;
}

void set_gaps(Certificate& found, const Evaluation& estimated, const Shape& n) {
  set_pairs(found, n);
  for (const Notion notion : found.asked.notions) {
    std::vector<double>& under_estimate = steps_of(found.estimated_gap, notion);
    for (const StepGap& gap : of_notion(estimated.gap, notion)) under_estimate.push_back(gap.gap);
  }
}

/// What does not depend on rows that were left out.
struct Asked {
  const Counts& counts;
  const Counts* design;
  const Policy& policy;
  const CertifyOptions& options;
  const Estimate& estimate;
  const Evaluation& estimated;
};

/// How far apart two groups can be by both parts; 1 if they say nothing.
double apart(Certificate& found, TwoParts& parts, const PairBounds& pair, Notion notion, std::size_t h) {
  const RateBounds* qualified = found.qualified ? &*found.qualified : nullptr;
  const auto of = [&](FollowedRate rate, const std::optional<RateBounds>& bounds) {
    return parts.apart(pair.first, pair.second, h, rate, *bounds, qualified).value_or(1);
  };
  if (notion == Notion::dp) return of(FollowedRate::accept, found.accept);
  const double qualified_apart = of(FollowedRate::tpr, found.tpr);
  return notion == Notion::eqopt ? qualified_apart : std::max(qualified_apart, of(FollowedRate::fpr, found.fpr));
}

/// What rewards the design part has fixed, and the least that the audit part leaves.
Earnings earnings_of(const Asked& asked, const Lost& lost, const DeltaSplit& split) {
  const ModelSpec& spec = asked.estimate.model.spec();
  Earnings earnings{spec.share, spec.discount, spec.reward, std::nullopt};
  const auto* counted = std::get_if<CountedRewards>(&asked.options.value);
  if (counted == nullptr) return earnings;
  const Shape n = asked.counts.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const auto [x, y, a] = std::tuple(cell / (kLabels * kActions), cell / kActions % kLabels, cell % kActions);
      const std::int64_t visits = asked.design->visits_of(g, x, y, a);
      earnings.reward(g, x, y, a) =
          visits == 0 ? counted->range.low
                      : std::clamp(asked.design->reward_sum()(g, x, y, a) / static_cast<double>(visits),
                                   counted->range.low, counted->range.high);
    }
  earnings.least = least_rewards(asked.estimate, lost, *counted, split.reward);
  return earnings;
}

/// Takes the narrower bounds, and says which they are.
void narrow_by_parts(Certificate& found, TwoParts& parts, const Asked& asked, const Lost& lost) {
  const Shape n = asked.counts.shape();
  const GapBounds worst_case = found.gap;
  for (PairBounds& pair : found.pairs)
    for (const Notion notion : asked.options.notions)
      for (std::size_t h = 0; h < n.horizon; ++h) {
        double& gap = steps_of(pair.gap, notion)[h];
        gap = std::min(gap, apart(found, parts, pair, notion, h));
      }
  set_worst_gaps(found, n);
  BoundsBy& by = found.bound_by.emplace();
  const auto narrower = [](bool split) { return split ? BoundBy::split : BoundBy::worst_case; };
  for (const Notion notion : asked.options.notions)
    for (std::size_t h = 0; h < n.horizon; ++h)
      steps_of(by, notion).push_back(narrower(of_notion(found.gap, notion)[h] < of_notion(worst_case, notion)[h]));
  if (!found.value) return;
  const double value = parts.value(earnings_of(asked, lost, found.split));
  by.value = narrower(value > *found.value);
  found.value = std::max(*found.value, value);
}

/// All bounds, if no more than these rows were lost. A model that the data refute, or what people did who are said to
/// have followed the policy and could not have, is an error only where it is asked for.
Expected<Certificate> certify_with(const Asked& asked, const Lost& lost, const Watch& watch, bool contradictions) {
  const auto& [counts, design, policy, options, estimate, estimated] = asked;
  Certificate found;
  found.asked = options;
  found.split = split_delta(options, counts.shape(), design != nullptr);
  const Balls sets = confidence_sets(counts, estimate, lost, found.split, watch.stop);
  if (contradictions)
    if (auto ok = check_kernel(counts, estimate, sets, options); !ok)
      return tl::unexpected(in_input("model", ok.error()));
  auto rates = robust_rates(estimate.model, policy, sets, watch);
  if (!rates) return tl::unexpected(rates.error());

  Tensor<std::int64_t, 2> away;
  if (options.followed) away = astray(counts, lost);
  Expected<void> kept;
  const auto add = [&](std::optional<RateBounds>& to, Tensor<Range, 2>& range, const Tensor<double, 2>& under_estimate,
                       FollowedRate rate) {
    to = RateBounds{std::move(range), under_estimate};
    if (!options.followed || !kept) return;
    const auto ok = narrow_by_those_who_followed(*to, counts, away, rate, found.split.tail);
    if (contradictions) kept = ok;
  };
  const Rates& of_estimate = estimated.rates;
  if (wants(options, Notion::dp)) add(found.accept, rates->accept, of_estimate.accept, FollowedRate::accept);
  if (wants(options, Notion::eqopt) || wants(options, Notion::eqodds)) {
    add(found.tpr, rates->tpr, of_estimate.tpr, FollowedRate::tpr);
    auto qualified = robust_qualified(estimate.model, policy, sets, {watch.stop, {}});
    if (!qualified) return tl::unexpected(qualified.error());
    found.qualified = RateBounds{std::move(*qualified), of_estimate.qualified};
  }
  if (wants(options, Notion::eqodds)) add(found.fpr, rates->fpr, of_estimate.fpr, FollowedRate::fpr);
  if (!kept) return tl::unexpected(kept.error());
  set_gaps(found, estimated, counts.shape());
  if (!std::holds_alternative<std::monostate>(options.value)) {
    const auto value = least_value(estimate, lost, policy, sets, options, found.split, watch.stop);
    if (!value) return tl::unexpected(value.error());
    found.value = *value;
    found.estimated_value = estimated.value;
  }
  if (design == nullptr) return found;
  TwoParts parts(*design, counts, lost, policy, estimate, sets, found.split, watch.stop);
  narrow_by_parts(found, parts, asked, lost);
  if (watch.stop.stop_requested()) return fail("stopped before the end");
  return found;
}

IfNothingLost in_short(Certificate certificate) {
  const auto range = [](std::optional<RateBounds>& rate) {
    return rate ? std::optional(std::move(rate->range)) : std::nullopt;
  };
  return {std::move(certificate.gap), range(certificate.accept), range(certificate.tpr), range(certificate.fpr),
          certificate.value};
}

/// Where states are features with their labels.
Expected<Certificate> certify_states(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                                     const Watch& watch, const Counts* design) {
  const auto in_counts = [](const Error& error) { return tl::unexpected(in_input("counts", error)); };
  if (design != nullptr) {
    if (auto ok = check_parts(*design, counts); !ok) return tl::unexpected(ok.error());
    if (std::holds_alternative<CountedRewards>(options.value) && shares_counted(*design).empty())
      return tl::unexpected(in_input(
          "design",
          fail("nobody was counted in the design part, whose shares of groups the value is about", "/first").value()));
  }
  const auto estimate = estimate_for(counts, design == nullptr ? counts : *design, options);
  if (!estimate) return in_counts(estimate.error());
  const auto estimated = evaluate(estimate->model, policy);
  if (!estimated) return tl::unexpected(in_input("policy", estimated.error()));
  if (!estimate->lost) return in_counts(estimate->lost.error());
  const Lost& lost = *estimate->lost;
  if (auto ok = check_terms(counts, *estimate, lost, options); !ok) return tl::unexpected(ok.error());
  if (options.followed)
    if (auto ok = check_people(counts, lost); !ok) return in_counts(ok.error());

  const Asked asked{counts, design, policy, options, *estimate, *estimated};
  auto found = certify_with(asked, lost, watch, true);
  if (!found || lost.nothing()) return found;
  auto without = certify_with(asked, Lost::none(counts.shape()), {watch.stop, {}}, false);
  if (!without) return without;
  found->if_nothing_lost = in_short(std::move(*without));
  return found;
}

}  // namespace

Expected<Certificate> certify(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                              const Watch& watch, const Counts* design) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_size(options.notions.size(), counts.shape()); !ok)
    return tl::unexpected(in_input("counts", ok.error()));
  if (options.reference && *options.reference >= counts.shape().groups)
    return fail_option("reference",
                       fmt::format(" is group {}, but the counts have {}", *options.reference, counts.shape().groups));
  auto found = options.labels ? certify_features(counts, policy, options, watch, design)
                              : certify_states(counts, policy, options, watch, design);
  if (found) set_what_follows(*found);
  return found;
}

}  // namespace fairstep
