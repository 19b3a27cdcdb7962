// Randomness that depends on who draws, never on when or in which thread: a counter-based generator (Philox 4x64-10)
// whose stream is named by (seed, purpose, index, ...) and whose output is the same on every platform.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include <fairstep/core/philox.hpp>

namespace fairstep {

class Rng {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  using Block = std::array<std::uint64_t, 4>;  ///< four draws

  /// Streams with different (seed, purpose, index, sub, part) never overlap.
  explicit Rng(std::uint64_t seed, std::uint64_t purpose = 0, std::uint64_t index = 0, std::uint64_t sub = 0,
               std::uint64_t part = 0)
      : key_{seed, purpose}, counter_{0, index, sub, part} {}

  result_type operator()() {
    if (left_ == 0) {
      block_ = philox(counter_, key_);
      ++counter_[0];
      left_ = 4;
    }
    return block_[4 - left_--];
  }

  /// Uniform on [0,1), 53 bits.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// Draws 4 * number to 4 * number + 3 of the stream, counted from its start: any place can be read without the
  /// others.
  [[nodiscard]] Block block(std::uint64_t number) const {
    Block at = counter_;
    at[0] = number;
    return philox(at, key_);
  }

 private:
  std::array<std::uint64_t, 2> key_;
  Block counter_;
  Block block_{};
  unsigned left_ = 0;
};

}  // namespace fairstep
