#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/audit/label_rates.hpp>
#include <fairstep/audit/weights.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/group_doubt.hpp>
#include <fairstep/core/mention.hpp>
#include <fairstep/estimate/claims.hpp>

namespace fairstep {
namespace {

using internal::Compare;
using internal::EachBand;

std::int64_t total(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

/// Pairs of groups, over all rates and steps, that an audit may compare: each is shown.
constexpr std::size_t kMostPairGaps = std::size_t{1} << 18;

Expected<void> check_size(std::size_t rates, const Shape& n) {
  const double pairs = 0.5 * static_cast<double>(n.groups) * static_cast<double>(n.groups - 1);
  const double gaps = pairs * static_cast<double>(rates) * static_cast<double>(n.horizon);
  if (gaps <= static_cast<double>(kMostPairGaps)) return {};
  return fail(fmt::format("an audit of {} groups, {} steps and {} rates compares {:.3g} pairs, expected at most {}",
                          n.groups, n.horizon, rates, gaps, kMostPairGaps),
              "", "count fewer groups or steps, or audit one notion of fairness: " + option("fairness", "dp"));
}

/// Beyond so many, differences are what the rates' bands leave possible: shared among so many, nearly nothing is left
/// that a sharper method would gain.
constexpr std::size_t kMostPairTests = std::size_t{1} << 14;

/// Groups that are large enough to be compared, or all if that would leave fewer than two.
Compare compare_of(const Counts& counts, const AuditOptions& options) {
  Compare compare{{}, options.reference, options.delta};
  std::vector<std::size_t> all(counts.names().groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::copy_if(all.begin(), all.end(), std::back_inserter(compare.groups),
               [&](std::size_t g) { return counts.everybody(g) >= options.small || options.reference == g; });
  if (compare.groups.size() < 2) compare.groups = std::move(all);
  return compare;
}

/// Where decisions without a label were left out, what they would have been is too much not to know for anything but
/// the bands of single rates.
bool leaves_labels_out(const Counts& counts, Rate rate) {
  if (rate == Rate::accept || !counts.log() || counts.log()->censoring != Censoring::drop) return false;
  return total(counts.log()->unlabelled.flat()) > 0;
}

}  // namespace

std::vector<Rate> internal::rates_of_all(const std::vector<Notion>& notions) {
  std::vector<Rate> rates;
  for (const Rate rate : {Rate::accept, Rate::tpr, Rate::fpr})
    if (std::any_of(notions.begin(), notions.end(), [&](Notion notion) {
          const auto wanted = rates_of(notion);
          return std::find(wanted.begin(), wanted.end(), rate) != wanted.end();
        }))
      rates.push_back(rate);
  return rates;
}

std::vector<Rate> rates_of(Notion notion) {
  if (notion == Notion::dp) return {Rate::accept};
  if (notion == Notion::eqopt) return {Rate::tpr};
  return {Rate::tpr, Rate::fpr};
}

Expected<Audit> audit(const Counts& counts, const AuditOptions& options, const Policy* policy) {
  if (!(options.delta > 0 && options.delta < 1))
    return fail_option("delta", fmt::format(" is {}, expected more than 0 and less than 1", options.delta));
  if (options.notions.empty()) return fail("there is no notion of fairness to audit");
  const Shape n = counts.shape();
  if (options.reference && *options.reference >= n.groups)
    return fail_option("reference", fmt::format(" is group {}, but there are {}", *options.reference, n.groups));
  if (auto ok = internal::check_limits(options, n); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_size(internal::rates_of_all(options.notions).size(), n); !ok) return tl::unexpected(ok.error());
  if (options.weights)
    if (auto ok = check_weights(*options.weights, counts, options, policy != nullptr); !ok)
      return tl::unexpected(ok.error());
  Audit result;
  result.names = counts.names();
  result.horizon = n.horizon;
  result.delta = options.delta;
  result.log = counts.log();
  result.part = counts.part();
  result.people_known = !counts.log() || losses(*counts.log(), n).has_value();
  result.groups_in_doubt = counts.log() && groups_in_doubt(*counts.log());
  result.coverage = coverage(counts, options.thin);
  DiagnoseOptions asking;
  asking.stop = [&options] { return options.stop.stop_requested(); };
  if (options.weights)
    result.weights = audit_weights(*options.weights);
  else
    result.diagnosis = *diagnose(counts, asking);  // its only error is a level of ours
  if (result.diagnosis.stopped > 0) return fail("stopped before the end");
  for (std::size_t g = 0; g < n.groups; ++g) {
    result.people.push_back(counts.everybody(g));
    result.decisions.push_back(total(counts.visits().block(g)));
    if (counts.log() && !counts.log()->unlabelled.empty())
      result.decisions[g] += total(counts.log()->unlabelled.block(g));
  }

  const std::vector<Rate> rates = internal::rates_of_all(options.notions);
  const auto lost_of = [&](Rate rate) { return lost_decisions(counts, rate != Rate::accept); };
  const bool labels_hidden =
      !options.labels && counts.log() && counts.log()->censoring == Censoring::drop && !lost_of(Rate::tpr);
  const auto known = [&](Rate rate) { return rate == Rate::accept || !labels_hidden; };
  const auto knowable = static_cast<std::size_t>(std::count_if(rates.begin(), rates.end(), known));
  const std::size_t windows = counts.log() ? counts.log()->windows.size() : 0;
  const Compare compare = compare_of(counts, options);
  result.small = options.small;
  result.reference = options.reference;
  for (std::size_t g = 0; g < n.groups; ++g)
    if (std::find(compare.groups.begin(), compare.groups.end(), g) == compare.groups.end())
      result.set_apart.push_back(g);
  const auto tested = [&](Rate rate) {
    return !options.weights && !options.labels && known(rate) && lost_of(rate) && !leaves_labels_out(counts, rate);
  };
  const auto of_tested = [&](bool ratios) {
    return static_cast<std::size_t>(std::count_if(
        rates.begin(), rates.end(), [&](Rate rate) { return tested(rate) && !(ratios && rate == Rate::fpr); }));
  };
  result.intervals = knowable * n.groups * n.horizon;
  result.window_intervals = knowable * n.groups * windows;
  if (of_tested(false) * compare.pairs() * n.horizon <= kMostPairTests) {
    result.pair_tests = of_tested(false) * compare.pairs() * n.horizon;
    result.ratio_tests = of_tested(true) * compare.ratios() * n.horizon;
  }
  const auto count_of = [](bool there) { return there ? std::size_t{1} : std::size_t{0}; };
  result.parts = 1 + count_of(result.pair_tests > 0) + count_of(result.ratio_tests > 0) + count_of(windows > 0) +
                 count_of(policy != nullptr);
  const auto share_of_delta = [&](std::size_t among) {
    return among == 0 ? 0 : options.delta / static_cast<double>(among);
  };
  const EachBand each{share_of_delta(result.intervals), share_of_delta(result.window_intervals),
                      share_of_delta(result.pair_tests), share_of_delta(result.ratio_tests)};
  std::optional<FeatureCounts> features;
  std::optional<LabelRates> labels;
  const auto label_rates = static_cast<std::size_t>(
      std::count_if(rates.begin(), rates.end(), [](Rate rate) { return rate != Rate::accept; }));
  const LabelRates::Deltas deltas = internal::deltas_of(each, std::max<std::size_t>(label_rates, 1), n);
  if (options.labels) {
    if (auto ok = check(options.labels->refused); !ok) return tl::unexpected(ok.error());
    auto counted = feature_counts(counts);
    if (!counted) return tl::unexpected(counted.error());
    features = std::move(*counted);
    labels.emplace(counts, *features, options.labels->refused, deltas);
    result.labels = internal::audit_labels(counts, *features, result.diagnosis, deltas, compare, options);
  }
  for (const Rate rate : rates) {
    if (!known(rate)) {
      result.rates.emplace_back().rate = rate;
      result.rates.back().known = false;
      continue;
    }
    const auto lost = lost_of(rate);
    AuditedRate& audited = result.rates.emplace_back(internal::audit_rate(rate, counts, lost, each, options.weights));
    if (labels && rate != Rate::accept) {
      internal::take_labels(audited, *labels, n);
      if (counts.log()) internal::forget_rates(audited, *counts.log());
    }
    if (rate == Rate::accept) result.episode = internal::audit_episode(audited, compare);
    if (options.stop.stop_requested()) return fail("stopped before the end");
    const std::vector<PairGap> pairs = internal::gaps_of(audited, compare, tested(rate) ? &*lost : nullptr, each);
    result.pairs.insert(result.pairs.end(), pairs.begin(), pairs.end());
  }
  for (const Notion notion : options.notions) {
    const std::vector<Rate> needed = rates_of(notion);
    if (!std::all_of(needed.begin(), needed.end(), known)) continue;
    for (std::size_t h = 0; h < n.horizon; ++h) result.gaps.push_back(internal::widest(notion, h, result.pairs));
  }
  for (const RatioNotion ratio : all_of<RatioNotion>()) {
    const Rate needed = rates_of(notion_of(ratio)).front();
    if (std::find(rates.begin(), rates.end(), needed) == rates.end() || !known(needed)) continue;
    for (std::size_t h = 0; h < n.horizon; ++h)
      result.ratios.push_back(internal::least_ratio(ratio, h, compare, result.pairs));
  }
  result.judged = internal::judge(options.limits, result);
  if (policy != nullptr) {
    auto audited = internal::audit_policy(counts, options, *policy);
    if (!audited) return tl::unexpected(audited.error());
    result.policy = std::move(*audited);
  }
  return result;
}

}  // namespace fairstep
