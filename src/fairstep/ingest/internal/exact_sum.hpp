// A sum of doubles without any rounding until the end: the same whatever the order, the threads or the engine.
//
// The numbers are added into one long fixed-point number that holds every double exactly, in limbs of 32 bits with room
// for carries above them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fairstep::internal {

class ExactSum {
 public:
  /// Adds `times` times a finite number.
  void add(double number, std::uint64_t times = 1);
  void add(const ExactSum& other);
  template <class Wire>
  void travel(Wire& wire) {
    wire(limbs_, pending_);
  }
  /// The sum rounded once, to the nearest double, ties to even.
  [[nodiscard]] double round() const;

 private:
  /// 2^-1074, the least double, is bit 0; the greatest has bit 2097, and 64 more are for the number of terms.
  static constexpr std::size_t kLimbs = 72;
  using Limbs = std::array<std::int64_t, kLimbs>;

  /// Every limb but the last into [0, 2^32); the value stays.
  static void carry(Limbs& limbs);

  Limbs limbs_{};
  std::uint32_t pending_ = 0;  ///< additions since the last carry; each adds less than 2^33 to a limb
};

}  // namespace fairstep::internal
