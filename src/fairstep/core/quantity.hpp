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

/// Numbers between commas: `0,0.01,0.05`.
[[nodiscard]] std::optional<std::vector<double>> parse_numbers(std::string_view text);

/// Numbers between commas, or evenly spaced from the first to the last, at least two and at most 10,000 of them:
/// `0:0.2:21`.
[[nodiscard]] std::optional<std::vector<double>> parse_range(std::string_view text);

}  // namespace fairstep
