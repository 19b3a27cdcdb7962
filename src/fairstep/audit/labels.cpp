// Rates given the label where labels follow features, under each rule for those whose label was not seen.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/audit/label_rates.hpp>

namespace fairstep::internal {

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

namespace {

/// The widest gaps of notions that need labels.
LabelAudit::Rule audit_rule(const RefusedRule& rule, const Counts& counts, const FeatureCounts& features,
                            const LabelRates::Deltas& deltas, const Compare& compare, const AuditOptions& options) {
  const Shape n = counts.shape();
  const LabelRates labels(counts, features, rule, deltas);
  std::vector<PairGap> pairs;
  for (const Rate rate : rates_of_all(options.notions)) {
    if (rate == Rate::accept) continue;
    AuditedRate audited;
    audited.rate = rate;
    audited.steps = Tensor<Observed, 2>({n.groups, n.horizon});
    take_labels(audited, labels, n);
    const std::vector<PairGap> more = gaps_of(audited, compare, nullptr, {});
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  LabelAudit::Rule result{rule, {}};
  for (const Notion notion : options.notions) {
    if (notion == Notion::dp) continue;
    for (std::size_t h = 0; h < n.horizon; ++h) result.gaps.push_back(widest(notion, h, pairs));
  }
  return result;
}

}  // namespace

LabelAudit audit_labels(const Counts& counts, const FeatureCounts& features, const Diagnosis& diagnosis,
                        const LabelRates::Deltas& deltas, const Compare& compare, const AuditOptions& options) {
  LabelAudit result;
  result.assumption = *options.labels;
  std::vector<RefusedRule> rules{{}, {Refused::anything, 1}};
  if (options.labels->refused.are == Refused::odds) rules.insert(rules.begin() + 1, options.labels->refused);
  for (const RefusedRule& rule : rules)
    result.rules.push_back(audit_rule(rule, counts, features, deltas, compare, options));
  const auto unseen = features.unlabelled.flat();
  result.unseen = std::accumulate(unseen.begin(), unseen.end(), std::int64_t{0});
  for (const Diagnosed& answer : diagnosis.answers) {
    if (!tells_of_features(answer.question)) continue;
    result.tests.push_back(answer);
  }
  result.verdict = verdict_on_features(diagnosis);
  return result;
}

}  // namespace fairstep::internal
