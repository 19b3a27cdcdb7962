// A file that says what a folder is about: written by whoever comes first, and held against by whoever takes the folder
// up again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep {

/// Writes `wanted` if there is no such file. An Error unless a file that is there says the same: it has the first lines
/// that differ; `what` is what the folder holds ("run").
[[nodiscard]] Expected<void> write_or_agree(const std::filesystem::path& path, std::string_view wanted,
                                            const std::string& what);

}  // namespace fairstep
