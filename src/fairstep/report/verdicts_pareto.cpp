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

Finding without_penalty() { return {{}, {}, Ruling::undecided, "There is no penalty baseline to compare with."}; }

/// What the solves leave open, in words, where it matters.
std::string openness(const AgainstCurve& curve) {
  return fmt::format(" The last solves leave up to {} of a value open for the method and {} for the baseline.",
                     percent_up(curve.open_ours, 2), percent_up(curve.open_baseline, 2));
}

Ruling on_return(const AgainstCurve& curve) {
  return ruling_on(curve.value_gain_low, curve.value_gain_high, kTieOfReturn * std::abs(curve.ours_value.mean));
}

/// The difference from the baseline in its other form, in words, where it was run.
std::string in_other_form(const Setting& setting, const ExperimentRecord& plan, Measure measure) {
  const MethodRuns* other = setting.find(Kind::other_form);
  if (other == nullptr) return {};
  const AgainstCurve curve = compare(setting, plan.certificate_gap, measure, Kind::other_form).curve;
  if (curve.value_gain.count == 0)
    return fmt::format(" No weight of the penalty's other form ({}) goes so low.", other->about.penalty_form);
  return fmt::format(" Against the penalty's other form ({}) the difference is {}: {}.", other->about.penalty_form,
                     with_interval(curve.value_gain.mean, curve.value_gain.low, curve.value_gain.high),
                     words_for(on_return(curve)));
}

Finding at_equal(const Setting& setting, const ExperimentRecord& plan, Measure measure, const char* what) {
  if (setting.find(Kind::penalty) == nullptr) return without_penalty();
  const AgainstCurve curve = compare(setting, plan.certificate_gap, measure).curve;
  Finding made;
  if (curve.value_gain.count == 0) {
    made.evidence =
        fmt::format("No penalty weight has {} as small as the method's ({}).", what, with_band(curve.ours_violation));
    made.evidence += in_other_form(setting, plan, measure);
    return made;
  }
  made.ruling = on_return(curve);
  made.evidence = fmt::format("At {} of {} the method returns {}, the penalty baseline {}: a difference of {}.", what,
                              with_band(curve.ours_violation), with_band(curve.ours_value), with_band(curve.value),
                              with_interval(curve.value_gain.mean, curve.value_gain.low, curve.value_gain.high));
  made.evidence += openness(curve) + in_other_form(setting, plan, measure);
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
  made.ruling = ruling_on(curve.violation_gain_low, curve.violation_gain_high, kTieOfViolation);
  const double less = curve.violation_gain.mean;
  made.evidence = fmt::format(
      "At a return of {} the method violates by {}, the penalty baseline by {}: {} {}. With bands and with what the "
      "solves leave open, the method's minus the baseline's is between {} and {}.",
      with_band(curve.ours_value), with_band(curve.ours_violation), with_band(curve.violation),
      fixed(std::abs(less), 4), less >= 0 ? "less" : "more", fixed_down(-curve.violation_gain_high, 4),
      fixed_up(-curve.violation_gain_low, 4));
  return made;
}

Finding no_better_penalty(const Setting& setting, const ExperimentRecord& plan) {
  if (setting.find(Kind::penalty) == nullptr) return without_penalty();
  std::vector<std::string> better, worse, ties, open;
  std::size_t trade_offs = 0;
  bool refuted = false;
  for (const Against& point : compare(setting, plan.certificate_gap).points) {
    const std::string weight = fmt::format("{:g}", point.other->about.lambda);
    if (point.open) open.push_back(weight);
    switch (point.relation) {
      case Against::Relation::other_better:
        better.push_back(weight);
        refuted = refuted || !point.open;
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
  made.ruling = refuted         ? Ruling::fails
                : !open.empty() ? Ruling::undecided
                : !ties.empty() ? Ruling::tie
                                : Ruling::holds;
  const auto list = [](const std::vector<std::string>& weights) {
    return weights.empty() ? std::string("none") : fmt::format("lambda {}", fmt::join(weights, ", "));
  };
  made.evidence = fmt::format(
      "Better than the method on one count and not worse on the other: {}. The reverse: {}. No difference: {}. A "
      "trade-off: {} of {} weights.",
      list(better), list(worse), list(ties), trade_offs, trade_offs + better.size() + worse.size() + ties.size());
  if (!open.empty())
    made.evidence += fmt::format(" Not proven as closely as was asked, on either side: {}.", list(open));
  return made;
}

}  // namespace fairstep::report::verdicts
