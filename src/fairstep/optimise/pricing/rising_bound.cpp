// The bound by memory where acceptance never falls as the feature rises.
//
// A row is chosen before the feature is seen, by all that came before: which feature and belief somebody had and what
// was decided. Then what is accepted of the next features must rise with them, and those who remember the same share
// one row. The worth of a node under either action is convex in its belief, as it is a maximum of sums of such, so
// that interpolation errs upwards as before.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fairstep/optimise/pricing/belief_grid.hpp>

namespace fairstep {

template <class Visit>
void BeliefGrid::each_successor(std::size_t h, std::size_t node, std::size_t action, const Visit& visit) const {
  const std::size_t* const start = starts_at(h);
  for (std::size_t i = start[node]; i < start[node + 1]; ++i) visit(steps_[i].under[action]);
}

double BeliefGrid::rising_bound(std::span<const double> reward, std::span<const RisingRows> rows, Worth& worth,
                                const Deadline& deadline) const {
  const std::size_t n = nodes();
  const std::size_t cells = reward.size() / horizon_;
  worth.refusing.resize(horizon_ * n + 1);
  worth.gain.resize(horizon_ * n + 1);
  std::vector<double> gain(first_.size() - 1);
  double base = 0;
  const auto add = [&](std::size_t h, const Between& mass) {
    const double* refusing = worth.refusing.data() + h * n + mass.node;
    const double* gains = worth.gain.data() + h * n + mass.node;
    base += mass.weight[0] * refusing[0] + mass.weight[1] * refusing[1];
    gain[feature_[mass.node]] += mass.weight[0] * gains[0] + mass.weight[1] * gains[1];
  };
  const auto begin = [&] {
    base = 0;
    std::fill(gain.begin(), gain.end(), 0.0);
  };
  const auto step_back = [&](std::size_t h, std::size_t node) {
    const std::size_t x = feature_[node];
    const double b = belief_[node];
    const double* pay = reward.data() + h * cells + cell_of(x, 0, 0);
    double value[kActions];
    for (std::size_t a = 0; a < kActions; ++a) {
      value[a] = (1 - b) * pay[a] + b * pay[kActions + a];
      if (h + 1 == horizon_) continue;
      begin();
      each_successor(h, node, a, [&](const Between& mass) { add(h + 1, mass); });
      value[a] += base + rows[h + 1].best(gain);
    }
    worth.refusing[h * n + node] = value[0];
    worth.gain[h * n + node] = value[1] - value[0];
  };
  const std::size_t each = 2 * cost_of_node() + 4 * gain.size();
  double magnitude = 0;
  for (std::size_t h = horizon_; h-- > 0;) {
    for (std::size_t i = 0, all = h > 0 ? n : first_nodes_.size(); i < all; ++i) {
      deadline.work(each);
      step_back(h, h > 0 ? i : first_nodes_[i]);
    }
    double most = 0;
    for (const double pay : reward.subspan(h * cells, cells)) most = std::max(most, std::abs(pay));
    magnitude += most;
  }
  begin();
  for (const Between& mass : initial_) add(0, mass);
  // As in `bound`, with twice as many sums.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  worth.error = 16 * epsilon * static_cast<double>(horizon_ * cells) * magnitude;
  return base + rows[0].best(gain) + worth.error;
}

void BeliefGrid::add_rising_votes(const Worth& worth, std::span<const RisingRows> rows, std::span<double> votes_for,
                                  std::span<double> votes_against, std::vector<double>& scratch,
                                  const Deadline& deadline) const {
  const std::size_t n = nodes();
  const std::size_t features = first_.size() - 1;
  scratch.assign(2 * kActions * (n + 1), 0.0);  // [node,a] mass here, and at the next step
  double* here = scratch.data();
  double* next = here + kActions * (n + 1);
  std::vector<double> gain(features), row(features);
  std::vector<std::pair<Between, double>> pieces;
  // Mass that shares a row: it is chosen, voted for, and divided by it.
  const auto divide = [&](std::size_t h, double* to) {
    std::fill(gain.begin(), gain.end(), 0.0);
    for (const auto& [place, mass] : pieces)
      for (std::size_t k = 0; k < 2; ++k)
        gain[feature_[place.node]] += mass * place.weight[k] * worth.gain[h * n + place.node + k];
    rows[h].best(gain, row);
    for (std::size_t x = 0; x < features; ++x)
      (gain[x] > 0 ? votes_for : votes_against)[h * features + x] += std::abs(gain[x]);
    for (const auto& [place, mass] : pieces) {
      const double p = row[feature_[place.node]];
      for (std::size_t k = 0; k < 2; ++k) {
        to[kActions * (place.node + k)] += mass * place.weight[k] * (1 - p);
        to[kActions * (place.node + k) + 1] += mass * place.weight[k] * p;
      }
    }
    pieces.clear();
  };
  for (const Between& mass : initial_) pieces.emplace_back(mass, 1.0);
  divide(0, here);
  const std::size_t each = 2 * cost_of_node() + 4 * features;
  for (std::size_t h = 0; h + 1 < horizon_; ++h) {
    std::fill(next, next + kActions * (n + 1), 0.0);
    for (std::size_t node = 0; node < n; ++node)
      for (std::size_t a = 0; a < kActions; ++a) {
        const double mass = here[kActions * node + a];
        if (mass == 0) continue;
        deadline.work(each);
        each_successor(h, node, a, [&](const Between& place) { pieces.emplace_back(place, mass); });
        divide(h + 1, next);
      }
    std::swap(here, next);
  }
}

}  // namespace fairstep
