// What a distribution that may move within a set makes of a payoff at most: mass leaves the states where the payoff is
// least for those where it is greatest, as far as the set allows. One ranking of the states serves all rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace fairstep::internal {

/// How much mass may have left a row p, in a distribution that is within the radius of p or of p rescaled to 1.
///
/// Let p sum to 1 + e. A distribution q within the radius r of p/(1+e) is within r + |e|/2 of p. It lacks D and adds
/// U to p, U - D = -e, U + D = |q - p|_1, so D = (|q - p|_1 + e) / 2 is at most r + |e|.
inline double reach(std::span<const double> p, double radius) {
  return radius + std::abs(1 - std::accumulate(p.begin(), p.end(), 0.0));
}

class Ranked {
 public:
  explicit Ranked(std::size_t states) : order_(states), shortfall_(states) {}

  /// Sorts the states from the worst on and sets how far each is below the best.
  void rank(const std::vector<double>& payoff) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) { return payoff[i] < payoff[j]; });
    best_ = payoff[order_.back()];
    for (std::size_t s = 0; s < payoff.size(); ++s) shortfall_[s] = best_ - payoff[s];
  }

  /// The same for the payoff with the other sign, of which `other` has ranked this one.
  void rank_opposite(const Ranked& other, const std::vector<double>& payoff) {
    std::reverse_copy(other.order_.begin(), other.order_.end(), order_.begin());
    best_ = -payoff[order_.back()];
    for (std::size_t s = 0; s < payoff.size(); ++s) shortfall_[s] = best_ + payoff[s];
  }

  /// [s] what the payoff lacks to the best.
  [[nodiscard]] const std::vector<double>& shortfall() const { return shortfall_; }

  /// max q.f = best - min q.(best - f): all that may leave p does so from the worst states and goes to the best, where
  /// it falls short by nothing. `all` is p.(best - f), `left` may leave.
  [[nodiscard]] double greatest(const double* p, double all, double left) const {
    double removed = 0;
    for (std::size_t i = 0; i < order_.size() && left > 0; ++i) {
      const double taken = std::min(p[order_[i]], left);
      removed += taken * shortfall_[order_[i]];
      left -= taken;
    }
    return best_ - std::max(0.0, all - removed);
  }

  /// The same within a box too: mass leaves the worst states, down to their low ends, for the best ones, up to their
  /// high ends, until the radius is used up or the two meet. A row that sums to 1 + e may lose |e| more than it gains.
  [[nodiscard]] double greatest_in_box(const double* p, const double* low, const double* high, double all,
                                       double left) const {
    const auto movable_at = [&](std::size_t i) { return p[order_[i]] - low[order_[i]]; };
    const auto room_at = [&](std::size_t i) { return high[order_[i]] - p[order_[i]]; };
    std::size_t from = 0;
    std::size_t to = order_.size() - 1;
    double off = 1;
    for (std::size_t s = 0; s < order_.size(); ++s) off -= p[s];
    double movable = movable_at(from);
    double room = room_at(to) + std::abs(off);
    double gained = 0;
    while (from < to && left > 0) {  // each turn uses up one of the three
      const double moved = std::min({movable, room, left});
      gained += moved * (shortfall_[order_[from]] - shortfall_[order_[to]]);
      left -= moved;
      movable -= moved;
      room -= moved;
      if (movable == 0) movable = movable_at(++from);
      if (room == 0) room = room_at(--to);
    }
    return best_ - std::max(0.0, all - gained);
  }

 private:
  std::vector<std::uint32_t> order_;  ///< states, the worst first
  std::vector<double> shortfall_;
  double best_{};
};

}  // namespace fairstep::internal
