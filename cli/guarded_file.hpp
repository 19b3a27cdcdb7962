// A file that appears whole or not at all, even if the program is interrupted while writing it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>
#include <fairstep/io/output_file.hpp>

#include "interrupt.hpp"

namespace fairstep::cli {

/// An OutputFile whose temporary file goes when a signal comes, with a buffer for many small writes.
class GuardedFile {
 public:
  [[nodiscard]] static Expected<GuardedFile> open(const std::filesystem::path& path);

  [[nodiscard]] Expected<void> write(std::string_view text);
  [[nodiscard]] Expected<void> commit();

 private:
  GuardedFile(OutputFile file, std::unique_ptr<UnfinishedFile> unfinished);

  std::unique_ptr<UnfinishedFile> unfinished_;  ///< none for a pipe or a device
  OutputFile file_;
  std::string buffer_{};
};

/// Puts `text` at `path` whole or not at all.
[[nodiscard]] Expected<void> write_guarded(const std::filesystem::path& path, std::string_view text);

}  // namespace fairstep::cli
