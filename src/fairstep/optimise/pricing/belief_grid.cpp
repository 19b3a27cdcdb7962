#include <fairstep/optimise/pricing/belief_grid.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace fairstep {
namespace {

/// What finding a belief and its place costs, in multiplications.
constexpr std::size_t kBeliefCost = 10;
/// Nodes of a grid between two looks at the work that is done.
constexpr std::size_t kNodesAtOnce = 256;

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

/// [period]
std::vector<KernelView> kernels_of(const Model& model, std::size_t g) {
  std::vector<KernelView> kernels;
  for (std::size_t k = 0; k < model.periods().number(); ++k)
    kernels.push_back(model.kernel(g, model.periods().pooled() ? 0 : model.periods().list[k].first_step));
  return kernels;
}

/// Beliefs that can occur at each feature. The next belief is a quotient of linear functions of b, so its extremes over
/// an interval lie at the interval's ends.
std::vector<Interval> reachable_beliefs(const Model& model, std::size_t g, const Deadline& deadline) {
  const Shape& n = model.shape();
  std::vector<Interval> reach(n.features);
  for (std::size_t x = 0; x < n.features; ++x) {
    const double m0 = model.initial(g)[state_of(x, 0)], m1 = model.initial(g)[state_of(x, 1)];
    if (m0 + m1 > 0) reach[x].add(m1 / (m0 + m1));
  }
  if (n.horizon == 1) return reach;
  const std::vector<KernelView> kernels = kernels_of(model, g);
  // Grid points stand for beliefs at every step, so the intervals must be closed: whatever follows from a point of them
  // by any period's kernel lies in them again, and a little more room each round makes sure that this ends.
  double room = 1e-9;
  for (bool grew = true; grew; room *= 2) {
    grew = false;
    for (std::size_t x = 0; x < n.features; ++x) {
      if (reach[x].empty()) continue;
      deadline.work(kBeliefCost * kActions * n.features * 2 * kernels.size());
      const Interval from = reach[x];
      for (const KernelView& kernel : kernels)
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

BeliefGrid::BeliefGrid(const Model& model, std::size_t g, std::size_t points, const Deadline& deadline)
    : horizon_(model.shape().horizon), periods_(model.periods()) {
  const Shape& n = model.shape();
  const std::vector<Interval> reach = reachable_beliefs(model, g, deadline);
  first_.assign(n.features + 1, 0);
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
    first_[x + 1] = belief_.size();
  }

  belief_.push_back(0);

  // mass at (x1, b1) is split between the grid points around b1
  const auto place = [&](std::size_t x1, Pair m) -> Between {
    const double total = m.zero + m.one;
    if (total <= 0) return {first_[x1], Two{}};
    const Place at = find(x1, m.one / total);
    return {at.node, Two{total * (1 - at.up), total * at.up}};
  };

  for (const KernelView& kernel : kernels_of(model, g)) {
    for (std::size_t node = 0; node < nodes(); ++node) {
      deadline.work(kBeliefCost * kActions * n.features);
      start_.push_back(steps_.size());
      for (std::size_t x1 = 0; x1 < n.features; ++x1) {
        const Pair refused = successor(kernel, feature_[node], belief_[node], 0, x1);
        const Pair accepted = successor(kernel, feature_[node], belief_[node], 1, x1);
        if (refused.zero + refused.one > 0 || accepted.zero + accepted.one > 0)
          steps_.push_back({{place(x1, refused), place(x1, accepted)}});
      }
    }
    start_.push_back(steps_.size());
  }
  for (std::size_t x = 0; x < n.features; ++x) {
    const Pair mass{model.initial(g)[state_of(x, 0)], model.initial(g)[state_of(x, 1)]};
    if (mass.zero + mass.one <= 0) continue;
    initial_.push_back(place(x, mass));
    first_nodes_.push_back(initial_.back().node);
    if (initial_.back().weight[1] > 0) first_nodes_.push_back(initial_.back().node + 1);
  }
}

BeliefGrid::Place BeliefGrid::find(std::size_t x, double b) const {
  const std::size_t count = first_[x + 1] - first_[x];
  if (count < 2) return {first_[x], 0};
  const double low = belief_[first_[x]], high = belief_[first_[x + 1] - 1];
  const double at = std::clamp((b - low) / (high - low), 0.0, 1.0) * static_cast<double>(count - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(at), count - 2);
  return {first_[x] + k, at - static_cast<double>(k)};
}

double BeliefGrid::bound(std::span<const double> reward, std::span<const double> lo, std::span<const double> hi,
                         Worth& worth, const Deadline& deadline) const {
  const std::size_t n = nodes();
  const auto pair_at = [](const double* from) {
    Two pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
  };
  const std::size_t cells = reward.size() / horizon_;
  const std::size_t features = lo.size() / horizon_;
  // One more, so that the last node has a next.
  worth.refusing.resize(horizon_ * n + 1);
  worth.gain.resize(horizon_ * n + 1);
  worth.best.resize(horizon_ * n + 1);
  const auto step_back = [&](std::size_t h, const std::size_t* start, std::size_t node) {
    const std::size_t x = feature_[node];
    const double b = belief_[node];
    const double* pay = reward.data() + h * cells + cell_of(x, 0, 0);
    Two refused{(1 - b) * pay[0], b * pay[kActions]}, accepted{(1 - b) * pay[1], b * pay[kActions + 1]};
    if (h + 1 < horizon_) {
      const double* next = worth.best.data() + (h + 1) * n;
      const Step* const end = steps_.data() + start[node + 1];
      for (const Step* step = steps_.data() + start[node]; step != end; ++step) {
        refused += step->under[0].weight * pair_at(next + step->under[0].node);
        accepted += step->under[1].weight * pair_at(next + step->under[1].node);
      }
    }
    const double refusing = refused[0] + refused[1];
    const double gain = accepted[0] + accepted[1] - refusing;
    worth.refusing[h * n + node] = refusing;
    worth.gain[h * n + node] = gain;
    worth.best[h * n + node] = refusing + gain * (gain > 0 ? hi : lo)[h * features + x];
  };
  const std::size_t each = cost_of_node();
  double magnitude = 0;
  for (std::size_t h = horizon_; h-- > 0;) {
    const std::size_t* const start = starts_at(h);
    // A step of all nodes takes longer than one may wait where there are hundreds of features.
    for (std::size_t done = 0, all = h > 0 ? n : first_nodes_.size(); done < all; done += kNodesAtOnce) {
      const std::size_t end = std::min(all, done + kNodesAtOnce);
      deadline.work(each * (end - done));
      for (std::size_t i = done; i < end; ++i) step_back(h, start, h > 0 ? i : first_nodes_[i]);
    }
    double most = 0;
    for (const double pay : reward.subspan(h * cells, cells)) most = std::max(most, std::abs(pay));
    magnitude += most;
  }
  double total = 0;
  for (const Between& mass : initial_)
    total += mass.weight[0] * worth.best[mass.node] + mass.weight[1] * worth.best[mass.node + 1];
  // The recursion rounds; it adds fewer than 4 * horizon * cells numbers of at most this magnitude.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  worth.error = 8 * epsilon * static_cast<double>(horizon_ * cells) * magnitude;
  return total + worth.error;
}

void BeliefGrid::add_votes(const Worth& worth, std::span<const double> lo, std::span<const double> hi,
                           std::span<double> votes_for, std::span<double> votes_against, std::vector<double>& scratch,
                           const Deadline& deadline) const {
  const std::size_t n = nodes();
  const std::size_t features = lo.size() / horizon_;
  scratch.assign(2 * (n + 1), 0.0);
  double* here = scratch.data();
  double* next = scratch.data() + n + 1;
  const std::size_t each = cost_of_node();
  const auto add = [](double* to, Two more) {
    Two pair;
    std::memcpy(&pair, to, sizeof pair);
    pair += more;
    std::memcpy(to, &pair, sizeof pair);
  };
  for (const Between& mass : initial_) add(here + mass.node, mass.weight);
  for (std::size_t h = 0; h < horizon_; ++h) {
    std::fill(next, next + n + 1, 0.0);
    const std::size_t* const start = starts_at(h);
    for (std::size_t node = 0; node < n; ++node) {
      if (here[node] == 0) continue;
      deadline.work(each);
      const double gain = worth.gain[h * n + node];
      const std::size_t at = h * features + feature_[node];
      const double p = (gain > 0 ? hi : lo)[at];
      (gain > 0 ? votes_for : votes_against)[at] += here[node] * std::abs(gain);
      if (h + 1 == horizon_) continue;
      const double refused = here[node] * (1 - p), accepted = here[node] * p;
      const Step* const end = steps_.data() + start[node + 1];
      for (const Step* step = steps_.data() + start[node]; step != end; ++step) {
        add(next + step->under[0].node, refused * step->under[0].weight);
        add(next + step->under[1].node, accepted * step->under[1].weight);
      }
    }
    std::swap(here, next);
  }
}

}  // namespace fairstep
