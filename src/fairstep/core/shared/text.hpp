// Whether text that came from outside can be shown and written to a file, and numbers in sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairstep::internal {

/// The length of the well-formed UTF-8 sequence that starts at byte i, or 0.
[[nodiscard]] std::size_t utf8_length_at(std::string_view text, std::size_t i);

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// A line break, a tab or another of the characters below U+0020, or U+007F.
[[nodiscard]] bool has_control_character(std::string_view text);

/// 1234567 as `1,234,567`; of a number that counts something.
[[nodiscard]] std::string with_thousands(std::int64_t n);

}  // namespace fairstep::internal
