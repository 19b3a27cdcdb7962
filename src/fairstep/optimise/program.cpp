#include <fairstep/optimise/internal/program.hpp>

#include <algorithm>
#include <cassert>

#include <fairstep/evaluate/passes.hpp>

namespace fairstep {

Workspace::Workspace(const Shape& n)
    : mass(n.horizon * n.states()),
      q(n.horizon * n.cells()),
      v(n.horizon * n.states()),
      reward(n.horizon * n.cells()) {}

Effect effect_of(const Program& program, std::size_t block, std::span<const double> accept, Workspace& work) {
  const Shape& n = program.shape();
  const Model& model = *program.model;
  Effect effect{0, std::vector<double>(program.functionals)};
  for (const std::size_t g : program.blocks[block].groups) {
    forward(model.kernel(g), model.initial(g), accept, work.mass);
    const auto payoff = [&](std::size_t h, std::span<const double> weight) {
      double sum = 0;
      for (std::size_t s = 0; s < n.states(); ++s) {
        const double p = accept[h * n.features + s / kLabels];
        sum += work.mass[h * n.states() + s] * ((1 - p) * weight[2 * s] + p * weight[2 * s + 1]);
      }
      return sum;
    };
    double factor = model.share(g);
    for (std::size_t h = 0; h < n.horizon; ++h, factor *= model.discount())
      effect.value += factor * payoff(h, model.reward(g));
    for (const Term& term : program.terms[g]) effect.functional[term.functional] += payoff(term.step, term.weight);
  }
  return effect;
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
                  std::span<const double> mass, Workspace& work, std::span<double> gradient) {
  const Shape& n = program.shape();
  backward(program.model->kernel(g), {reward, 1.0, n.cells()}, accept, work.q, work.v);
  for (std::size_t i = 0; i < n.horizon * n.states(); ++i)
    gradient[i / kLabels] += mass[i] * (work.q[2 * i + 1] - work.q[2 * i]);
}

}  // namespace fairstep
