#include <fairstep/check/words.hpp>

#include <cstdint>

#include <fmt/format.h>

namespace fairstep::rigorous {
namespace {

using Texts = std::vector<std::string>;

std::uint64_t entries_in(const Json& value) {
  if (!value.is_array()) return value.get<std::uint64_t>();
  std::uint64_t all = 0;
  for (const Json& part : value) all += entries_in(part);
  return all;
}

std::uint64_t number_at(const Json& object, const char* key) {
  return object.contains(key) ? entries_in(object.at(key)) : 0;
}

void add_findings(Texts& texts, const Json& findings) {
  if (findings.empty()) return;
  std::string list;
  for (const Json& finding : findings) {
    const auto column = finding.value("column", std::string());
    list += fmt::format("{}{}{}{} ({})", list.empty() ? "" : ", ", finding.at("kind").get<std::string>(),
                        column.empty() ? "" : " ", column, finding.at("rows").get<std::uint64_t>());
  }
  texts.push_back(fmt::format("Found in the log: {}.", list));
}

void add_excluded(Texts& texts, const Json& log) {
  const Json groups = log.value("excluded", Json::array());
  if (groups.empty()) return;
  std::string list;
  for (const Json& group : groups)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", group.at("group").get<std::string>(),
                        group.at("rows").get<std::uint64_t>());
  texts.push_back(fmt::format(
      "Outside of the study: groups that were excluded by name, {}. Nothing is said about these people.", list));
}

void add_log(Texts& texts, const Question& q, const Json& counts) {
  if (!counts.contains("log")) {
    texts.emplace_back(
        "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
        "known.");
    return;
  }
  const Json& log = counts.at("log");
  texts.emplace_back(
      q.lost.any ? "Left out: rows of the log that could not be used. Nothing is assumed about what they would have "
                   "said, only that they are no more than the record of the log says (log.lost)."
                 : "Complete: by the record of the log no row was left out.");
  if (const std::uint64_t people = number_at(log, "unrecorded_people"); people > 0)
    texts.push_back(
        fmt::format("Unrecorded: {} of the people counted came without the record of a log. That no row of theirs was "
                    "left out is assumed, not known.",
                    people));
  if (const std::uint64_t decisions = number_at(log, "unlabelled"); decisions > 0)
    texts.push_back(fmt::format("Unlabelled: {} decisions have no label. {}", decisions,
                                q.labels
                                    ? "Their features are counted with all others."
                                    : "They are among the rows left out, and nothing is assumed about their labels."));
  add_findings(texts, log.at("findings"));
  add_excluded(texts, log);
}

/// `before (steps 0 to 2), after (steps 3 to 8)`
std::string periods_in_words(const Json& periods, std::size_t horizon) {
  std::string text;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const auto first = periods.at(k).at("first_step").get<std::size_t>();
    const std::size_t last =
        (k + 1 < periods.size() ? periods.at(k + 1).at("first_step").get<std::size_t>() : horizon - 1) - 1;
    text += fmt::format("{}{} ({})", k == 0 ? "" : ", ", periods.at(k).at("name").get<std::string>(),
                        first == last ? fmt::format("step {}", first) : fmt::format("steps {} to {}", first, last));
  }
  return text;
}

std::string about_kernel(const Question& q, const Json& counts) {
  if (!counts.contains("periods"))
    return "One kernel: given a person's group, state (x,y) and the decision, the next state has a distribution that "
           "is the same at all steps, for all people of the group, and does not depend on anything else that happened "
           "before.";
  return fmt::format(
      "One kernel for each period: given a person's group, state (x,y) and the decision, the next state has a "
      "distribution that is the same at all steps of a period, for all people of the group, and does not depend on "
      "anything else that happened before. Periods: {}. They were chosen without looking at the people counted.",
      periods_in_words(counts.at("periods"), q.horizon));
}

Texts about_states(const Question& q, const Json& counts) {
  return {
      about_kernel(q, counts),
      "Independent people: given all that happened before, what becomes of one person does not depend on what becomes "
      "of others at the same time. A shock that hits many at once breaks this.",
      "First states: given all that happened before, the first state seen of a person of a group has a distribution "
      "that is the same for all people of the group.",
      "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past and on the "
      "decision, not on the next state itself.",
      "Labels are seen: the counts have the true x, y and decision of everybody counted, also of those refused."};
}

std::string about_labels_not_seen(const LabelRule& rule) {
  switch (rule.kind) {
    case LabelRule::Kind::like_accepted:
      return "Labels not seen are like those seen: at every decision, given all that happened before, group and "
             "feature, whether the label is seen does not depend on the label. That is so by design if decisions used "
             "features and chance alone, and labels are missing through decisions only.";
    case LabelRule::Kind::odds:
      return "Labels not seen: at every decision, given all that happened before, group and feature, the odds of the "
             "label 1 if it is not seen are between 1/odds and odds times those if it is seen.";
    case LabelRule::Kind::anything:
      break;
  }
  return "Labels not seen: nothing is assumed about them.";
}

Texts about_features(const Question& q) {
  Texts texts{
      "Features follow features: given all that happened before, a person's group and feature and the decision, the "
      "next feature has a distribution that is the same at all steps and for all people of the group, those in the "
      "data and those under the policy. Where decisions in the data used more than the feature, what they used tells "
      "nothing more about the next feature.",
      "Independent people: given all that happened before, what becomes of one person does not depend on what becomes "
      "of others at the same time. A shock that hits many at once breaks this.",
      "First features: given all that happened before, the first feature seen of a person of a group has a "
      "distribution that is the same for all people of the group.",
      "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past, on the "
      "feature and on the decision, not on the label or on the next feature itself."};
  if (!q.eqopt && !q.eqodds) {
    texts.emplace_back("Labels: demographic parity needs none, and nothing is assumed about them.");
    return texts;
  }
  texts.emplace_back(
      "Labels follow features: given all that happened before a decision, the chance that the label is 1 depends on "
      "group and feature alone and is the same at all steps. Labels that are seen are true.");
  texts.push_back(about_labels_not_seen(*q.labels));
  texts.emplace_back(
      "Other rules: each entry of if_refused holds if its own rule for labels not seen does, at once with all others.");
  return texts;
}

void add_parts(Texts& texts) {
  texts.emplace_back(
      "Two parts: the people of the log were split into a design part and an audit part by a hash of the person and a "
      "seed that was chosen before anybody looked. The counts are the audit part, which proves; the design part only "
      "says where to look.");
  texts.emplace_back(
      "Apart: nothing about the design part followed from what became of people of the audit part: not who came and "
      "who "
      "stayed, not how they were treated, not what was lost of it, and not when it ended.");
  texts.emplace_back(
      "Chosen apart: the policy was made without the audit part: from the design part, in any way whatever, or before "
      "both. If the audit part was looked at to choose it, this certificate does not hold, and one without a design "
      "part is needed. All else that was chosen (delta, notions, rewards; names, steps and periods that are counted) "
      "was chosen without it, too.");
}

void add_treatment(Texts& texts, const Question& q) {
  if (!q.followed && q.design) {
    texts.emplace_back("Any treatment: beyond that nothing is assumed about how people in the data were treated.");
    return;
  }
  if (!q.followed) {
    texts.emplace_back(
        "Any policy: nothing is assumed about how people in the data were treated, when the data ended, or how the "
        "policy was made. It may come from these very data.");
    return;
  }
  texts.emplace_back(
      "Followed: the people counted were treated by this very policy at every step, are independent of each other, and "
      "their number was fixed before the data.");
  texts.emplace_back(
      "Chosen before: the policy was fixed before these data. If it was chosen by them, as the best of several, say, "
      "this certificate does not hold, and one without followed is needed.");
}

void add_rewards(Texts& texts, const Question& q) {
  switch (q.value) {
    case Question::Value::none:
      texts.emplace_back("Rewards: nothing was said about them, so nothing is certified about the value.");
      break;
    case Question::Value::known:
      texts.emplace_back(
          "Rewards: mean rewards, shares of groups and the discount are those of the model file, which are taken as "
          "true.");
      break;
    case Question::Value::counted:
      texts.emplace_back(
          "Rewards: every single reward lies within reward_range, and its mean, given all that happened before, "
          "depends only on group, state and decision.");
      texts.push_back(
          fmt::format("Shares: the value is that of a population whose groups have the shares of the people "
                      "counted{}. That these are the true shares is not certified.",
                      q.design ? " in the design part" : ""));
      break;
  }
}

}  // namespace

std::string statement_of(const Question& q) {
  std::string text =
      "If the assumptions hold, then with probability at least 1 - delta over the data, at every step and for every "
      "pair of groups at once, the gap between the groups under the true population is at most certified_gap";
  if (q.ratios)
    text += fmt::format(", and where certified_ratio has a number no group's rate is less than that times the {}",
                        q.reference ? "rate of the reference" : "greatest rate of any group");
  if (q.aggregate)
    text += ", and over all steps together the gap between accepted shares is at most certified_aggregate_gap";
  if (q.value != Question::Value::none) text += ", and the value of the policy is at least certified_value";
  if (q.lost.any) text += ", whatever the rows that were left out would have said";
  return text + ".";
}

std::vector<std::string> assumptions_of(const Question& q, const Json& counts) {
  Texts texts = q.labels ? about_features(q) : about_states(q, counts);
  add_log(texts, q, counts);
  if (q.design) add_parts(texts);
  add_treatment(texts, q);
  texts.emplace_back("Staying: gaps and values are those of people who stay for all steps.");
  add_rewards(texts, q);
  texts.emplace_back(
      "Together: all numbers here hold at once with probability 1 - delta. What is said elsewhere, by an audit's "
      "bands, "
      "other data or a certificate with followed, may fail with a delta of its own.");
  return texts;
}

}  // namespace fairstep::rigorous
