#include <fairstep/optimise/pricing/reach.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {
namespace {

/// Fewer people than this are measured as they are.
constexpr double kFewPeople = 1e-12;
/// Of a direction at the first step, in units of who is there.
constexpr double kFirstError = 1e-14;

constexpr double kRoot = std::numbers::sqrt2;
constexpr double kDirection[Reach::kDirections][kLabels] = {
    {1, 0},  {1 / kRoot, 1 / kRoot},   {0, 1},  {-1 / kRoot, 1 / kRoot},
    {-1, 0}, {-1 / kRoot, -1 / kRoot}, {0, -1}, {1 / kRoot, -1 / kRoot}};

}  // namespace

Reach::Reach(const Model& model, const std::vector<std::size_t>& groups)
    : groups_(groups.size()), features_(model.shape().features) {
  const Shape& n = model.shape();
  unit_.resize(n.horizon * groups_ * n.states());
  most_.assign(n.horizon * groups_ * n.features * kDirections, kInfinity);
  for (std::size_t k = 0; k < groups_; ++k) {
    const auto initial = model.initial(groups[k]);
    std::vector<double> mass(initial.begin(), initial.end()), next(n.states());
    for (std::size_t h = 0; h < n.horizon; ++h) {
      for (std::size_t s = 0; s < n.states(); ++s)
        unit_[kLabels * place(h, k, 0) + s] = mass[s] > kFewPeople ? mass[s] : 1;
      if (h + 1 == n.horizon) break;
      std::fill(next.begin(), next.end(), 0.0);
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const double* row = model.kernel(groups[k], h).row(cell);
        for (std::size_t s = 0; s < n.states(); ++s) next[s] += 0.5 * mass[cell / kActions] * row[s];
      }
      std::swap(mass, next);
    }
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t i = 0; i < kDirections; ++i) {
        const auto [zero, one] = direction(place(0, k, x), i);
        narrow(place(0, k, x), i, zero * initial[state_of(x, 0)] + one * initial[state_of(x, 1)] + kFirstError);
      }
  }
}

std::array<double, kLabels> Reach::direction(std::size_t place, std::size_t i) const {
  return {kDirection[i][0] / unit_[kLabels * place], kDirection[i][1] / unit_[kLabels * place + 1]};
}

void Reach::narrow(std::size_t place, std::size_t i, double most) {
  double& known = most_[place * kDirections + i];
  known = std::min(known, most);
}

/// As a sum of the two directions that it lies between: an axis and a diagonal.
Reach::Ends Reach::ends(std::size_t place, double d0, double d1) const {
  const double zero = d0 * unit_[kLabels * place], one = d1 * unit_[kLabels * place + 1];
  const double a = std::abs(zero), b = std::abs(one);
  // [|zero| >= |one|][zero >= 0][one >= 0]
  static constexpr std::size_t kAxis[2][2][2] = {{{6, 2}, {6, 2}}, {{4, 4}, {0, 0}}};
  static constexpr std::size_t kDiagonal[2][2] = {{5, 3}, {7, 1}};
  const std::size_t axis = kAxis[a >= b ? 1 : 0][zero >= 0 ? 1 : 0][one >= 0 ? 1 : 0];
  const std::size_t diagonal = kDiagonal[zero >= 0 ? 1 : 0][one >= 0 ? 1 : 0];
  const double along = std::abs(a - b), across = kRoot * std::min(a, b);
  const double* most = most_.data() + place * kDirections;
  const double ahead[2] = {along * most[axis], across * most[diagonal]};
  const double behind[2] = {along * most[opposite(axis)], across * most[opposite(diagonal)]};
  return {-(behind[0] + behind[1]), ahead[0] + ahead[1],
          std::abs(ahead[0]) + std::abs(ahead[1]) + std::abs(behind[0]) + std::abs(behind[1])};
}

}  // namespace fairstep
