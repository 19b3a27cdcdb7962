#include <fairstep/learn/internal/safe_choice.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include <fairstep/evaluate/robust.hpp>

namespace fairstep {
namespace {

/// Shares of the linear doubt that a policy is asked to bear. All of it is enough, and mostly more than needed.
constexpr double kDoubtScales[] = {0, 0.1, 0.25, 0.5, 1};
/// Halvings of the weight of a policy in its mixture.
constexpr int kHalvings = 12;
/// Seconds that a solve gets, however late it is.
constexpr double kLeastTime = 1e-3;

using Clock = std::chrono::steady_clock;

/// Entries are probabilities by construction, and of a policy that does not look at the group all groups' are the same.
Policy make_policy(Tensor<double, 3> accept, const Names& names, bool group_independent) {
  if (!group_independent) return *Policy::make(std::move(accept), names.groups);
  Tensor<double, 2> shared({accept.extents()[1], accept.extents()[2]});
  std::ranges::copy(accept.block(0), shared.flat().begin());
  return *Policy::make_group_independent(shared);
}

class Chooser {
 public:
  Chooser(const UpdateProgram& program, const LearnOptions& options)
      : model_(program.optimistic),
        parity_(program.parity),
        group_independent_(options.group_independent),
        accept_(accept_range(program.floor, options.floor_kind)),
        balls_{program.radii->row, program.radii->initial},
        watch_{options.stop, {}},
        alike_(treat_all_alike()),
        best_{alike_, {true, 0, 0, std::vector<double>(model_.shape().horizon, 0.0)}, {}, {}} {
    best_.bounds.lower = value_of(alike_);
  }

  /// Takes the policy, or as much of it as is safe, if that is better than what there is.
  void offer(const Policy& found, double doubt_scale) {
    double weight = 1;
    auto gaps = safe_gaps(found);
    Policy policy = found;
    if (!gaps) {
      double unsafe = 1;
      weight = 0;
      for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (weight + unsafe);
        Policy mixture = mix(found, middle);
        if (auto worst = safe_gaps(mixture)) {
          weight = middle;
          gaps = std::move(worst);
          policy = std::move(mixture);
        } else {
          unsafe = middle;
        }
      }
    }
    if (!gaps) return;
    const double value = value_of(policy);
    if (value <= best_.bounds.lower) return;
    best_.policy = std::move(policy);
    best_.safety = {false, weight, doubt_scale, std::move(*gaps)};
    best_.bounds.lower = value;
  }

  [[nodiscard]] SafeChoice& best() { return best_; }

 private:
  [[nodiscard]] double value_of(const Policy& policy) const { return evaluate(model_, policy)->value; }

  /// The worst gaps, if all of them keep the limits.
  [[nodiscard]] std::optional<std::vector<double>> safe_gaps(const Policy& policy) const {
    const auto rates = robust_rates(model_, policy, balls_, watch_);
    if (!rates) return std::nullopt;
    const std::vector<double>& gaps = of_notion(*rates, parity_.notion);
    for (std::size_t h = 0; h < gaps.size(); ++h)
      if (!(gaps[h] <= limit_at(parity_, h))) return std::nullopt;
    return gaps;
  }

  [[nodiscard]] Policy mix(const Policy& found, double weight) const {
    const Shape& n = model_.shape();
    Tensor<double, 3> accept({n.groups, n.horizon, n.features});
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h)
        for (std::size_t x = 0; x < n.features; ++x)
          accept(g, h, x) = std::clamp(weight * found.accept(g, h, x) + (1 - weight) * alike_.accept(g, h, x),
                                       accept_.low, accept_.high);
    return make_policy(std::move(accept), model_.names(), group_independent_);
  }

  /// One probability for everybody at a step: every rate of every group is that probability, so there is no gap under
  /// any population. The value is affine in each step's, so that its best is at an end; steps in turn until none moves.
  [[nodiscard]] Policy treat_all_alike() const {
    const Shape& n = model_.shape();
    Tensor<double, 3> accept({n.groups, n.horizon, n.features}, accept_.low);
    const auto set = [&](std::size_t h, double p) {
      for (std::size_t g = 0; g < n.groups; ++g)
        for (std::size_t x = 0; x < n.features; ++x) accept(g, h, x) = p;
    };
    double best = value_of(make_policy(accept, model_.names(), group_independent_));
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t h = 0; h < n.horizon && !watch_.stop.stop_requested(); ++h) {
        const double before = accept(0, h, 0);
        set(h, before == accept_.low ? accept_.high : accept_.low);
        const double value = value_of(make_policy(accept, model_.names(), group_independent_));
        if (value > best) {
          best = value;
          moved = true;
        } else {
          set(h, before);
        }
      }
    }
    return make_policy(std::move(accept), model_.names(), group_independent_);
  }

  const Model& model_;
  const StepwiseParity& parity_;  ///< the limits themselves: safe programs have no relaxation
  bool group_independent_;
  Range accept_;
  Balls balls_;
  Watch watch_;
  Policy alike_;
  SafeChoice best_;
};

/// The policy in force, moved into the floor of this update.
Policy into_floor(const Policy& policy, const Model& model, Range accept) {
  const Shape& n = model.shape();
  Tensor<double, 3> table({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        table(g, h, x) = std::clamp(policy.accept(g, h, x), accept.low, accept.high);
  return make_policy(std::move(table), model.names(), policy.group_independent());
}

/// Whether doubt alone is more than a limit, so that there is no need to ask the solver: whatever the policy, a rate is
/// off by the first state's doubt and that of at least the least doubtful cell at each step before.
bool hopeless(const StepwiseParity& parity, const Shape& n) {
  for (std::size_t h = 0; h < n.horizon; ++h) {
    std::vector<double> off;
    for (std::size_t g = 0; g < n.groups; ++g) {
      const auto cells = parity.doubt->cell.block(g);
      off.push_back(parity.doubt->start[g] + static_cast<double>(h) * *std::min_element(cells.begin(), cells.end()));
    }
    std::nth_element(off.begin(), off.begin() + 1, off.end(), std::greater<>{});
    if (off[0] + off[1] > limit_at(parity, h) + kLimitTolerance) return true;
  }
  return false;
}

}  // namespace

Expected<SafeChoice> choose_safely(const UpdateProgram& program, const LearnOptions& options,
                                   const SolveOptions& solving, const Policy& current) {
  const Range accept = accept_range(program.floor, options.floor_kind);
  const auto begin = Clock::now();
  Chooser chooser(program, options);
  chooser.offer(into_floor(current, program.optimistic, accept), 0);
  for (const double scale : kDoubtScales) {
    Fairness fairness{.parity = {program.parity}};
    if (scale > 0) {
      fairness.parity[0].doubt =
          doubt_of(*program.radii, Doubt::Stance::cautious, std::max(0.0, accept.high - accept.low), scale);
      if (hopeless(fairness.parity[0], program.optimistic.shape())) break;
    }
    SolveOptions each = solving;
    // The limit is on all of them together.
    each.proof.time_limit = solving.proof.time_limit - std::chrono::duration<double>(Clock::now() - begin).count();
    if (scale > 0 && (each.proof.time_limit <= 0 || solving.stop.stop_requested())) {
      chooser.best().stopped_by = solving.stop.stop_requested() ? StopReason::requested : StopReason::time;
      break;
    }
    each.proof.time_limit = std::max(each.proof.time_limit, kLeastTime);
    // The model is in its own balls, so what is safe keeps the limits there: the proof without doubt bounds it.
    each.proof.wanted = solving.proof.wanted && scale == 0;
    auto result = solve(program.optimistic, fairness, each);
    if (!result) return tl::unexpected(result.error());
    if (scale == 0) {
      chooser.best().bounds.upper = result->bounds.upper;
      chooser.best().stopped_by = result->stopped_by;
    }
    if (!result->solution) break;  // more doubt leaves even less
    chooser.offer(result->solution->policy, scale);
  }
  Bounds& bounds = chooser.best().bounds;
  auto above = upper_above(bounds.lower, bounds.upper, value_scale(program.optimistic));
  if (!above) return tl::unexpected(std::move(above.error()));
  bounds.upper = *above;
  return std::move(chooser.best());
}

}  // namespace fairstep
