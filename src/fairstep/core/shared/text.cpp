#include <fairstep/core/shared/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fairstep::internal {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

}  // namespace

std::size_t utf8_length_at(std::string_view text, std::size_t i) {
  const std::uint32_t lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr std::uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};  // of a code point that needs this length
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const std::uint32_t next = byte_at(text, i + k);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (next & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length_at(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

std::string with_thousands(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

}  // namespace fairstep::internal
