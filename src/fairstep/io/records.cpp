#include <fairstep/io/records.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>
#include <fairstep/io/internal/object_reader.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep {
namespace {

using internal::Json;
using internal::ObjectReader;

void write_bounds(JsonWriter& json, double lower, double upper) {
  json.key("bounds").object(JsonWriter::Lines::one).field("lower", lower).field("upper", upper).end();
}

struct Bounds {
  double lower = 0, upper = 0;
};

/// They must not contradict each other by more than rounding.
Bounds bounds(ObjectReader& outer) {
  ObjectReader in = outer.object("bounds");
  const Bounds read{in.number("lower"), in.number("upper")};
  if (read.upper < read.lower - 1e-9 * std::max(1.0, std::abs(read.lower)))
    in.fail_key("upper", fmt::format("at least the lower bound, {}", read.lower));
  return read;
}

/// Names of files or folders and nothing else: no paths that lead elsewhere.
void refuse_paths(ObjectReader& in, std::string_view key, const std::vector<std::string>& names) {
  using namespace std::string_view_literals;
  for (const std::string& name : names)
    if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\\0"sv) != std::string::npos)
      in.fail_sentence(key, fmt::format("{} is the text {}, expected the name of a file or folder, without a path", key,
                                        internal::quote(name)));
}

std::string file_name(ObjectReader& in, std::string_view key) {
  std::string name = in.text(key);
  refuse_paths(in, key, {name});
  return name;
}

Measured measured(ObjectReader in) { return {in.number("mean"), in.number("low"), in.number("high")}; }

void write(JsonWriter& json, const char* key, const Measured& measured) {
  json.key(key).object(JsonWriter::Lines::one).field("mean", measured.mean);
  json.field("low", measured.low).field("high", measured.high).end();
}

PowerFit fit(ObjectReader in) {
  return {in.number("slope"), in.number("intercept"), in.whole("points"), in.wholes("omitted")};
}

void write(JsonWriter& json, const char* key, const PowerFit& fit) {
  json.key(key).object(JsonWriter::Lines::one).field("slope", fit.slope).field("intercept", fit.intercept);
  json.field("points", fit.points).field("omitted", fit.omitted).end();
}

constexpr std::array<std::pair<const char*, std::string UpdateRecord::*>, 4> kDigests{
    {{"policy_sha256", &UpdateRecord::policy_digest},
     {"counts_sha256", &UpdateRecord::counts_digest},
     {"before_sha256", &UpdateRecord::before_digest},
     {"sha256", &UpdateRecord::digest}}};

UpdateRecord update(ObjectReader& in) {
  UpdateRecord made;
  made.k = in.whole("k");
  if (in.has("policy")) made.policy = in.text("policy");
  made.value = in.number("value");
  made.violation = in.number("violation");
  made.regret = in.number("reward_regret");
  made.regret_bound = in.number("reward_regret_bound");
  if (in.has("gap")) {
    ObjectReader gap = in.object("gap");
    made.dp = gap.numbers("dp");
    made.eqopt = gap.numbers("eqopt");
    made.eqodds = gap.numbers("eqodds");
  }
  if (in.has("ratio")) made.ratio = in.numbers("ratio");
  made.limit = in.numbers("limit");
  made.relaxation = in.numbers("relaxation");
  for (const std::uint64_t step : in.wholes("vacuous")) made.vacuous.push_back(step);
  if (in.has("estimated_gap")) made.estimated_gap = in.numbers("estimated_gap");
  made.floor = in.number("floor");
  made.epsilon = in.number("epsilon");
  made.bonus_max = in.number("bonus_max");
  made.unvisited = in.whole("unvisited");
  const auto [lower, upper] = bounds(in);
  made.lower = lower;
  made.upper = upper;
  made.gap_to_bound = in.number("gap_to_bound");
  made.outcome = in.text("outcome");
  made.stopped_by = in.text("stopped_by");
  if (in.has("safe")) {
    ObjectReader safe = in.object("safe");
    made.safety = {safe.flag("fallback", false), safe.number("mixed"), safe.number("doubt_scale"),
                   safe.numbers("worst_gap")};
  }
  if (in.has("evaluation")) {
    ObjectReader tried = in.object("evaluation");
    made.trial = {
        tried.whole("people_per_group", 0), measured(tried.object("value")), measured(tried.object("violation")), {}};
    if (tried.has("gap")) made.trial->gap = tried.numbers("gap");
  }
  ObjectReader reference = in.object("reference");
  made.reference_regret = reference.number("reward_regret");
  made.reference_violation = reference.number("violation");
  for (const auto& [key, digest] : kDigests) made.*digest = in.text(key, "");
  return made;
}

void write(JsonWriter& json, const UpdateRecord& update) {
  json.object().field("k", update.k).key("policy");
  update.decided ? json.document(to_text(*update.decided)) : json.value(update.policy);
  json.field("limit", update.limit).field("relaxation", update.relaxation).field("vacuous", update.vacuous);
  json.field("estimated_gap", update.estimated_gap);
  json.field("bonus_max", update.bonus_max).field("floor", update.floor).field("epsilon", update.epsilon);
  json.field("unvisited", update.unvisited);
  write_bounds(json, update.lower, update.upper);
  json.field("gap_to_bound", update.gap_to_bound).field("outcome", update.outcome);
  json.field("stopped_by", update.stopped_by);
  if (update.safety) {
    json.key("safe").object().field("fallback", update.safety->fallback).field("mixed", update.safety->mixed);
    json.field("doubt_scale", update.safety->doubt_scale).field("worst_gap", update.safety->worst_gap).end();
  }
  if (!update.dp.empty()) {  // the truth is known
    json.field("value", update.value).key("gap").object();
    json.field("dp", update.dp).field("eqopt", update.eqopt).field("eqodds", update.eqodds).end();
    if (!update.ratio.empty()) json.field("ratio", update.ratio);
    json.field("reward_regret", update.regret).field("reward_regret_bound", update.regret_bound);
    json.field("violation", update.violation);
  }
  if (update.trial) {
    json.key("evaluation").object().field("people_per_group", update.trial->people);
    write(json, "value", update.trial->value);
    write(json, "violation", update.trial->violation);
    json.field("gap", update.trial->gap).field("level", 0.95).end();
  }
  json.key("reference").object(JsonWriter::Lines::one).field("reward_regret", update.reference_regret);
  json.field("violation", update.reference_violation).end();
  for (const auto& [key, digest] : kDigests)
    if (!(update.*digest).empty()) json.field(key, update.*digest);
  json.end();
}

RunRecord run(ObjectReader& in) {
  RunRecord made;
  made.finished = in.flag("finished", false);
  made.safe = in.flag("safe", false);
  made.groups = in.texts("groups");
  made.relaxation = in.text("relaxation_mode");
  ObjectReader oracle = in.object("oracle");
  made.oracle = oracle.text("outcome");
  const auto [lower, upper] = bounds(oracle);
  made.oracle_lower = lower;
  made.oracle_upper = upper;
  if (in.has("fit")) {
    ObjectReader fits = in.object("fit");
    made.regret = fit(fits.object("reward_regret"));
    made.violation = fit(fits.object("violation"));
  }
  for (ObjectReader& entry : in.objects("updates")) made.updates.push_back(update(entry));
  return made;
}

FrontierRecord frontier(ObjectReader& in) {
  FrontierRecord made;
  for (ObjectReader& entry : in.objects("points")) {
    FrontierPoint point;
    point.limit = entry.number("limit");
    point.outcome = entry.text("outcome");
    point.value = entry.number("value");
    const auto [lower, upper] = bounds(entry);
    point.lower = lower;
    point.upper = upper;
    point.parity_gap = entry.numbers("parity_gap");
    point.shadow_price = entry.numbers("shadow_price");
    made.points.push_back(std::move(point));
  }
  return made;
}

ExperimentRecord experiment(ObjectReader& in) {
  ExperimentRecord made;
  made.name = in.text("name");
  made.version = in.text("version", "");
  made.relaxation = in.text("relaxation", "");
  made.seed = in.whole("seed", 0);
  made.repeats = in.whole("repeats");
  if (made.repeats < 1 || made.repeats > kMostRepeats) in.fail_key("repeats", fmt::format("1 to {}", kMostRepeats));
  made.horizon = in.whole("horizon", 0);
  made.people_per_episode = in.whole("people_per_episode", 0);
  made.people_by_share = in.flag("people_by_share", false);
  made.discounted_limits = in.flag("discounted_limits", false);
  made.group_independent = in.flag("group_independent", false);
  made.evaluation_episodes = in.whole("evaluation_episodes", 0);
  made.floor_kind = in.text("floor_kind", "");
  made.unvisited = in.text("unvisited", "");
  made.delta = in.number("delta");
  made.schedule = in.wholes("schedule");
  if (in.has("certificate")) {
    ObjectReader certificate = in.object("certificate");
    made.certificate_gap = certificate.number("gap");
    made.certificate_seconds = certificate.number("time_limit");
    made.certificate_effort = certificate.number("effort");
    if (certificate.has("last")) made.certificate_last_gap = certificate.object("last").number("gap");
  }
  for (ObjectReader& entry : in.objects("environments")) {
    const std::string name = file_name(entry, "name");
    made.environments.push_back(
        {name, entry.text("label", name), entry.text("source", ""), entry.text("model_sha256", "")});
  }
  made.notions = in.texts("notions");
  refuse_paths(in, "notions", made.notions);
  for (ObjectReader& entry : in.objects("methods")) {
    ExperimentRecord::Method method;
    method.id = file_name(entry, "id");
    method.label = entry.text("label", method.id);
    method.method = entry.text("method");
    method.lambda = entry.number("lambda");
    method.penalty_form = entry.text("penalty_form", "");
    if (entry.has("fairness")) method.notions = entry.texts("fairness");
    method.relaxation = entry.text("relaxation", "");
    method.bonus_scale = entry.number("bonus_scale");
    if (entry.has("relaxation_scale")) {
      ObjectReader scale = entry.object("relaxation_scale");
      for (const std::string& notion : made.notions)
        if (scale.has(notion)) method.relaxation_scale[notion] = scale.number(notion);
    }
    made.methods.push_back(std::move(method));
  }
  const double runs = static_cast<double>(made.repeats) * static_cast<double>(made.environments.size()) *
                      static_cast<double>(made.notions.size()) * static_cast<double>(made.methods.size());
  if (runs > static_cast<double>(kMostRuns))
    in.fail_sentence("", fmt::format("environments x notions x methods x repeats are {:.0f} runs, expected at most {}",
                                     runs, kMostRuns));
  return made;
}

OraclesRecord oracles(ObjectReader& in) {
  OraclesRecord made;
  for (ObjectReader& entry : in.objects("oracles")) {
    made.oracles.push_back({entry.text("environment"), entry.text("fairness"), entry.number("kernel_least"),
                            entry.number("policy_least"), entry.number("policy_at_ends")});
  }
  return made;
}

TimingRecord timing(ObjectReader& in) {
  TimingRecord made;
  made.seconds = in.number("seconds");
  made.threads = in.whole("threads", 0);
  made.runs = in.whole("runs", 0);
  made.solves = in.whole("solves", 0);
  made.solves_made = in.whole("solves_made", made.solves);
  made.certified = in.whole("certified", 0);
  made.cut = in.whole("cut_by_time", 0);
  made.worst_gap = in.number("worst_gap");
  return made;
}

/// The document, which must say that it is a `schema` (nothing: any).
template <class Record>
Expected<Record> record_from(std::string_view text, std::string_view schema, Record (*make)(ObjectReader&)) {
  const Expected<Json> json = internal::parse_json(text);
  if (!json) return tl::unexpected(json.error());
  std::optional<Error> error;
  ObjectReader in(*json, error);
  if (!schema.empty()) {
    const std::string found = in.text("schema");
    if (!error && found != schema)
      return fail(fmt::format("schema is {}, expected \"{}\"", internal::quote(found), schema), "/schema");
  }
  Record made = make(in);
  if (error) return tl::unexpected(std::move(*error));
  if constexpr (requires { made.sealed; }) {
    made.sealed = has_seal(text);
    if (made.sealed)
      if (auto ok = check_seal(text); !ok) {
        ok.error().hint = "the folder was changed from outside; run it again with " + flag("restart");
        return tl::unexpected(ok.error());
      }
  }
  return made;
}

template <class Record>
Expected<Record> read_record(const std::filesystem::path& path, std::string_view schema,
                             Record (*make)(ObjectReader&)) {
  Expected<Record> result =
      read_text_file(path).and_then([&](const std::string& text) { return record_from(text, schema, make); });
  if (!result) result.error().file = path.string();
  return result;
}

}  // namespace

std::string to_text(const UpdateRecord& update) {
  JsonWriter json;
  write(json, update);
  return std::move(json).text();
}

std::string to_text(const RunRecord& run) {
  JsonWriter json;
  json.object().field("schema", "fairstep/run/1").field("finished", run.finished).field("groups", run.groups);
  json.field("relaxation_mode", run.relaxation).field("safe", run.safe);
  json.key("oracle").object().field("outcome", run.oracle);
  write_bounds(json, run.oracle_lower, run.oracle_upper);
  json.end().key("fit").object();
  write(json, "reward_regret", run.regret);
  write(json, "violation", run.violation);
  json.end().key("updates").array();
  for (const UpdateRecord& update : run.updates) write(json, update);
  json.end().end();
  return std::move(json).text();
}

std::string to_text(const TimingRecord& timing) {
  JsonWriter json;
  json.object().field("schema", "fairstep/experiment-timing/1").field("seconds", timing.seconds);
  json.field("threads", timing.threads).field("runs", timing.runs).field("solves", timing.solves);
  json.field("solves_made", timing.solves_made).field("certified", timing.certified);
  json.field("cut_by_time", timing.cut).field("worst_gap", timing.worst_gap);
  json.field("solves_per_second", static_cast<double>(timing.solves_made) / timing.seconds);
  json.key("seconds_of_runs").object();
  for (const auto& [folder, seconds] : timing.seconds_of_runs) json.field(folder, seconds);
  json.end().end();
  return std::move(json).text();
}

Expected<UpdateRecord> update_record_from(std::string_view text) { return record_from(text, "", update); }

Expected<RunRecord> read_run_record(const std::filesystem::path& path) {
  return read_record(path, "fairstep/run/1", run);
}

Expected<FrontierRecord> read_frontier_record(const std::filesystem::path& path) {
  return read_record(path, "fairstep/pareto/1", frontier);
}

Expected<ExperimentRecord> read_experiment_record(const std::filesystem::path& path) {
  return read_record(path, "fairstep/experiment-run/1", experiment);
}

Expected<OraclesRecord> read_oracles_record(const std::filesystem::path& path) {
  return read_record(path, "fairstep/oracles/1", oracles);
}

Expected<TimingRecord> read_timing_record(const std::filesystem::path& path) { return read_record(path, "", timing); }

}  // namespace fairstep
