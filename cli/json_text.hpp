// JSON that a person can read as well: objects over several lines, lists of numbers on one.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace fairstep::cli {

/// Ends with a line feed. Numbers that are not finite become null; whoever puts one in says why under `warnings`.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& document);

}  // namespace fairstep::cli
