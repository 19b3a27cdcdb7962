#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/rounding.hpp>
#include <fairstep/monitor/monitor.hpp>

namespace fairstep {
namespace {

std::string of_whom(Rate rate, const MonitorQuestion& question) {
  if (rate == Rate::accept) return "";
  return fmt::format("of those with label {}, ", question.labels[rate == Rate::tpr ? 1 : 0]);
}

}  // namespace

std::string in_words(const Claim& claim, const MonitorQuestion& question, const Certified* certified) {
  const std::string& group = question.groups[claim.first];
  const std::string start = fmt::format("step {}: {}", claim.step, of_whom(claim.rate, question));
  if (claim.second) {
    const bool limit = claim.kind == ClaimKind::limit;
    return fmt::format("{}{} was accepted more often than {}, by more than {}", start, group,
                       question.groups[*claim.second],
                       limit ? fmt::format("{}", claim.bound) : "the certified " + round_down_text(claim.bound, 4));
  }
  if (claim.feature)
    return fmt::format("{}{} with x={} was accepted {} often than with probability {}, as the certified policy has it",
                       start, group, certified->counts.names().features[*claim.feature],
                       claim.at_least ? "less" : "more", claim.bound);
  return fmt::format(
      "{}{} was accepted at a rate {}, {} certified end", start, group,
      claim.at_least ? "below " + round_up_text(claim.bound, 4) : "above " + round_down_text(claim.bound, 4),
      claim.at_least ? "its lower" : "its upper");
}

std::vector<std::string> assumptions_of(const MonitorQuestion& question) {
  std::vector<std::string> list{
      "Independent people: given all that was seen at a step on earlier days, and how many people of each group there "
      "are today, decisions about different people at the step are independent of each other.",
      "Nobody twice: nobody is at the same step twice, in one day's logs or in those of several days. Within a day the "
      "log "
      "shows it; across days nothing is kept of persons, so that it is assumed. Whoever goes on to later steps on "
      "later "
      "days is welcome.",
      "Rates may change from day to day, as a policy or its people do. An alarm says that it was not so on every day "
      "up to then that the rates of the day's people were within the bound.",
      "Taking part: who is in a day's logs does not depend on the decision at the step."};
  if (question.certificate)
    list.emplace_back(
        "A certificate holds with the probability that it states. An alarm says that what it certifies is not what "
        "these days show: it was wrong, or the people or the policy are others.");
  return list;
}

}  // namespace fairstep
