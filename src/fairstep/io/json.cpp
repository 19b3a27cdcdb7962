#include <fairstep/io/json.hpp>

#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/shared/text.hpp>
#include <fairstep/core/shown_text.hpp>

namespace fairstep {

std::string JsonWriter::quoted(std::string_view text) const {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = internal::utf8_length_at(text, i);
    const char c = text[i];
    if (length == 0) {  // not UTF-8: JSON cannot hold it
      result += "\xEF\xBF\xBD";
    } else if (length > 1) {
      result += shown_json(text.substr(i, length));
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || (style_.in_page && c == '<')) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
    i += length == 0 ? 1 : length;
  }
  return result + '"';
}

std::string json_number(double number, int digits) {
  if (!std::isfinite(number)) return "null";
  // JSON readers take "-0" for the integer 0, which has no sign.
  if (number == 0 && std::signbit(number)) return "-0.0";
  return digits > 0 ? fmt::format("{:.{}g}", number, digits) : fmt::format("{}", number);
}

JsonWriter& JsonWriter::open(char opening, char closing, Lines lines) {
  separate();
  text_ += opening;
  const bool in_a_line = !open_.empty() && open_.back().lines != Lines::many;
  open_.push_back({closing, in_a_line ? open_.back().lines : lines});
  return *this;
}

JsonWriter& JsonWriter::end() {
  assert(!open_.empty() && !after_key_);
  const Open closed = open_.back();
  open_.pop_back();
  if (!closed.empty && closed.lines == Lines::many) break_line();
  text_ += closed.close;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!open_.empty() && open_.back().close == '}' && !after_key_);
  separate();
  text_ += quoted(name);
  text_ += open_.back().lines == Lines::tight ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  std::string digits = json_number(number, style_.digits);
  if (style_.pointed && digits.find_first_not_of("-0123456789") == std::string::npos) digits += ".0";
  return put(digits);
}

JsonWriter& JsonWriter::value(std::string_view text) { return put(quoted(text)); }

JsonWriter& JsonWriter::line() {
  line_ = true;
  return *this;
}

JsonWriter& JsonWriter::document(std::string_view json) {
  while (json.ends_with('\n')) json.remove_suffix(1);
  separate();
  for (const char c : json) {
    if (c == '\n') {
      break_line();
    } else {
      text_ += c;
    }
  }
  return *this;
}

std::string JsonWriter::text() && {
  assert(open_.empty() && !after_key_);
  if (!style_.in_page) text_ += '\n';
  return std::move(text_);
}

JsonWriter& JsonWriter::put(std::string_view token) {
  separate();
  text_ += token;
  return *this;
}

void JsonWriter::separate() {
  if (std::exchange(after_key_, false) || open_.empty()) return;
  Open& inside = open_.back();
  const bool first = std::exchange(inside.empty, false);
  if (!first) text_ += inside.lines == Lines::one ? ", " : ",";
  if (inside.lines == Lines::many) break_line();
  if (std::exchange(line_, false)) text_ += '\n';
}

void JsonWriter::break_line() {
  text_ += '\n';
  text_.append(2 * open_.size(), ' ');
}

}  // namespace fairstep
