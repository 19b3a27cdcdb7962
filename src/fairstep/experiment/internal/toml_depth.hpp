// How deep a TOML text nests, before it is parsed: toml++ takes tables apart one within the other, and a key of 50,000
// parts (a.a.a. ...) would end the program by its stack.
#pragma once

#include <string_view>

#include <fairstep/core/error.hpp>

namespace fairstep::internal {

/// An Error if brackets, or the parts of a key, nest more than 32 deep. No file of ours has more than 4.
[[nodiscard]] Expected<void> check_toml_depth(std::string_view text);

}  // namespace fairstep::internal
