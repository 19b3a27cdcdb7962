// Numbers and lists as people write them on a command line, and numbers as they like to read them.
#pragma once

#include <cstdint>
#include <string>

#include <fairstep/core/quantity.hpp>

namespace fairstep::cli {

/// 1234567 as `1,234,567`.
[[nodiscard]] std::string with_thousands(std::uint64_t n);

}  // namespace fairstep::cli
