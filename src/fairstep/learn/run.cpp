#include <fairstep/learn/run.hpp>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>
#include <fairstep/io/folder_lock.hpp>
#include <fairstep/io/json.hpp>
#include <fairstep/io/kept_file.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/sha256.hpp>

namespace fairstep {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> in_file(const fs::path& path, std::string message, std::string hint = {}) {
  Error error{std::move(message)};
  error.file = path.string();
  error.hint = std::move(hint);
  return tl::unexpected(std::move(error));
}

/// Everything but the model that decides the result, one fact a line.
std::string config_text(const LearnOptions& options, const RunOptions& run) {
  JsonWriter json;
  json.object().field("schema", "fairstep/run-config/1").field("version", run.version).field("model", "model.json");
  json.field("fairness", name_of(options.fairness.notion)).field("limit", options.fairness.limit);
  json.field("method", name_of(options.method)).field("lambda", options.penalty);
  json.field("penalty_form", name_of(options.penalty_form));
  json.field("schedule", options.schedule).field("people_per_episode", options.people_per_episode);
  json.field("by", run.by_person ? "person" : "counts");
  json.field("relaxation", name_of(options.relaxation));
  json.field("bonus_scale", *options.bonus_scale).field("relaxation_scale", *options.relaxation_scale);
  json.field("delta", options.delta);
  const auto optional = [&](const char* key, const std::optional<double>& value) {
    json.key(key);
    value ? json.value(*value) : json.value(nullptr);
  };
  optional("floor", options.floor);
  optional("epsilon", options.epsilon);
  json.field("floor_kind", name_of(options.floor_kind));
  json.field("unvisited", name_of(options.unvisited));
  json.field("safe", options.safe).field("prove", options.prove).field("gap", options.gap);
  json.field("time_limit", options.time_limit)
      .field("effort", options.effort)
      .field("evaluation_episodes", options.trial_episodes);
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
    if (trouble) return in_file(path, trouble.message());
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
  /// The record, if it and the files it goes with are what was written, after the update `before`.
  [[nodiscard]] Expected<std::string> record(std::size_t number, const std::string& before) const {
    auto text = read_text_file(update(number, ".json"));
    if (!text) return text;
    if (auto ok = check_json(*text); !ok) return blame(number, ".json", ok.error());
    if (auto ok = check_seal(*text); !ok) return blame(number, ".json", ok.error());
    const auto says = [&](const char* key, const std::string& digest) {
      return text->find(fmt::format("\"{}\": \"{}\"", key, digest)) != std::string::npos;
    };
    for (const auto& [key, ending] : {std::pair{kPolicy, ".policy.json"}, {kCounts, ".counts.json"}}) {
      auto kept = read_text_file(update(number, ending));
      if (!kept) return kept;
      if (!says(key, sha256(*kept)))
        return blame(number, ending, Error{"it is not what was written: the update's fingerprint of it is another"});
    }
    if (!says(kBefore, sha256(before)))
      return blame(number, ".json",
                   Error{"it does not follow the update before it, of which its fingerprint is another"});
    return text;
  }
  /// The record with the fingerprints of all that it goes with, and its own.
  static std::string seal(const std::string& record, const Update& made, const Counts& seen,
                          const std::string& before) {
    return sealed(
        record, {{kPolicy, sha256(to_text(made.policy))}, {kCounts, sha256(to_text(seen))}, {kBefore, sha256(before)}});
  }
  /// A file of an update is not what was written.
  [[nodiscard]] tl::unexpected<Error> blame(std::size_t number, const char* ending, Error error) const {
    error.file = update(number, ending).string();
    error.hint = "the run was changed from outside; start over with --restart";
    return tl::unexpected(std::move(error));
  }

  /// The record goes last: with it the update has happened.
  Expected<void> keep(std::size_t number, const Update& made, const Counts& seen, const std::string& record) const {
    if (auto ok = write_file(update(number, ".policy.json"), to_text(made.policy)); !ok) return ok;
    if (auto ok = write_file(update(number, ".counts.json"), to_text(seen)); !ok) return ok;
    return write_file(update(number, ".json"), record);
  }
  Expected<void> finish(const std::string& result) const { return write_file(path_ / "result.json", result); }

  static std::string policy_name(std::size_t number) { return fmt::format("updates/{:04}.policy.json", number); }

 private:
  static constexpr const char* kPolicy = "policy_sha256";
  static constexpr const char* kCounts = "counts_sha256";
  static constexpr const char* kBefore = "before_sha256";

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
    if (trouble) return in_file(path_, trouble.message());
    std::sort(records.begin(), records.end(), std::greater<>{});
    std::vector<fs::path> all{path_ / "result.json"};
    all.insert(all.end(), records.begin(), records.end());
    all.insert(all.end(), others.begin(), others.end());
    for (const char* name : {"run.json", "model.json"}) all.push_back(path_ / name);
    for (const fs::path& file : all)
      if (!fs::remove(file, trouble) && trouble) return in_file(file, trouble.message());
    return {};
  }

  fs::path path_;
  FolderLock lock_;
  std::size_t kept_ = 0;
};

/// Regret and violation of the updates, for the fitted slopes.
struct Points {
  std::vector<std::uint64_t> k{};
  std::vector<double> regret{}, violation{};
  void add(std::uint64_t at, const Truth& truth) {
    k.push_back(at);
    regret.push_back(truth.reward_regret);
    violation.push_back(truth.violation);
  }
};

Expected<Run> run_on(const Model& model, LearnOptions options, const RunOptions& wanted, const fs::path* path) {
  SimulatedEnvironment environment(model, options.seed, wanted.by_person);
  auto learner = Learner::make(environment, std::move(options), &model);
  if (!learner) return tl::unexpected(learner.error());
  const LearnOptions& filled = learner->options();
  if (filled.stop.stop_requested()) return Run{};  // nor is what a stopped oracle found what is best
  std::optional<Folder> folder;
  if (path != nullptr) {
    auto opened =
        Folder::open(*path, to_text(model), config_text(filled, wanted), filled.schedule.size(), wanted.restart);
    if (!opened) return tl::unexpected(opened.error());
    folder = std::move(*opened);
  }
  Run run;
  run.oracle = *learner->oracle();
  Points points;
  if (folder && folder->kept() > 0) {
    run.resumed = folder->kept();
    for (std::size_t number = 0; number < run.resumed; ++number) {
      const auto policy = folder->policy(number);
      if (!policy) return tl::unexpected(policy.error());
      auto record = folder->record(number, number == 0 ? std::string() : run.records.back());
      if (!record) return tl::unexpected(record.error());
      const auto truth = learner->judge(*policy);
      if (!truth) return folder->blame(number, ".policy.json", truth.error());
      points.add(filled.schedule[number], **truth);
      run.records.push_back(std::move(*record));
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
    std::string record = to_text(*update, filled, model.shape(), folder ? Folder::policy_name(number) : "");
    if (folder)
      record = Folder::seal(record, *update, learner->counts(), number == 0 ? std::string() : run.records.back());
    run.records.push_back(std::move(record));
    if (folder)
      if (auto ok = folder->keep(number, *update, learner->counts(), run.records.back()); !ok)
        return tl::unexpected(ok.error());
    points.add(update->k, *update->truth);
    if (wanted.on_update) wanted.on_update(*update);
    run.updates.push_back(std::move(*update));
  }
  run.finished = run.records.size() == filled.schedule.size();
  run.regret = fit_power(points.k, points.regret);
  run.violation = fit_power(points.k, points.violation);
  if (folder && run.finished)
    if (auto ok = folder->finish(sealed(to_text(run, model, filled))); !ok) return tl::unexpected(ok.error());
  return run;
}

}  // namespace

Expected<Run> run_in_memory(const Model& model, const LearnOptions& options, const RunOptions& run) {
  return run_on(model, options, run, nullptr);
}

Expected<Run> run_in_folder(const fs::path& folder, const Model& model, const LearnOptions& options,
                            const RunOptions& run) {
  return run_on(model, options, run, &folder);
}

}  // namespace fairstep
