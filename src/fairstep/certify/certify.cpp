#include <fairstep/certify/certify.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/proportion.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {
namespace {

/// What is added to the safe side of numbers that were rounded to the nearest, and of those that are computed to fewer
/// digits than doubles have: more than what is lost, also when a document's digits are read as decimals.
constexpr double kOutwards = 1e-12;

enum class Rate { accept, tpr, fpr };

Expected<void> check_options(const CertifyOptions& options) {
  if (!(options.delta > 0 && options.delta < 1))
    return fail(fmt::format("delta is {}, expected more than 0 and less than 1", options.delta), "/delta");
  if (options.notions.empty()) return fail("no notion of fairness is asked for, expected at least one", "/fairness");
  const auto* counted = std::get_if<CountedRewards>(&options.value);
  if (counted == nullptr) return {};
  if (!(std::abs(counted->range.low) <= kLargestReward && std::abs(counted->range.high) <= kLargestReward &&
        counted->range.low <= counted->range.high))
    return fail(fmt::format("reward_range is {} to {}, expected the least and the greatest reward", counted->range.low,
                            counted->range.high),
                "/reward_range");
  return {};
}

/// Labels that nobody knows break the proof: what was left out or drawn in their place depends on what was decided.
Expected<void> check_labels_seen(const Counts& counts) {
  if (!counts.log || counts.log->censoring == Censoring::none) return {};
  return fail(fmt::format("labels are censored ({}), expected counts of people whose labels were all seen",
                          name_of(counts.log->censoring)),
              "/log/censored", "nothing can be proven about rates of people of whom only the accepted are known");
}

/// Mean rewards as low as they can be, given what was counted. A cell that nobody was seen in may earn the least.
Tensor<double, 4> least_rewards(const Estimate& estimate, const CountedRewards& known, double delta_reward) {
  Tensor<double, 4> least = estimate.model.spec().reward;
  for (std::size_t i = 0; i < least.size(); ++i) {
    const std::int64_t visits = estimate.visits.flat()[i];
    const double radius = (known.range.high - known.range.low) * one_sided_mean_radius(visits, delta_reward);
    const double low = least.flat()[i] - radius * (1 + kOutwards) - kOutwards * std::abs(least.flat()[i]);
    least.flat()[i] = visits == 0 ? known.range.low : std::max(known.range.low, low);
  }
  return least;
}

/// The estimated model, with the rewards, shares and discount that the value is about.
Expected<Estimate> estimate_for(const Counts& counts, const CertifyOptions& options) {
  EstimateOptions how;
  const auto* known = std::get_if<KnownRewards>(&options.value);
  if (known != nullptr) {
    how.share = known->share;
    how.discount = known->discount;
  }
  if (const auto* counted = std::get_if<CountedRewards>(&options.value)) how.discount = counted->discount;
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
Expected<double> least_value(const Estimate& estimate, const Policy& policy, const Balls& sets,
                             const CertifyOptions& options, const DeltaSplit& split) {
  ModelSpec spec = estimate.model.spec();
  if (const auto* counted = std::get_if<CountedRewards>(&options.value))
    spec.reward = least_rewards(estimate, *counted, split.reward);
  const auto model = Model::make(std::move(spec));
  if (!model) return tl::unexpected(model.error());
  const auto values = robust_values(*model, policy, sets);
  if (!values) return tl::unexpected(values.error());
  double sum = 0;
  double size = 0;
  for (std::size_t g = 0; g < values->size(); ++g) {
    sum += model->share(g) * (*values)[g];
    size += std::abs(model->share(g) * (*values)[g]);
  }
  return sum - kOutwards * size;
}

/// Who was accepted, of how many, at a step.
struct Seen {
  std::int64_t accepted = 0;
  std::int64_t people = 0;
};

Seen seen_at(const Counts& counts, std::size_t g, std::size_t h, Rate rate) {
  Seen seen;
  for (std::size_t x = 0; x < counts.shape().features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y) {
      if ((rate == Rate::tpr && y == 0) || (rate == Rate::fpr && y == 1)) continue;
      seen.accepted += counts.visits(g, h, x, y, 1);
      seen.people += counts.visits(g, h, x, y, 0) + counts.visits(g, h, x, y, 1);
    }
  return seen;
}

/// Nobody of the group joined late or left before the step. Otherwise those who are there are not like those who would
/// be there had all stayed.
bool everybody_is_there(const Counts& counts, std::size_t g, std::size_t h) {
  const std::int64_t people = counts.people(g);
  return seen_at(counts, g, 0, Rate::accept).people == people && seen_at(counts, g, h, Rate::accept).people == people;
}

/// What the policy can do and what was done have nothing in common: then one of them is not what it is said to be. (By
/// chance that happens with less than delta, and a certificate that was not made is not wrong.)
Error contradiction(const Counts& counts, std::size_t g, std::size_t h, const Seen& seen) {
  return {fmt::format("{} of {} people of group {} were accepted at step {}, which this policy does not do",
                      seen.accepted, seen.people, counts.names.groups[g], h),
          {},
          {},
          "the people counted met another policy, it seems: leave out the claim that they followed this one"};
}

Expected<void> narrow_by_those_who_followed(RateBounds& bounds, const Counts& counts, Rate rate, double delta_tail) {
  const auto [groups, steps] = bounds.range.extents();
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t h = 0; h < steps; ++h) {
      if (!everybody_is_there(counts, g, h)) continue;
      const Seen seen = seen_at(counts, g, h, rate);
      const Range ends = proportion_once(seen.accepted, seen.people, delta_tail);
      Range& range = bounds.range(g, h);
      range.low = std::max(range.low, ends.low - kOutwards);
      range.high = std::min(range.high, ends.high + kOutwards);
      if (range.low > range.high) return tl::unexpected(contradiction(counts, g, h, seen));
    }
  return {};
}

/// How far apart two rates can be, rounded up.
double widest(const RateBounds& rate, std::size_t i, std::size_t j, std::size_t h) {
  const Range& one = rate.range(i, h);
  const Range& other = rate.range(j, h);
  const double gap = std::max(one.high - other.low, other.high - one.low);
  return gap > 0 ? std::min(1.0, gap + kOutwards) : 0;
}

PairBounds bounds_of_pair(const Certificate& found, std::size_t i, std::size_t j, std::size_t horizon) {
  PairBounds pair{i, j, {}};
  for (std::size_t h = 0; h < horizon; ++h) {
    if (wants(found.asked, Notion::dp)) pair.gap.dp.push_back(widest(*found.accept, i, j, h));
    if (wants(found.asked, Notion::eqopt)) pair.gap.eqopt.push_back(widest(*found.tpr, i, j, h));
    if (wants(found.asked, Notion::eqodds))
      pair.gap.eqodds.push_back(std::max(widest(*found.tpr, i, j, h), widest(*found.fpr, i, j, h)));
  }
  return pair;
}

std::vector<double>& steps_of(GapBounds& gaps, Notion notion) {
  return notion == Notion::dp ? gaps.dp : notion == Notion::eqopt ? gaps.eqopt : gaps.eqodds;
}

void set_gaps(Certificate& found, const Evaluation& estimated, const Shape& n) {
  for (std::size_t i = 0; i < n.groups; ++i)
    for (std::size_t j = i + 1; j < n.groups; ++j) found.pairs.push_back(bounds_of_pair(found, i, j, n.horizon));
  for (const Notion notion : found.asked.notions) {
    std::vector<double>& worst = steps_of(found.gap, notion);
    worst.assign(n.horizon, 0.0);
    for (const PairBounds& pair : found.pairs)
      for (std::size_t h = 0; h < n.horizon; ++h) worst[h] = std::max(worst[h], of_notion(pair.gap, notion)[h]);
    std::vector<double>& under_estimate = steps_of(found.estimated_gap, notion);
    for (const StepGap& gap : of_notion(estimated.gap, notion)) under_estimate.push_back(gap.gap);
  }
}

}  // namespace

double worst_gap(const GapBounds& gap) {
  double worst = 0;
  for (const auto* steps : {&gap.dp, &gap.eqopt, &gap.eqodds})
    for (const double at_most : *steps) worst = std::max(worst, at_most);
  return worst;
}

Expected<Certificate> certify(const Counts& counts, const Policy& policy, const CertifyOptions& options,
                              const Watch& watch) {
  if (auto ok = check_options(options); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_labels_seen(counts); !ok) return tl::unexpected(ok.error());
  const auto estimate = estimate_for(counts, options);
  if (!estimate) return tl::unexpected(estimate.error());
  const auto estimated = evaluate(estimate->model, policy);
  if (!estimated) return tl::unexpected(estimated.error());
  const Shape n = counts.shape();

  Certificate found;
  found.asked = options;
  found.split = split_delta(options, n);
  const Balls sets = confidence_sets(counts, *estimate, found.split);
  auto rates = robust_rates(estimate->model, policy, sets, watch);
  if (!rates) return tl::unexpected(rates.error());

  const auto add = [&](std::optional<RateBounds>& to, Tensor<Range, 2>& range, const Tensor<double, 2>& under_estimate,
                       Rate rate) -> Expected<void> {
    to = RateBounds{std::move(range), under_estimate};
    if (options.followed) return narrow_by_those_who_followed(*to, counts, rate, found.split.tail);
    return {};
  };
  const Rates& of_estimate = estimated->rates;
  if (wants(options, Notion::dp))
    if (auto ok = add(found.accept, rates->accept, of_estimate.accept, Rate::accept); !ok)
      return tl::unexpected(ok.error());
  if (wants(options, Notion::eqopt) || wants(options, Notion::eqodds)) {
    if (auto ok = add(found.tpr, rates->tpr, of_estimate.tpr, Rate::tpr); !ok) return tl::unexpected(ok.error());
    auto qualified = robust_qualified(estimate->model, policy, sets);
    if (!qualified) return tl::unexpected(qualified.error());
    found.qualified = RateBounds{std::move(*qualified), of_estimate.qualified};
  }
  if (wants(options, Notion::eqodds))
    if (auto ok = add(found.fpr, rates->fpr, of_estimate.fpr, Rate::fpr); !ok) return tl::unexpected(ok.error());
  set_gaps(found, *estimated, n);

  if (std::holds_alternative<std::monostate>(options.value)) return found;
  const auto value = least_value(*estimate, policy, sets, options, found.split);
  if (!value) return tl::unexpected(value.error());
  found.value = *value;
  found.estimated_value = estimated->value;
  return found;
}

}  // namespace fairstep
