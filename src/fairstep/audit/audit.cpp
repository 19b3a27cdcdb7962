#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/audit/binomial_interval.hpp>
#include <fairstep/core/group_doubt.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::int64_t total(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

/// Decisions by label and action, those without a label apart.
struct Decisions {
  std::int64_t labelled[kLabels][kActions] = {};
  std::int64_t unlabelled[kActions] = {};
};

Decisions decisions_at(const Counts& counts, std::size_t g, std::size_t h) {
  Decisions decisions;
  const bool any_unlabelled = counts.log() && !counts.log()->unlabelled.empty();
  for (std::size_t x = 0; x < counts.names().features.size(); ++x)
    for (std::size_t a = 0; a < kActions; ++a) {
      for (std::size_t y = 0; y < kLabels; ++y) decisions.labelled[y][a] += counts.visits()(g, h, x, y, a);
      if (any_unlabelled) decisions.unlabelled[a] += counts.log()->unlabelled(g, h, x, a);
    }
  return decisions;
}

Decisions decisions_in(const Window& window, std::size_t g) {
  Decisions decisions;
  for (std::size_t a = 0; a < kActions; ++a) {
    for (std::size_t y = 0; y < kLabels; ++y) decisions.labelled[y][a] = window.decisions(g, y, a);
    decisions.unlabelled[a] = window.unlabelled(g, a);
  }
  return decisions;
}

Observed observe(Rate rate, const Decisions& decisions) {
  Observed observed;
  const auto take = [&](const std::int64_t(&by_action)[kActions]) {
    observed.accepted += by_action[1];
    observed.decisions += by_action[0] + by_action[1];
  };
  if (rate == Rate::accept) {
    for (const auto& by_action : decisions.labelled) take(by_action);
    take(decisions.unlabelled);
  } else {
    take(decisions.labelled[rate == Rate::tpr ? 1 : 0]);
  }
  observed.rate = observed.decisions == 0
                      ? kNone
                      : static_cast<double>(observed.accepted) / static_cast<double>(observed.decisions);
  return observed;
}

/// The rates of all notions, each once, in their order.
std::vector<Rate> rates_of_all(const std::vector<Notion>& notions) {
  std::vector<Rate> rates;
  for (const Rate rate : {Rate::accept, Rate::tpr, Rate::fpr})
    if (std::any_of(notions.begin(), notions.end(), [&](Notion notion) {
          const auto wanted = rates_of(notion);
          return std::find(wanted.begin(), wanted.end(), rate) != wanted.end();
        }))
      rates.push_back(rate);
  return rates;
}

PairGap gap_of(const AuditedRate& rate, std::size_t h, std::size_t i, std::size_t j) {
  const Observed& first = rate.steps(i, h);
  const Observed& second = rate.steps(j, h);
  PairGap gap{rate.rate, h, i, j, first.rate - second.rate, {}};
  gap.band = {first.band.low - second.band.high, first.band.high - second.band.low};
  return gap;
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

/// The pairs of a rate at a step lie together.
NotionGap widest(Notion notion, std::size_t h, const Shape& n, const std::vector<PairGap>& pairs) {
  NotionGap widest{notion, h, kNone, {0, 0}};
  const std::vector<Rate> rates = rates_of(notion);
  const std::size_t each = n.groups * (n.groups - 1) / 2;
  for (std::size_t first = h * each; first < pairs.size(); first += n.horizon * each) {
    if (std::find(rates.begin(), rates.end(), pairs[first].rate) == rates.end()) continue;
    for (const PairGap& pair : std::span(pairs).subspan(first, each)) {
      const double size = std::abs(pair.difference);
      if (!std::isnan(size) && !(size <= widest.gap)) widest.gap = size;
      widest.band.low = std::max({widest.band.low, pair.band.low, -pair.band.high});
      widest.band.high = std::max({widest.band.high, pair.band.high, -pair.band.low});
    }
  }
  return widest;
}

Expected<PolicyAudit> audit_policy(const Counts& counts, const AuditOptions& options, const Policy& policy) {
  const auto estimated = estimate(counts);
  if (!estimated) return fail(estimated.error().message, estimated.error().pointer, "count people first");
  const auto evaluated = evaluate(estimated->model, policy);
  if (!evaluated) return tl::unexpected(in_input("policy", evaluated.error()));
  const auto radii = fairstep::radii(*estimated, options.delta);
  if (!radii) return tl::unexpected(radii.error());
  Balls balls;
  balls.row = radii->row;
  balls.initial = radii->initial;
  const auto robust = robust_rates(estimated->model, policy, balls, {options.stop, {}});
  if (!robust) return tl::unexpected(robust.error());
  PolicyAudit result;
  result.value = evaluated->value;
  result.accept = evaluated->rates.accept;
  result.accept_band = robust->accept;
  result.unvisited = estimated->unvisited;
  for (const Notion notion : options.notions)
    for (std::size_t h = 0; h < counts.horizon(); ++h)
      result.gaps.push_back(
          {notion, h, of_notion(evaluated->gap, notion)[h].gap, std::min(1.0, of_notion(*robust, notion)[h])});
  return result;
}

/// What each band may fail with.
struct EachBand {
  double step = 0;
  double window = 0;
};

/// A rate at every step and in every window, with bands if it is known how many decisions are missing.
AuditedRate audit_rate(Rate rate, const Counts& counts, const Expected<Tensor<std::int64_t, 2>>& lost,
                       const EachBand& each) {
  const Shape n = counts.shape();
  AuditedRate audited;
  audited.rate = rate;
  if (!lost) audited.without_bands = lost.error().message;
  audited.steps = Tensor<Observed, 2>({n.groups, n.horizon});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) {
      Observed& observed = audited.steps(g, h) = observe(rate, decisions_at(counts, g, h));
      if (lost) observed.band = binomial_interval(observed.accepted, observed.decisions, (*lost)(g, h), each.step);
    }
  if (!counts.log()) return audited;
  for (const Window& window : counts.log()->windows) {
    auto& groups = audited.windows.emplace_back();
    for (std::size_t g = 0; g < n.groups; ++g) {
      Observed& observed = groups.emplace_back(observe(rate, decisions_in(window, g)));
      if (lost)  // a person may be in a window at every step, and every lost decision may have been in this one
        observed.band =
            recurring_interval(observed.accepted, observed.decisions, total(lost->block(g)), n.horizon, each.window);
    }
  }
  return audited;
}

}  // namespace

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
  if (auto ok = check_size(rates_of_all(options.notions).size(), n); !ok) return tl::unexpected(ok.error());
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
  result.diagnosis = *diagnose(counts, asking);  // its only error is a level of ours
  if (result.diagnosis.stopped > 0) return fail("stopped before the end");
  for (std::size_t g = 0; g < n.groups; ++g) {
    result.people.push_back(counts.everybody(g));
    result.decisions.push_back(total(counts.visits().block(g)));
    if (counts.log() && !counts.log()->unlabelled.empty())
      result.decisions[g] += total(counts.log()->unlabelled.block(g));
  }

  const std::vector<Rate> rates = rates_of_all(options.notions);
  const auto lost_of = [&](Rate rate) { return lost_decisions(counts, rate != Rate::accept); };
  const bool labels_hidden = counts.log() && counts.log()->censoring == Censoring::drop && !lost_of(Rate::tpr);
  const auto known = [&](Rate rate) { return rate == Rate::accept || !labels_hidden; };
  const auto knowable = static_cast<std::size_t>(std::count_if(rates.begin(), rates.end(), known));
  const std::size_t windows = counts.log() ? counts.log()->windows.size() : 0;
  result.intervals = knowable * n.groups * n.horizon;
  result.window_intervals = knowable * n.groups * windows;
  result.parts = 1 + (windows > 0 ? 1 : 0) + (policy != nullptr ? 1 : 0);
  const EachBand each{options.delta / static_cast<double>(result.intervals),
                      options.delta / static_cast<double>(result.window_intervals)};
  for (const Rate rate : rates) {
    if (!known(rate)) {
      result.rates.emplace_back().rate = rate;
      result.rates.back().known = false;
      continue;
    }
    result.rates.push_back(audit_rate(rate, counts, lost_of(rate), each));
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t i = 0; i < n.groups; ++i)
        for (std::size_t j = i + 1; j < n.groups; ++j) result.pairs.push_back(gap_of(result.rates.back(), h, i, j));
  }
  for (const Notion notion : options.notions) {
    const std::vector<Rate> needed = rates_of(notion);
    if (!std::all_of(needed.begin(), needed.end(), known)) continue;
    for (std::size_t h = 0; h < n.horizon; ++h) result.gaps.push_back(widest(notion, h, n, result.pairs));
  }
  if (policy != nullptr) {
    auto audited = audit_policy(counts, options, *policy);
    if (!audited) return tl::unexpected(audited.error());
    result.policy = std::move(*audited);
  }
  return result;
}

}  // namespace fairstep
