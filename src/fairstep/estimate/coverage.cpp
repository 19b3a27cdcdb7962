#include <fairstep/estimate/coverage.hpp>

namespace fairstep {

Coverage coverage(const Counts& counts, std::int64_t threshold) {
  Coverage result;
  result.threshold = threshold;
  const Shape n = counts.shape();
  result.cells = n.groups * n.cells();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const std::int64_t decisions = counts.visits_of(g, x, y, a);
          if (decisions == 0)
            result.unseen.push_back({g, x, y, a});
          else if (decisions < threshold)
            result.thin.push_back({{g, x, y, a}, decisions});
        }
  return result;
}

}  // namespace fairstep
