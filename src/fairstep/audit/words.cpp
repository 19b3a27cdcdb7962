// What an audit's bands rest on, and what holds together with what.
#include <string>

#include <fmt/format.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/rounding.hpp>

namespace fairstep {
namespace {

std::string completeness(const Audit& audit) {
  if (!audit.log)
    return "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
           "known.";
  if (!audit.log->lost || audit.log->lost->nothing()) return "Complete: by the record of the log no row was left out.";
  return "Left out: rows of the log that could not be used. Nothing is assumed about what they would have said: every "
         "band is as wide as the worst of it makes it, and only their number is taken from the record of the log.";
}

/// A sentence.
std::string of_the_refused(const LabelAudit& labels) {
  if (labels.unseen == 0) return "All labels were seen.";
  if (labels.assumption.refused.are == Refused::anything)
    return fmt::format("And nothing is assumed of those whose label was not seen: {}.",
                       in_words(labels.assumption.refused));
  return fmt::format("And {}.", in_words(labels.assumption.refused));
}

std::string together(const Audit& audit) {
  std::string text = fmt::format("Together: all bands of {} hold at once with probability {}",
                                 audit.pair_tests > 0 ? "rates at steps" : "steps", one_minus_text(audit.delta));
  if (audit.pair_tests > 0) text += ", those of differences with the same probability among themselves";
  if (audit.ratio_tests > 0) text += ", those of ratios with the same probability among themselves";
  if (audit.window_intervals > 0) text += ", those of calendar windows with the same probability among themselves";
  if (audit.policy) text += ", the ranges of the policy with the same probability among themselves";
  if (audit.parts == 1) return text + ".";
  // Three times 0.05 is 0.15 and no more: the product of digits, not of their doubles.
  const double all = std::stod(fmt::format("{:.12g}", static_cast<double>(audit.parts) * audit.delta));
  return text + (all < 1 ? fmt::format("; all of them together with {}.", one_minus_text(all))
                         : std::string("; nothing is said of all of them together."));
}

}  // namespace

std::vector<std::string> assumptions_of(const Audit& audit) {
  std::vector<std::string> list{
      "Independent people: what happens to one person does not depend on what happens to others at the same time, and "
      "each has at most one decision a step.",
      "Taking part: whether a person takes part in a step does not depend on the decision that would have been taken.",
      completeness(audit)};
  if (audit.log && audit.log->unrecorded_people > 0)
    list.push_back(
        fmt::format("Unrecorded: {} of the people counted came without the record of a log. That no row of theirs was "
                    "left out is assumed, not known.",
                    audit.log->unrecorded_people));
  if (audit.groups_in_doubt)
    list.emplace_back(
        "Groups: rows of some people name no known group, or several. Whoever may be of several groups counts as one "
        "of "
        "the people of each, and their decisions as ones that may be missing there.");
  if (audit.weights)
    list.push_back(fmt::format(
        "Weights: none is above {}, which was said before anybody looked at them. A rate is that of those for whom the "
        "sample stands by its weights. That these are right is assumed, not known. A row that was left out may have "
        "had any weight up to {}.",
        audit.weights->largest, audit.weights->largest));
  if (audit.labels)
    list.push_back(
        fmt::format("Labels: {}. {} Bands of rates given the label rest on this, those of acceptance rates do not.",
                    labels_follow_features_in_words(), of_the_refused(*audit.labels)));
  if (audit.window_intervals > 0)
    list.push_back(
        fmt::format("Calendar: a person may be in a window up to {} times, once a step, and these decisions may depend "
                    "on each other in any way; the bands of windows are wide enough for that. A decision that was left "
                    "out may have been in any window.",
                    audit.horizon));
  if (audit.policy)
    list.emplace_back(
        "Policy: its ranges also take it that the next state has one distribution given group, feature, label and "
        "decision, the same at all steps and for all people of the group, and that whether it is seen does not depend "
        "on it.");
  list.push_back(together(audit));
  return list;
}

}  // namespace fairstep
