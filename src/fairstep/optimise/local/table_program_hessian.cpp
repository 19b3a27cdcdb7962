// Second derivatives of the table program.
#include <algorithm>
#include <vector>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/local/table_program.hpp>

namespace fairstep {

/// visit(row variable, column variable) for everything curved, in a fixed order. Steps of one table are affine among
/// themselves; a pair of steps h < h1 is not.
template <class Visit>
void TableProgram::each_curved_pair(const Visit& visit) const {
  const Shape& n = program_.shape();
  for (std::size_t b = 0; b < program_.blocks.size(); ++b)
    for (std::size_t early = 0; early < program_.table_size(); ++early)
      for (std::size_t late = (early / n.features + 1) * n.features; late < program_.table_size(); ++late)
        visit(b * program_.table_size() + late, b * program_.table_size() + early);
  const auto pair = [&](std::size_t i, std::size_t j) { visit(f(std::max(i, j)), f(std::min(i, j))); };
  for (const Row& row : rows_)
    for (const auto& [mean, coefficient] : row.means)
      if (mean.denominator) {
        pair(mean.numerator, *mean.denominator);
        pair(*mean.denominator, *mean.denominator);
      }
  if (goal_ == Goal::least_violation) return;
  for (const PenaltyTerm& p : program_.penalties) {
    std::vector<std::size_t> all{p.first.numerator, p.second.numerator};
    if (p.first.denominator) all.push_back(*p.first.denominator);
    if (p.second.denominator) all.push_back(*p.second.denominator);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) pair(all[i], all[j]);
  }
}

NonlinearProgram::Sparsity TableProgram::hessian_sparsity() const {
  Sparsity sparsity;
  if (!small_) return sparsity;
  each_curved_pair([&](std::size_t row, std::size_t column) {
    sparsity.row.push_back(static_cast<int>(row));
    sparsity.column.push_back(static_cast<int>(column));
  });
  return sparsity;
}

void TableProgram::hessian(double objective_factor, std::span<const double> multipliers, std::span<double> entries) {
  const Shape& n = program_.shape();
  std::fill(entries.begin(), entries.end(), 0.0);
  const double value_weight = goal_ == Goal::value ? -objective_factor : 0;
  std::size_t block_start = 0;
  std::vector<double> moved(2 * n.states());
  for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
    std::size_t block_end = block_start;
    for (const std::size_t g : program_.blocks[b].groups) {
      // d2/d(h,x)d(h1,x1) = (what one more acceptance at (h,x) moves to (x1,.) by step h1) . (q1 - q0 there)
      const Kernels kernels = program_.model->kernels(g);
      const auto accept = table(g);
      price_rewards(program_, g, multipliers.first(program_.functionals), value_weight, work_.reward);
      backward(kernels, {work_.reward, 1.0, n.cells()}, accept, work_.q, work_.v);
      std::size_t at = block_start;
      for (std::size_t early = 0; early < program_.table_size(); ++early) {
        const std::size_t h = early / n.features, x = early % n.features;
        double* here = moved.data();
        double* next = moved.data() + n.states();
        std::fill(here, here + n.states(), 0.0);
        if (h + 1 == n.horizon) break;
        const KernelView kernel = kernels.at(h);
        for (std::size_t y = 0; y < kLabels; ++y) {
          const double mass = mass_[g][h * n.states() + state_of(x, y)];
          kernel.push(cell_of(x, y, 1), mass, here);
          kernel.push(cell_of(x, y, 0), -mass, here);
        }
        for (std::size_t h1 = h + 1; h1 < n.horizon; ++h1) {
          deadline_.work(n.cells() * n.states());
          const double* q = work_.q.data() + h1 * n.cells();
          for (std::size_t x1 = 0; x1 < n.features; ++x1, ++at)
            entries[at] += here[2 * x1] * (q[cell_of(x1, 0, 1)] - q[cell_of(x1, 0, 0)]) +
                           here[2 * x1 + 1] * (q[cell_of(x1, 1, 1)] - q[cell_of(x1, 1, 0)]);
          if (h1 + 1 == n.horizon) break;
          const KernelView onward = kernels.at(h1);
          std::fill(next, next + n.states(), 0.0);
          for (std::size_t s = 0; s < n.states(); ++s) {
            const double p = accept[h1 * n.features + s / kLabels];
            onward.push(2 * s, here[s] * (1 - p), next);
            onward.push(2 * s + 1, here[s] * p, next);
          }
          std::swap(here, next);
        }
      }
      block_end = at;
    }
    block_start = block_end;
  }
  std::size_t at = block_start;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (const auto& [mean, coefficient] : rows_[k].means)
      if (mean.denominator) {
        const double top = x_[f(mean.numerator)], bottom = x_[f(*mean.denominator)];
        const double weight = multipliers[program_.functionals + k] * coefficient;
        entries[at++] = -weight / (bottom * bottom);
        entries[at++] = 2 * weight * top / (bottom * bottom * bottom);
      }
  if (goal_ == Goal::least_violation) return;
  for (const PenaltyTerm& p : program_.penalties) {
    // first and second derivatives of z in (N0, N1, D0, D1), those that exist
    const double n0 = x_[f(p.first.numerator)], n1 = x_[f(p.second.numerator)];
    const double d0 = p.first.denominator ? x_[f(*p.first.denominator)] : 1;
    const double d1 = p.second.denominator ? x_[f(*p.second.denominator)] : 1;
    double z, slope[4], curve[4][4] = {};
    if (p.multiplied_out) {
      z = n0 * d1 - n1 * d0;
      slope[0] = d1, slope[1] = -d0, slope[2] = -n1, slope[3] = n0;
      curve[3][0] = 1, curve[2][1] = -1;
    } else {
      z = n0 / d0 - n1 / d1;
      slope[0] = 1 / d0, slope[1] = -1 / d1, slope[2] = -n0 / (d0 * d0), slope[3] = n1 / (d1 * d1);
      curve[2][0] = -1 / (d0 * d0), curve[3][1] = 1 / (d1 * d1);
      curve[2][2] = 2 * n0 / (d0 * d0 * d0), curve[3][3] = -2 * n1 / (d1 * d1 * d1);
    }
    std::vector<std::size_t> all{0, 1};
    if (p.first.denominator) all.push_back(2);
    if (p.second.denominator) all.push_back(3);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        entries[at++] = objective_factor * 2 * p.weight * (slope[all[i]] * slope[all[j]] + z * curve[all[i]][all[j]]);
  }
}

}  // namespace fairstep
