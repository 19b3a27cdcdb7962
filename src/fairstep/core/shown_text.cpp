#include <fairstep/core/shown_text.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <fairstep/core/shared/text.hpp>

namespace fairstep {
namespace {

enum class Escapes { line, lines, json };

/// Of a well-formed sequence.
std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = static_cast<unsigned char>(sequence[0]) & (0xFFU >> (sequence.size() + 1));
  for (const char byte : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
  return code;
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

/// Separators of lines, marks of direction, and the mark of byte order, which is not seen either.
bool is_unseen(std::uint32_t code) {
  return code == 0x2028 || code == 0x2029 || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string written_out(std::uint32_t code, Escapes escapes) {
  if (escapes == Escapes::json) return fmt::format("\\u{:04x}", code);
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

std::string rewritten(std::string_view text, Escapes escapes) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
  if (ascii) return std::string(text);
  std::string made;
  made.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = internal::utf8_length_at(text, i);
    if (length == 0) {
      // JSON cannot hold it, and whoever wrote the document has seen to it.
      made += escapes == Escapes::json ? std::string(1, text[i])
                                       : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    const std::string_view sequence = text.substr(i, length);
    const std::uint32_t code = code_point(sequence);
    const bool kept = (code == '\n' || code == '\t') && escapes != Escapes::line;
    if (!kept && (is_control(code) || is_unseen(code)))
      made += written_out(code, escapes);
    else
      made += sequence;
    i += length;
  }
  return made;
}

}  // namespace

std::string shown_text(std::string_view text) { return rewritten(text, Escapes::line); }
std::string shown_lines(std::string_view text) { return rewritten(text, Escapes::lines); }
std::string shown_json(std::string_view json) { return rewritten(json, Escapes::json); }

}  // namespace fairstep
