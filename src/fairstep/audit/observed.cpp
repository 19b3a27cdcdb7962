// What was observed of a rate in each group, at each step and in each window of the calendar.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include <fairstep/audit/audit.hpp>
#include <fairstep/audit/binomial_interval.hpp>
#include <fairstep/audit/internal/parts.hpp>
#include <fairstep/audit/weights.hpp>

namespace fairstep::internal {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::int64_t all_of_them(std::span<const std::int64_t> values) {
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

}  // namespace

void forget_rates(AuditedRate& audited, const LogRecord& log) {
  for (std::size_t w = 0; w < log.windows.size(); ++w)
    for (std::size_t g = 0; g < audited.windows[w].size(); ++g)
      if (all_of_them(log.windows[w].unlabelled.block(g)) > 0) audited.windows[w][g].rate = kNone;
}

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
        observed.band = recurring_interval(observed.accepted, observed.decisions, all_of_them(lost->block(g)),
                                           n.horizon, each.window);
    }
  }
  return audited;
}

}  // namespace fairstep::internal
