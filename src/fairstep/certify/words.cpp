#include <fairstep/certify/words.hpp>

#include <cstdint>
#include <numeric>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fairstep/certify/features.hpp>

namespace fairstep {
namespace {

void add_people(std::vector<std::string>& list, const Counts& counts) {
  if (counts.periods().pooled())
    list.emplace_back(
        "One kernel: given a person's group, state (x,y) and the decision, the next state has a distribution that is "
        "the same at all steps, for all people of the group, and does not depend on anything else that happened "
        "before.");
  else
    list.push_back(fmt::format(
        "One kernel for each period: given a person's group, state (x,y) and the decision, the next state has a "
        "distribution that is the same at all steps of a period, for all people of the group, and does not depend on "
        "anything else that happened before. Periods: {}. They were chosen without looking at the people counted.",
        in_words(counts.periods(), counts.horizon())));
  list.emplace_back(
      "Independent people: given all that happened before, what becomes of one person does not depend on what becomes "
      "of others at the same time. A shock that hits many at once breaks this.");
  list.emplace_back(
      "First states: given all that happened before, the first state seen of a person of a group has a distribution "
      "that is the same for all people of the group.");
  list.emplace_back(
      "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past and on the "
      "decision, not on the next state itself.");
  list.emplace_back(
      "Labels are seen: the counts have the true x, y and decision of everybody counted, also of those refused.");
}

/// The same where labels follow features.
void add_people_by_features(std::vector<std::string>& list, const RefusedRule& refused, bool rates_given_labels) {
  list.emplace_back(
      "Features follow features: given all that happened before, a person's group and feature and the decision, the "
      "next feature has a distribution that is the same at all steps and for all people of the group, those in the "
      "data "
      "and those under the policy. Where decisions in the data used more than the feature, what they used tells "
      "nothing "
      "more about the next feature.");
  list.emplace_back(
      "Independent people: given all that happened before, what becomes of one person does not depend on what becomes "
      "of others at the same time. A shock that hits many at once breaks this.");
  list.emplace_back(
      "First features: given all that happened before, the first feature seen of a person of a group has a "
      "distribution that is the same for all people of the group.");
  list.emplace_back(
      "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past, on the "
      "feature and on the decision, not on the label or on the next feature itself.");
  if (!rates_given_labels) {
    list.emplace_back("Labels: demographic parity needs none, and nothing is assumed about them.");
    return;
  }
  list.emplace_back(
      "Labels follow features: given all that happened before a decision, the chance that the label is 1 depends on "
      "group and feature alone and is the same at all steps. Labels that are seen are true.");
  switch (refused.are) {
    case Refused::like_accepted:
      list.emplace_back(
          "Labels not seen are like those seen: at every decision, given all that happened before, group and feature, "
          "whether the label is seen does not depend on the label. That is so by design if decisions used features and "
          "chance alone, and labels are missing through decisions only.");
      break;
    case Refused::odds:
      list.emplace_back(
          "Labels not seen: at every decision, given all that happened before, group and feature, the odds of the "
          "label "
          "1 if it is not seen are between 1/odds and odds times those if it is seen.");
      break;
    case Refused::anything:
      list.emplace_back("Labels not seen: nothing is assumed about them.");
      break;
  }
  list.emplace_back(
      "Other rules: each entry of if_refused holds if its own rule for labels not seen does, at once with all others.");
}

/// What the record says about rows that are not in the counts.
void add_completeness(std::vector<std::string>& list, const std::optional<LogRecord>& record, bool by_features) {
  if (!record) {
    list.emplace_back(
        "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
        "known.");
    return;
  }
  const bool complete = by_features && record->unlabelled_rows
                            ? !record->unlabelled_rows->lost || record->unlabelled_rows->lost->nothing()
                            : !record->lost || record->lost->nothing();
  list.emplace_back(complete
                        ? "Complete: by the record of the log no row was left out."
                        : "Left out: rows of the log that could not be used. Nothing is assumed about what they would "
                          "have said, only that they are no more than the record of the log says (log.lost).");
  if (record->unrecorded_people > 0)
    list.push_back(
        fmt::format("Unrecorded: {} of the people counted came without the record of a log. That no row of theirs was "
                    "left out is assumed, not known.",
                    record->unrecorded_people));
  const auto unlabelled = record->unlabelled.flat();
  if (const auto all = std::accumulate(unlabelled.begin(), unlabelled.end(), std::int64_t{0}); all > 0)
    list.push_back(fmt::format("Unlabelled: {} decisions have no label. {}", all,
                               by_features ? "Their features are counted with all others."
                                           : "They are among the rows left out, and nothing is assumed about their "
                                             "labels."));
  std::vector<std::string> found;
  for (const Finding& finding : record->findings)
    found.push_back(fmt::format("{}{}{} ({})", name_of(finding.anomaly), finding.role.empty() ? "" : " ", finding.role,
                                finding.rows));
  if (!found.empty()) list.push_back(fmt::format("Found in the log: {}.", fmt::join(found, ", ")));
  std::vector<std::string> outside;
  for (const Excluded& excluded : record->excluded)
    outside.push_back(fmt::format("{} ({})", excluded.group, excluded.rows));
  if (!outside.empty())
    list.push_back(
        fmt::format("Outside of the study: groups that were excluded by name, {}. Nothing is said about these people.",
                    fmt::join(outside, ", ")));
}

void add_parts(std::vector<std::string>& list) {
  list.emplace_back(
      "Two parts: the people of the log were split into a design part and an audit part by a hash of the person and a "
      "seed that was chosen before anybody looked. The counts are the audit part, which proves; the design part only "
      "says where to look.");
  list.emplace_back(
      "Apart: nothing about the design part followed from what became of people of the audit part: not who came and "
      "who "
      "stayed, not how they were treated, not what was lost of it, and not when it ended.");
  list.emplace_back(
      "Chosen apart: the policy was made without the audit part: from the design part, in any way whatever, or before "
      "both. If the audit part was looked at to choose it, this certificate does not hold, and one without a design "
      "part is needed. All else that was chosen (delta, notions, rewards; names, steps and periods that are counted) "
      "was chosen without it, too.");
}

void add_policy(std::vector<std::string>& list, bool followed, bool two_parts) {
  if (!followed && two_parts) {
    list.emplace_back("Any treatment: beyond that nothing is assumed about how people in the data were treated.");
    return;
  }
  if (!followed) {
    list.emplace_back(
        "Any policy: nothing is assumed about how people in the data were treated, when the data ended, or how the "
        "policy was made. It may come from these very data.");
    return;
  }
  list.emplace_back(
      "Followed: the people counted were treated by this very policy at every step, are independent of each other, and "
      "their number was fixed before the data.");
  list.emplace_back(
      "Chosen before: the policy was fixed before these data. If it was chosen by them, as the best of several, say, "
      "this certificate does not hold, and one without followed is needed.");
}

void add_value(std::vector<std::string>& list, const ValueTerms& value, bool two_parts) {
  if (std::holds_alternative<KnownRewards>(value)) {
    list.emplace_back(
        "Rewards: mean rewards, shares of groups and the discount are those of the model file, which are taken as "
        "true.");
  } else if (std::holds_alternative<CountedRewards>(value)) {
    list.emplace_back(
        "Rewards: every single reward lies within reward_range, and its mean, given all that happened before, depends "
        "only on group, state and decision.");
    list.push_back(
        fmt::format("Shares: the value is that of a population whose groups have the shares of the people counted{}. "
                    "That these are the true shares is not certified.",
                    two_parts ? " in the design part" : ""));
  } else {
    list.emplace_back("Rewards: nothing was said about them, so nothing is certified about the value.");
  }
}

}  // namespace

std::string statement_of(const Certificate& certificate) {
  const CertifyOptions& asked = certificate.asked;
  return fmt::format(
      "If the assumptions hold, then with probability at least 1 - delta over the data, at every step and for every "
      "pair of groups at once, the gap between the groups under the true population is at most certified_gap{}{}{}{}.",
      asked.ratios.empty()
          ? ""
          : fmt::format(", and where certified_ratio has a number no group's rate is less than that times {}",
                        asked.reference ? "the rate of the reference" : "the greatest rate of any group"),
      asked.aggregate_dp ? ", and over all steps together the gap between accepted shares is at most "
                           "certified_aggregate_gap"
                         : "",
      certificate.value ? ", and the value of the policy is at least certified_value" : "",
      certificate.if_nothing_lost ? ", whatever the rows that were left out would have said" : "");
}

std::vector<std::string> assumptions_of(const CertifyOptions& options, const Counts& counts, bool two_parts) {
  std::vector<std::string> list;
  if (options.labels)
    add_people_by_features(list, options.labels->refused, wants_labels(options));
  else
    add_people(list, counts);
  add_completeness(list, counts.log(), options.labels.has_value());
  if (two_parts) add_parts(list);
  add_policy(list, options.followed, two_parts);
  list.emplace_back("Staying: gaps and values are those of people who stay for all steps.");
  add_value(list, options.value, two_parts);
  list.emplace_back(
      "Together: all numbers here hold at once with probability 1 - delta. What is said elsewhere, by an audit's "
      "bands, "
      "other data or a certificate with followed, may fail with a delta of its own.");
  return list;
}

}  // namespace fairstep
