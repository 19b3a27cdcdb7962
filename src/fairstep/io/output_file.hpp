// A file that appears whole or not at all: written under a temporary name beside its place, flushed, then renamed.
//
// A file that is already there keeps its permissions and is replaced only at the end; a symbolic link is followed. What
// is not a regular file (a pipe, a terminal, /dev/stdout) is written to directly.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>

namespace fairstep {

class OutputFile {
 public:
  /// An Error of this class has the path as its file.
  [[nodiscard]] static Expected<OutputFile> open(const std::filesystem::path& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without a commit nothing stays behind.
  ~OutputFile();

  [[nodiscard]] Expected<void> write(std::string_view text);

  /// Puts the file in its place; nothing may be written after.
  [[nodiscard]] Expected<void> commit();
  /// The same for several files, all or none: if one cannot be put in its place, the others are as they were. (What was
  /// written to a pipe or a device cannot be taken back.)
  [[nodiscard]] static Expected<void> commit_all(const std::vector<OutputFile*>& files);

  /// The unfinished file, for whoever has to remove it when a signal ends the program; empty if there is none.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

 private:
  OutputFile() = default;
  void abandon() noexcept;
  /// Everything is on the disk, still under its temporary name.
  [[nodiscard]] Expected<void> settle();
  [[nodiscard]] tl::unexpected<Error> fail_with(int error) const;

  std::filesystem::path path_{};       ///< as the caller named it
  std::filesystem::path target_{};     ///< where it goes, links followed; empty if written to directly
  std::filesystem::path temporary_{};  ///< what is being written; empty if written to directly
  int descriptor_ = -1;
};

/// Removes what programs that were killed left unfinished in a folder. Only for a folder that is nobody else's to write
/// to at the moment.
void remove_unfinished(const std::filesystem::path& folder);

}  // namespace fairstep
