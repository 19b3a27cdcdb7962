// What the fuzz targets share. A target is an ordinary libFuzzer program: it is given bytes, and must neither crash,
// hang, leak, nor take memory out of proportion; `promise` is for what must be true of whatever it accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace fairstep::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void promise(bool kept, std::string_view what) {
  if (kept) return;
  fmt::print(stderr, "a promise was broken: {}\n", what);
  std::abort();
}

}  // namespace fairstep::fuzz
