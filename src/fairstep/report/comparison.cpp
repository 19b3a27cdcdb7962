#include <fairstep/report/internal/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fairstep::report {
namespace {

double between(double at, double from, double to, double value_from, double value_to) {
  return to == from ? value_to : value_from + (value_to - value_from) * (at - from) / (to - from);
}

/// The share of its value that a run's last solve leaves open; all of it if nothing was proven.
double left_open(const RunRecord& run) {
  const double gap = run.updates.back().gap_to_bound;
  return std::isnan(gap) ? 1 : gap;
}

/// Of a method's repeats the worst.
double left_open(const MethodRuns& method) {
  double open = 0;
  for (const RunRecord& run : method.repeats) open = std::max(open, left_open(run));
  return open;
}

Against against(const Setting& setting, const MethodRuns& ours, const MethodRuns& other, double asked,
                Measure measure) {
  Against made;
  made.other = &other;
  std::vector<double> violation, value;
  for (std::size_t r = 0; r < std::min(ours.repeats.size(), other.repeats.size()); ++r) {
    const Point a = final_point(setting, ours.repeats[r], measure);
    const Point b = final_point(setting, other.repeats[r], measure);
    violation.push_back(a.violation - b.violation);
    value.push_back(a.value - b.value);
  }
  made.violation = band_of(violation);
  made.value = band_of(value);
  // Which of the two is better on a count, 0 if that cannot be told. These are policies that were found, and what they
  // are worth is exact; differences smaller than what solves were asked to prove are nobody's merit.
  const auto better = [](const Band& gain, double open) {
    const double low = std::isnan(gain.low) ? gain.mean : gain.low;
    const double high = std::isnan(gain.high) ? gain.mean : gain.high;
    return low > open ? 1 : high < -open ? -1 : 0;
  };
  const int by_value = better(made.value, asked * std::abs(final_value(ours).mean));
  const int by_violation = -better(made.violation, 0);
  using Relation = Against::Relation;
  made.relation = by_value * by_violation < 0   ? Relation::trade_off
                  : by_value + by_violation > 0 ? Relation::ours_better
                  : by_value + by_violation < 0 ? Relation::other_better
                                                : Relation::tie;
  made.open = std::max(left_open(ours), left_open(other)) > asked;
  return made;
}

}  // namespace

Curve::Curve(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.violation != b.violation ? a.violation < b.violation : a.value > b.value;
  });
  for (const Point& next : points) {
    if (!corners_.empty() && next.value <= corners_.back().value) continue;  // violates more for no more
    // A corner on or below the line from the one before it to the next is none.
    while (corners_.size() >= 2) {
      const Point& a = corners_[corners_.size() - 2];
      const Point& b = corners_.back();
      if (b.value > between(b.violation, a.violation, next.violation, a.value, next.value)) break;
      corners_.pop_back();
    }
    corners_.push_back(next);
  }
}

double Curve::value_at(double violation) const {
  if (corners_.empty() || std::isnan(violation) || violation < corners_.front().violation) return kUnknown;
  for (std::size_t i = 1; i < corners_.size(); ++i)
    if (violation <= corners_[i].violation)
      return between(violation, corners_[i - 1].violation, corners_[i].violation, corners_[i - 1].value,
                     corners_[i].value);
  return corners_.back().value;
}

double Curve::violation_at(double value) const {
  if (corners_.empty() || std::isnan(value) || value > corners_.back().value) return kUnknown;
  if (value <= corners_.front().value) return corners_.front().violation;
  for (std::size_t i = 1; i < corners_.size(); ++i)
    if (value <= corners_[i].value)
      return between(value, corners_[i - 1].value, corners_[i].value, corners_[i - 1].violation, corners_[i].violation);
  return corners_.back().violation;
}

Point final_point(const Setting& setting, const RunRecord& run, Measure measure) {
  const UpdateRecord& last = run.updates.back();
  return {measure == Measure::average ? last.violation : setting.worst_gap(last), last.value};
}

Band final_violation(const MethodRuns& method) {
  return method.band(method.updates() - 1, [](const UpdateRecord& update) { return update.violation; });
}

Band final_value(const MethodRuns& method) {
  return method.band(method.updates() - 1, [](const UpdateRecord& update) { return update.value; });
}

const char* words_for(Against::Relation relation) {
  switch (relation) {
    case Against::Relation::ours_better:
      return "method better";
    case Against::Relation::other_better:
      return "penalty better";
    case Against::Relation::trade_off:
      return "trade-off";
    case Against::Relation::tie:
      break;
  }
  return "no difference";
}

Comparison compare(const Setting& setting, double certificate_gap, Measure measure, Kind baseline) {
  Comparison made;
  const double asked = std::isnan(certificate_gap) ? 0 : certificate_gap;
  const MethodRuns& ours = *setting.find(Kind::ours);
  std::vector<const MethodRuns*> family = setting.all(baseline);
  for (const MethodRuns* penalty : family) made.points.push_back(against(setting, ours, *penalty, asked, measure));
  if (const MethodRuns* none = setting.find(Kind::unconstrained)) family.push_back(none);

  AgainstCurve& curve = made.curve;
  curve.open_ours = left_open(ours);
  std::vector<double> mine_violation, value, value_gain, violation, violation_gain, gain_low, gain_high;
  std::vector<Curve> offers;
  for (std::size_t r = 0; r < ours.repeats.size(); ++r) {
    std::vector<Point> points, lifted;
    for (const MethodRuns* method : family)
      if (r < method->repeats.size()) {
        points.push_back(final_point(setting, method->repeats[r], measure));
        lifted.push_back(points.back());
        lifted.back().value += left_open(method->repeats[r]) * std::abs(points.back().value);
      }
    const Curve& offered = offers.emplace_back(std::move(points));
    const Point mine = final_point(setting, ours.repeats[r], measure);
    const double lift = Curve(std::move(lifted)).value_at(mine.violation) - offered.value_at(mine.violation);
    if (!std::isnan(lift)) curve.open_baseline = std::max(curve.open_baseline, lift / std::abs(mine.value));
    mine_violation.push_back(mine.violation);
    value.push_back(offered.value_at(mine.violation));
    value_gain.push_back(mine.value - value.back());
    violation.push_back(offered.violation_at(mine.value));
    violation_gain.push_back(violation.back() - mine.violation);
  }
  for (std::size_t r = 0; r < ours.repeats.size(); ++r) {
    const Curve& offered = offers[r];
    const Point mine = final_point(setting, ours.repeats[r], measure);
    // A baseline worth more has our return at less violation; were ours worth more, it would need more.
    const double open = curve.open() * std::abs(mine.value);
    gain_low.push_back(offered.violation_at(mine.value - open) - mine.violation);
    const double above = offered.violation_at(mine.value + open);
    gain_high.push_back((std::isnan(above) ? violation.back() : above) - mine.violation);
  }
  curve.ours_violation = band_of(mine_violation);
  curve.ours_value = final_value(ours);
  curve.value = band_of(value);
  curve.value_gain = band_of(value_gain);
  curve.violation = band_of(violation);
  curve.violation_gain = band_of(violation_gain);
  const auto low = [](const Band& band) { return std::isnan(band.low) ? band.mean : band.low; };
  const auto high = [](const Band& band) { return std::isnan(band.high) ? band.mean : band.high; };
  const double open = curve.open() * std::abs(curve.ours_value.mean);
  curve.value_gain_low = low(curve.value_gain) - open;
  curve.value_gain_high = high(curve.value_gain) + open;
  curve.violation_gain_low = low(band_of(gain_low));
  curve.violation_gain_high = high(band_of(gain_high));
  return made;
}

}  // namespace fairstep::report
