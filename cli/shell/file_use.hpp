// What is written must not be what is read: the file would be gone, and what was made of it wrong.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shell/failure.hpp"

namespace fairstep::cli {

/// An option or a positional that names files.
struct FileUse {
  std::string name{};  ///< as in complaints: --output, COUNTS
  bool written = false;
  std::function<std::vector<std::string>()> paths{};  ///< what was given, patterns of logs included
};

/// Complains of a file that is to be written, if it is also read, or written twice: by this name or another, through
/// links of either kind. Nothing is opened. Pipes and devices may be both.
[[nodiscard]] std::optional<Failure> find_clash(const std::vector<FileUse>& uses);

}  // namespace fairstep::cli
