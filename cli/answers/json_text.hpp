// JSON that a person can read as well: objects over several lines, lists of numbers on one.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace fairstep::cli {

using Json = nlohmann::ordered_json;

/// Ends with a line feed. Numbers that are not finite become null; whoever puts one in says why under `warnings`.
[[nodiscard]] std::string to_text(const Json& document);

/// Null for an empty text: what is not known.
[[nodiscard]] Json text_or_null(const std::string& text);

}  // namespace fairstep::cli
