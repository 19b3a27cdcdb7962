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

/// The same of a bound, rounded so that it holds as it is shown: an upper one up, a lower one down.
[[nodiscard]] std::string at_most(double bound);
[[nodiscard]] std::string at_least(double bound);

/// A share that says how much may be missing, rounded up: `0.0213 %`.
[[nodiscard]] std::string percent_at_most(double share);

[[nodiscard]] std::int64_t total(std::span<const std::int64_t> values);

}  // namespace fairstep::cli
