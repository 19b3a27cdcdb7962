#include <fairstep/simulate/alias.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fairstep {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide kWhole = static_cast<Wide>(1) << 64;

struct Share {
  Wide size = 0;  ///< in units of 2^-64 of a slot; all shares together fill the slots exactly
  std::uint32_t outcome = 0;
};

/// Weights as integers that sum to 2^64 exactly; what rounding leaves over goes to the largest, where it matters least.
std::vector<Share> integer_shares(std::span<const double> weight, std::span<const std::uint32_t> outcome) {
  double sum = 0;
  for (const double w : weight) sum += w;
  std::vector<Share> shares;
  for (std::size_t i = 0; i < weight.size(); ++i)
    if (weight[i] > 0) shares.push_back({static_cast<Wide>(std::ldexp(weight[i] / sum, 64)), outcome[i]});
  assert(!shares.empty());
  Wide placed = 0;
  for (const Share& share : shares) placed += share.size;
  auto largest = std::max_element(shares.begin(), shares.end(), [](auto& l, auto& r) { return l.size < r.size; });
  largest->size += kWhole - placed;  // modulo 2^128, so this also takes away what is too much
  return shares;
}

}  // namespace

void append_alias(std::span<const double> weight, std::span<const std::uint32_t> outcome, std::size_t size,
                  std::vector<AliasSlot>& slots) {
  assert(weight.size() == outcome.size());
  std::vector<Share> shares = integer_shares(weight, outcome);
  assert(size >= shares.size());
  // Slots to spare start as nobody's and end up as somebody's rest.
  shares.resize(size, {0, shares.front().outcome});
  // `size` slots of 2^64 hold `size` times the shares.
  for (Share& share : shares) share.size *= size;
  // Whoever needs less than a slot gets one and the rest of it goes to somebody who needs more; that one's need shrinks
  // by the rest. Sizes are whole numbers and add up, so nothing is left over in the end.
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < size; ++i) (shares[i].size < kWhole ? small : large).push_back(i);
  while (!small.empty()) {
    const Share part = shares[small.back()];
    small.pop_back();
    const std::size_t donor = large.back();
    slots.push_back({static_cast<std::uint64_t>(part.size), {part.outcome, shares[donor].outcome}});
    shares[donor].size -= kWhole - part.size;
    if (shares[donor].size < kWhole) {
      large.pop_back();
      small.push_back(donor);
    }
  }
  // Full slots: both outcomes are the same, so the threshold does not matter.
  for (const std::size_t i : large) slots.push_back({0, {shares[i].outcome, shares[i].outcome}});
}

}  // namespace fairstep
