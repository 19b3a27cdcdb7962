#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/audit/binomial_interval.hpp>
#include <fairstep/audit/label_rates.hpp>
#include <fairstep/audit/weights.hpp>
#include <fairstep/core/axes.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/group_doubt.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/label_shares.hpp>
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

/// The gaps of all pairs of groups at a step; `at(g)` is what was observed of a group there.
template <class At>
void add_pairs(Rate rate, std::size_t step, std::size_t groups, const At& at, std::vector<PairGap>& pairs) {
  for (std::size_t i = 0; i < groups; ++i)
    for (std::size_t j = i + 1; j < groups; ++j) {
      const Observed& first = at(i);
      const Observed& second = at(j);
      pairs.push_back({rate,
                       step,
                       i,
                       j,
                       first.rate - second.rate,
                       {first.band.low - second.band.high, first.band.high - second.band.low}});
    }
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

/// Makes the widest gap at least that of these pairs.
void widen(NotionGap& widest, std::span<const PairGap> pairs) {
  for (const PairGap& pair : pairs) {
    const double size = std::abs(pair.difference);
    if (!std::isnan(size) && !(size <= widest.gap)) widest.gap = size;
    widest.band.low = std::max({widest.band.low, pair.band.low, -pair.band.high});
    widest.band.high = std::max({widest.band.high, pair.band.high, -pair.band.low});
  }
}

/// The pairs of a rate at a step lie together.
NotionGap widest(Notion notion, std::size_t h, const Shape& n, const std::vector<PairGap>& pairs) {
  NotionGap widest{notion, h, kNone, {0, 0}};
  const std::vector<Rate> rates = rates_of(notion);
  const std::size_t each = n.groups * (n.groups - 1) / 2;
  for (std::size_t first = h * each; first < pairs.size(); first += n.horizon * each) {
    if (std::find(rates.begin(), rates.end(), pairs[first].rate) == rates.end()) continue;
    widen(widest, std::span(pairs).subspan(first, each));
  }
  return widest;
}

/// The mean of the bands of all steps, and a little more for what adding them up rounds.
template <class At>
Range mean_band(std::size_t horizon, const At& at) {
  Range sum{0, 0};
  for (std::size_t h = 0; h < horizon; ++h) {
    const Range band = at(h);
    sum.low += band.low;
    sum.high += band.high;
  }
  const auto steps = static_cast<double>(horizon);
  const double rounding = 2 * steps * std::numeric_limits<double>::epsilon();
  return {std::max(0.0, sum.low / steps - rounding), std::min(1.0, sum.high / steps + rounding)};
}

EpisodeAudit audit_episode(const AuditedRate& accept, const Shape& n) {
  EpisodeAudit episode;
  for (std::size_t g = 0; g < n.groups; ++g) {
    Observed& whole = episode.accept.emplace_back();
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const Observed& step = accept.steps(g, h);
      whole.accepted += step.accepted;
      whole.decisions += step.decisions;
      whole.rate += step.rate / static_cast<double>(n.horizon);
    }
    whole.band = mean_band(n.horizon, [&](std::size_t h) { return accept.steps(g, h).band; });
  }
  add_pairs(
      accept.rate, n.horizon, n.groups, [&](std::size_t g) -> const Observed& { return episode.accept[g]; },
      episode.pairs);
  episode.gap = {Notion::dp, n.horizon, kNone, {0, 0}};
  widen(episode.gap, episode.pairs);
  return episode;
}

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

/// What each band may fail with.
struct EachBand {
  double step = 0;
  double window = 0;
};

/// Where it needs labels that were not all seen, the rate in a window is not known: windows do not tell features.
void forget_rates(AuditedRate& audited, const LogRecord& log) {
  for (std::size_t w = 0; w < log.windows.size(); ++w)
    for (std::size_t g = 0; g < audited.windows[w].size(); ++g)
      if (total(log.windows[w].unlabelled.block(g)) > 0) audited.windows[w][g].rate = kNone;
}

/// A rate at every step and in every window, with bands if it is known how many decisions are missing.
AuditedRate audit_rate(Rate rate, const Counts& counts, const Expected<Tensor<std::int64_t, 2>>& lost,
                       const EachBand& each, const std::optional<DecisionWeights>& weights) {
  const Shape n = counts.shape();
  AuditedRate audited;
  audited.rate = rate;
  if (!lost) audited.without_bands = lost.error().message;
  audited.steps = Tensor<Observed, 2>({n.groups, n.horizon});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) {
      Observed& observed = audited.steps(g, h) = observe(rate, decisions_at(counts, g, h));
      if (weights && lost)
        weigh(observed, rate, *weights, g, h, (*lost)(g, h), each.step);
      else if (weights)
        weigh(observed, rate, *weights, g, h);
      else if (lost)
        observed.band = binomial_interval(observed.accepted, observed.decisions, (*lost)(g, h), each.step);
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

/// What bands under a rule may fail with: half of it is for the shares of the qualified, the other for the rates.
LabelRates::Deltas deltas_of(const EachBand& each, std::size_t label_rates, const Shape& n) {
  const double half = each.step * static_cast<double>(label_rates * n.groups * n.horizon) / 2;
  return {half / static_cast<double>(n.groups * n.features),
          half / static_cast<double>(label_rates * n.groups * n.horizon)};
}

void take_labels(AuditedRate& audited, const LabelRates& labels, const Shape& n) {
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) audited.steps(g, h) = labels.observe(audited.rate, g, h);
}

std::vector<PairGap> gaps_of(const AuditedRate& rate, const Shape& n) {
  std::vector<PairGap> pairs;
  for (std::size_t h = 0; h < n.horizon; ++h)
    add_pairs(rate.rate, h, n.groups, [&](std::size_t g) -> const Observed& { return rate.steps(g, h); }, pairs);
  return pairs;
}

/// The widest gaps of notions that need labels.
LabelAudit::Rule audit_rule(const RefusedRule& rule, const Counts& counts, const FeatureCounts& features,
                            const LabelRates::Deltas& deltas, const AuditOptions& options) {
  const Shape n = counts.shape();
  const LabelRates labels(counts, features, rule, deltas);
  std::vector<PairGap> pairs;
  for (const Rate rate : rates_of_all(options.notions)) {
    if (rate == Rate::accept) continue;
    AuditedRate audited;
    audited.rate = rate;
    audited.steps = Tensor<Observed, 2>({n.groups, n.horizon});
    take_labels(audited, labels, n);
    const std::vector<PairGap> more = gaps_of(audited, n);
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  LabelAudit::Rule result{rule, {}};
  for (const Notion notion : options.notions) {
    if (notion == Notion::dp) continue;
    for (std::size_t h = 0; h < n.horizon; ++h) result.gaps.push_back(widest(notion, h, n, pairs));
  }
  return result;
}

LabelAudit audit_labels(const Counts& counts, const FeatureCounts& features, const Diagnosis& diagnosis,
                        const LabelRates::Deltas& deltas, const AuditOptions& options) {
  LabelAudit result;
  result.assumption = *options.labels;
  std::vector<RefusedRule> rules{{}, {Refused::anything, 1}};
  if (options.labels->refused.are == Refused::odds) rules.insert(rules.begin() + 1, options.labels->refused);
  for (const RefusedRule& rule : rules) result.rules.push_back(audit_rule(rule, counts, features, deltas, options));
  result.unseen = total(features.unlabelled.flat());
  for (const Diagnosed& answer : diagnosis.answers) {
    if (!tells_of_features(answer.question)) continue;
    result.tests.push_back(answer);
  }
  result.verdict = verdict_on_features(diagnosis);
  return result;
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

  const std::vector<Rate> rates = rates_of_all(options.notions);
  const auto lost_of = [&](Rate rate) { return lost_decisions(counts, rate != Rate::accept); };
  const bool labels_hidden =
      !options.labels && counts.log() && counts.log()->censoring == Censoring::drop && !lost_of(Rate::tpr);
  const auto known = [&](Rate rate) { return rate == Rate::accept || !labels_hidden; };
  const auto knowable = static_cast<std::size_t>(std::count_if(rates.begin(), rates.end(), known));
  const std::size_t windows = counts.log() ? counts.log()->windows.size() : 0;
  result.intervals = knowable * n.groups * n.horizon;
  result.window_intervals = knowable * n.groups * windows;
  result.parts = 1 + (windows > 0 ? 1 : 0) + (policy != nullptr ? 1 : 0);
  const EachBand each{options.delta / static_cast<double>(result.intervals),
                      options.delta / static_cast<double>(result.window_intervals)};
  std::optional<FeatureCounts> features;
  std::optional<LabelRates> labels;
  const auto label_rates = static_cast<std::size_t>(
      std::count_if(rates.begin(), rates.end(), [](Rate rate) { return rate != Rate::accept; }));
  const LabelRates::Deltas deltas = deltas_of(each, std::max<std::size_t>(label_rates, 1), n);
  if (options.labels) {
    if (auto ok = check(options.labels->refused); !ok) return tl::unexpected(ok.error());
    auto counted = feature_counts(counts);
    if (!counted) return tl::unexpected(counted.error());
    features = std::move(*counted);
    labels.emplace(counts, *features, options.labels->refused, deltas);
    result.labels = audit_labels(counts, *features, result.diagnosis, deltas, options);
  }
  for (const Rate rate : rates) {
    if (!known(rate)) {
      result.rates.emplace_back().rate = rate;
      result.rates.back().known = false;
      continue;
    }
    AuditedRate& audited = result.rates.emplace_back(audit_rate(rate, counts, lost_of(rate), each, options.weights));
    if (labels && rate != Rate::accept) {
      take_labels(audited, *labels, n);
      if (counts.log()) forget_rates(audited, *counts.log());
    }
    if (rate == Rate::accept) result.episode = audit_episode(audited, n);
    const std::vector<PairGap> pairs = gaps_of(audited, n);
    result.pairs.insert(result.pairs.end(), pairs.begin(), pairs.end());
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
