#include <fairstep/io/kept_file.hpp>

#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

namespace fairstep {
namespace {

/// The first line in which two texts differ, of each.
std::pair<std::string, std::string> first_difference(const std::string& kept, const std::string& wanted) {
  std::istringstream a(kept), b(wanted);
  const auto trimmed = [](std::string line) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.ends_with(',')) line.pop_back();
    return line;
  };
  std::string left, right;
  while (true) {
    const bool more_left = static_cast<bool>(std::getline(a, left));
    const bool more_right = static_cast<bool>(std::getline(b, right));
    if (left != right || more_left != more_right || !more_left) break;
  }
  return {trimmed(left), trimmed(right)};
}

}  // namespace

Expected<void> write_or_agree(const std::filesystem::path& path, std::string_view wanted, const std::string& what) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return write_file(path, wanted);
  const auto kept = read_text_file(path);
  if (!kept) return tl::unexpected(kept.error());
  if (*kept == wanted) return {};
  const auto [was, is] = first_difference(*kept, std::string(wanted));
  Error error{fmt::format("the folder holds another {}: it has {}, this one {}", what, was, is)};
  error.file = path.string();
  // Lines are `"repeats": 5`; a line without a key is about nothing in particular.
  if (const std::size_t end = is.find("\": "); is.starts_with('"') && end != std::string::npos)
    error.option = is.substr(1, end - 1);
  error.hint = "use another folder, or start over with " + flag("restart");
  return tl::unexpected(std::move(error));
}

}  // namespace fairstep
