#include <cmath>
#include <vector>

#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/learn/run.hpp>

namespace fairstep {
namespace {

void write(JsonWriter& json, const char* key, const Bounds& bounds) {
  json.key(key).object(JsonWriter::Lines::one).field("lower", bounds.lower).field("upper", bounds.upper).end();
}

void write(JsonWriter& json, const char* key, const Measured& measured) {
  json.key(key).object(JsonWriter::Lines::one).field("mean", measured.mean);
  json.field("low", measured.low).field("high", measured.high).end();
}

std::vector<double> gaps(const std::vector<StepGap>& steps) {
  std::vector<double> values;
  values.reserve(steps.size());
  for (const StepGap& step : steps) values.push_back(step.gap);
  return values;
}

void write(JsonWriter& json, const Truth& truth) {
  json.field("value", truth.evaluation.value).key("gap").object();
  json.field("dp", gaps(truth.evaluation.gap.dp)).field("eqopt", gaps(truth.evaluation.gap.eqopt));
  json.field("eqodds", gaps(truth.evaluation.gap.eqodds)).end();
  json.field("reward_regret", truth.reward_regret).field("reward_regret_bound", truth.regret_bound);
  json.field("violation", truth.violation);
  if (!truth.trial) return;
  json.key("evaluation").object().field("people_per_group", truth.trial->people);
  write(json, "value", truth.trial->value);
  write(json, "violation", truth.trial->violation);
  json.field("gap", truth.trial->gap).field("level", 0.95).end();
}

void write(JsonWriter& json, const char* key, const PowerFit& fit) {
  json.key(key).object(JsonWriter::Lines::one).field("slope", fit.slope).field("intercept", fit.intercept);
  json.field("points", fit.points).field("omitted", fit.omitted).end();
}

}  // namespace

std::string to_text(const Update& update, const LearnOptions& options, const Shape& shape,
                    const std::string& policy_file) {
  const AtEpisode at{shape, update.k, options.delta};
  JsonWriter json;
  json.object().field("k", update.k);
  if (policy_file.empty())
    json.key("policy").document(to_text(update.policy));
  else
    json.field("policy", policy_file);
  json.field("limit", update.limit).field("relaxation", update.relaxation).field("vacuous", update.vacuous);
  json.field("estimated_gap", update.estimated_gap);
  json.field("bonus_max", update.bonus_max).field("floor", update.floor).field("epsilon", update.epsilon);
  json.field("unvisited", update.unvisited);
  write(json, "bounds", update.bounds);
  json.field("gap_to_bound", update.gap_to_bound).field("outcome", name_of(update.outcome));
  json.field("stopped_by", name_of(update.stopped_by));
  if (update.safety) {
    json.key("safe").object().field("fallback", update.safety->fallback).field("mixed", update.safety->mixed);
    json.field("doubt_scale", update.safety->doubt_scale).field("worst_gap", update.safety->worst_gap).end();
  }
  if (update.truth) write(json, *update.truth);
  json.key("reference").object(JsonWriter::Lines::one).field("reward_regret", reward_rate(at));
  json.field("violation", violation_rate(at)).end();
  json.end();
  return std::move(json).text();
}

std::string to_text(const Run& run, const Model& model, const LearnOptions& options) {
  JsonWriter json;
  json.object().field("schema", "fairstep/run/1").field("finished", run.finished);
  json.field("groups", model.names().groups);
  json.field("relaxation_mode", name_of(options.relaxation)).field("safe", options.safe);
  json.key("oracle").object().field("outcome", name_of(run.oracle.outcome));
  write(json, "bounds", run.oracle.bounds);
  json.end();
  json.key("fit").object();
  write(json, "reward_regret", run.regret);
  write(json, "violation", run.violation);
  json.end();
  json.key("updates").array();
  for (const std::string& record : run.records) json.document(record);
  json.end().end();
  return std::move(json).text();
}

}  // namespace fairstep
