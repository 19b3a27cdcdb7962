// Numbers and lists as people write them, on a command line or in a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairstep {

/// A whole number of 0 or more: `1000`, `1e6`, `2.5e3` or `2^18`. Nothing if it is not whole or exceeds 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_whole(std::string_view text);

/// A finite decimal number: `0.5`, `-1`, `1e-3`.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The parts between commas; none may be empty, so `a,,b` and `a,` are nothing.
[[nodiscard]] std::optional<std::vector<std::string>> split_list(std::string_view text);

}  // namespace fairstep
