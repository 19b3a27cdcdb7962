// "Did you mean ...?" for a misspelt key, name or verb, and what would have been right.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fairstep {

/// The candidate that is a typing slip or two away from `word`, case aside; empty if none is near.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean "horizon"?`, or an empty text if no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// `"dp", "eqopt" or "eqodds"`
[[nodiscard]] std::string alternatives(std::span<const std::string_view> words);

}  // namespace fairstep
