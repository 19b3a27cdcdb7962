#include <fairstep/optimise/program/program.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairstep/evaluate/passes.hpp>
#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {

Workspace::Workspace(const Shape& n)
    : mass(n.horizon * n.states()),
      q(n.horizon * n.cells()),
      v(n.horizon * n.states()),
      reward(n.horizon * n.cells()) {}

void add_payoffs(const Program& program, std::size_t g, std::span<const double> accept, std::span<const double> mass,
                 double& value, std::span<double> functional) {
  const Shape& n = program.shape();
  const Model& model = *program.model;
  const auto payoff = [&](std::size_t h, std::span<const double> weight) {
    double sum = 0;
    for (std::size_t s = 0; s < n.states(); ++s) {
      const double p = accept[h * n.features + s / kLabels];
      sum += mass[h * n.states() + s] * ((1 - p) * weight[2 * s] + p * weight[2 * s + 1]);
    }
    return sum;
  };
  double factor = model.share(g);
  for (std::size_t h = 0; h < n.horizon; ++h, factor *= model.discount()) value += factor * payoff(h, model.reward(g));
  for (const Term& term : program.terms[g]) functional[term.functional] += payoff(term.step, term.weight);
}

Effect effect_of(const Program& program, std::size_t block, std::span<const double> accept, Workspace& work,
                 const AtWork& at_work) {
  const Model& model = *program.model;
  Effect effect{0, std::vector<double>(program.functionals)};
  for (const std::size_t g : program.blocks[block].groups) {
    forward(model.kernels(g), model.initial(g), accept, work.mass, at_work);
    add_payoffs(program, g, accept, work.mass, effect.value, effect.functional);
  }
  return effect;
}

double mean_of(const Mean& mean, std::span<const double> functional) {
  if (!mean.denominator) return functional[mean.numerator];
  const double whole = functional[*mean.denominator];
  return whole > 0 ? functional[mean.numerator] / whole : std::numeric_limits<double>::quiet_NaN();
}

double width_of(const Parity& parity, std::span<const double> functional) {
  double least = kInfinity, most = -kInfinity;
  for (std::size_t i = 0; i < parity.means.size(); ++i) {
    const double rate = mean_of(parity.means[i], functional);
    if (std::isnan(rate)) continue;
    least = std::min(least, mean_of(parity.lower_of(i), functional));
    most = std::max(most, rate);
  }
  return std::isfinite(most) ? most - least : 0;
}

double height_of(const MeanRow& row, std::span<const double> functional) {
  double sum = 0;
  for (std::size_t i = 0; i < row.means.size(); ++i) sum += row.coefficient[i] * mean_of(row.means[i], functional);
  return sum;
}

bool Ratio::is_plain() const {
  return means.size() == 2 &&
         std::none_of(means.begin(), means.end(), [](const Mean& mean) { return mean.denominator.has_value(); });
}

double ratio_of(const MeanRow& row, std::span<const double> functional) {
  const double whole = mean_of(row.means[0], functional);
  return whole > 0 ? mean_of(row.means[1], functional) / whole : std::numeric_limits<double>::quiet_NaN();
}

double excess_of(const Program& program, std::span<const double> functional) {
  double worst = -kInfinity;
  for (const Parity& parity : program.parities) worst = std::max(worst, width_of(parity, functional) - parity.limit);
  for (const MeanRow& row : program.rows) {
    const double height = height_of(row, functional);
    if (!std::isnan(height)) worst = std::max(worst, height - row.upper);
  }
  return worst;
}

double gap_of(const PenaltyTerm& penalty, std::span<const double> functional) {
  if (!penalty.multiplied_out) return mean_of(penalty.first, functional) - mean_of(penalty.second, functional);
  return functional[penalty.first.numerator] * functional[*penalty.second.denominator] -
         functional[penalty.second.numerator] * functional[*penalty.first.denominator];
}

double penalty_of(const Program& program, std::span<const double> functional) {
  double total = 0;
  for (const PenaltyTerm& p : program.penalties) {
    const double z = gap_of(p, functional);
    if (!std::isnan(z)) total += p.weight * z * z;
  }
  for (const Toll& toll : program.tolls) {
    const double mean = mean_of(toll.mean, functional);
    if (!std::isnan(mean)) total += toll.price * mean;
  }
  return total;
}

void price_rewards(const Program& program, std::size_t g, std::span<const double> price, double value_weight,
                   std::span<double> reward) {
  const Shape& n = program.shape();
  const Model& model = *program.model;
  double factor = value_weight * model.share(g);
  for (std::size_t h = 0; h < n.horizon; ++h, factor *= model.discount())
    std::transform(model.reward(g).begin(), model.reward(g).end(),
                   reward.begin() + static_cast<std::ptrdiff_t>(h * n.cells()), [&](double r) { return factor * r; });
  for (const Term& term : program.terms[g]) {
    const double p = price[term.functional];
    if (p == 0) continue;
    double* out = reward.data() + term.step * n.cells();
    for (std::size_t cell = 0; cell < n.cells(); ++cell) out[cell] += p * term.weight[cell];
  }
}

void add_gradient(const Program& program, std::size_t g, std::span<const double> accept, std::span<const double> reward,
                  std::span<const double> mass, Workspace& work, std::span<double> gradient, const AtWork& at_work) {
  const Shape& n = program.shape();
  backward(program.model->kernels(g), {reward, 1.0, n.cells()}, accept, work.q, work.v, at_work);
  for (std::size_t i = 0; i < n.horizon * n.states(); ++i)
    gradient[i / kLabels] += mass[i] * (work.q[2 * i + 1] - work.q[2 * i]);
}

Candidate assess(const Program& program, Tables tables) {
  Candidate result{std::move(tables), 0, 0};
  Workspace work(program.shape());
  std::vector<double> f(program.functionals, 0.0);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Effect effect = effect_of(program, b, result.tables[b], work);
    result.objective += effect.value;
    for (std::size_t j = 0; j < f.size(); ++j) f[j] += effect.functional[j];
  }
  result.excess = excess_of(program, f);
  result.objective -= penalty_of(program, f);
  return result;
}

}  // namespace fairstep
