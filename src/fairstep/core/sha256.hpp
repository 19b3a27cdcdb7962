// The fingerprint of a text or file: SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairstep {

/// 64 digits of base 16, in small letters, as `sha256sum` prints it.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The same of bytes that come one part after the other: a file need not fit into memory.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// Of all that was added so far.
  [[nodiscard]] std::string digits() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::string rest_{};  ///< less than a block
  std::uint64_t bytes_ = 0;
};

/// The same in base 64, as a page's security policy names a script.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

}  // namespace fairstep
