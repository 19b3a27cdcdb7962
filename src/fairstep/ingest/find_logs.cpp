#include <filesystem>

#include <fmt/format.h>

#include <fairstep/core/missing_file.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>

namespace fairstep {

Expected<std::vector<std::string>> find_logs(const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    std::error_code error;
    if (std::filesystem::is_directory(pattern, error))
      return tl::unexpected(Error{
          "this is a folder, expected a file", {}, pattern, fmt::format("name its files: '{}/*.parquet'", pattern)});
    if (std::filesystem::exists(pattern, error)) {
      files.push_back(pattern);
      continue;
    }
    const bool has_wildcards = pattern.find_first_of("*?[") != std::string::npos;
    if (!has_wildcards) return tl::unexpected(Error{std::string(kNoSuchFile), {}, pattern, {}});
    const auto database = internal::Database::open({100'000'000, 1, {}});
    if (!database) return tl::unexpected(database.error());
    const auto found =
        database->rows(fmt::format("SELECT file FROM glob({}) ORDER BY file", internal::sql_text(pattern)));
    if (!found) return tl::unexpected(Error{found.error().message, {}, pattern, found.error().hint});
    if (found->empty()) return tl::unexpected(Error{"no file matches this pattern", {}, pattern, {}});
    for (const auto& row : *found) files.push_back(row.front());
  }
  return files;
}

}  // namespace fairstep
