// A folder for what does not fit into memory, nobody's but ours: parts of a log lie in it.
//
// Each count has its own, of a name that nobody can foretell, readable by its owner alone. It is locked for as long as
// it is in use, and the lock ends with the process, however that ends: so whoever counts next can tell a folder that a
// crash left from one that is in use, and removes the former.
#pragma once

#include <filesystem>
#include <string>

#include <fairstep/core/error.hpp>

namespace fairstep::internal {

class SpillFolder {
 public:
  /// In `parent`, which is made if it is not there; first removes what crashes left in it. An Error has the file.
  [[nodiscard]] static Expected<SpillFolder> make(const std::filesystem::path& parent);
  /// None: there is nowhere to spill to.
  SpillFolder() = default;

  SpillFolder(SpillFolder&& other) noexcept;
  SpillFolder& operator=(SpillFolder&& other) = delete;
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();

  /// Empty if there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_{};
  int descriptor_ = -1;  ///< of the folder itself, which it locks
};

/// Removes the folders in `parent` that are ours and that no process uses any more.
void sweep_spills(const std::filesystem::path& parent);

}  // namespace fairstep::internal
