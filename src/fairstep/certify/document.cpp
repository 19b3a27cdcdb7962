#include <fairstep/certify/document.hpp>

#include <utility>

#include <fmt/format.h>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/sha256.hpp>

namespace fairstep {
namespace {

void write_gaps(JsonWriter& json, const GapBounds& gaps, const std::vector<Notion>& notions) {
  for (const Notion notion : notions) json.field(name_of(notion), of_notion(gaps, notion));
}

void write_rate(JsonWriter& json, std::string_view name, const std::optional<RateBounds>& rate) {
  if (!rate) return;
  Tensor<double, 2> low(rate->range.extents());
  Tensor<double, 2> high(rate->range.extents());
  for (std::size_t i = 0; i < low.size(); ++i) {
    low.flat()[i] = rate->range.flat()[i].low;
    high.flat()[i] = rate->range.flat()[i].high;
  }
  json.key(name).object().field("low", low).field("high", high).field("estimate", rate->estimate).end();
}

void write_input(JsonWriter& json, std::string_view name, const InputText& input) {
  json.key(name).object().field("file", input.file).field("sha256", sha256(input.text)).field("text", input.text).end();
}

void write_split(JsonWriter& json, const Certificate& certificate) {
  const DeltaSplit& split = certificate.split;
  json.key("delta_split").object();
  json.field("rows", split.rows).field("row", split.row).field("ball", split.ball).field("interval", split.interval);
  if (certificate.asked.followed) json.field("followed", split.followed).field("tail", split.tail);
  if (std::holds_alternative<CountedRewards>(certificate.asked.value))
    json.field("rewards", split.rewards).field("reward", split.reward);
  json.end();
}

std::string statement_of(const Certificate& certificate) {
  return fmt::format(
      "If the assumptions hold, then with probability at least 1 - delta over the data, at every step and for every "
      "pair of groups at once, the gap between the groups under the true population is at most certified_gap{}.",
      certificate.value ? ", and the value of the policy is at least certified_value" : "");
}

}  // namespace

std::vector<std::string> assumptions_of(const CertifyOptions& options) {
  std::vector<std::string> list;
  list.emplace_back(
      "One kernel: given a person's group, state (x,y) and the decision, the next state has a distribution that is the "
      "same at all steps, for all people of the group, and does not depend on anything else that happened before.");
  list.emplace_back(
      "First states: the first state seen of a person of a group has a distribution that is the same for all people of "
      "the group.");
  list.emplace_back(
      "Seeing is blind: whether a next state is seen may depend on the past and on the decision, not on the next state "
      "itself.");
  list.emplace_back(
      "Labels are seen: the counts have the true x, y and decision of everybody counted, also of those refused.");
  list.emplace_back(
      "Nothing is assumed about how people in the data were treated, when the data ended, or how the policy was made: "
      "it may come from these very data.");
  list.emplace_back("Gaps and values are those of people who stay for all steps.");
  if (options.followed)
    list.emplace_back(
        "Followed: the people counted are independent of each other and were treated by this very policy, which was "
        "fixed before the data, as was their number.");
  if (std::holds_alternative<KnownRewards>(options.value))
    list.emplace_back("Rewards: mean rewards, shares of groups and the discount are those of the model file.");
  if (std::holds_alternative<CountedRewards>(options.value))
    list.emplace_back(
        "Rewards: every single reward lies within reward_range, and its mean depends only on group, state and "
        "decision; shares of groups are those of the people counted.");
  if (std::holds_alternative<std::monostate>(options.value))
    list.emplace_back("Rewards: nothing was said about them, so nothing is certified about the value.");
  return list;
}

std::string to_text(const Certificate& certificate, const Names& names, const CertificateInputs& inputs) {
  const CertifyOptions& asked = certificate.asked;
  JsonWriter json;
  json.object().field("schema", "fairstep/certificate/1").field("statement", statement_of(certificate));
  json.key("assumptions").array();
  for (const std::string& assumption : assumptions_of(asked)) json.value(assumption);
  json.end();
  json.field("delta", asked.delta);
  write_split(json, certificate);
  json.field("followed", asked.followed);
  if (const auto* counted = std::get_if<CountedRewards>(&asked.value)) {
    json.field("reward_range", std::vector<double>{counted->range.low, counted->range.high});
    json.field("discount", counted->discount);
  }
  json.field("groups", names.groups);
  json.key("certified_gap").object();
  write_gaps(json, certificate.gap, asked.notions);
  json.end().key("estimated_gap").object();
  write_gaps(json, certificate.estimated_gap, asked.notions);
  json.end();
  if (certificate.value) {
    json.field("certified_value", *certificate.value).field("estimated_value", *certificate.estimated_value);
  } else {
    json.field("certified_value", nullptr).field("estimated_value", nullptr);
  }
  json.key("pairs").array();
  for (const PairBounds& pair : certificate.pairs) {
    json.object().field("groups", std::vector{names.groups[pair.first], names.groups[pair.second]});
    write_gaps(json, pair.gap, asked.notions);
    json.end();
  }
  json.end().key("rates").object();
  write_rate(json, "accept", certificate.accept);
  write_rate(json, "tpr", certificate.tpr);
  write_rate(json, "fpr", certificate.fpr);
  write_rate(json, "qualified", certificate.qualified);
  json.end().key("inputs").object();
  write_input(json, "counts", inputs.counts);
  write_input(json, "policy", inputs.policy);
  if (inputs.model) write_input(json, "model", *inputs.model);
  json.end().end();
  return std::move(json).text();
}

}  // namespace fairstep
