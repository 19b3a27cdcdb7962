// Walker's alias method over 64-bit integers: a draw from any finite distribution for one 64-bit random number, one
// multiplication and one comparison.
//
// The distribution is cut into as many slots of equal size as it has outcomes, at most two outcomes to a slot. The high
// half of (draw x slots) is the slot, the low half says which of its two outcomes. Probabilities are met to within
// 2^-52 of themselves plus 2^-63.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fairstep {

struct AliasSlot {
  std::uint64_t threshold = 0;  ///< the first outcome if the low half is below this, else the second
  std::array<std::uint32_t, 2> outcome{};
};

/// Where a draw fell: the slot, and 0 or 1 for its first or second outcome.
struct AliasPick {
  std::size_t slot;
  std::size_t side;
};

/// A table among others in one vector of slots.
struct AliasTable {
  std::uint64_t first = 0;  ///< its first slot
  std::uint64_t size = 0;   ///< its slots, as many as there are outcomes with a positive weight
};

inline AliasPick pick(const AliasSlot* slots, const AliasTable& table, std::uint64_t draw) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(draw) * table.size;
  const std::size_t slot = table.first + static_cast<std::uint64_t>(product >> 64);
  return {slot, static_cast<std::uint64_t>(product) >= slots[slot].threshold ? std::size_t{1} : std::size_t{0}};
}

/// Appends a table for outcomes in proportion to their weights (>= 0, not all zero) and says where it is.
AliasTable append_alias(std::span<const double> weight, std::span<const std::uint32_t> outcome,
                        std::vector<AliasSlot>& slots);

}  // namespace fairstep
