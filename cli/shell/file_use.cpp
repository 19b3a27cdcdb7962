#include "shell/file_use.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

#include <fairstep/ingest/count.hpp>

namespace fairstep::cli {
namespace {

namespace fs = std::filesystem;

bool is_one_file(const std::string& a, const std::string& b) {
  struct stat one{}, other{};
  const bool both = ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0;
  return both && S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Where a file will be once it is made, links followed that lead to nothing as yet.
fs::path place_of(const std::string& name) {
  std::error_code error;
  fs::path path = fs::absolute(name, error);
  constexpr int longest = 40;
  for (int i = 0; i < longest && fs::is_symlink(fs::symlink_status(path, error)); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  return fs::weakly_canonical(path, error);
}

/// For files that are still to be made.
bool is_one_place(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return !fs::exists(fs::status(a, ignored)) && !fs::exists(fs::status(b, ignored)) && place_of(a) == place_of(b);
}

/// An output that leads, by a link of another name, to a file that is kept in a folder that is read: a report of an
/// experiment may be put beside it, but not in the place of one of its own files.
bool leads_into(const std::string& output, const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || !fs::is_symlink(fs::symlink_status(output, error))) return false;
  const fs::path place = place_of(output);
  const fs::path whole = fs::weakly_canonical(folder, error);
  const auto [rest, _] = std::mismatch(whole.begin(), whole.end(), place.begin(), place.end());
  return rest == whole.end() && place.extension() != fs::path(output).extension();
}

/// The files that a name stands for: itself, or those that match if it is a pattern.
std::vector<std::string> files_named(const std::string& name) {
  std::error_code ignored;
  if (name.find_first_of("*?[") == std::string::npos || fs::exists(fs::status(name, ignored))) return {name};
  const auto found = find_logs({name});
  return found ? *found : std::vector<std::string>{};
}

Failure read_and_written(const std::string& output, const std::string& name, const std::string& input) {
  return {
      Trouble::usage,
      {fmt::format("{} is \"{}\", which is read as {}: it would be lost, expected another file", name, output, input),
       {},
       {},
       "nothing was read or written"}};
}

Failure written_twice(const std::string& name, const std::string& other, const std::string& path) {
  return {Trouble::usage,
          {fmt::format("{} and {} are both \"{}\", expected two files", name, other, path), {}, {}, {}}};
}

}  // namespace

std::optional<Failure> find_clash(const std::vector<FileUse>& uses) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!uses[i].written) continue;
    for (const std::string& output : uses[i].paths())
      for (std::size_t j = 0; j < uses.size(); ++j) {
        if (uses[j].written && j <= i) continue;
        for (const std::string& name : uses[j].paths())
          for (const std::string& other : files_named(name)) {
            if (uses[j].written && (is_one_file(output, other) || is_one_place(output, other)))
              return written_twice(uses[i].name, uses[j].name, other);
            if (!uses[j].written && (is_one_file(output, other) || leads_into(output, other)))
              return read_and_written(output, uses[i].name,
                                      is_one_file(output, other) ? other : place_of(output).string());
          }
      }
  }
  return std::nullopt;
}

}  // namespace fairstep::cli
