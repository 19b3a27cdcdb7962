#include "shell/source_file.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fairstep/io/file_digest.hpp>

namespace fairstep::cli {

std::optional<SourceFile> source_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const auto changed = std::filesystem::last_write_time(path, error);
  const auto bytes = error ? 0 : std::filesystem::file_size(path, error);
  const auto digest = digest_of_file(path);
  if (error || !digest) return std::nullopt;
  SourceFile source;
  source.name = path;
  source.bytes = static_cast<decltype(source.bytes)>(bytes);
  source.sha256 = *digest;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(changed));
  source.modified = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)));
  return source;
}

}  // namespace fairstep::cli
