// Claims about where the method's last policies lie beside the baseline's.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/report/internal/comparison.hpp>
#include <fairstep/report/internal/numbers.hpp>
#include <fairstep/report/internal/verdicts.hpp>

namespace fairstep::report::verdicts {
namespace {

Ruling by_gain(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return Ruling::undecided;
  return low > 0 ? Ruling::holds : high < 0 ? Ruling::fails : Ruling::within_bands;
}

Finding without_penalty() { return {{}, {}, Ruling::undecided, "There is no penalty baseline to compare with."}; }

/// What the solves leave open, in words, where it matters.
std::string openness(const AgainstCurve& curve) {
  return fmt::format(" The last solves leave up to {} of a value open for ours and {} for the baseline.",
                     percent_up(curve.open_ours, 2), percent_up(curve.open_baseline, 2));
}

Finding at_equal(const Setting& setting, const ExperimentRecord& plan, Measure measure, const char* what) {
  if (setting.find(Kind::penalty) == nullptr) return without_penalty();
  const AgainstCurve curve = compare(setting, plan.certificate_gap, measure).curve;
  Finding made;
  if (curve.value_gain.count == 0) {
    made.evidence =
        fmt::format("No penalty weight has {} as small as the method's ({}).", what, with_band(curve.ours_violation));
    return made;
  }
  made.ruling = by_gain(curve.value_gain_low, curve.value_gain_high);
  made.evidence = fmt::format("At {} of {} the method returns {}, the penalty baseline {}: a difference of {}.", what,
                              with_band(curve.ours_violation), with_band(curve.ours_value), with_band(curve.value),
                              with_interval(curve.value_gain.mean, curve.value_gain.low, curve.value_gain.high));
  made.evidence += openness(curve);
  return made;
}

}  // namespace

Finding equal_violation(const Setting& setting, const ExperimentRecord& plan) {
  return at_equal(setting, plan, Measure::average, "a violation");
}

Finding equal_worst_step(const Setting& setting, const ExperimentRecord& plan) {
  return at_equal(setting, plan, Measure::worst_step, "a worst step's gap");
}

Finding equal_return(const Setting& setting, const ExperimentRecord& plan) {
  if (setting.find(Kind::penalty) == nullptr) return without_penalty();
  const AgainstCurve curve = compare(setting, plan.certificate_gap).curve;
  Finding made;
  if (curve.violation_gain.count == 0) {
    made.evidence = fmt::format("No penalty weight returns as much as the method ({}).", with_band(curve.ours_value));
    return made;
  }
  made.ruling = by_gain(curve.violation_gain_low, curve.violation_gain_high);
  const double less = curve.violation_gain.mean;
  made.evidence = fmt::format(
      "At a return of {} the method violates by {}, the penalty baseline by {}: {} {}. With bands and with what the "
      "solves leave open, ours minus the baseline's is between {} and {}.",
      with_band(curve.ours_value), with_band(curve.ours_violation), with_band(curve.violation),
      fixed(std::abs(less), 4), less >= 0 ? "less" : "more", fixed_down(-curve.violation_gain_high, 4),
      fixed_up(-curve.violation_gain_low, 4));
  return made;
}

Finding no_better_penalty(const Setting& setting, const ExperimentRecord& plan) {
  if (setting.find(Kind::penalty) == nullptr) return without_penalty();
  std::vector<std::string> better, worse, ties;
  std::size_t trade_offs = 0;
  for (const Against& point : compare(setting, plan.certificate_gap).points) {
    const std::string weight = fmt::format("{:g}", point.other->about.lambda);
    switch (point.relation) {
      case Against::Relation::other_better:
        better.push_back(weight);
        break;
      case Against::Relation::ours_better:
        worse.push_back(weight);
        break;
      case Against::Relation::tie:
        ties.push_back(weight);
        break;
      case Against::Relation::trade_off:
        ++trade_offs;
    }
  }
  Finding made;
  made.ruling = !better.empty() ? Ruling::fails : !ties.empty() ? Ruling::within_bands : Ruling::holds;
  const auto list = [](const std::vector<std::string>& weights) {
    return weights.empty() ? std::string("none") : fmt::format("lambda {}", fmt::join(weights, ", "));
  };
  made.evidence = fmt::format(
      "Better than the method on one count and not worse on the other: {}. The reverse: {}. No difference: {}. A "
      "trade-off: {} of {} weights.",
      list(better), list(worse), list(ties), trade_offs, trade_offs + better.size() + worse.size() + ties.size());
  return made;
}

}  // namespace fairstep::report::verdicts
