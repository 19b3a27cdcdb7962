#include <fairstep/learn/internal/update_program.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/core/axes.hpp>
#include <fairstep/estimate/bonus.hpp>
#include <fairstep/estimate/literal_relaxation.hpp>

namespace fairstep {
namespace {

/// Optimism by radii: what the reward may be off by, and what a row may be off by times the widest span of the values
/// to go, which is that of H - 1 rewards, discounted.
Tensor<double, 4> tight_bonus(const Radii& radii, const Known& known, double scale) {
  double later = 0, factor = known.discount;
  for (std::size_t h = 1; h < known.horizon; ++h, factor *= known.discount) later += factor;
  const double span = later * (known.reward.high - known.reward.low);
  Tensor<double, 4> bonus = radii.row.pooled_table();  // whoever learns knows one kernel
  for (std::size_t i = 0; i < bonus.size(); ++i)
    bonus.flat()[i] = scale * (radii.reward.flat()[i] + span * bonus.flat()[i]);
  return bonus;
}

/// As App. D prints it, but for the mode that scales widths, which has the N of the main text.
CountedBy counted_by(RelaxationMode mode) {
  return mode == RelaxationMode::scaled_width ? CountedBy::visits : CountedBy::successors;
}

double lemmas_relaxation(const Estimate& estimate, const LearnOptions& options, const AtEpisode& at, double epsilon) {
  const WorstCells worst = worst_cells(estimate, counted_by(options.relaxation));
  const double scale = *options.relaxation_scale;
  if (options.fairness.notion == Notion::dp) return c_hat(worst.visits, at, epsilon, scale);
  return d_hat(worst, at, epsilon, scale,
               options.relaxation == RelaxationMode::scaled_width ? Scaled::widths : Scaled::result);
}

/// Those whom a ratio is about: a mean for each group.
ConditionalMean rate_of_group(RatioNotion notion, std::size_t g, const Names& names, const Shape& n) {
  ConditionalMean mean{names.groups[g], Tensor<double, 4>({n.groups, n.features, kLabels, kActions}),
                       Tensor<double, 3>({n.groups, n.features, kLabels})};
  for (std::size_t x = 0; x < n.features; ++x)
    for (std::size_t y = 0; y < kLabels; ++y) {
      if (notion == RatioNotion::eqopt && y == 0) continue;
      mean.event(g, x, y) = 1;
      mean.payoff(g, x, y, 1) = 1;
    }
  return mean;
}

/// limit * (rate below) - (rate above) <= wider, for all pairs or all beside the reference; nothing where that holds of
/// any rates.
Fairness relaxed(const StepwiseRatio& ratio, double wider, const Names& names, const Shape& n) {
  const double limit = ratio.limit.front();
  if (wider >= limit) return {};
  if (wider == 0) return {.ratios = {ratio}};
  MomentConstraint rows;
  std::vector<double> entries;
  for (std::size_t g = 0; g < n.groups; ++g) rows.means.push_back(rate_of_group(ratio.notion, g, names, n));
  for (std::size_t above = 0; above < n.groups; ++above)
    for (std::size_t below = 0; below < n.groups; ++below) {
      if (above == below || (ratio.reference && below != *ratio.reference)) continue;
      for (std::size_t g = 0; g < n.groups; ++g) entries.push_back(g == above ? -1 : g == below ? limit : 0);
      rows.bound.push_back(wider);
      rows.names.push_back(names.groups[above] + " beside " + names.groups[below]);
    }
  rows.matrix = Tensor<double, 2>({rows.bound.size(), n.groups});
  std::copy(entries.begin(), entries.end(), rows.matrix.flat().begin());
  return {.moments = {std::move(rows)}};
}

}  // namespace

Range accept_range(double floor, FloorKind kind) { return {floor, kind == FloorKind::two_sided ? 1 - floor : 1}; }

Doubt doubt_of(const Radii& radii, Doubt::Stance stance, double span, double scale) {
  const double factor = span * scale;
  Doubt doubt{stance, radii.initial, radii.row.pooled_table()};
  for (double& start : doubt.start) start = std::min(1.0, factor * start);
  for (double& cell : doubt.cell.flat()) cell = std::min(1.0, factor * cell);
  return doubt;
}

Expected<UpdateProgram> update_program(const Counts& counts, const Known& known, const LearnOptions& options,
                                       std::uint64_t k) {
  auto estimated = estimate(counts, {.share = known.share,
                                     .unvisited = options.unvisited,
                                     .discount = known.discount,
                                     .description = "estimated from counts"});
  if (!estimated) return tl::unexpected(estimated.error());
  const Shape shape = known.shape();
  const AtEpisode at{shape, k, options.delta};
  const bool both = options.floor_kind == FloorKind::two_sided;
  const double floor = options.floor.value_or(both ? paper_eta_two_sided(k) : paper_eta(k));
  const double eps = options.epsilon.value_or(paper_epsilon(at));

  std::optional<Radii> balls;
  const bool tight = options.relaxation == RelaxationMode::tight;
  if (tight || options.safe) {
    auto found = radii(*estimated, RadiiOptions{options.delta, RewardKnowledge{known.reward, known.noisy_rewards}});
    if (!found) return tl::unexpected(found.error());
    balls = std::move(*found);
  }
  const Tensor<double, 4> raise =
      tight ? tight_bonus(*balls, known, *options.bonus_scale)
            : bonus(counted(*estimated, counted_by(options.relaxation)), at, {known.reward, *options.bonus_scale});
  ModelSpec spec = estimated->model.spec();
  for (std::size_t i = 0; i < raise.size(); ++i) spec.reward.flat()[i] += raise.flat()[i];
  auto optimistic = Model::make(std::move(spec));
  if (!optimistic) return tl::unexpected(optimistic.error());

  StepwiseParity parity = options.fairness;
  if (options.discounted_limits) parity.limit = limits_in_force(options, known.discount, shape.horizon);
  std::vector<double> relaxation;
  if (options.safe || options.method != Method::constrained) {
    // The limits themselves: what is not known counts against a safe policy, and other methods have no limits.
  } else if (tight) {
    const Range accept = accept_range(floor, options.floor_kind);
    const double span = std::max(0.0, accept.high - accept.low) * *options.relaxation_scale;
    parity.doubt = doubt_of(*balls, Doubt::Stance::hopeful, span);
  } else {
    const double wider = lemmas_relaxation(*estimated, options, at, eps);
    const std::vector<double> limit = limits_in_force(options, known.discount, shape.horizon);
    parity.limit.assign(shape.horizon, 0.0);
    double factor = 1;
    for (std::size_t h = 0; h < shape.horizon; ++h) {
      if (options.discounted_limits) factor *= known.discount;
      relaxation.push_back(wider / factor);
      parity.limit[h] = std::min(1.0, limit[h] + relaxation[h]);
    }
  }
  Fairness fairness{.parity = {parity}};
  if (options.ratio)
    fairness = relaxed(*options.ratio, relaxation.empty() ? 0 : relaxation.front(), known.names, shape);
  const double bonus_max = *std::max_element(raise.flat().begin(), raise.flat().end());
  return UpdateProgram{.estimate = std::move(*estimated),
                       .optimistic = std::move(*optimistic),
                       .fairness = std::move(fairness),
                       .parity = std::move(parity),
                       .relaxation = std::move(relaxation),
                       .floor = floor,
                       .epsilon = eps,
                       .bonus_max = bonus_max,
                       .radii = std::move(balls)};
}

}  // namespace fairstep
