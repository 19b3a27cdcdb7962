#include <fairstep/learn/run.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/folder_lock.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/kept_file.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/learn/rates.hpp>

namespace fairstep {
namespace {

namespace fs = std::filesystem;

double known(double number) { return std::isfinite(number) ? number : kUnknown; }

std::vector<double> gaps(const std::vector<StepGap>& steps) {
  std::vector<double> values;
  values.reserve(steps.size());
  for (const StepGap& step : steps) values.push_back(step.gap);
  return values;
}

/// Everything but the model that decides the result, one fact a line.
std::string config_text(const LearnOptions& options, const RunOptions& run) {
  JsonWriter json;
  json.object().field("schema", "fairstep/run-config/2").field("version", run.version).field("model", "model.json");
  json.field("fairness", notion_in_force(options));
  json.field("limit", options.ratio ? options.ratio->limit : options.fairness.limit);
  if (options.ratio && options.ratio->reference) json.field("reference", *options.ratio->reference);
  json.field("method", name_of(options.method)).field("lambda", options.penalty);
  json.field("penalty_form", name_of(options.penalty_form));
  json.field("schedule", options.schedule).field("people_per_episode", options.people_per_episode);
  json.field("people_by_share", options.people_by_share);
  json.field("by", run.by_person ? "person" : "counts");
  json.field("relaxation", name_of(options.relaxation));
  json.field("bonus_scale", *options.bonus_scale).field("relaxation_scale", *options.relaxation_scale);
  json.field("delta", options.delta).field("discounted_limits", options.discounted_limits);
  json.field("floor", options.floor).field("epsilon", options.epsilon);
  json.field("floor_kind", name_of(options.floor_kind)).field("group_independent", options.group_independent);
  if (options.rules.has_rules()) {  // left out otherwise, so that runs of before go on
    for (const PolicyTrait& trait : kPolicyTraits)
      if (options.rules.*trait.chosen) json.field(trait.name, true);
    if (!options.rules.order.empty()) json.field("order", options.rules.order);
    if (options.rules.monotone_in > 0) json.field("monotone_in", options.rules.monotone_in);
  }
  json.field("unvisited", name_of(options.unvisited));
  json.field("safe", options.safe).field("prove", options.proof.wanted).field("gap", options.proof.gap);
  json.field("time_limit", options.proof.time_limit).field("effort", options.proof.effort);
  json.key("last");
  if (options.last_proof) {
    json.object(JsonWriter::Lines::one).field("gap", options.last_proof->gap);
    json.field("time_limit", options.last_proof->time_limit).field("effort", options.last_proof->effort).end();
  } else {
    json.value(nullptr);
  }
  json.field("evaluation_episodes", options.trial_episodes);
  json.field("seed", options.seed);
  if (options.oracle) {
    const Bounds& best = options.oracle->bounds;
    json.key("oracle").object(JsonWriter::Lines::one).field("lower", best.lower).field("upper", best.upper).end();
  }
  json.end();
  return std::move(json).text();
}

/// The folder of a run, held by this process alone.
class Folder {
 public:
  static Expected<Folder> open(const fs::path& path, const std::string& model, const std::string& config,
                               std::size_t updates, bool restart) {
    std::error_code trouble;
    fs::create_directories(path / "updates", trouble);
    if (trouble) return fail_in_file(path, trouble.message());
    auto lock = FolderLock::take(path);
    if (!lock) return tl::unexpected(lock.error());
    Folder folder(path, std::move(*lock));
    for (const fs::path& each : {path, path / "updates"}) remove_unfinished(each);
    if (restart)
      if (auto ok = folder.clear(); !ok) return tl::unexpected(ok.error());
    for (const auto& [name, text] : {std::pair{"model.json", &model}, {"run.json", &config}})
      if (auto ok = write_or_agree(path / name, *text, "run"); !ok) return tl::unexpected(ok.error());
    while (folder.kept_ < updates && fs::exists(folder.update(folder.kept_, ".json"), trouble)) ++folder.kept_;
    return folder;
  }

  [[nodiscard]] std::size_t kept() const { return kept_; }

  [[nodiscard]] Expected<Policy> policy(std::size_t number) const {
    return read_policy(update(number, ".policy.json"));
  }
  [[nodiscard]] Expected<Counts> counts(std::size_t number) const {
    return read_counts(update(number, ".counts.json"));
  }
  /// The record, if it and the files it goes with are what was written, after the update whose text is `before`; this
  /// becomes its own.
  [[nodiscard]] Expected<UpdateRecord> record(std::size_t number, std::string& before) const {
    auto text = read_text_file(update(number, ".json"));
    if (!text) return tl::unexpected(text.error());
    if (auto ok = check_json(*text); !ok) return blame(number, ".json", ok.error());
    if (auto ok = check_seal(*text); !ok) return blame(number, ".json", ok.error());
    auto record = update_record_from(*text);
    if (!record) return blame(number, ".json", record.error());
    for (const auto& [digest, ending] :
         {std::pair{&record->policy_digest, ".policy.json"}, {&record->counts_digest, ".counts.json"}}) {
      const auto kept = read_text_file(update(number, ending));
      if (!kept) return tl::unexpected(kept.error());
      if (*digest != sha256(*kept))
        return blame(number, ending, Error{"it is not what was written: the update's fingerprint of it is another"});
    }
    if (record->before_digest != sha256(before))
      return blame(number, ".json",
                   Error{"it does not follow the update before it, of which its fingerprint is another"});
    before = std::move(*text);
    return record;
  }
  /// A file of an update is not what was written.
  [[nodiscard]] tl::unexpected<Error> blame(std::size_t number, const char* ending, Error error) const {
    error.file = update(number, ending).string();
    error.hint = "the run was changed from outside; start over with " + flag("restart");
    return tl::unexpected(std::move(error));
  }

  /// Writes the update and refers its record to what was written, and to the update whose text is `before`; this
  /// becomes its own. The record goes last: with it the update has happened.
  Expected<void> keep(std::size_t number, UpdateRecord& record, const Counts& seen, std::string& before) const {
    const std::string policy = to_text(*record.decided), counts = to_text(seen);
    record.decided.reset();
    record.policy = fmt::format("updates/{:04}.policy.json", number);
    record.policy_digest = sha256(policy);
    record.counts_digest = sha256(counts);
    record.before_digest = sha256(before);
    before = sealed(to_text(record));
    record.digest = seal_of(before);
    if (auto ok = write_file(update(number, ".policy.json"), policy); !ok) return ok;
    if (auto ok = write_file(update(number, ".counts.json"), counts); !ok) return ok;
    return write_file(update(number, ".json"), before);
  }
  Expected<void> finish(const std::string& result) const { return write_file(path_ / "result.json", result); }

 private:
  Folder(fs::path path, FolderLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  [[nodiscard]] fs::path update(std::size_t number, const char* ending) const {
    return path_ / "updates" / fmt::format("{:04}{}", number, ending);
  }

  /// Removes nothing but what a run wrote itself. Wherever this is interrupted, what is left is the beginning of the
  /// same run: records go from the last to the first and before what they refer to, and what names the run goes last.
  Expected<void> clear() const {
    std::error_code trouble;
    std::vector<fs::path> records, others;
    for (const auto& entry : fs::directory_iterator(path_ / "updates", trouble)) {
      const std::string name = entry.path().filename().string();
      const std::string ending = name.substr(std::min(name.find_first_not_of("0123456789"), name.size()));
      if (ending == ".json") records.push_back(entry.path());
      if (ending == ".policy.json" || ending == ".counts.json") others.push_back(entry.path());
    }
    if (trouble) return fail_in_file(path_, trouble.message());
    std::sort(records.begin(), records.end(), std::greater<>{});
    std::vector<fs::path> all{path_ / "result.json"};
    all.insert(all.end(), records.begin(), records.end());
    all.insert(all.end(), others.begin(), others.end());
    for (const char* name : {"run.json", "model.json"}) all.push_back(path_ / name);
    for (const fs::path& file : all)
      if (!fs::remove(file, trouble) && trouble) return fail_in_file(file, trouble.message());
    return {};
  }

  fs::path path_;
  FolderLock lock_;
  std::size_t kept_ = 0;
};

/// A run of which no update is known yet.
RunRecord begun(const Model& model, const LearnOptions& options, const Oracle& oracle) {
  RunRecord run;
  run.groups = model.names().groups;
  run.relaxation = name_of(options.relaxation);
  run.safe = options.safe;
  run.oracle = name_of(oracle.outcome);
  run.oracle_lower = known(oracle.bounds.lower);
  run.oracle_upper = known(oracle.bounds.upper);
  return run;
}

/// Regret or violation of the updates, over k.
PowerFit fit_of(const RunRecord& run, double UpdateRecord::* number) {
  std::vector<std::uint64_t> k;
  std::vector<double> values;
  for (const UpdateRecord& update : run.updates) {
    k.push_back(update.k);
    values.push_back(update.*number);
  }
  return fit_power(k, values);
}

Expected<Run> run_on(const Model& model, LearnOptions options, const RunOptions& wanted, const fs::path* path) {
  SimulatedEnvironment environment(model, options.seed, wanted.by_person);
  auto learner = Learner::make(environment, std::move(options), &model);
  if (!learner) return tl::unexpected(learner.error());
  const LearnOptions& filled = learner->options();
  // Nor is what a stopped oracle found what is best.
  if (filled.stop.stop_requested()) return Run{begun(model, filled, {}), 0, {}};
  std::optional<Folder> folder;
  if (path != nullptr) {
    auto opened =
        Folder::open(*path, to_text(model), config_text(filled, wanted), filled.schedule.size(), wanted.restart);
    if (!opened) return tl::unexpected(opened.error());
    folder = std::move(*opened);
  }
  Run run{begun(model, filled, *learner->oracle()), folder ? folder->kept() : 0, {}};
  std::vector<UpdateRecord>& records = run.record.updates;
  std::string before;
  if (run.resumed > 0) {
    for (std::size_t number = 0; number < run.resumed; ++number) {
      const auto policy = folder->policy(number);
      if (!policy) return tl::unexpected(policy.error());
      auto record = folder->record(number, before);
      if (!record) return tl::unexpected(record.error());
      if (const auto truth = learner->judge(*policy); !truth)
        return folder->blame(number, ".policy.json", truth.error());
      records.push_back(std::move(*record));
    }
    auto policy = folder->policy(run.resumed - 1);
    auto counts = folder->counts(run.resumed - 1);
    if (!counts) return tl::unexpected(counts.error());
    if (auto ok = learner->resume(run.resumed, std::move(*policy), std::move(*counts)); !ok)
      return folder->blame(run.resumed - 1, ".counts.json", ok.error());
  }
  while (!learner->finished() && !filled.stop.stop_requested()) {
    const std::size_t number = learner->done();
    auto update = learner->next();
    if (filled.stop.stop_requested()) break;  // what a stopped search found is not what it would have found
    if (!update) return tl::unexpected(update.error());
    UpdateRecord& record = records.emplace_back(record_of(*update, filled, model.shape()));
    if (folder)
      if (auto ok = folder->keep(number, record, learner->counts(), before); !ok) return tl::unexpected(ok.error());
    if (wanted.on_update) wanted.on_update(*update);
    run.updates.push_back(std::move(*update));
  }
  run.record.finished = records.size() == filled.schedule.size();
  run.record.regret = fit_of(run.record, &UpdateRecord::regret);
  run.record.violation = fit_of(run.record, &UpdateRecord::violation);
  if (folder && run.record.finished)
    if (auto ok = folder->finish(sealed(to_text(run.record))); !ok) return tl::unexpected(ok.error());
  return run;
}

}  // namespace

UpdateRecord record_of(const Update& update, const LearnOptions& options, const Shape& shape) {
  const AtEpisode at{shape, update.k, options.delta};
  UpdateRecord made;
  made.k = update.k;
  made.decided = update.policy;
  made.limit = update.limit;
  made.relaxation = update.relaxation;
  made.vacuous = update.vacuous;
  made.estimated_gap = update.estimated_gap;
  made.floor = update.floor;
  made.epsilon = update.epsilon;
  made.bonus_max = update.bonus_max;
  made.unvisited = update.unvisited;
  made.lower = known(update.bounds.lower);
  made.upper = known(update.bounds.upper);
  made.gap_to_bound = known(update.gap_to_bound);
  made.outcome = name_of(update.outcome);
  made.stopped_by = name_of(update.stopped_by);
  made.safety = update.safety;
  if (const auto& truth = update.truth) {
    made.value = truth->evaluation.value;
    made.violation = truth->violation;
    made.regret = known(truth->reward_regret);
    made.regret_bound = known(truth->regret_bound);
    made.ratio = truth->ratio;
    made.dp = gaps(truth->evaluation.gap.dp);
    made.eqopt = gaps(truth->evaluation.gap.eqopt);
    made.eqodds = gaps(truth->evaluation.gap.eqodds);
    made.trial = truth->trial;
  }
  made.reference_regret = reward_rate(at);
  made.reference_violation = violation_rate(at);
  return made;
}

Expected<Run> run_in_memory(const Model& model, const LearnOptions& options, const RunOptions& run) {
  return run_on(model, options, run, nullptr);
}

Expected<Run> run_in_folder(const fs::path& folder, const Model& model, const LearnOptions& options,
                            const RunOptions& run) {
  return run_on(model, options, run, &folder);
}

}  // namespace fairstep
