// SipHash-2-4: a keyed hash of short texts that passes for random to whoever does not know the key, and is the same on
// every platform. (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.)
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fairstep {

/// Both halves of the key are read from its 16 bytes with the least significant first.
using SipKey = std::array<std::uint64_t, 2>;

[[nodiscard]] inline std::uint64_t siphash(std::string_view message, const SipKey& key) {
  // The paper's initial words: "somepseudorandomlygeneratedbytes".
  std::uint64_t v0 = key[0] ^ 0x736F6D6570736575U, v1 = key[1] ^ 0x646F72616E646F6DU;
  std::uint64_t v2 = key[0] ^ 0x6C7967656E657261U, v3 = key[1] ^ 0x7465646279746573U;
  const auto mix = [&](int rounds) {
    for (; rounds > 0; --rounds) {
      v0 += v1, v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1, v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    mix(2);
    v0 ^= word;
  };
  /// Bytes from `first` on, at most 8, the least significant first.
  const auto word_at = [&](std::size_t first, std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(message[first + i])) << (8 * i);
    return word;
  };
  const std::size_t whole = message.size() / 8;
  for (std::size_t i = 0; i < whole; ++i) take(word_at(8 * i, 8));
  // What is left, and the length in the last byte.
  take(word_at(8 * whole, message.size() % 8) | static_cast<std::uint64_t>(message.size()) << 56U);
  v2 ^= 0xFF;
  mix(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace fairstep
