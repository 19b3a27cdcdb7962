#include <fairstep/io/internal/syntax_error.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/shared/text.hpp>
#include <fairstep/io/shared/parse.hpp>

namespace fairstep::internal {
namespace {

using Inside = SyntaxTrouble::Inside;

constexpr std::string_view kSpaces = " \t\r\n";

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_sign(char c) { return c == '+' || c == '-'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_sign(c) || c == '.' || c == '_';
}

/// The end of the token that starts at a place: a text, a word or number, or one character.
std::size_t token_end(std::string_view text, std::size_t start) {
  std::size_t end = start + 1;
  if (text[start] == '"') {
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (!is_word(text[start])) return start + std::max<std::size_t>(1, utf8_length_at(text, start));
  while (end < text.size() && is_word(text[end])) ++end;
  return end;
}

bool is_number(std::string_view word) {
  const auto skip_digits = [&word] {
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    word.remove_prefix(digits);
    return digits > 0;
  };
  if (word.starts_with('-')) word.remove_prefix(1);
  if (word.size() > 1 && word[0] == '0' && is_digit(word[1])) return false;
  if (!skip_digits()) return false;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (!skip_digits()) return false;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    if (!word.empty() && is_sign(word[0])) word.remove_prefix(1);
    if (!skip_digits()) return false;
  }
  return word.empty();
}

/// The token that is in the way: the first word that is no JSON, or the one that the parser stopped at.
std::string_view token_at(std::string_view text, std::size_t position) {
  position = std::min(position, text.size());
  std::size_t end = 0;
  for (;;) {
    const std::size_t start = std::min(text.find_first_not_of(kSpaces, end), text.size());
    if (start == text.size()) return text.substr(start);
    end = token_end(text, start);
    const std::string_view token = text.substr(start, end - start);
    const bool known = !is_word(token[0]) || is_number(token) || token == "true" || token == "false" || token == "null";
    if (end >= position || !known) return token;
  }
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The last character that is not a space before a place, or 0.
char last_before(std::string_view text, std::size_t at) {
  const std::size_t found = text.substr(0, at).find_last_not_of(kSpaces);
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

/// An Error whose message starts with the place.
Error trouble_at(std::string_view text, std::size_t place, const std::string& what, Text hint = {}) {
  return {line_and_column(text, place) + ": " + what, {}, {}, std::move(hint)};
}

Error explain_string(const SyntaxTrouble& trouble, std::size_t start) {
  const std::string_view text = trouble.text;
  if (trouble.position > text.size()) return trouble_at(text, start, "the text that starts here has no closing quote");
  std::size_t place = start;
  while (place < trouble.position && utf8_length_at(text, place) > 0) place += utf8_length_at(text, place);
  if (place < trouble.position) return trouble_at(text, place, "the text is not valid UTF-8", "save the file as UTF-8");
  place = trouble.position - 1;
  const auto byte = static_cast<unsigned char>(text[place]);
  if (byte == '\n' || byte == '\r')
    return trouble_at(text, place, "the line ends inside a text, expected a closing quote",
                      "a line break in a text is written \\n");
  if (byte < 0x20)
    return trouble_at(text, place, fmt::format("control character U+{:04X} in a text, expected it escaped", byte),
                      fmt::format("write \\u{:04x}", byte));
  const std::string_view read = text.substr(start, trouble.position - start);
  const std::size_t escape = std::min(read.rfind('\\'), read.size());
  return trouble_at(text, start + escape, fmt::format("{} is not an escape that JSON knows", read.substr(escape)),
                    "a backslash is written \\\\");
}

Error explain_word(std::string_view text, std::string_view word, const std::string& expected) {
  const auto place = static_cast<std::size_t>(word.data() - text.data());
  std::string bare = lower(word);
  if (is_sign(bare.front())) bare.erase(0, 1);
  if (bare == "nan" || bare == "inf" || bare == "infinity")
    return trouble_at(text, place, fmt::format("{} is not a number in JSON, expected a finite one", word));
  const bool like_a_number = is_digit(word.front()) || is_sign(word.front()) || word.front() == '.';
  if (like_a_number && !is_number(word))
    return trouble_at(text, place, fmt::format("{} is not how JSON writes a number", word),
                      "numbers look like 0.5, -2 or 1e-9: no leading plus or zeros, digits on both sides of the point");
  const bool constant = bare == "true" || bare == "false" || bare == "null" || bare == "none";
  return trouble_at(text, place, fmt::format("unexpected {}, expected {}", word, expected),
                    constant && bare != word ? "JSON knows true, false and null, in small letters" : "");
}

std::string hint_for(char c) {
  if (c == '\'') return "JSON puts keys and texts in double quotes";
  if (c == '/' || c == '#') return "JSON has no comments";
  return {};
}

}  // namespace

Error explain(const SyntaxTrouble& trouble) {
  const std::string_view text = trouble.text;
  const bool at_the_end = trouble.position > text.size() && !trouble.invalid_string;
  const std::string_view token = at_the_end ? text.substr(text.size()) : token_at(text, trouble.position);
  const auto start = static_cast<std::size_t>(token.data() - text.data());
  if (trouble.invalid_string) return explain_string(trouble, start);

  const char before = last_before(text, start);
  const std::string expected = expected_after(before, trouble.inside);
  if (token.empty()) return trouble_at(text, start, "the document ends too early, expected " + expected);
  if (trouble.number_too_large)
    return trouble_at(text, start,
                      fmt::format("{} is too large, expected a number of at most 1.79e308 in size", token));
  if (is_word(token.front())) return explain_word(text, token, expected);
  if ((token == "]" || token == "}") && before == ',')
    return trouble_at(text, start, fmt::format("unexpected '{}' after a comma", token), "remove the comma before it");
  if (has_control_character(token) || !is_utf8(token)) {
    const auto byte = static_cast<unsigned char>(token.front());
    return trouble_at(text, start, fmt::format("unexpected byte 0x{:02X}, expected {}", byte, expected),
                      "is this a JSON file?");
  }
  const bool quoted = token.size() > 1 && token.front() == '"';
  const std::string shown = quoted ? quote(token.substr(1, token.size() - 2)) : fmt::format("'{}'", token);
  return trouble_at(text, start, fmt::format("unexpected {}, expected {}", shown, expected), hint_for(token.front()));
}

}  // namespace fairstep::internal
