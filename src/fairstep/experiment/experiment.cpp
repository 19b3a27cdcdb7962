#include <fairstep/experiment/experiment.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/learn/run.hpp>

namespace fairstep {
namespace {

/// One number as it is, one for each step as a list.
void write_limit(JsonWriter& json, const std::vector<double>& limit) {
  json.key("limit");
  limit.size() == 1 ? json.value(limit[0]) : json.value(limit);
}

void write(JsonWriter& json, const ExperimentRelaxation& relaxation) {
  json.field("relaxation", name_of(relaxation.mode)).field("bonus_scale", relaxation.bonus_scale);
  json.key("relaxation_scale").object(JsonWriter::Lines::one);
  for (const Notion notion : all_of<Notion>())
    json.field(name_of(notion), relaxation.scale[static_cast<std::size_t>(notion)]);
  json.end();
}

void write(JsonWriter& json, const ProofBudget& proof) {
  json.field("prove", proof.wanted);
  json.field("gap", proof.wanted ? std::optional(proof.gap) : std::nullopt);
  json.field("time_limit", proof.wanted ? std::optional(proof.time_limit) : std::nullopt);
  json.field("effort", proof.effort > 0 ? std::optional(proof.effort) : std::nullopt);
}

/// Of the last update; null if it is that of all.
void write_last(JsonWriter& json, const Experiment& experiment) {
  const LearnOptions& learning = experiment.learning;
  json.key("last");
  if (!learning.last_proof) {
    json.value(nullptr);
    return;
  }
  json.object(JsonWriter::Lines::one);
  write(json, *learning.last_proof);
  json.key("fairness").array(JsonWriter::Lines::one);
  for (const Notion notion : experiment.last_proven) json.value(name_of(notion));
  json.end().end();
}

void write(JsonWriter& json, const ExperimentEnvironment& environment) {
  json.object().field("name", environment.name).field("label", environment.label);
  json.field("model", "models/" + environment.name + ".json").field("source", environment.source);
  json.field("model_sha256", sha256(to_text(environment.model)));
  json.field("horizon", environment.model.shape().horizon).end();
}

void write(JsonWriter& json, const ExperimentMethod& method) {
  json.object().field("id", method.id).field("label", method.label).field("method", name_of(method.method));
  json.field("lambda", method.lambda);
  json.field("penalty_form", name_of(method.penalty_form));
  json.key("fairness").array(JsonWriter::Lines::one);
  for (const Notion notion : method.notions) json.value(name_of(notion));
  json.end();
  write_limit(json, method.limit);
  write(json, method.relaxation);
  json.field("safe", method.safe).end();
}

/// FNV-1a, 64 bits: a name as a number, the same on every platform.
std::uint64_t number_of(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace

std::uint64_t run_seed(std::uint64_t experiment_seed, const std::string& environment, Notion notion,
                       std::size_t repeat) {
  Rng stream(experiment_seed, number_of(fmt::format("{}/{}", environment, name_of(notion))), repeat);
  return stream() >> 11;  // 53 bits: a whole number for every reader of JSON
}

LearnOptions learn_options(const Experiment& experiment, Notion notion, const ExperimentMethod& method,
                           std::uint64_t seed) {
  LearnOptions options = experiment.learning;
  options.fairness = {notion, method.limit, {}};
  if (std::find(experiment.last_proven.begin(), experiment.last_proven.end(), notion) == experiment.last_proven.end())
    options.last_proof.reset();
  options.method = method.method;
  options.penalty = method.lambda.value_or(0);
  options.penalty_form = method.penalty_form;
  options.relaxation = method.relaxation.mode;
  options.bonus_scale = method.relaxation.bonus_scale;
  options.relaxation_scale = method.relaxation.scale[static_cast<std::size_t>(notion)];
  options.safe = method.safe;
  options.seed = seed;
  return options;
}

std::string to_text(const Experiment& experiment, const std::string& version) {
  const LearnOptions& learning = experiment.learning;
  JsonWriter json;
  json.object().field("schema", "fairstep/experiment-run/1").field("version", version);
  json.field("name", experiment.name).field("seed", experiment.seed).field("repeats", experiment.repeats);
  json.field("horizon", experiment.horizon).field("schedule", learning.schedule);
  json.field("people_per_episode", learning.people_per_episode).field("people_by_share", learning.people_by_share);
  json.field("evaluation_episodes", learning.trial_episodes);
  write_limit(json, learning.fairness.limit);
  json.field("discounted_limits", learning.discounted_limits);
  json.field("delta", learning.delta);
  write(json, experiment.relaxation);
  json.field("floor", learning.floor);
  json.field("epsilon", learning.epsilon);
  json.field("floor_kind", name_of(learning.floor_kind)).field("group_independent", learning.group_independent);
  if (learning.rules.has_rules()) {
    for (const PolicyTrait& trait : kPolicyTraits)
      if (learning.rules.*trait.chosen) json.field(trait.name, true);
    if (!learning.rules.order.empty()) json.field("order", learning.rules.order);
    if (learning.rules.monotone_in > 0) json.field("monotone_in", learning.rules.monotone_in);
  }
  json.field("unvisited", name_of(learning.unvisited));
  json.key("certificate").object(JsonWriter::Lines::one);
  write(json, learning.proof);
  write_last(json, experiment);
  json.end().key("frontier").object(JsonWriter::Lines::one).field("limits", experiment.frontier.limits);
  write(json, experiment.frontier.proof);
  json.end().key("environments").array();
  for (const ExperimentEnvironment& environment : experiment.environments) write(json, environment);
  json.end().key("notions").array(JsonWriter::Lines::one);
  for (const Notion notion : experiment.notions) json.value(name_of(notion));
  json.end().key("methods").array();
  for (const ExperimentMethod& method : experiment.methods) write(json, method);
  json.end().end();
  return std::move(json).text();
}

std::string fingerprint_of(const Experiment& experiment, const std::string& version) {
  return sha256(sealed(to_text(experiment, version)));
}

}  // namespace fairstep
