// The fingerprint of a text or file: SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace fairstep {

/// 64 digits of base 16, in small letters, as `sha256sum` prints it.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The same in base 64, as a page's security policy names a script.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

}  // namespace fairstep
