// Walker's alias method over 64-bit integers: a draw from any finite distribution for one 64-bit random number, one
// multiplication and one comparison.
//
// The distribution is cut into slots of equal size, at least as many as it has outcomes and at most two outcomes to a
// slot. The high half of (draw x slots) is the slot, the low half is a fresh fraction that says which of the two. Each
// probability is met to within 2^-51 of itself or 2^-63, whichever is more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fairstep {

struct AliasSlot {
  std::uint64_t threshold = 0;             ///< the first outcome if the fraction is below this, in units of 2^-64
  std::array<std::uint32_t, 2> outcome{};  ///< both the same where one outcome fills the slot
};

/// Where a draw fell in a table of some size, before any slot is looked at.
struct SlotAndFraction {
  std::uint64_t slot = 0;
  std::uint64_t fraction = 0;  ///< uniform whatever the slot, in units of 2^-64
};

inline SlotAndFraction cut(std::uint64_t draw, std::uint64_t size) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(draw) * size;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

/// The high half of a product: `whole` times a fraction in units of 2^-64, rounded down.
inline std::uint64_t part_of(std::uint64_t whole, std::uint64_t fraction) { return cut(whole, fraction).slot; }

/// Appends `size` slots for outcomes in proportion to their weights. Weights are >= 0 and not all zero; `size` is at
/// least the number of those that are positive.
void append_alias(std::span<const double> weight, std::span<const std::uint32_t> outcome, std::size_t size,
                  std::vector<AliasSlot>& slots);

}  // namespace fairstep
