#include <fairstep/experiment/internal/experiment_folder.hpp>

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/experiment/internal/read_environment.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/kept_file.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "experiment.json";
/// Where runs go to be removed. Whatever interrupts that, a run is there whole or not at all.
constexpr const char* kDiscarded = ".discarded";

/// The names in an experiment.json that was written before, as far as they can be folders of ours.
struct Written {
  std::vector<std::string> environments{}, notions{}, methods{};
  std::uint64_t repeats = 0;
};

std::vector<std::string> names_in(const Json& document, const char* list, const char* key) {
  std::vector<std::string> names;
  if (!document.contains(list) || !document[list].is_array()) return names;
  for (const Json& entry : document[list]) {
    const Json& name = key == nullptr ? entry : entry.is_object() && entry.contains(key) ? entry[key] : Json();
    if (name.is_string() && is_folder_name(name.get_ref<const std::string&>())) names.push_back(name);
  }
  return names;
}

Expected<Written> read_written(const fs::path& file) {
  const auto text = read_text_file(file);
  if (!text) return tl::unexpected(text.error());
  const auto document = parse_json(*text);
  const bool ours = document && document->is_object() &&
                    document->value("schema", Json()) == "fairstep/experiment-run/1" &&
                    document->value("repeats", Json()).is_number_unsigned();
  if (!ours)
    return fail_in_file(file, "this is not a file that an experiment wrote, so nothing here is removed",
                        "use another folder, or empty this one by hand");
  if ((*document)["repeats"].get<std::uint64_t>() > kMostRepeats)
    return fail_in_file(file,
                        fmt::format("repeats is {}, expected at most {}", (*document)["repeats"].dump(), kMostRepeats),
                        "the file was changed from outside; use another folder, or empty this one by hand");
  return Written{names_in(*document, "environments", "name"), names_in(*document, "notions", nullptr),
                 names_in(*document, "methods", "id"), (*document)["repeats"].get<std::uint64_t>()};
}

Expected<void> make_folder(const fs::path& path) {
  std::error_code trouble;
  fs::create_directories(path, trouble);
  if (trouble) return fail_in_file(path, "cannot be written: " + trouble.message());
  return {};
}

}  // namespace

Expected<ExperimentFolder> ExperimentFolder::open(const fs::path& path, const Experiment& experiment,
                                                  const std::string& version, bool restart) {
  if (auto ok = make_folder(path); !ok) return tl::unexpected(ok.error());
  auto lock = FolderLock::take(path);
  if (!lock) return tl::unexpected(lock.error());
  ExperimentFolder folder(path, std::move(*lock));
  std::error_code ignored;
  fs::remove_all(path / kDiscarded, ignored);
  if (restart)
    if (auto ok = folder.clear(); !ok) return tl::unexpected(ok.error());
  remove_unfinished(path);
  if (auto ok = write_or_agree(path / kDescription, sealed(to_text(experiment, version)), "experiment"); !ok) {
    // A fingerprint that differs tells nobody what does: the model has the words.
    for (const ExperimentEnvironment& environment : experiment.environments) {
      const fs::path model = path / "models" / (environment.name + ".json");
      if (ok.error().option != "model_sha256" || !fs::exists(model, ignored)) continue;
      if (auto same = write_or_agree(model, to_text(environment.model), "experiment"); !same)
        return tl::unexpected(same.error());
    }
    return tl::unexpected(ok.error());
  }

  if (auto ok = make_folder(path / "models"); !ok) return tl::unexpected(ok.error());
  remove_unfinished(path / "models");
  for (const ExperimentEnvironment& environment : experiment.environments) {
    const fs::path frontiers = path / "frontier" / environment.name;
    if (!experiment.frontier.limits.empty())
      if (auto ok = make_folder(frontiers); !ok) return tl::unexpected(ok.error());
    remove_unfinished(frontiers);
    const fs::path model = path / "models" / (environment.name + ".json");
    if (auto ok = write_or_agree(model, to_text(environment.model), "experiment"); !ok)
      return tl::unexpected(ok.error());
  }
  return folder;
}

/// experiment.json goes last: until then the folder holds the old experiment, with some of its runs to be done again.
Expected<void> ExperimentFolder::clear() const {
  std::error_code trouble;
  if (!fs::exists(path_ / kDescription, trouble)) return {};
  const auto written = read_written(path_ / kDescription);
  if (!written) return tl::unexpected(written.error());

  const auto remove = [&](const fs::path& file) -> Expected<void> {
    if (!fs::remove(file, trouble) && trouble) return fail_in_file(file, "cannot be removed: " + trouble.message());
    return {};
  };
  for (const fs::path& file : {timing(), oracles()})
    if (auto ok = remove(file); !ok) return ok;
  std::error_code kept;  // a folder in which somebody else put something stays
  for (const std::string& environment : written->environments) {
    for (const std::string& notion : written->notions) {
      if (auto ok = remove(path_ / "frontier" / environment / (notion + ".json")); !ok) return ok;
      for (const std::string& method : written->methods) {
        const fs::path runs = path_ / "runs" / environment / notion / method;
        for (std::uint64_t r = 0; r < written->repeats; ++r) {
          const fs::path run = runs / std::to_string(r);
          if (!fs::exists(run, trouble)) continue;
          fs::rename(run, path_ / kDiscarded, trouble);
          if (trouble) return fail_in_file(run, "cannot be removed: " + trouble.message());
          fs::remove_all(path_ / kDiscarded, trouble);
          if (trouble) return fail_in_file(path_ / kDiscarded, "cannot be removed: " + trouble.message());
        }
        fs::remove(runs, kept);
      }
      fs::remove(path_ / "runs" / environment / notion, kept);
    }
    fs::remove(path_ / "runs" / environment, kept);
    fs::remove(path_ / "frontier" / environment, kept);
    if (auto ok = remove(path_ / "models" / (environment + ".json")); !ok) return ok;
  }
  for (const char* name : {"runs", "frontier", "models"}) fs::remove(path_ / name, kept);
  return remove(path_ / kDescription);
}

}  // namespace fairstep::internal
