#include <fairstep/io/internal/syntax_error.hpp>

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include <fairstep/core/internal/text.hpp>

namespace fairstep::internal {
namespace {

using Inside = SyntaxTrouble::Inside;

/// `line 3, column 7`, both from 1, columns in characters.
std::string line_and_column(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto column =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(), is_first_byte);
  return fmt::format("line {}, column {}", line, column + 1);
}

/// How many bytes of the text a token stands for: <U+000A> is one.
std::size_t raw_length(std::string_view token) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < token.size(); ++length) i += token.substr(i, 3) == "<U+" ? 8 : 1;
  return length;
}

bool is_number_like(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+' || c == '-';
}
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || is_number_like(c) || c == '_'; }

/// The run of word characters around a place, so that a message shows `Infinity` and `01`, not `I` and `1`.
std::string_view word_around(std::string_view text, std::size_t at) {
  std::size_t start = at;
  std::size_t end = at;
  while (start > 0 && is_word(text[start - 1])) --start;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(start, end - start);
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The last character that is not a space before a place, or 0.
char last_before(std::string_view text, std::size_t at) {
  const std::size_t found = text.substr(0, at).find_last_not_of(" \t\r\n");
  return found == std::string_view::npos ? '\0' : text[found];
}

std::string expected_after(char before, Inside inside) {
  switch (inside) {
    case Inside::nothing:
      return "a JSON document";
    case Inside::finished:
      return "nothing after the end of the document";
    case Inside::array:
      return before == '[' || before == ',' ? "a value" : "',' or ']'";
    case Inside::object:
      return before == '{' || before == ',' ? "a key in double quotes" : "',' or '}'";
    case Inside::object_after_key:
      return before == ':' ? "a value" : "':'";
  }
  return "a value";
}

Error explain_string(const SyntaxTrouble& trouble, std::size_t start, std::size_t end) {
  const std::string_view raw = trouble.text.substr(start, end - start);
  const auto last = static_cast<unsigned char>(raw.back());
  if (trouble.position > trouble.text.size())
    return {fmt::format("{}: the text that starts here has no closing quote", line_and_column(trouble.text, start))};
  const std::string at = line_and_column(trouble.text, end - 1);
  if (last == '\n' || last == '\r')
    return {fmt::format("{}: the line ends inside a text, expected a closing quote", at),
            {},
            {},
            "a line break in a text is written \\n"};
  if (last < 0x20)
    return {fmt::format("{}: control character U+{:04X} in a text, expected it escaped", at, last),
            {},
            {},
            fmt::format("write \\u{:04x}", last)};
  if (raw.find('\\') == std::string_view::npos || last >= 0x80)
    return {fmt::format("{}: the text is not valid UTF-8", at), {}, {}, "save the file as UTF-8"};
  return {fmt::format("{}: {} is not an escape that JSON knows", at, raw.substr(raw.rfind('\\'))),
          {},
          {},
          "a backslash is written \\\\"};
}

}  // namespace

Error explain(const SyntaxTrouble& trouble) {
  const std::string_view text = trouble.text;
  const std::size_t end = std::min(trouble.position, text.size());
  const std::size_t start = end - std::min(end, raw_length(trouble.token));
  if (trouble.invalid_string && end > start) return explain_string(trouble, start, end);

  const char before = last_before(text, start);
  const std::string expected = expected_after(before, trouble.inside);
  if (start >= text.size())
    return {fmt::format("{}: the document ends too early, expected {}", line_and_column(text, start), expected)};

  const char c = text[start];
  const std::string_view word = word_around(text, start);
  const std::string at =
      line_and_column(text, word.empty() ? start : static_cast<std::size_t>(word.data() - text.data()));
  if (trouble.number_too_large)
    return {fmt::format("{}: {} is too large for a number, expected at most 1.79e308 in size", at, word)};
  if (!word.empty()) {
    std::string bare = lower(word);
    if (bare.front() == '-' || bare.front() == '+') bare.erase(0, 1);
    if (bare == "nan" || bare == "inf" || bare == "infinity")
      return {fmt::format("{}: {} is not a number in JSON, expected a finite one", at, word)};
    if (bare == "true" || bare == "false" || bare == "null" || bare == "none")
      return {fmt::format("{}: unexpected {}, expected {}", at, word, expected),
              {},
              {},
              "JSON writes true, false and null in small letters"};
    if (std::any_of(word.begin(), word.end(), is_number_like) && is_number_like(word.front()))
      return {fmt::format("{}: {} is not how JSON writes a number", at, word),
              {},
              {},
              "a number is written like 0.5, -2 or 1e-9: no leading plus or zeros, digits around the point"};
    return {fmt::format("{}: unexpected {}, expected {}", at, word, expected)};
  }
  if ((c == ']' || c == '}') && before == ',')
    return {fmt::format("{}: unexpected '{}' after a comma", at, c), {}, {}, "remove the comma before it"};
  std::string hint;
  if (c == '\'') hint = "JSON puts keys and texts in double quotes";
  if (c == '/' || c == '#') hint = "JSON has no comments; use the key \"description\"";
  const std::size_t length = std::max<std::size_t>(1, utf8_length_at(text, start));
  const std::string_view shown = text.substr(start, length);
  if (has_control_character(shown) || !is_utf8(shown))
    return {fmt::format("{}: unexpected byte 0x{:02X}, expected {}", at, static_cast<unsigned char>(c), expected),
            {},
            {},
            "is this a JSON file?"};
  if (c == '"') {
    const std::size_t longest = 40;
    const std::string_view raw = text.substr(start, end - start);
    return {fmt::format("{}: unexpected {}, expected {}", at, raw.size() <= longest ? raw : "text", expected),
            {},
            {},
            hint};
  }
  return {fmt::format("{}: unexpected '{}', expected {}", at, shown, expected), {}, {}, hint};
}

}  // namespace fairstep::internal
