#include <fairstep/report/internal/evidence.hpp>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/core/short_names.hpp>
#include <fairstep/io/files.hpp>

namespace fairstep::report {
namespace {

namespace fs = std::filesystem;

/// Lower-case letters, digits, dots and dashes: a part of an anchor.
std::string anchor(const std::string& name) {
  std::string made;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    made += plain ? c : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : '-';
  }
  return made;
}

/// Methods of older experiments ran under every notion.
bool runs_under(const ExperimentRecord::Method& method, const std::string& notion) {
  const std::vector<std::string>& own = method.notions;
  return own.empty() || std::find(own.begin(), own.end(), notion) != own.end();
}

/// The form of the penalties that a setting's first one has; rates of everybody have but one.
std::string baseline_form(const ExperimentRecord& plan, const std::string& notion) {
  for (const auto& method : plan.methods)
    if (method.method == "penalty" && runs_under(method, notion)) return method.penalty_form;
  return {};
}

Kind kind_of(const ExperimentRecord::Method& method, const ExperimentRecord& plan, const std::string& notion,
             bool ours_taken) {
  if (method.method == "unconstrained") return Kind::unconstrained;
  if (method.method == "penalty")
    return notion == name_of(Notion::dp) || method.penalty_form == baseline_form(plan, notion) ? Kind::penalty
                                                                                               : Kind::other_form;
  const std::string& relaxation = method.relaxation.empty() ? plan.relaxation : method.relaxation;
  if (relaxation == "literal" && plan.relaxation != "literal") return Kind::literal;
  return ours_taken ? Kind::variant : Kind::ours;
}

/// Ready-made populations that were given no name of their own have one here.
void name_environments(ExperimentRecord& plan) {
  for (auto& environment : plan.environments) {
    if (environment.label != environment.name) continue;
    if (environment.name == "fico") environment.label = "FICO";
    if (environment.name == "synthetic") environment.label = "Synthetic";
  }
}

tl::unexpected<Error> changed(const fs::path& file, const char* what) {
  return fail_in_file(file, what, "the folder was changed from outside; run it again with " + flag("restart"));
}

/// Labels and names as charts can hold them; the page has the whole ones too.
void shorten_names(Evidence& found) {
  const auto shorten = [&](auto& entries) {
    std::vector<std::string> labels;
    for (const auto& entry : entries) labels.push_back(entry.label);
    labels = short_names(labels, found.in_full);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].label = std::move(labels[i]);
  };
  shorten(found.plan.environments);
  shorten(found.plan.methods);
  for (const Model& model : found.models) {
    Names names = model.names();
    names.groups = short_names(names.groups, found.in_full);
    names.features = short_names(names.features, found.in_full);
    found.names.push_back(std::move(names));
  }
}

/// Reads the runs of one experiment, setting by setting.
class Gatherer {
 public:
  Gatherer(fs::path folder, Evidence& found) : folder_(std::move(folder)), found_(found) {}

  Expected<void> settings() {
    const ExperimentRecord& plan = found_.plan;
    if (const fs::path file = folder_ / "oracles.json"; fs::exists(file)) {
      auto record = read_oracles_record(file);
      if (!record) return tl::unexpected(record.error());
      oracles_ = std::move(record->oracles);
    }
    for (std::size_t e = 0; e < plan.environments.size(); ++e)
      for (const std::string& notion : plan.notions)
        if (auto ok = setting(e, notion); !ok) return ok;
    found_.results_digest = sha256(digests_);
    return {};
  }

 private:
  Expected<void> setting(std::size_t e, const std::string& notion) {
    const auto& environment = found_.plan.environments[e];
    const auto known = named<Notion>(notion);
    if (!known) return fail(fmt::format("notions has \"{}\", expected dp, eqopt or eqodds", notion), "/notions");
    Setting made;
    made.id = anchor(environment.name) + "-" + notion;
    made.environment_number = e;
    made.environment = environment.label;
    made.notion = *known;
    made.name = environment.label + ", " + in_words(*known);
    made.measure = *known == Notion::dp ? "DP" : *known == Notion::eqopt ? "EqOpt" : "EqOdds";
    made.model = &found_.models[e];
    made.names = &found_.names[e];
    bool ours_taken = false;
    for (const auto& about : found_.plan.methods) {
      if (!runs_under(about, notion)) continue;
      MethodRuns runs{about, kind_of(about, found_.plan, notion, ours_taken), {}, {}};
      ours_taken = ours_taken || runs.kind == Kind::ours;
      for (std::size_t r = 0; r < found_.plan.repeats; ++r)
        if (auto ok = run(fs::path("runs") / environment.name / notion / about.id / std::to_string(r), runs); !ok)
          return ok;
      if (!runs.repeats.empty()) made.methods.push_back(std::move(runs));
    }
    const fs::path sweep = folder_ / "frontier" / environment.name / (notion + ".json");
    if (fs::exists(sweep)) {
      auto frontier = read_frontier_record(sweep);
      if (!frontier) return tl::unexpected(frontier.error());
      if (auto ok = agrees(frontier->sealed, sweep); !ok) return ok;
      made.frontier = std::move(*frontier);
    }
    for (const OracleRecord& oracle : oracles_)
      if (!made.oracle && oracle.environment == environment.name && oracle.fairness == notion &&
          !std::isnan(oracle.policy_least))
        made.oracle = oracle;
    if (!made.methods.empty()) found_.settings.push_back(std::move(made));
    return {};
  }

  Expected<void> run(const fs::path& name, MethodRuns& runs) {
    const fs::path file = folder_ / name / "result.json";
    if (!fs::exists(file)) {
      found_.missing.push_back(name.generic_string());
      return {};
    }
    auto record = read_run_record(file);
    if (!record) return tl::unexpected(record.error());
    if (auto ok = agrees(record->sealed, file); !ok) return ok;
    if (!record->finished || record->updates.empty()) {
      found_.missing.push_back(name.generic_string());
      return {};
    }
    const auto text = read_text_file(file);
    if (!text) return tl::unexpected(text.error());
    digests_ += sha256(*text) + "  " + (name / "result.json").generic_string() + "\n";
    if (!record->sealed) ++found_.unsealed;
    runs.repeats.push_back(std::move(*record));
    runs.folders.push_back(folder_ / name);
    ++found_.runs;
    return {};
  }

  /// Whoever gave experiment.json a fingerprint gave one to all the others.
  [[nodiscard]] Expected<void> agrees(bool sealed, const fs::path& file) const {
    if (sealed || !found_.plan.sealed) return {};
    return changed(file, "it has no fingerprint at its end, as experiment.json has");
  }

  fs::path folder_;
  Evidence& found_;
  std::vector<OracleRecord> oracles_{};
  std::string digests_{};
};

}  // namespace

std::size_t MethodRuns::updates() const {
  std::size_t least = repeats.empty() ? 0 : repeats.front().updates.size();
  for (const RunRecord& run : repeats) least = std::min(least, run.updates.size());
  return least;
}

std::vector<double> MethodRuns::at(std::size_t l, const std::function<double(const UpdateRecord&)>& number) const {
  std::vector<double> values;
  for (const RunRecord& run : repeats) values.push_back(number(run.updates[l]));
  return values;
}

Band MethodRuns::band(std::size_t l, const std::function<double(const UpdateRecord&)>& number) const {
  return band_of(at(l, number));
}

const MethodRuns* Setting::find(Kind kind) const {
  for (const MethodRuns& method : methods)
    if (method.kind == kind) return &method;
  return nullptr;
}

std::vector<const MethodRuns*> Setting::all(Kind kind) const {
  std::vector<const MethodRuns*> found;
  for (const MethodRuns& method : methods)
    if (method.kind == kind) found.push_back(&method);
  return found;
}

const MethodRuns* Setting::nearest_penalty() const {
  const MethodRuns* ours = find(Kind::ours);
  if (ours == nullptr) return nullptr;
  const auto violation = [](const MethodRuns& runs) {
    return runs.band(runs.updates() - 1, [](const UpdateRecord& update) { return update.violation; }).mean;
  };
  const MethodRuns* nearest = nullptr;
  for (const MethodRuns* penalty : all(Kind::penalty))
    if (nearest == nullptr ||
        std::abs(violation(*penalty) - violation(*ours)) < std::abs(violation(*nearest) - violation(*ours)))
      nearest = penalty;
  return nearest;
}

const std::vector<double>& Setting::gaps(const UpdateRecord& update) const { return update.gap(notion); }

double Setting::worst_gap(const UpdateRecord& update) const {
  double worst = kUnknown;
  for (const double gap : gaps(update))
    if (!(gap <= worst)) worst = std::isnan(gap) ? worst : gap;
  return worst;
}

Expected<Evidence> gather(const fs::path& folder) {
  if (!fs::exists(folder / "experiment.json"))
    return fail_in_file(folder, "there is no experiment.json in this folder, expected one of an experiment",
                        verb("experiment") + " makes such a folder");
  auto plan = read_experiment_record(folder / "experiment.json");
  if (!plan) return tl::unexpected(plan.error());
  auto text = read_text_file(folder / "experiment.json");
  if (!text) return tl::unexpected(text.error());

  Evidence found;
  found.folder = fs::path(folder / "").parent_path().filename().string();
  found.plan = std::move(*plan);
  name_environments(found.plan);
  found.plan_text = std::move(*text);
  found.plan_digest = sha256(found.plan_text);
  for (const auto& environment : found.plan.environments) {
    const fs::path file = folder / "models" / (environment.name + ".json");
    auto model = read_model(file);
    if (!model) return tl::unexpected(model.error());
    const auto bytes = read_text_file(file);
    if (!bytes) return tl::unexpected(bytes.error());
    if (found.plan.sealed && sha256(*bytes) != environment.model_sha256)
      return changed(file, "it is not what was written: its fingerprint is another");
    found.models.push_back(std::move(*model));
  }
  shorten_names(found);
  if (auto ok = Gatherer(folder, found).settings(); !ok) {
    Error error = ok.error();
    if (error.file.empty()) error.file = (folder / "experiment.json").string();
    return tl::unexpected(std::move(error));
  }
  if (found.settings.empty())
    return fail_in_file(folder, "no run of this experiment is finished, expected at least one",
                        "the command that began it goes on where it was");
  if (fs::exists(folder / "timing.json"))
    if (auto timing = read_timing_record(folder / "timing.json")) found.timing = *timing;
  return found;
}

std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> kept;
  if (count <= most) {
    for (std::size_t i = 0; i < count; ++i) kept.push_back(i);
    return kept;
  }
  for (std::size_t i = 0; i < most; ++i) kept.push_back(i * (count - 1) / (most - 1));
  return kept;
}

}  // namespace fairstep::report
