// One process at a time in a folder. The lock ends with the process, however it ends.
#pragma once

#include <filesystem>

#include <fairstep/core/error.hpp>

namespace fairstep {

class FolderLock {
 public:
  /// An Error names the folder and the process that holds it.
  [[nodiscard]] static Expected<FolderLock> take(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// The file that is locked, the same in every folder.
  static constexpr const char* kName = ".lock";

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace fairstep
