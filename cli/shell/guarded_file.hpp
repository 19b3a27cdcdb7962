// A file that appears whole or not at all, even if the program is interrupted while writing it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/io/output_file.hpp>

#include "shell/interrupt.hpp"

namespace fairstep::cli {

/// An OutputFile whose temporary file goes when a signal comes, with a buffer for many small writes.
class GuardedFile {
 public:
  [[nodiscard]] static Expected<GuardedFile> open(const std::filesystem::path& path);

  [[nodiscard]] Expected<void> write(std::string_view text);
  [[nodiscard]] Expected<void> commit();

  /// Puts several files in their places, all or none.
  [[nodiscard]] static Expected<void> commit_all(std::vector<GuardedFile>& files);

 private:
  GuardedFile(OutputFile file, std::unique_ptr<UnfinishedFile> unfinished);

  std::unique_ptr<UnfinishedFile> unfinished_;  ///< none for a pipe or a device
  OutputFile file_;
  std::string buffer_{};
};

/// Puts each text at its path, all of them or none.
[[nodiscard]] Expected<void> write_all_guarded(const std::vector<std::pair<std::string, std::string>>& texts);

/// Puts `text` at `path` whole or not at all.
[[nodiscard]] Expected<void> write_guarded(const std::filesystem::path& path, std::string_view text);

}  // namespace fairstep::cli
