// The folder of an experiment, held by this process alone.
#pragma once

#include <filesystem>
#include <string>

#include <fairstep/core/error.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/io/folder_lock.hpp>

namespace fairstep::internal {

class ExperimentFolder {
 public:
  /// Makes the folder with experiment.json and models/, or takes it up if it holds this very experiment; an Error says
  /// what differs if it holds another. `restart` removes first what an earlier experiment wrote, and nothing else.
  [[nodiscard]] static Expected<ExperimentFolder> open(const std::filesystem::path& path, const Experiment& experiment,
                                                       const std::string& version, bool restart);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path oracles() const { return path_ / "oracles.json"; }
  [[nodiscard]] std::filesystem::path timing() const { return path_ / "timing.json"; }

 private:
  ExperimentFolder(std::filesystem::path path, FolderLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  [[nodiscard]] Expected<void> clear() const;

  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace fairstep::internal
