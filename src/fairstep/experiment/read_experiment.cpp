#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/suggest.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/internal/read_environment.hpp>
#include <fairstep/experiment/internal/read_method.hpp>
#include <fairstep/experiment/internal/toml_depth.hpp>
#include <fairstep/experiment/internal/toml_table.hpp>
#include <fairstep/experiment/plan.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/io/shared/parse.hpp>
#include <fairstep/learn/schedule.hpp>

namespace fairstep {
namespace {

using internal::TomlTable;

constexpr std::string_view kSchema = "fairstep/experiment/1";
constexpr std::array<std::string_view, 31> kKeys{"schema",
                                                 "name",
                                                 "environments",
                                                 "fairness",
                                                 "limit",
                                                 "horizon",
                                                 "schedule",
                                                 "repeats",
                                                 "people_per_episode",
                                                 "seed",
                                                 "relaxation",
                                                 "evaluation_episodes",
                                                 "bonus_scale",
                                                 "delta",
                                                 "relaxation_scale",
                                                 "floor",
                                                 "floor_kind",
                                                 "epsilon",
                                                 "unvisited",
                                                 "certificate",
                                                 "penalty_form",
                                                 "frontier",
                                                 "method",
                                                 "people",
                                                 "discounted_limits",
                                                 "group_independent",
                                                 "monotone",
                                                 "threshold",
                                                 "stationary",
                                                 "order",
                                                 "monotone_in"};
constexpr std::array<std::string_view, 4> kRequired{"schema", "environments", "fairness", "method"};
constexpr std::array<std::string_view, 4> kCertificateKeys{"gap", "time_limit", "effort", "last"};
constexpr std::array<std::string_view, 4> kLastKeys{"gap", "time_limit", "effort", "fairness"};
constexpr std::array<std::string_view, 4> kFrontierKeys{"limits", "gap", "time_limit", "effort"};

void read_schema(TomlTable& file) {
  const std::string schema = file.text("schema", std::string(kSchema));  // that it is missing is said with other keys
  if (file.failed() || schema == kSchema) return;
  file.fail_key("schema", fmt::format("\"{}\"", kSchema), did_you_mean(schema, std::array{kSchema}));
}

std::vector<std::uint64_t> read_schedule(TomlTable& file) {
  constexpr const char* kExpected = "doublings such as \"2^3..2^18\", or rising episode numbers such as [8, 100, 1000]";
  const toml::node* value = file.find("schedule");
  if (value == nullptr) return *parse_schedule("2^3..2^18");
  std::optional<std::vector<std::uint64_t>> schedule;
  if (const auto* text = value->as_string()) schedule = parse_schedule(text->get());
  if (const auto* list = value->as_array(); list != nullptr && !list->empty()) {
    schedule.emplace();
    for (const toml::node& entry : *list) {
      const auto* k = entry.as_integer();
      if (k == nullptr || k->get() < 1 ||
          (!schedule->empty() && static_cast<std::uint64_t>(k->get()) <= schedule->back())) {
        file.fail_entry("schedule", schedule->size(), entry, "rising episode numbers from 1 on");
        return {};
      }
      schedule->push_back(static_cast<std::uint64_t>(k->get()));
    }
  }
  if (!schedule) file.fail_key("schedule", kExpected);
  return schedule.value_or(std::vector<std::uint64_t>{});
}

/// A table with the keys of a certificate, or "off" for none.
std::optional<const toml::table*> table_or_off(TomlTable& file, std::string_view key) {
  const toml::node* value = file.find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* table = value->as_table()) return table;
  if (const auto* text = value->as_string(); text != nullptr && text->get() == "off") return nullptr;
  file.fail_key(key, fmt::format("a table [{}], or \"off\"", key));
  return std::nullopt;
}

void read_budget(TomlTable& table, ProofBudget& proof) {
  proof.gap = table.number("gap", proof.gap, internal::kNotNegative);
  proof.time_limit = table.number("time_limit", proof.time_limit, internal::kPositive);
  proof.effort = static_cast<std::size_t>(table.whole("effort", proof.effort, 1, std::uint64_t{1} << 53));
}

/// Of every update, and of the last one where that is another.
void read_certificate(TomlTable& file, std::optional<Error>& error, Experiment& experiment) {
  LearnOptions& learning = experiment.learning;
  ProofBudget& proof = learning.proof;
  const auto content = table_or_off(file, "certificate");
  if (!content) return;
  proof.wanted = *content != nullptr;
  if (*content == nullptr) return;
  TomlTable table(**content, error, "certificate", "/certificate");
  table.check_keys(kCertificateKeys);
  read_budget(table, proof);
  const toml::node* last = table.find("last");
  if (last == nullptr) return;
  if (last->as_table() == nullptr) {
    table.fail_key("last", "a table, such as {gap = 1e-5, effort = 100000}");
    return;
  }
  TomlTable inner(*last->as_table(), error, "certificate.last", "/certificate/last");
  inner.check_keys(kLastKeys);
  learning.last_proof = proof;
  read_budget(inner, *learning.last_proof);
  experiment.last_proven = experiment.notions;
  if (inner.has("fairness")) experiment.last_proven = inner.choices<Notion>("fairness");
}

/// Of each group, or in all.
void read_people(TomlTable& file, LearnOptions& learning, std::uint64_t most) {
  learning.people_by_share = file.has("people");
  if (learning.people_by_share && file.has("people_per_episode"))
    file.fail("people", "people and people_per_episode are both given, expected one of them",
              "people draws an episode's people by the groups' shares, people_per_episode takes as many of each group");
  learning.people_per_episode = file.whole(learning.people_by_share ? "people" : "people_per_episode", 1, 1, most);
}

ExperimentFrontier read_frontier(TomlTable& file, std::optional<Error>& error, const ProofBudget& of_runs) {
  ExperimentFrontier frontier;
  frontier.limits = {0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1};
  frontier.proof.wanted = of_runs.wanted;
  frontier.proof.gap = of_runs.gap;
  const auto content = table_or_off(file, "frontier");
  if (!content) return frontier;
  if (*content == nullptr) {
    frontier.limits.clear();
    return frontier;
  }
  TomlTable table(**content, error, "frontier", "/frontier");
  table.check_keys(kFrontierKeys);
  frontier.limits = table.numbers("limits", frontier.limits, internal::kShare);
  std::vector<double> sorted = frontier.limits;
  std::sort(sorted.begin(), sorted.end());
  if (!table.failed() && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    table.fail_key("limits", "each limit once");
  std::sort(frontier.limits.begin(), frontier.limits.end());
  read_budget(table, frontier.proof);
  if (!of_runs.wanted)
    for (const char* key : {"gap", "time_limit", "effort"})
      if (table.has(key))
        table.fail(key, fmt::format("{} has nothing to prove: certificate is \"off\"", table.called(key)));
  return frontier;
}

/// Asks the learner about every cell of the grid; it says what does not go together.
void check_grid(TomlTable& file, const Experiment& experiment, const std::vector<internal::MethodOfTable>& methods) {
  for (const ExperimentEnvironment& environment : experiment.environments) {
    SimulatedEnvironment population(environment.model, 0);
    for (const Notion notion : experiment.notions)
      for (const internal::MethodOfTable& of : methods) {
        if (!runs_under(of.method, notion)) continue;
        const auto learner = Learner::make(population, learn_options(experiment, notion, of.method, 0));
        if (learner) continue;
        const auto& tables = *file.find("method")->as_array();
        file.fail_entry_sentence("method", of.table, *tables.get(of.table),
                                 fmt::format("\"{}\" cannot run with {} on {}: {}", of.method.id, name_of(notion),
                                             environment.name, learner.error().message),
                                 learner.error().hint);
        return;
      }
  }
}

Experiment read(TomlTable& file, std::optional<Error>& error, const std::filesystem::path& folder,
                const std::string& name) {
  constexpr std::uint64_t kMany = 1'000'000'000'000;
  Experiment experiment;
  read_schema(file);
  file.check_keys(kKeys, kRequired);
  experiment.name = file.text("name", name);
  if (!error && experiment.name.empty()) file.fail_key("name", "a text that is not empty");
  experiment.horizon = static_cast<std::size_t>(file.whole("horizon", 8, 1, 10000));
  experiment.repeats = static_cast<std::size_t>(file.whole("repeats", 5, 1, kMostRepeats));
  experiment.seed = file.whole("seed", 1, 0, std::numeric_limits<std::int64_t>::max());
  LearnOptions& learning = experiment.learning;
  read_people(file, learning, kMany);
  learning.trial_episodes = file.whole("evaluation_episodes", 8000, 0, kMany);
  learning.schedule = read_schedule(file);
  learning.fairness.limit = file.number_or_numbers("limit", {0.0}, internal::kShare);
  experiment.relaxation = internal::read_relaxation(file, error);
  learning.delta = file.number("delta", 0.1, internal::kInsideOne);
  learning.floor = file.number("floor", internal::kShare);
  learning.epsilon = file.number("epsilon", internal::kInsideOne);
  learning.floor_kind = file.choice("floor_kind", FloorKind::two_sided);
  learning.discounted_limits = file.flag("discounted_limits", false);
  learning.group_independent = file.flag("group_independent", false);
  learning.rules.monotone = file.flag("monotone", false);
  learning.rules.threshold = file.flag("threshold", false);
  learning.rules.stationary = file.flag("stationary", false);
  learning.rules.order = file.texts("order", {});
  learning.rules.monotone_in = static_cast<std::size_t>(file.whole("monotone_in", 0, 0, 1000));
  learning.unvisited = file.choice("unvisited", Unvisited::uniform);
  const PenaltyForm form = file.choice("penalty_form", PenaltyForm::rate);
  experiment.notions = file.choices<Notion>("fairness");
  read_certificate(file, error, experiment);
  experiment.frontier = read_frontier(file, error, learning.proof);
  const auto methods =
      internal::read_methods(file, error, {learning.fairness.limit, experiment.relaxation, form, experiment.notions});
  for (const internal::MethodOfTable& of : methods) experiment.methods.push_back(of.method);
  experiment.environments = internal::read_environments(file, error, folder, experiment.horizon);
  if (!error) check_grid(file, experiment, methods);
  return experiment;
}

/// What toml++ says, with the place first.
Error syntax_error(const toml::parse_error& trouble) {
  const toml::source_position& at = trouble.source().begin;
  return {fmt::format("line {}, column {}: {}", at.line, at.column, trouble.description()), {}, {}, {}};
}

}  // namespace

Expected<Experiment> parse_experiment(std::string_view text, const std::filesystem::path& folder,
                                      const std::string& file) {
  if (auto fits = internal::check_toml_depth(text); !fits) {
    fits.error().file = file;
    return tl::unexpected(std::move(fits.error()));
  }
  std::optional<Error> error;
  try {
    const toml::table content = toml::parse(text);
    TomlTable table(content, error);
    const std::string name = std::filesystem::path(file).stem().string();
    Experiment experiment = read(table, error, folder, name.empty() ? "experiment" : name);
    if (!error) return experiment;
  } catch (const toml::parse_error& trouble) {
    error = syntax_error(trouble);
  }
  if (error->file.empty()) error->file = file;
  return tl::unexpected(std::move(*error));
}

Expected<Experiment> read_experiment_file(const std::filesystem::path& path) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse_experiment(*text, path.parent_path(), path.string());
}

}  // namespace fairstep
