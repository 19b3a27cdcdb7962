// Philox 4x64-10: a keyed permutation of 256-bit counters that passes for random. No state: equal (counter, key) give
// equal numbers on every platform. (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// 2011.)
#pragma once

#include <array>
#include <cstdint>

namespace fairstep {

[[nodiscard]] inline std::array<std::uint64_t, 4> philox(std::array<std::uint64_t, 4> counter,
                                                         std::array<std::uint64_t, 2> key) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide left = Wide{0xD2E7470EE14C6C93} * counter[0];
    const Wide right = Wide{0xCA5A826395121157} * counter[2];
    counter = {static_cast<std::uint64_t>(right >> 64) ^ counter[1] ^ key[0], static_cast<std::uint64_t>(right),
               static_cast<std::uint64_t>(left >> 64) ^ counter[3] ^ key[1], static_cast<std::uint64_t>(left)};
    key[0] += 0x9E3779B97F4A7C15;  // the golden ratio
    key[1] += 0xBB67AE8584CAA73B;  // sqrt(3) - 1
  }
  return counter;
}

}  // namespace fairstep
