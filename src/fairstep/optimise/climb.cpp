#include <fairstep/optimise/internal/climb.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/internal/linearised.hpp>

namespace fairstep {
namespace {

/// Linear programs in a trust region, for tables too large for second derivatives. An optimum has all but a few entries
/// at an end of their box, and there linear models are as good as Newton's: a few steps do what hundreds of gradient
/// steps would. The merit of a point is its objective less a price on what it exceeds its limits by.
class Climb {
 public:
  Climb(const Program& program, const Tables& start, const LocalOptions& options, Goal goal)
      : options_(options), near_(program, start, options.margin, goal) {
    const Range rewards = program.model->reward_range();
    const double reward = std::max({std::abs(rewards.low), std::abs(rewards.high), 1e-12});
    scale_ = goal == Goal::least_violation ? 1 : reward * static_cast<double>(program.shape().horizon);
    // A unit of a rate at one step is worth about a reward; a unit of excess is worth itself.
    price_ = goal == Goal::least_violation ? 2 : reward;
    dearest_ = 1e4 * scale_;
  }

  LocalResult run() {
    LocalResult result;
    adjust_common_rates();
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
    }
    result.converged = result.converged || radius_ <= kLeastRadius;
    keep_limits();
    result.tables = near_.tables(near_.here());
    return result;
  }

 private:
  static constexpr double kPrecision = 1e-8;
  static constexpr double kLeastRadius = 1e-7;
  static constexpr double kViolation = 1e-9;
  static constexpr int kMostSteps = 200;

  [[nodiscard]] double merit(const Linearised::Point& point) const {
    return point.objective - price_ * point.violation;
  }

  /// The tables as they are, with the common rates that suit them.
  void adjust_common_rates() {
    const Linearised::Step still = near_.solve({.radius = 0, .price = price_});
    if (still.status == LpStatus::optimal) near_.touch(near_.at(still.tables, still.others));
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
    if (gained > 0.1 * promised) near_.touch(there);
    radius_ *= gained > 0.75 * promised ? 2 : gained > 0.1 * promised ? 1 : 0.25;
    radius_ = std::min(radius_, 1.0);
  }

  /// Where a climb was stopped on its way, the way back to the limits.
  void keep_limits() {
    for (int tries = 0; tries < 10 && near_.here().violation > kViolation; ++tries) {
      const Linearised::Step step = near_.solve({.radius = std::max(radius_, 1e-3), .price = dearest_});
      if (step.status != LpStatus::optimal) return;
      const Linearised::Point there = near_.at(step.tables, step.others);
      if (there.violation > 0.5 * near_.here().violation) return;
      near_.touch(there);
    }
  }

  const LocalOptions& options_;
  Linearised near_;
  double scale_ = 1;
  double price_ = 1, dearest_ = 1;
  double radius_ = 1;
};

}  // namespace

LocalResult climb(const Program& program, const Tables& start, const LocalOptions& options, Goal goal) {
  return Climb(program, start, options, goal).run();
}

}  // namespace fairstep
