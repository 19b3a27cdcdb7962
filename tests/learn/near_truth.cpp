#include "learn/near_truth.hpp"

#include <cmath>
#include <span>

namespace fairstep::testing {
namespace {

double total_variation(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t s = 0; s < p.size(); ++s) sum += std::abs(p[s] - q[s]);
  return sum / 2;
}

}  // namespace

Radii distances(const Model& truth, const Model& estimate) {
  const Shape& n = truth.shape();
  Radii distance;
  distance.row = Tensor<double, 4>({n.groups, n.features, kLabels, kActions});
  for (std::size_t g = 0; g < n.groups; ++g) {
    distance.initial.push_back(total_variation(truth.initial(g), estimate.initial(g)));
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a)
          distance.row(g, x, y, a) =
              total_variation(truth.spec().transition.block(g, x, y, a), estimate.spec().transition.block(g, x, y, a));
  }
  return distance;
}

bool within(const Radii& distance, const Radii& radii, double factor) {
  for (std::size_t g = 0; g < radii.initial.size(); ++g)
    if (distance.initial[g] > factor * radii.initial[g]) return false;
  for (std::size_t i = 0; i < radii.row.size(); ++i)
    if (distance.row.flat()[i] > factor * radii.row.flat()[i]) return false;
  return true;
}

int most_failures(int runs, double delta, double alarm) {
  // P(m fail), from the greatest m down.
  double probability = std::pow(delta, runs), tail = 0;
  for (int m = runs; m >= 0; --m) {
    tail += probability;  // P(at least m fail)
    if (tail > alarm) return m;
    probability *= static_cast<double>(m) / (runs - m + 1) * (1 - delta) / delta;
  }
  return 0;
}

}  // namespace fairstep::testing
