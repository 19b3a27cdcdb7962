// SipHash-2-4 against the paper's own vectors.
#include <fairstep/core/siphash.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

// The key is 00 01 02 ... 0f, the message of length n is 00 01 02 ... n - 1. The one of length 15 is worked out in the
// paper's appendix; the others are of its reference implementation, and of tests/python/split_reference.py.
TEST(SipHash, IsThePapersOne) {
  const SipKey key{0x0706050403020100U, 0x0F0E0D0C0B0A0908U};
  const std::vector<std::pair<std::size_t, std::uint64_t>> known{{0, 0x726FDB47DD0E0E31U},  {1, 0x74F839C593DC67FDU},
                                                                 {7, 0xAB0200F58B01D137U},  {8, 0x93F5F5799A932462U},
                                                                 {15, 0xA129CA6149BE45E5U}, {63, 0x958A324CEB064572U}};
  for (const auto& [length, hash] : known) {
    std::string message;
    for (std::size_t i = 0; i < length; ++i) message += static_cast<char>(i);
    EXPECT_EQ(siphash(message, key), hash) << length;
  }
}

TEST(SipHash, EveryByteOfMessageAndKeyCounts) {
  const std::uint64_t hash = siphash("0123456789", {1, 2});
  for (std::size_t i = 0; i < 10; ++i) {
    std::string other = "0123456789";
    other[i] = static_cast<char>(other[i] ^ 0x80);
    EXPECT_NE(siphash(other, {1, 2}), hash) << i;
  }
  EXPECT_NE(siphash("0123456789", {1, 3}), hash);
  EXPECT_NE(siphash("0123456789", {2, 2}), hash);
  EXPECT_NE(siphash(std::string("0123456789\0", 11), {1, 2}), hash);
}

}  // namespace
}  // namespace fairstep
