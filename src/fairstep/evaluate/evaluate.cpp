#include <fairstep/evaluate/evaluate.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/evaluate/present.hpp>

namespace fairstep {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double ratio(double part, double whole) { return whole > 0 ? part / whole : kUndefined; }

/// Widest difference over the pairs, the first of several; `rate(g)` may be NaN, and such a group is in no pair.
template <class Rate>
StepGap widest_gap(std::size_t groups, const Rate& rate) {
  StepGap worst{kUndefined};
  for (std::size_t i = 0; i < groups; ++i)
    for (std::size_t j = i + 1; j < groups; ++j) {
      const double gap = std::abs(rate(i) - rate(j));
      if (gap > worst.gap || std::isnan(worst.gap)) worst = {gap, i, j};
    }
  return worst;
}

/// Sums of one group at one step.
struct Tally {
  double mass[kLabels] = {0, 0};      ///< P(y)
  double accepted[kLabels] = {0, 0};  ///< P(y, a=1)
  double reward = 0;                  ///< E[r]
};

Tally tally(std::span<const double> mass, std::span<const double> accept, std::span<const double> reward) {
  Tally sums;
  for (std::size_t s = 0; s < mass.size(); ++s) {
    const double p = accept[s / kLabels];
    sums.mass[s % kLabels] += mass[s];
    sums.accepted[s % kLabels] += mass[s] * p;
    sums.reward += mass[s] * ((1 - p) * reward[s * kActions] + p * reward[s * kActions + 1]);
  }
  return sums;
}

void fill_group(const Model& model, const Policy& policy, std::size_t g, Evaluation& result) {
  const Shape& n = model.shape();
  const auto accept = policy.group(g);
  forward(model.kernels(g), model.initial(g), accept, result.mass.block(g));
  backward(model.kernels(g), {model.reward(g), model.discount()}, accept, result.q.block(g), result.v.block(g));

  double factor = 1;
  double accepted = 0;
  double qualified = 0;
  double qualified_accepted = 0;
  for (std::size_t h = 0; h < n.horizon; ++h, factor *= model.discount()) {
    const Tally sums = tally(result.mass.block(g, h), accept.subspan(h * n.features, n.features), model.reward(g));
    result.rates.accept(g, h) = sums.accepted[0] + sums.accepted[1];
    result.rates.tpr(g, h) = ratio(sums.accepted[1], sums.mass[1]);
    result.rates.fpr(g, h) = ratio(sums.accepted[0], sums.mass[0]);
    result.rates.qualified(g, h) = sums.mass[1];
    accepted += result.rates.accept(g, h);
    qualified += sums.mass[1];
    qualified_accepted += sums.accepted[1];
    result.value_per_group[g] += factor * sums.reward;
    result.value_per_step[h] += model.share(g) * factor * sums.reward;
    for (std::size_t x = 0; x < n.features; ++x)
      result.feature(g, h, x) = result.mass(g, h, x, 0) + result.mass(g, h, x, 1);
  }
  result.aggregate_dp[g] = accepted / static_cast<double>(n.horizon);
  result.aggregate_eqopt[g] = ratio(qualified_accepted, qualified);
}

void fill_gaps(std::size_t groups, std::size_t h, Evaluation& result) {
  const auto of = [h](const Tensor<double, 2>& rate) { return [&rate, h](std::size_t g) { return rate(g, h); }; };
  result.gap.dp[h] = widest_gap(groups, of(result.rates.accept));
  result.gap.eqopt[h] = widest_gap(groups, of(result.rates.tpr));
  const StepGap& qualified = result.gap.eqopt[h];
  const StepGap unqualified = widest_gap(groups, of(result.rates.fpr));
  const bool by_unqualified = std::isnan(qualified.gap) || unqualified.gap > qualified.gap;
  result.gap.eqodds[h] = by_unqualified ? unqualified : qualified;
}

}  // namespace

Evaluation::Evaluation(const Shape& n)
    : value_per_step(n.horizon),
      value_per_group(n.groups),
      rates{Tensor<double, 2>({n.groups, n.horizon}), Tensor<double, 2>({n.groups, n.horizon}),
            Tensor<double, 2>({n.groups, n.horizon}), Tensor<double, 2>({n.groups, n.horizon})},
      feature({n.groups, n.horizon, n.features}),
      gap{std::vector<StepGap>(n.horizon), std::vector<StepGap>(n.horizon), std::vector<StepGap>(n.horizon)},
      aggregate_dp(n.groups),
      aggregate_eqopt(n.groups),
      mass({n.groups, n.horizon, n.features, kLabels}),
      q({n.groups, n.horizon, n.features, kLabels, kActions}),
      v({n.groups, n.horizon, n.features, kLabels}) {}

void evaluate_into(const Model& model, const Policy& policy, Evaluation& result) {
  const Shape& n = model.shape();
  assert(policy.check_fits(model));
  assert((result.v.extents() == std::array{n.groups, n.horizon, n.features, kLabels}));

  std::fill(result.value_per_step.begin(), result.value_per_step.end(), 0.0);
  std::fill(result.value_per_group.begin(), result.value_per_group.end(), 0.0);
  for (std::size_t g = 0; g < n.groups; ++g) fill_group(model, policy, g, result);
  for (std::size_t h = 0; h < n.horizon; ++h) fill_gaps(n.groups, h, result);
  result.aggregate_dp_gap = widest_gap(n.groups, [&](std::size_t g) { return result.aggregate_dp[g]; });
  result.aggregate_eqopt_gap = widest_gap(n.groups, [&](std::size_t g) { return result.aggregate_eqopt[g]; });
  result.value = 0;
  for (std::size_t g = 0; g < n.groups; ++g) result.value += model.share(g) * result.value_per_group[g];
  result.present.reset();
  result.unseen.reset();
  if (model.spec().rests_on) result.unseen = unseen_under(model, policy, *model.spec().rests_on, result.mass);
}

Expected<Evaluation> evaluate(const Model& model, const Policy& policy) {
  if (auto ok = policy.check_fits(model); !ok) return tl::unexpected(ok.error());
  Evaluation result(model.shape());
  evaluate_into(model, policy, result);
  if (model.spec().participation) result.present = rates_of_those_present(model, policy);
  return result;
}

}  // namespace fairstep
