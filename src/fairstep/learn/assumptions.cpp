#include <fairstep/learn/assumptions.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fairstep {
namespace {

/// Solvers leave entries that are meant to be 0 or 1 about so far from it.
constexpr double kAtEnd = 1e-6;
constexpr double kLastEpisode = 1e18;

/// 2 H^2 ln(4 S A k^2 / delta); the paper's 4 is 2 for each of two groups.
double deviation(const AtEpisode& at, double k) {
  const auto horizon = static_cast<double>(at.shape.horizon);
  const double log = std::log(at.per_group(2) * static_cast<double>(at.shape.cells()) / at.delta) + 2 * std::log(k);
  return 2 * horizon * horizon * log;
}

/// m, what is to be expected at least.
double expected_visits(const AtEpisode& at, double k, double kernel_least, double floor, double people) {
  return kernel_least * floor * people * (static_cast<double>(at.shape.horizon) - 1) * (k - 1);
}

}  // namespace

Inside inside_of(const Model& truth, const Policy& best) {
  const Shape& n = truth.shape();
  Inside found;
  const ModelSpec& spec = truth.spec();
  found.kernel_least = 1;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t k = 0; k < n.periods; ++k)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y)
          for (std::size_t a = 0; a < kActions; ++a)
            for (const double p : spec.transition.of(g, k, x, y, a))
              found.kernel_least = std::min(found.kernel_least, p);
  found.policy_least = 1;
  std::size_t at_ends = 0;
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const double accept = best.accept(g, h, x), least = std::min(accept, 1 - accept);
        found.policy_least = std::min(found.policy_least, least <= kAtEnd ? 0 : least);
        at_ends += least <= kAtEnd ? 1U : 0U;
      }
  found.policy_at_ends = static_cast<double>(at_ends) / static_cast<double>(n.groups * n.horizon * n.features);
  return found;
}

double promised_visits(const AtEpisode& at, double kernel_least, double floor, double people) {
  const auto k = static_cast<double>(at.k);
  const double m = expected_visits(at, k, kernel_least, floor, people);
  return m - std::sqrt(m * deviation(at, k));
}

std::optional<double> first_episode_of_theorems(const AtEpisode& at, const Inside& inside, double people) {
  // Negative at k = 1, and of a power of k less its logarithm: it becomes positive once.
  const auto enough = [&](double k) {
    return expected_visits(at, k, inside.kernel_least, 1 / std::cbrt(k), people) >= 4 * deviation(at, k);
  };
  if (inside.policy_least <= 0 || !enough(kLastEpisode)) return std::nullopt;
  double before = 1, after = kLastEpisode;
  while (after - before > 1 && after / before > 1 + 1e-12) {
    const double middle = std::floor(after / before > 4 ? std::sqrt(before * after) : 0.5 * (before + after));
    (enough(middle) ? after : before) = middle;
  }
  return std::max(after, std::ceil(std::pow(inside.policy_least, -3)));
}

}  // namespace fairstep
