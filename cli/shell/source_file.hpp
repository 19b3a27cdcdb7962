// Which file it was that was read: its size, when it was last changed, and its fingerprint.
#pragma once

#include <optional>
#include <string>

#include <fairstep/audit/audit.hpp>

namespace fairstep::cli {

/// Nothing of what is no plain file, or cannot be read any more.
[[nodiscard]] std::optional<SourceFile> source_file(const std::string& path);

}  // namespace fairstep::cli
