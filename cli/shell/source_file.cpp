#include "shell/source_file.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fairstep/core/sha256.hpp>

namespace fairstep::cli {

std::optional<SourceFile> source_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const auto changed = std::filesystem::last_write_time(path, error);
  if (error) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  SourceFile source;
  source.name = path;
  Sha256 hash;
  std::vector<char> part(std::size_t{1} << 20);
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    const auto bytes = file.gcount();
    hash.add(std::string_view(part.data(), static_cast<std::size_t>(bytes)));
    source.bytes += bytes;
  }
  if (!file.eof()) return std::nullopt;
  source.sha256 = hash.digits();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(changed));
  source.modified = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)));
  return source;
}

}  // namespace fairstep::cli
