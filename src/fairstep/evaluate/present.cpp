#include <fairstep/evaluate/present.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {
namespace {

double part_of(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

/// `mass` is [x,y] of those who are there.
void fill_rates(std::span<const double> mass, const Policy& policy, std::size_t g, std::size_t h, Presence& result) {
  double there[kLabels] = {}, accepted[kLabels] = {};
  for (std::size_t s = 0; s < mass.size(); ++s) {
    there[s % kLabels] += mass[s];
    accepted[s % kLabels] += mass[s] * policy.accept(g, h, s / kLabels);
  }
  const double all = there[0] + there[1];
  result.share(g, h) = all;
  result.rates.accept(g, h) = part_of(accepted[0] + accepted[1], all);
  result.rates.tpr(g, h) = part_of(accepted[1], there[1]);
  result.rates.fpr(g, h) = part_of(accepted[0], there[0]);
  result.rates.qualified(g, h) = part_of(there[1], all);
}

}  // namespace

Presence rates_of_those_present(const Model& model, const Policy& policy) {
  assert(policy.check_fits(model));
  const Shape& n = model.shape();
  const Tensor<double, 2> zeros({n.groups, n.horizon});
  Presence result{zeros, {zeros, zeros, zeros, zeros}};
  const auto& participation = model.spec().participation;
  for (std::size_t g = 0; g < n.groups; ++g) {
    std::vector<double> here(n.states()), next(n.states());
    for (std::size_t h = 0; h < n.horizon; ++h) {
      const double comes = participation ? participation->first_step(g, h) : (h == 0 ? 1 : 0);
      for (std::size_t s = 0; s < n.states(); ++s) here[s] += comes * model.initial(g)[s];
      fill_rates(here, policy, g, h, result);
      if (h + 1 == n.horizon) break;
      std::fill(next.begin(), next.end(), 0.0);
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const std::size_t s = cell / kActions;
        const double accept = policy.accept(g, h, s / kLabels);
        const double stays = participation ? 1 - participation->leave.block(g)[cell] : 1;
        const double goes_on = here[s] * (cell % kActions == 1 ? accept : 1 - accept) * stays;
        if (goes_on > 0) model.kernel(g, h).push(cell, goes_on, next.data());
      }
      std::swap(here, next);
    }
  }
  return result;
}

}  // namespace fairstep
