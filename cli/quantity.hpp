// Numbers and lists as people write them on a command line, and numbers as they like to read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <fairstep/core/quantity.hpp>

namespace fairstep::cli {

/// 1234567 as `1,234,567`.
[[nodiscard]] std::string with_thousands(std::uint64_t n);
/// Of a number that counts something: it is not negative.
[[nodiscard]] std::string with_thousands(std::int64_t n);

/// `0.1250`, and `-` for what is not a number.
[[nodiscard]] std::string number_or_dash(double value);

[[nodiscard]] std::int64_t total(std::span<const std::int64_t> values);

}  // namespace fairstep::cli
