// When the policy is updated, as people write it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fairstep {

/// `2^3..2^18` doubles from the first to the last; `8,100,1000` is a list, which must rise. Nothing if it is neither.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> parse_schedule(std::string_view text);

}  // namespace fairstep
