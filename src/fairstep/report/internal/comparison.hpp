// The method's final point against the penalty baseline's, at equal violation and at equal return.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fairstep/report/internal/evidence.hpp>

namespace fairstep::report {

struct Point {
  double violation = kUnknown;
  double value = kUnknown;
};

/// What a family of points offers: the upper concave hull, up to its greatest value. On a line between two points lies
/// what tossing a coin between their two policies gives, and violating less than allowed is no fault.
class Curve {
 public:
  explicit Curve(std::vector<Point> points);

  /// The greatest value with at most this violation; NaN if no point violates so little.
  [[nodiscard]] double value_at(double violation) const;
  /// The least violation with at least this value; NaN if no point is worth so much.
  [[nodiscard]] double violation_at(double value) const;
  [[nodiscard]] const std::vector<Point>& corners() const { return corners_; }

 private:
  std::vector<Point> corners_{};  ///< both rising
};

/// What counts as the violation of a policy: the average of the gaps over steps, as the paper has it, or the widest.
enum class Measure { average, worst_step };

/// Of the last update of one repeat.
[[nodiscard]] Point final_point(const Setting& setting, const RunRecord& run, Measure measure = Measure::average);
[[nodiscard]] Band final_violation(const MethodRuns& method);
[[nodiscard]] Band final_value(const MethodRuns& method);

/// Ours minus one other method at the last update, repeat by repeat.
struct Against {
  const MethodRuns* other = nullptr;
  Band violation{}, value{};
  enum class Relation { ours_better, other_better, trade_off, tie } relation = Relation::tie;
  bool open = false;  ///< what the last solves leave unproven is more than what was asked: it might be another relation
};
[[nodiscard]] const char* words_for(Against::Relation relation);

/// Ours against the baseline's curve (penalties, and no penalty at all as the weight 0), repeat by repeat.
struct AgainstCurve {
  Band ours_violation{}, ours_value{};
  Band value{};           ///< the curve's at our violation
  Band value_gain{};      ///< ours minus that
  Band violation{};       ///< the curve's at our return
  Band violation_gain{};  ///< that minus ours
  /// Shares of our value that the last solves leave open, at the worst repeat: so much more ours might be worth, and so
  /// much higher the curve might be at our violation, if each of its points were worth what its solve leaves open.
  double open_ours = 0, open_baseline = 0;
  [[nodiscard]] double open() const { return std::max(open_ours, open_baseline); }
  /// The same two with the larger of these on either side: what is open speaks for nobody.
  double value_gain_low = kUnknown, value_gain_high = kUnknown;
  double violation_gain_low = kUnknown, violation_gain_high = kUnknown;
};

struct Comparison {
  std::vector<Against> points{};
  AgainstCurve curve{};
};

/// The setting must have a method of ours and a penalty. `baseline` is a kind of penalty.
[[nodiscard]] Comparison compare(const Setting& setting, double certificate_gap, Measure measure = Measure::average,
                                 Kind baseline = Kind::penalty);

}  // namespace fairstep::report
