#include <fairstep/ingest/internal/exact_sum.hpp>

#include <cmath>

namespace fairstep::internal {
namespace {

constexpr std::uint32_t kMostPending = 1U << 29U;
constexpr std::int64_t kLow = 0xFFFFFFFF;

}  // namespace

void ExactSum::carry(Limbs& limbs) {
  for (std::size_t i = 0; i + 1 < kLimbs; ++i) {
    limbs[i + 1] += limbs[i] >> 32;  // arithmetic: rounds down
    limbs[i] &= kLow;
  }
}

void ExactSum::add(double number, std::uint64_t times) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t exponent = (bits >> 52U) & 0x7FFU;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << 52U);
  const std::uint64_t position = exponent == 0 ? 0 : exponent - 1;  // |number| = mantissa * 2^(position - 1074)
  const std::int64_t sign = (bits >> 63U) != 0 ? -1 : 1;

  if (++pending_ >= kMostPending) {
    carry(limbs_);
    pending_ = 1;
  }
  // mantissa * times has at most 117 bits: two halves of the second factor keep each product within 128 - 32.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(mantissa) * times;
  const std::uint64_t shift = position % 32;
  for (std::size_t limb = position / 32; product != 0; ++limb, product >>= 32U) {
    const std::uint64_t part = (static_cast<std::uint64_t>(product) & static_cast<std::uint64_t>(kLow)) << shift;
    limbs_[limb] += sign * (static_cast<std::int64_t>(part) & kLow);
    limbs_[limb + 1] += sign * static_cast<std::int64_t>(part >> 32U);
  }
}

void ExactSum::add(const ExactSum& other) {
  Limbs theirs = other.limbs_;
  carry(theirs);
  carry(limbs_);
  for (std::size_t i = 0; i < kLimbs; ++i) limbs_[i] += theirs[i];
  pending_ = 1;
}

double ExactSum::round() const {
  Limbs limbs = limbs_;
  carry(limbs);
  const bool negative = limbs.back() < 0;
  if (negative) {
    for (std::int64_t& limb : limbs) limb = -limb;
    carry(limbs);
  }
  std::size_t top = kLimbs;
  while (top > 0 && limbs[top - 1] == 0) --top;
  if (top == 0) return 0;
  // Limbs are below 2^32 now, the last one too: there is no such sum of doubles that needs more.
  const auto bit = [&](std::size_t i) { return (static_cast<std::uint64_t>(limbs[i / 32]) >> (i % 32)) & 1U; };
  const std::size_t lead =
      (top - 1) * 32 + static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(limbs[top - 1]))) - 1;
  const std::size_t lowest = lead < 53 ? 0 : lead - 52;
  std::uint64_t kept = 0;
  for (std::size_t i = lead + 1; i-- > lowest;) kept = kept << 1U | bit(i);
  if (lowest > 0 && bit(lowest - 1) == 1) {
    bool above_half = (kept & 1U) == 1;  // a tie goes to even
    for (std::size_t i = 0; i + 1 < lowest && !above_half; ++i) above_half = bit(i) == 1;
    if (above_half) ++kept;
  }
  const double magnitude = std::ldexp(static_cast<double>(kept), static_cast<int>(lowest) - 1074);
  return negative ? -magnitude : magnitude;
}

}  // namespace fairstep::internal
