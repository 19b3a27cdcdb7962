#include "options/document_format.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairstep::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEndings{
    {{".md", "md"}, {".markdown", "md"}, {".html", "html"}, {".htm", "html"}, {".json", "json"}}};

}  // namespace

Result<std::string> document_format(const std::optional<std::string>& format, const std::optional<std::string>& file) {
  const std::string ending = file ? std::filesystem::path(*file).extension().string() : "";
  const auto* const known =
      std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& each) { return each.first == ending; });
  if (known == kEndings.end()) {
    if (!format && !ending.empty())
      return usage(fmt::format("--output is \"{}\", expected a name that ends in .md, .html or .json", *file),
                   "--format says what is written to a file of any name");
    return format.value_or("md");
  }
  if (format && *format != known->second)
    return usage(fmt::format("--format is {}, but --output ends in {}", *format, ending), "the ending alone is enough");
  return std::string(known->second);
}

}  // namespace fairstep::cli
