// The fingerprint of a file that may be larger than memory.
#pragma once

#include <filesystem>
#include <string>

#include <fairstep/core/error.hpp>

namespace fairstep {

/// SHA-256 of its bytes, as `sha256sum` prints it.
[[nodiscard]] Expected<std::string> digest_of_file(const std::filesystem::path& path);

}  // namespace fairstep
