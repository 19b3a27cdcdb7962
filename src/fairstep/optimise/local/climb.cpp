#include <fairstep/optimise/local/climb.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fairstep/optimise/local/linearised.hpp>

namespace fairstep {
namespace {

/// Linear programs in a trust region, for tables too large for second derivatives. An optimum has all but a few entries
/// at an end of their box, and there linear models are as good as Newton's: a few steps do what hundreds of gradient
/// steps would. The merit of a point is its objective less a price on what it exceeds its limits by.
class Climb {
 public:
  Climb(const Program& program, const Tables& start, const LocalOptions& options, Goal goal)
      : program_(program), options_(options), near_(program, start, options.margin, goal, options.deadline) {
    const Range rewards = program.model->reward_range();
    const double reward = std::max({std::abs(rewards.low), std::abs(rewards.high), 1e-12});
    scale_ = goal == Goal::least_violation ? 1 : reward * static_cast<double>(program.shape().horizon);
    // A unit of a rate at one step is worth about a reward; a unit of excess is worth itself.
    price_ = goal == Goal::least_violation ? 2 : reward;
    dearest_ = 1e4 * scale_;
  }

  LocalResult run() {
    LocalResult result;
    try {
      ascend(result);
    } catch (const OutOfTime&) {
      result.converged = false;
    }
    const bool astray = kept_ && near_.here().violation > kept_->violation && options_.deadline.over();
    result.tables = near_.tables(astray ? *kept_ : near_.here());
    return result;
  }

 private:
  void ascend(LocalResult& result) {
    keep();
    adjust_common_rates();
    rested_ = near_.tables(near_.here());
    while (radius_ > kLeastRadius && result.iterations < kMostSteps && !options_.deadline.passed()) {
      ++result.iterations;
      const Linearised::Step step = near_.solve({.radius = radius_, .price = price_});
      if (step.status != LpStatus::optimal) break;
      // Limits that the step would rather pay for than approach are too cheap.
      if (step.violation > kViolation && step.violation > 0.5 * near_.here().violation && price_ < dearest_) {
        price_ *= 4;
        continue;
      }
      const double promised = step.gain + price_ * (near_.here().violation - step.violation);
      if (promised <= kPrecision * std::max(std::abs(near_.here().objective), 1e-6 * scale_)) {
        result.converged = true;
        break;
      }
      take(step, promised);
      if (result.iterations % kBetweenRests == 0) repeat_in_time();
    }
    result.converged = result.converged || radius_ <= kLeastRadius;
    keep_limits();
  }

  static constexpr double kPrecision = 1e-8;
  static constexpr double kLeastRadius = 1e-7;
  static constexpr double kViolation = 1e-9;
  static constexpr int kMostSteps = 200;
  static constexpr int kBetweenRests = 8;
  static constexpr std::size_t kPeriod = 2;  ///< optima that repeat themselves may do so every other step
  static constexpr double kAtRest = 0.01;    ///< a step whose entries changed by less in all has come to rest

  [[nodiscard]] double merit(const Linearised::Point& point) const {
    return point.objective - price_ * point.violation;
  }

  void move_to(const Linearised::Point& there) {
    near_.touch(there);
    keep();
  }

  /// The best place so far that keeps every limit: a climb that is stopped elsewhere goes back to it.
  void keep() {
    const Linearised::Point& here = near_.here();
    if (here.violation <= options_.tolerance && (!kept_ || here.objective > kept_->objective)) kept_ = here;
  }

  /// The tables as they are, with the common rates that suit them.
  void adjust_common_rates() {
    const Linearised::Step still = near_.solve({.radius = 0, .price = price_});
    if (still.status == LpStatus::optimal) move_to(near_.at(still.tables, still.others));
  }

  /// Limits bend, so that a step along their tangents leaves them a little. It is corrected for that before it is
  /// judged.
  void take(const Linearised::Step& step, double promised) {
    Linearised::Point there = near_.at(step.tables, step.others);
    if (there.violation > step.violation + kViolation) {
      const Linearised::Step corrected = near_.solve_through(there, {.radius = radius_, .price = price_});
      if (corrected.status == LpStatus::optimal) {
        Linearised::Point other = near_.at(corrected.tables, corrected.others);
        if (merit(other) > merit(there)) there = std::move(other);
      }
    }
    const double gained = merit(there) - merit(near_.here());
    if (gained > 0.1 * promised) move_to(there);
    radius_ *= gained > 0.75 * promised ? 2 : gained > 0.1 * promised ? 1 : 0.25;
    radius_ = std::min(radius_, 1.0);
  }

  /// Over a long horizon an optimum repeats itself in the middle, and a climb mends one step after the other, like a
  /// wave. The steps that the wave has left behind say what the others will be: they are tried there, all but a few at
  /// the other end, where things are different again.
  void repeat_in_time() {
    const Tables now = near_.tables(near_.here());
    const std::size_t features = program_.shape().features, horizon = program_.shape().horizon;
    if (horizon <= 2 * kPeriod) return;
    std::size_t first = horizon, last = 0;  // steps that have changed since the last time
    for (std::size_t b = 0; b < now.size(); ++b)
      for (std::size_t h = 0; h < horizon; ++h) {
        double change = 0;
        for (std::size_t i = h * features; i < (h + 1) * features; ++i) change += std::abs(now[b][i] - rested_[b][i]);
        if (change <= kAtRest) continue;
        first = std::min(first, h);
        last = std::max(last, h);
      }
    rested_ = now;
    Linearised::Point best = near_.here();
    const auto offer = [&](const Tables& repeated) {
      std::vector<double> flat;
      for (const std::vector<double>& table : repeated) flat.insert(flat.end(), table.begin(), table.end());
      Linearised::Point there = near_.at(flat, near_.others(near_.here()));
      if (merit(there) > merit(best)) best = std::move(there);
    };
    for (std::size_t kept = horizon / 2; kept > 0; kept /= 2) {
      Tables forth = now, back = now;
      for (std::size_t h = std::max(first, kPeriod); h + kept < horizon; ++h) copy_step(forth, h - kPeriod, h);
      for (std::size_t h = std::min(last + 1, horizon - kPeriod); h-- > kept;) copy_step(back, h + kPeriod, h);
      offer(forth);
      offer(back);
    }
    if (merit(best) > merit(near_.here())) move_to(best);
  }

  void copy_step(Tables& tables, std::size_t from, std::size_t to) const {
    const std::size_t features = program_.shape().features;
    for (std::size_t b = 0; b < tables.size(); ++b)
      for (std::size_t x = 0; x < features; ++x) {
        const std::size_t at = to * features + x;
        tables[b][at] = std::clamp(tables[b][from * features + x], program_.boxes[b].lo[at], program_.boxes[b].hi[at]);
      }
  }

  /// Where a climb was stopped on its way, the way back to the limits. A step also takes what value it can get on that
  /// way, and so bends away from limits that are near: the nearer they are, the smaller it must be.
  void keep_limits() {
    double radius = std::max(radius_, 1e-3);
    for (int tries = 0; tries < 10 && near_.here().violation > kViolation; ++tries) {
      const Linearised::Step step = near_.solve({.radius = radius, .price = dearest_});
      if (step.status != LpStatus::optimal) return;
      const Linearised::Point there = near_.at(step.tables, step.others);
      if (there.violation > 0.5 * near_.here().violation)
        radius *= 0.1;
      else
        move_to(there);
    }
  }

  const Program& program_;
  const LocalOptions& options_;
  Linearised near_;
  Tables rested_{};  ///< as they were some steps ago
  std::optional<Linearised::Point> kept_{};
  double scale_ = 1;
  double price_ = 1, dearest_ = 1;
  double radius_ = 1;
};

}  // namespace

LocalResult climb(const Program& program, const Tables& start, const LocalOptions& options, Goal goal) {
  try {
    return Climb(program, start, options, goal).run();
  } catch (const OutOfTime&) {  // before the first step
    return {};
  }
}

}  // namespace fairstep
