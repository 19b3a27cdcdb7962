// The fingerprint of a text or file: SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairstep {

/// 64 digits of base 16, in small letters, as `sha256sum` prints it.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The same in base 64, as a page's security policy names a script.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

/// Of bytes that come a piece at a time: what is too large to be held at once.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// As `sha256` of all that was added; nothing may be added after.
  [[nodiscard]] std::string finish() &&;

 private:
  std::array<std::uint32_t, 8> state_;
  std::string rest_{};  ///< that fills no block as yet
  std::uint64_t size_ = 0;
};

}  // namespace fairstep
