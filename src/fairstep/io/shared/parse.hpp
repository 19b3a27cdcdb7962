// Text -> JSON values, more strictly than the library alone: doubled keys and deep nesting are errors too, and a syntax
// error says where it is and what would be right. The only header of the project that shows nlohmann's types.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <fairstep/core/error.hpp>

namespace fairstep::internal {

using Json = nlohmann::json;

/// The error's pointer is the innermost object or array around the trouble.
[[nodiscard]] Expected<Json> parse_json(std::string_view text);

/// A key as a step of a JSON pointer: ~ and / escaped, a slash in front. Empty for a key that would break the line.
[[nodiscard]] std::string pointer_step(std::string_view key);

/// A value in a message: `the text "8"`, `an array`, `0.5`.
[[nodiscard]] std::string describe(const Json& value);

/// Text in quotes, escaped and shortened, so that a message stays one line.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace fairstep::internal
