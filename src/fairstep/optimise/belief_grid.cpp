#include <fairstep/optimise/internal/belief_grid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairstep {
namespace {

struct Interval {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  [[nodiscard]] bool empty() const { return low > high; }
  bool add(double b) {
    const bool grows = b < low || b > high;
    low = std::min(low, b);
    high = std::max(high, b);
    return grows;
  }
};

/// Mass that goes to (x1, y1 = 0) and (x1, y1 = 1) from a unit at (x, b) under a.
struct Pair {
  double zero, one;
};

Pair successor(const KernelView& kernel, std::size_t x, double b, std::size_t a, std::size_t x1) {
  const double* from0 = kernel.row(cell_of(x, 0, a));
  const double* from1 = kernel.row(cell_of(x, 1, a));
  return {(1 - b) * from0[2 * x1] + b * from1[2 * x1], (1 - b) * from0[2 * x1 + 1] + b * from1[2 * x1 + 1]};
}

/// Beliefs that can occur at each feature. The next belief is a quotient of linear functions of b, so its extremes over
/// an interval lie at the interval's ends.
std::vector<Interval> reachable_beliefs(const Model& model, std::size_t g) {
  const Shape& n = model.shape();
  const KernelView kernel = model.kernel(g);
  std::vector<Interval> reach(n.features);
  for (std::size_t x = 0; x < n.features; ++x) {
    const double m0 = model.initial(g)[state_of(x, 0)], m1 = model.initial(g)[state_of(x, 1)];
    if (m0 + m1 > 0) reach[x].add(m1 / (m0 + m1));
  }
  if (n.horizon == 1) return reach;
  // Grid points stand for beliefs at every step, so the intervals must be closed: whatever follows from a point of them
  // lies in them again, and a little more room each round makes sure that this ends.
  double room = 1e-9;
  for (bool grew = true; grew; room *= 2) {
    grew = false;
    for (std::size_t x = 0; x < n.features; ++x) {
      if (reach[x].empty()) continue;
      const Interval from = reach[x];
      for (std::size_t a = 0; a < kActions; ++a)
        for (std::size_t x1 = 0; x1 < n.features; ++x1)
          for (const double b : {from.low, from.high}) {
            const Pair m = successor(kernel, x, b, a, x1);
            if (m.zero + m.one <= 0) continue;
            const double next = m.one / (m.zero + m.one);
            if (!reach[x1].add(next)) continue;
            grew = true;
            reach[x1].add(std::max(0.0, next - room));
            reach[x1].add(std::min(1.0, next + room));
          }
    }
  }
  return reach;
}

}  // namespace

BeliefGrid::BeliefGrid(const Model& model, std::size_t g, std::size_t points) : horizon_(model.shape().horizon) {
  const Shape& n = model.shape();
  const KernelView kernel = model.kernel(g);
  const std::vector<Interval> reach = reachable_beliefs(model, g);
  std::vector<std::size_t> first(n.features + 1, 0);
  for (std::size_t x = 0; x < n.features; ++x) {
    const double width = reach[x].empty() ? 0 : reach[x].high - reach[x].low;
    // Between ends that are next to each other there is nothing to divide.
    const std::size_t here = reach[x].empty() ? 0
                             : width == 0     ? 1
                             : width < 1e-8   ? 2
                                              : std::max(points, std::size_t{2});
    for (std::size_t k = 0; k < here; ++k) {
      const double t = here == 1 ? 0 : static_cast<double>(k) / static_cast<double>(here - 1);
      belief_.push_back(k + 1 == here ? reach[x].high : reach[x].low + t * width);
      feature_.push_back(static_cast<std::uint32_t>(x));
    }
    first[x + 1] = belief_.size();
  }

  // mass at (x1, b1) is split between the grid points around b1
  const auto place = [&](std::size_t x1, Pair m, std::vector<Entry>& out) {
    const double total = m.zero + m.one;
    if (total <= 0) return;
    const double b = m.one / total;
    const std::size_t count = first[x1 + 1] - first[x1];
    const auto begin = static_cast<std::uint32_t>(first[x1]);
    if (count == 1) {
      out.push_back({begin, total});
      return;
    }
    const double low = belief_[first[x1]], high = belief_[first[x1 + 1] - 1];
    const double at = std::clamp((b - low) / (high - low), 0.0, 1.0) * static_cast<double>(count - 1);
    const auto k = std::min(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(count - 2));
    const double left = belief_[begin + k], right = belief_[begin + k + 1];
    const double up = std::clamp((b - left) / (right - left), 0.0, 1.0);
    out.push_back({begin + k, total * (1 - up)});
    if (up > 0) out.push_back({begin + k + 1, total * up});
  };

  for (std::size_t node = 0; node < belief_.size(); ++node)
    for (std::size_t a = 0; a < kActions; ++a) {
      start_.push_back(entries_.size());
      for (std::size_t x1 = 0; x1 < n.features; ++x1)
        place(x1, successor(kernel, feature_[node], belief_[node], a, x1), entries_);
    }
  start_.push_back(entries_.size());
  for (std::size_t x = 0; x < n.features; ++x)
    place(x, {model.initial(g)[state_of(x, 0)], model.initial(g)[state_of(x, 1)]}, initial_);
}

double BeliefGrid::bound(std::span<const double> reward, std::span<const double> lo, std::span<const double> hi,
                         std::vector<double>& advantage, std::vector<double>& scratch) const {
  const std::size_t n = nodes();
  const std::size_t cells = reward.size() / horizon_;
  const std::size_t features = lo.size() / horizon_;
  advantage.resize(horizon_ * n);
  scratch.assign(2 * n, 0.0);
  double* next = scratch.data();
  double* here = scratch.data() + n;
  double magnitude = 0;
  for (std::size_t h = horizon_; h-- > 0;) {
    const double* pay = reward.data() + h * cells;
    for (std::size_t node = 0; node < n; ++node) {
      const std::size_t x = feature_[node];
      const double b = belief_[node];
      double q[kActions];
      for (std::size_t a = 0; a < kActions; ++a) {
        double sum = (1 - b) * pay[cell_of(x, 0, a)] + b * pay[cell_of(x, 1, a)];
        if (h + 1 < horizon_)
          for (std::size_t i = start_[2 * node + a]; i < start_[2 * node + a + 1]; ++i)
            sum += entries_[i].weight * next[entries_[i].node];
        q[a] = sum;
      }
      const double gain = q[1] - q[0];
      advantage[h * n + node] = gain;
      here[node] = q[0] + gain * (gain > 0 ? hi : lo)[h * features + x];
    }
    std::swap(here, next);
    const auto [least, most] = std::minmax_element(pay, pay + cells);
    magnitude += std::max(std::abs(*least), std::abs(*most));
  }
  double total = 0;
  for (const Entry& entry : initial_) total += entry.weight * next[entry.node];
  // The recursion rounds; it adds fewer than 4 * horizon * cells numbers of at most this magnitude.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return total + 8 * epsilon * static_cast<double>(horizon_ * cells) * magnitude;
}

void BeliefGrid::add_votes(std::span<const double> advantage, std::span<const double> lo, std::span<const double> hi,
                           std::span<double> votes_for, std::span<double> votes_against,
                           std::vector<double>& scratch) const {
  const std::size_t n = nodes();
  const std::size_t features = lo.size() / horizon_;
  scratch.assign(2 * n, 0.0);
  double* here = scratch.data();
  double* next = scratch.data() + n;
  for (const Entry& entry : initial_) here[entry.node] += entry.weight;
  for (std::size_t h = 0; h < horizon_; ++h) {
    std::fill(next, next + n, 0.0);
    for (std::size_t node = 0; node < n; ++node) {
      if (here[node] == 0) continue;
      const double gain = advantage[h * n + node];
      const std::size_t at = h * features + feature_[node];
      const double p = (gain > 0 ? hi : lo)[at];
      (gain > 0 ? votes_for : votes_against)[at] += here[node] * std::abs(gain);
      if (h + 1 == horizon_) continue;
      for (std::size_t a = 0; a < kActions; ++a) {
        const double mass = here[node] * (a == 1 ? p : 1 - p);
        if (mass == 0) continue;
        for (std::size_t i = start_[2 * node + a]; i < start_[2 * node + a + 1]; ++i)
          next[entries_[i].node] += mass * entries_[i].weight;
      }
    }
    std::swap(here, next);
  }
}

}  // namespace fairstep
