// The parts that an audit is put together from: rates, pairs of groups, labels, the policy, and limits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/label_rates.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/decision_weights.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep::internal {

/// The rates of all notions, each once, in their order.
[[nodiscard]] std::vector<Rate> rates_of_all(const std::vector<Notion>& notions);

/// What each band may fail with.
struct EachBand {
  double step = 0;
  double window = 0;
  double pair = 0;   ///< of a difference; 0 where differences are what the rates' bands leave possible
  double ratio = 0;  ///< likewise
};

/// A rate at every step and in every window, with bands if it is known how many decisions are missing.
[[nodiscard]] AuditedRate audit_rate(Rate rate, const Counts& counts, const Expected<Tensor<std::int64_t, 2>>& lost,
                                     const EachBand& each, const std::optional<DecisionWeights>& weights);
/// Where it needs labels that were not all seen, the rate in a window is not known: windows do not tell features.
void forget_rates(AuditedRate& audited, const LogRecord& log);

/// Who is compared with whom.
struct Compare {
  std::vector<std::size_t> groups{};       ///< in the order of the names
  std::optional<std::size_t> reference{};  ///< of ratios; among the groups
  double delta = 0;                        ///< of all differences together

  [[nodiscard]] std::size_t pairs() const { return groups.size() * (groups.size() - 1) / 2; }
  [[nodiscard]] bool has_ratio(std::size_t first, std::size_t second) const {
    return !reference || first == *reference || second == *reference;
  }
  /// Pairs whose ratio is asked for.
  [[nodiscard]] std::size_t ratios() const { return reference ? groups.size() - 1 : pairs(); }
};

/// All pairs at all steps, those of a step together. `lost` [g,h] if differences are tested by themselves.
[[nodiscard]] std::vector<PairGap> gaps_of(const AuditedRate& rate, const Compare& compare,
                                           const Tensor<std::int64_t, 2>* lost, const EachBand& each);
/// At a step; pairs are by rate, step and groups.
[[nodiscard]] NotionGap widest(Notion notion, std::size_t h, const std::vector<PairGap>& pairs);
[[nodiscard]] NotionRatio least_ratio(RatioNotion notion, std::size_t h, const Compare& compare,
                                      const std::vector<PairGap>& pairs);

/// The rate of a group beside that of another.
struct RatioBeside {
  std::size_t group = 0, beside = 0;
  double ratio = 0;
  Range band{};
};
/// At a step of every group but one beside that one: the reference, or whose rate is the greatest. The least first.
[[nodiscard]] std::vector<RatioBeside> ratios_beside(const Audit& audit, RatioNotion notion, std::size_t h);

[[nodiscard]] EpisodeAudit audit_episode(const AuditedRate& accept, const Compare& compare);
/// The mean of the bands of all steps, and a little more for what adding them up rounds.
template <class At>
[[nodiscard]] Range mean_band(std::size_t horizon, const At& at) {
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

/// What bands under a rule may fail with: half of it is for the shares of the qualified, the other for the rates.
[[nodiscard]] LabelRates::Deltas deltas_of(const EachBand& each, std::size_t label_rates, const Shape& n);
void take_labels(AuditedRate& audited, const LabelRates& labels, const Shape& n);
[[nodiscard]] LabelAudit audit_labels(const Counts& counts, const FeatureCounts& features, const Diagnosis& diagnosis,
                                      const LabelRates::Deltas& deltas, const Compare& compare,
                                      const AuditOptions& options);

[[nodiscard]] Expected<PolicyAudit> audit_policy(const Counts& counts, const AuditOptions& options,
                                                 const Policy& policy);

/// An error if a limit is on something that an audit does not look at.
[[nodiscard]] Expected<void> check_limits(const AuditOptions& options, const Shape& n);
[[nodiscard]] std::vector<Judged> judge(const Fairness& limits, const Audit& audit);

}  // namespace fairstep::internal
