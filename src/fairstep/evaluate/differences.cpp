#include <fairstep/evaluate/differences.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace fairstep {

Differences differences(const Model& model, const Policy& first, const Evaluation& of_first, const Policy& second,
                        const Evaluation& of_second, double rounding) {
  assert(first.check_fits(model) && second.check_fits(model));
  const Shape& n = model.shape();
  Differences found;
  found.changed.assign(n.horizon, 0);
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const Difference cell{.group = g,
                              .step = h,
                              .feature = x,
                              .first = first.accept(g, h, x),
                              .second = second.accept(g, h, x),
                              .people_first = model.share(g) * of_first.feature(g, h, x),
                              .people_second = model.share(g) * of_second.feature(g, h, x)};
        if (!(std::abs(cell.first - cell.second) > rounding)) continue;
        found.changed[h] += cell.changed();
        found.cells.push_back(cell);
      }
  for (const double changed : found.changed) found.changed_share += changed / static_cast<double>(n.horizon);
  std::sort(found.cells.begin(), found.cells.end(), [](const Difference& a, const Difference& b) {
    return std::tuple(b.changed(), a.group, a.step, a.feature) < std::tuple(a.changed(), b.group, b.step, b.feature);
  });
  return found;
}

}  // namespace fairstep
