#include <fairstep/experiment/internal/toml_depth.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

namespace fairstep::internal {
namespace {

constexpr std::size_t kDeepestToml = 32;

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

/// Where the text in quotes that begins at `start` has ended; what never ends is the parser's to complain of.
std::size_t after_quotes(std::string_view text, std::size_t start) {
  const char quote = text[start];
  const bool escapes = quote == '"';
  const std::string_view three = quote == '"' ? R"(""")" : "'''";
  const bool lines = text.substr(start).starts_with(three);
  const std::string_view end = lines ? three : three.substr(0, 1);
  for (std::size_t i = start + end.size(); i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(end)) {
      return i + end.size();
    } else if (!lines && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

}  // namespace

Expected<void> check_toml_depth(std::string_view text) {
  std::size_t brackets = 0, parts = 0;
  bool after_dot = false;
  const auto part = [&] {
    parts = after_dot ? parts + 1 : 1;
    after_dot = false;
  };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      part();
      i = after_quotes(text, i);
    } else if (is_bare(c)) {
      part();
      while (i < text.size() && is_bare(text[i])) ++i;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else {
      if (c == '[' || c == '{') ++brackets;
      if ((c == ']' || c == '}') && brackets > 0) --brackets;
      if (c == '.')
        after_dot = true;
      else if (c != ' ' && c != '\t')
        after_dot = false;
      ++i;
    }
    if (brackets > kDeepestToml || parts > kDeepestToml)
      return fail(fmt::format("line {}: {} nest more than {} deep",
                              1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'),
                              parts > kDeepestToml ? "keys" : "brackets", kDeepestToml));
  }
  return {};
}

}  // namespace fairstep::internal
