// Text of somebody else's on a terminal or a page: it must not move the cursor, colour, erase, begin a line of its own
// or turn the reading order around. What would is shown as an escape.
#pragma once

#include <string>
#include <string_view>

namespace fairstep {

/// `\x1b`, `\n`, `\u2028`, `\xff`: control characters (those above U+007F too), line and paragraph separators, marks
/// that change the direction, and bytes that are not UTF-8, written out. All else stays as it is.
[[nodiscard]] std::string shown_text(std::string_view text);

/// The same of text that has lines of its own: line breaks and tabs stay.
[[nodiscard]] std::string shown_lines(std::string_view text);

/// JSON in which these characters are escaped as JSON does it, so that it means the same. Line breaks stay.
[[nodiscard]] std::string shown_json(std::string_view json);

}  // namespace fairstep
