#include <fairstep/evaluate/robust.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/kernel.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/internal/least_enough.hpp>
#include <fairstep/evaluate/passes.hpp>
#include <fairstep/evaluate/shared/ranked.hpp>

namespace fairstep {
namespace {

/// 0 <= low <= p <= high <= 1, entry by entry.
template <std::size_t Rank>
Expected<void> check_box(const char* name, const Tensor<double, Rank>& low, const Tensor<double, Rank>& high,
                         const Tensor<double, Rank>& p, const Layout<Rank>& axes, const Model& model) {
  const internal::Field of_low(fmt::format("{}low", name), model.names().groups);
  const internal::Field of_high(fmt::format("{}high", name), model.names().groups);
  if (auto ok = internal::check_extents(of_low, low, axes, model.shape()); !ok) return ok;
  if (auto ok = internal::check_extents(of_high, high, axes, model.shape()); !ok) return ok;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double least = low.flat()[i];
    const double most = high.flat()[i];
    if (least >= 0 && least <= p.flat()[i] && p.flat()[i] <= most && most <= 1) continue;
    const bool too_low = !(least >= 0 && least <= p.flat()[i]);
    return internal::fail_at(too_low ? of_low : of_high, axes, internal::unflatten(i, p.extents()),
                             fmt::format("is {}, expected {}", too_low ? least : most,
                                         too_low ? fmt::format("0 to {}, which is the model's", p.flat()[i])
                                                 : fmt::format("{} to 1, which is the model's", p.flat()[i])));
  }
  return {};
}

Expected<void> check_boxes_of_rows(const Boxes& boxes, const Model& model) {
  const ByPeriod<double, 6>& rows = model.spec().transition;
  if (boxes.low.pooled() && boxes.high.pooled() && rows.pooled())
    return check_box("", boxes.low.pooled_table(), boxes.high.pooled_table(), rows.pooled_table(), kTransitionAxes,
                     model);
  return check_box("", boxes.low.with_periods(), boxes.high.with_periods(), rows.with_periods(),
                   with_periods(kTransitionAxes), model);
}

Expected<void> check_fits(const Balls& balls, const Model& model) {
  const Shape& n = model.shape();
  const internal::Field row("row", model.names().groups);
  if (auto ok = internal::check_by_period(row, balls.row, kCellAxes, n, n.periods > 1,
                                          [&](const auto& table, const auto& axes) {
                                            return internal::check_entries(row, table, axes, 0.0, 1.0,
                                                                           "a radius between 0 and 1");
                                          });
      !ok)
    return ok;
  if (balls.initial.size() != n.groups)
    return fail(fmt::format("initial has {} radii, expected {}", balls.initial.size(), n.groups), "/initial");
  for (std::size_t g = 0; g < n.groups; ++g)
    if (!(balls.initial[g] >= 0 && balls.initial[g] <= 1))
      return fail(fmt::format("initial[g={}] is {}, expected a radius between 0 and 1", model.names().groups[g],
                              balls.initial[g]),
                  fmt::format("/initial/{}", g));
  if (!balls.boxes) return {};
  const Boxes& boxes = *balls.boxes;
  if (auto ok = check_boxes_of_rows(boxes, model); !ok) return ok;
  return check_box("initial_", boxes.initial_low, boxes.initial_high, model.spec().initial, kInitialAxes, model);
}

/// Thrown where a stop was asked for, from however deep inside; it never leaves this file.
struct Stopped {};

tl::unexpected<Error> stopped() { return fail("stopped before the end"); }

/// Picks, for one group, the kernel within the balls that makes a mean greatest.
///
/// For a payoff f_h of the state at step h: f_t(s) = sum_a P(a | x) max over the ball of (s,a) of q.f_{t+1}, and last
/// the same maximum over the ball of the first state's distribution.
///
/// Rounding. Payoffs are within [-1,1] and span at most 1. A maximum sums at most S products of numbers that span at
/// most 1, twice, and uses up a radius in at most S subtractions; the radius has in it a sum of S entries. With the
/// unit u = 2^-53 of rounding to nearest each of these four is off by at most (S + 2) u, and mixing the two actions and
/// subtracting add less than 8 u. With a box mass moves at most 2 S times, each from one state to another, and as often
/// something is subtracted from what may move: twice as much. `margin_` is more than all this and is added at every
/// step. As maxima and means never fall when f rises, what comes out is never below the exact maximum, and at most 2 (h
/// + 1) margins above. Totals of rewards are larger than payoffs, and their margin grows with them.
class Adversary {
 public:
  Adversary(const Model& model, const Policy& policy, const Balls& balls, std::size_t g, std::stop_token stop)
      : stop_(std::move(stop)),
        features_(model.shape().features),
        kernels_(model.kernels(g)),
        periods_(model.periods()),
        initial_(model.initial(g)),
        accept_(policy.group(g)),
        margin_((balls.boxes ? 8 : 4) * static_cast<double>(model.shape().states() + 4) * 0x1p-53),
        initial_reach_(internal::reach(initial_, balls.initial[g])),
        cells_(model.shape().cells()),
        reach_(cells_ * model.shape().periods),
        boxes_(balls.boxes ? &*balls.boxes : nullptr),
        group_(g),
        value_(model.shape().states()),
        ranked_(model.shape().states()) {
    const std::size_t states = model.shape().states();
    for (std::size_t k = 0; k < model.shape().periods; ++k)
      for (std::size_t cell = 0; cell < cells_; ++cell)
        reach_[k * cells_ + cell] =
            internal::reach(model.spec().transition.of(g, k).subspan(cell * states, states), balls.row.of(g, k)[cell]);
  }

  /// At least E_q[payoff(s_h)] of every q in the balls, payoff over states.
  template <class Payoff>
  double greatest_mean(std::size_t h, const Payoff& payoff) {
    for (std::size_t s = 0; s < value_.size(); ++s) value_[s] = payoff(s / kLabels, s % kLabels);
    for (std::size_t t = h; t-- > 0;) {
      ranked_.rank(value_);
      const Step at{kernels_.at(t), periods_.of(t)};
      for (std::size_t s = 0; s < value_.size(); ++s)
        value_[s] = mean_over_actions(t, s, [&](std::size_t cell) { return greatest_of_cell(at, cell); }) + margin_;
    }
    return greatest_of_initial() + margin_;
  }

  /// At least E_q[sum over h of discount^h payoff(x_h,y_h,a_h)] of every q in the balls, payoff over cells.
  /// Of an adversary that was asked for nothing yet: the values it starts from are zero.
  double greatest_total(std::size_t horizon, std::span<const double> payoff, double discount, double sign) && {
    double largest = 0;
    for (const double r : payoff) largest = std::max(largest, std::abs(r));
    double size = 0;  // of the values in hand, at most
    for (std::size_t t = horizon; t-- > 0;) {
      ranked_.rank(value_);
      size = 2 * (largest + size);
      const Step at{kernels_.at(t), periods_.of(t)};
      const auto of_cell = [&](std::size_t cell) {
        return sign * payoff[cell] + discount * greatest_of_cell(at, cell);
      };
      for (std::size_t s = 0; s < value_.size(); ++s) value_[s] = mean_over_actions(t, s, of_cell) + margin_ * size;
      size = 0;
      for (const double v : value_) size = std::max(size, std::abs(v));
    }
    return greatest_of_initial() + 2 * margin_ * size;
  }

 private:
  /// Where people go from a step.
  struct Step {
    KernelView kernel;
    std::size_t period;
  };

  /// E[of_cell(s,a)] of the decision at step t. One that is never taken costs nothing to leave out.
  template <class OfCell>
  double mean_over_actions(std::size_t t, std::size_t s, const OfCell& of_cell) const {
    if (stop_.stop_requested()) throw Stopped{};  // for each state: with thousands of them a step takes long
    const double p = accept_[t * features_ + s / kLabels];
    const double share[kActions] = {1 - p, p};
    double mean = 0;
    for (std::size_t a = 0; a < kActions; ++a)
      if (share[a] != 0) mean += share[a] * of_cell(s * kActions + a);
    return mean;
  }

  double greatest_of_cell(const Step& step, std::size_t cell) const {
    const double* p = step.kernel.row(cell);
    const double all = step.kernel.expect(cell, ranked_.shortfall().data());
    const double reach = reach_[step.period * cells_ + cell];
    if (boxes_ == nullptr) return ranked_.greatest(p, all, reach);
    const std::size_t at = (group_ * reach_.size() + step.period * cells_ + cell) * value_.size();
    return ranked_.greatest_in_box(p, &boxes_->low.all()[at], &boxes_->high.all()[at], all, reach);
  }

  double greatest_of_initial() {
    ranked_.rank(value_);
    const double all = std::inner_product(initial_.begin(), initial_.end(), ranked_.shortfall().begin(), 0.0);
    if (boxes_ == nullptr) return ranked_.greatest(initial_.data(), all, initial_reach_);
    return ranked_.greatest_in_box(initial_.data(), boxes_->initial_low.block(group_).data(),
                                   boxes_->initial_high.block(group_).data(), all, initial_reach_);
  }

  std::stop_token stop_;
  std::size_t features_;
  Kernels kernels_;
  const Periods& periods_;
  std::span<const double> initial_;  ///< [x,y]
  std::span<const double> accept_;   ///< [h,x]
  double margin_;
  double initial_reach_;
  std::size_t cells_;
  std::vector<double> reach_;  ///< [period,x,y,a]
  const Boxes* boxes_;         ///< null if there are none
  std::size_t group_;
  std::vector<double> value_;  ///< [x,y] of the step in hand
  internal::Ranked ranked_;    ///< by value_
};

Range hull_of(std::span<const double> entries) {
  const auto [low, high] = std::minmax_element(entries.begin(), entries.end());
  return {*low, *high};
}

/// P(a=1) under the worst kernels. A mean of the policy's entries is within their hull, whatever rounding says.
Range accept_range(Adversary& adversary, std::size_t h, std::span<const double> accept) {
  const Range hull = hull_of(accept);
  const double high = adversary.greatest_mean(h, [&](std::size_t x, std::size_t) { return accept[x]; });
  const double low = -adversary.greatest_mean(h, [&](std::size_t x, std::size_t) { return -accept[x]; });
  return {std::max(low, hull.low), std::min(high, hull.high)};
}

/// P(a=1 | y) under the worst kernels. E_q[c | y] <= t for all q if the greatest E_q[(c - t) 1(y)] is at most 0.
/// `rate` and `people`, P(y), are the model's own: where the search starts.
Range conditional_range(Adversary& adversary, std::size_t h, std::size_t label, std::span<const double> accept,
                        double rate, double people) {
  const Range hull = hull_of(accept);
  const auto greatest = [&](double sign, Range within) {
    const auto excess = [&](double t) {
      return adversary.greatest_mean(
          h, [&](std::size_t x, std::size_t y) { return y == label ? sign * accept[x] - t : 0.0; });
    };
    return internal::least_enough(within, sign * rate, people, excess);
  };
  return {-greatest(-1, {-hull.high, -hull.low}), greatest(1, hull)};
}

/// Rounded up, as the subtraction may have been rounded down.
double widest_gap(const Tensor<Range, 2>& rate, std::size_t h) {
  double gap = 0;
  for (std::size_t i = 0; i < rate.extents()[0]; ++i)
    for (std::size_t j = 0; j < rate.extents()[0]; ++j)
      if (i != j) gap = std::max(gap, rate(i, h).high - rate(j, h).low);
  return gap > 0 ? std::min(1.0, std::nextafter(gap, std::numeric_limits<double>::infinity())) : 0;
}

}  // namespace

Expected<RobustRates> robust_rates(const Model& model, const Policy& policy, const Balls& balls, const Watch& watch) {
  if (auto ok = policy.check_fits(model); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_fits(balls, model); !ok) return tl::unexpected(ok.error());
  const Shape& n = model.shape();
  RobustRates result;
  for (auto* rate : {&result.accept, &result.tpr, &result.fpr}) *rate = Tensor<Range, 2>({n.groups, n.horizon});
  for (auto* gap : {&result.dp, &result.eqopt, &result.eqodds}) gap->resize(n.horizon);
  Evaluation own(n);
  evaluate_into(model, policy, own);
  try {
    for (std::size_t g = 0; g < n.groups; ++g) {
      Adversary adversary(model, policy, balls, g, watch.stop);
      for (std::size_t h = 0; h < n.horizon; ++h) {
        if (watch.stop.stop_requested()) return stopped();
        const auto accept = policy.group(g).subspan(h * n.features, n.features);
        result.accept(g, h) = accept_range(adversary, h, accept);
        result.tpr(g, h) = conditional_range(adversary, h, 1, accept, own.rates.tpr(g, h), own.rates.qualified(g, h));
        result.fpr(g, h) =
            conditional_range(adversary, h, 0, accept, own.rates.fpr(g, h), 1 - own.rates.qualified(g, h));
        // A step takes as many passes over those before it.
        const auto steps = static_cast<double>((h + 1) * (h + 2)) / static_cast<double>(n.horizon * (n.horizon + 1));
        if (watch.progress) watch.progress((static_cast<double>(g) + steps) / static_cast<double>(n.groups));
      }
    }
  } catch (const Stopped&) {
    return stopped();
  }
  for (std::size_t h = 0; h < n.horizon; ++h) {
    result.dp[h] = widest_gap(result.accept, h);
    result.eqopt[h] = widest_gap(result.tpr, h);
    result.eqodds[h] = std::max(result.eqopt[h], widest_gap(result.fpr, h));
  }
  return result;
}

Expected<Tensor<Range, 2>> robust_qualified(const Model& model, const Policy& policy, const Balls& balls,
                                            const Watch& watch) {
  if (auto ok = policy.check_fits(model); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_fits(balls, model); !ok) return tl::unexpected(ok.error());
  const Shape& n = model.shape();
  Tensor<Range, 2> result({n.groups, n.horizon});
  try {
    for (std::size_t g = 0; g < n.groups; ++g) {
      Adversary adversary(model, policy, balls, g, watch.stop);
      for (std::size_t h = 0; h < n.horizon; ++h) {
        const auto greatest = [&](double sign) {
          return adversary.greatest_mean(h, [&](std::size_t, std::size_t y) { return y == 1 ? sign : 0.0; });
        };
        result(g, h) = {std::max(0.0, -greatest(-1)), std::min(1.0, greatest(1))};
      }
    }
  } catch (const Stopped&) {
    return stopped();
  }
  return result;
}

Expected<std::vector<double>> robust_values(const Model& model, const Policy& policy, const Balls& balls,
                                            const Watch& watch) {
  if (auto ok = policy.check_fits(model); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_fits(balls, model); !ok) return tl::unexpected(ok.error());
  std::vector<double> least;
  try {
    for (std::size_t g = 0; g < model.shape().groups; ++g)
      least.push_back(-Adversary(model, policy, balls, g, watch.stop)
                           .greatest_total(model.shape().horizon, model.reward(g), model.discount(), -1));
  } catch (const Stopped&) {
    return stopped();
  }
  return least;
}

Tensor<double, 2> drift(const Model& model, const Policy& policy, const Balls& balls) {
  assert(policy.check_fits(model) && check_fits(balls, model));
  const Shape& n = model.shape();
  Tensor<double, 2> result({n.groups, n.horizon});
  Tensor<double, 3> mass({n.horizon, n.features, kLabels});
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto accept = policy.group(g);
    forward(model.kernels(g), model.initial(g), accept, mass.flat());
    result(g, 0) = balls.initial[g];
    for (std::size_t h = 0; h + 1 < n.horizon; ++h) {
      const auto radius = balls.row.of(g, model.periods().of(h));
      double moved = 0;
      for (std::size_t s = 0; s < n.states(); ++s) {
        const double p = accept[h * n.features + s / kLabels];
        moved += mass.block(h)[s] * ((1 - p) * radius[s * kActions] + p * radius[s * kActions + 1]);
      }
      result(g, h + 1) = result(g, h) + moved;
    }
  }
  return result;
}

}  // namespace fairstep
