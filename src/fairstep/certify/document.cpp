#include <fairstep/certify/document.hpp>

#include <utility>

#include <fairstep/certify/words.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep {
namespace {

void write_gaps(JsonWriter& json, const GapBounds& gaps, const std::vector<Notion>& notions) {
  for (const Notion notion : notions) json.field(name_of(notion), of_notion(gaps, notion));
}

void write_ratios(JsonWriter& json, std::string_view name, const RatioBounds& ratios,
                  const std::vector<RatioNotion>& notions) {
  json.key(name).object();
  for (const RatioNotion notion : notions) json.field(name_of(notion), steps_of(ratios, notion));
  json.end();
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
  if (certificate.labels) json.field("labels", split.labels).field("label", split.label);
  if (certificate.bound_by)
    json.field("directions", split.directions).field("question", split.question).field("path", split.path);
  json.end();
}

void write_ends(JsonWriter& json, const Tensor<Range, 2>& range) {
  Tensor<double, 2> low(range.extents());
  Tensor<double, 2> high(range.extents());
  for (std::size_t i = 0; i < low.size(); ++i) {
    low.flat()[i] = range.flat()[i].low;
    high.flat()[i] = range.flat()[i].high;
  }
  json.field("low", low).field("high", high);
}

void write_rate(JsonWriter& json, std::string_view name, const std::optional<RateBounds>& rate) {
  if (!rate) return;
  json.key(name).object();
  write_ends(json, rate->range);
  json.field("estimate", rate->estimate).end();
}

void write_number_or_null(JsonWriter& json, std::string_view name, const std::optional<double>& number) {
  if (number)
    json.field(name, *number);
  else
    json.field(name, nullptr);
}

void write_bound_by(JsonWriter& json, const BoundsBy& by, const std::vector<Notion>& notions) {
  json.key("bound_by").object();
  for (const Notion notion : notions) {
    std::vector<std::string> words;
    for (const BoundBy step : of_notion(by, notion)) words.emplace_back(name_of(step));
    json.field(name_of(notion), words);
  }
  if (by.value)
    json.field("value", name_of(*by.value));
  else
    json.field("value", nullptr);
  json.end();
}

void write_if_nothing_lost(JsonWriter& json, const IfNothingLost& bounds, const std::vector<Notion>& notions) {
  json.key("if_nothing_lost").object().key("certified_gap").object();
  write_gaps(json, bounds.gap, notions);
  json.end();
  write_number_or_null(json, "certified_value", bounds.value);
  json.key("rates").object();
  for (const auto& [name, range] : {std::pair{"accept", &bounds.accept}, {"tpr", &bounds.tpr}, {"fpr", &bounds.fpr}}) {
    if (!*range) continue;
    json.key(name).object();
    write_ends(json, **range);
    json.end();
  }
  json.end().end();
}

void write_rule(JsonWriter& json, const RefusedRule& refused) {
  json.field("refused", name_of(refused.are));
  if (refused.are == Refused::odds) json.field("odds", refused.odds);
}

/// What is known of labels under the rule, and what would be so under others.
void write_labels(JsonWriter& json, const LabelBounds& labels, const std::vector<Notion>& notions) {
  json.key("label_shares").object();
  write_ends(json, labels.qualified);
  json.end().key("if_refused").array();
  for (const RefusedBounds& bounds : labels.if_refused) {
    json.object();
    write_rule(json, bounds.refused);
    json.key("certified_gap").object();
    for (const Notion notion : notions)
      if (notion != Notion::dp) json.field(name_of(notion), of_notion(bounds.gap, notion));
    json.end().key("rates").object();
    for (const auto& [name, range] : {std::pair{"tpr", &bounds.tpr}, {"fpr", &bounds.fpr}}) {
      if (!*range) continue;
      json.key(name).object();
      write_ends(json, **range);
      json.end();
    }
    json.end().end();
  }
  json.end();
  if (!labels.break_even) return;
  json.key("break_even").object().field("limit", labels.break_even->limit);
  if (labels.break_even->refused)
    write_rule(json, *labels.break_even->refused);
  else
    json.field("refused", nullptr);
  json.end();
}

/// What the data themselves say against the assumptions. Nothing in the bounds rests on it.
void write_diagnosis(JsonWriter& json, const Diagnosis& diagnosis, bool labels_follow) {
  json.key("diagnosis").array();
  for (const Diagnosed& answer : diagnosis.answers) {
    if (!is_assumption(answer.question) && !labels_follow) continue;
    json.object(JsonWriter::Lines::one).field("test", name_of(answer.question));
    write_number_or_null(json, "p_value", answer.adjusted);
    write_number_or_null(json, "effect", answer.effect);
    json.field("sentence", answer.sentence).end();
  }
  json.end();
}

}  // namespace

std::string to_text(const Certificate& certificate, const Counts& counts, const CertificateInputs& inputs) {
  return to_text(certificate, counts, *diagnose(counts), inputs);  // its only error is a level that is none
}

std::string to_text(const Certificate& certificate, const Counts& counts, const Diagnosis& diagnosis,
                    const CertificateInputs& inputs) {
  const CertifyOptions& asked = certificate.asked;
  const Names& names = counts.names();
  JsonWriter json;
  json.object().field("schema", "fairstep/certificate/2").field("statement", statement_of(certificate));
  json.key("assumptions").array();
  for (const std::string& assumption : assumptions_of(asked, counts, certificate.bound_by.has_value()))
    json.value(assumption);
  json.end();
  write_diagnosis(json, diagnosis, certificate.labels.has_value());
  json.field("delta", asked.delta);
  write_split(json, certificate);
  json.field("followed", asked.followed);
  if (asked.labels) json.field("labels", name_of(LabelsAre::follow_features));
  if (certificate.labels) write_rule(json, asked.labels->refused);
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
  if (!asked.ratios.empty()) {
    if (asked.reference) json.field("reference", names.groups[*asked.reference]);
    write_ratios(json, "certified_ratio", certificate.ratio, asked.ratios);
    write_ratios(json, "estimated_ratio", certificate.estimated_ratio, asked.ratios);
  }
  if (asked.aggregate_dp) {
    json.key("certified_aggregate_gap").object().field("dp", *certificate.aggregate_dp).end();
    json.key("estimated_aggregate_gap").object().field("dp", *certificate.estimated_aggregate_dp).end();
  }
  write_number_or_null(json, "certified_value", certificate.value);
  write_number_or_null(json, "estimated_value", certificate.estimated_value);
  if (certificate.bound_by) write_bound_by(json, *certificate.bound_by, asked.notions);
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
  json.end();
  if (certificate.labels) write_labels(json, *certificate.labels, asked.notions);
  if (certificate.if_nothing_lost) write_if_nothing_lost(json, *certificate.if_nothing_lost, asked.notions);
  json.key("inputs").object();
  write_input(json, "counts", inputs.counts);
  if (inputs.design) write_input(json, "design", *inputs.design);
  write_input(json, "policy", inputs.policy);
  if (inputs.model) write_input(json, "model", *inputs.model);
  json.end().end();
  return std::move(json).text();
}

}  // namespace fairstep
