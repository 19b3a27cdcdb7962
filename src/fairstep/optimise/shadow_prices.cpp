#include <fairstep/optimise/internal/shadow_prices.hpp>

#include <cmath>

#include <fairstep/optimise/backends/internal/linear_program.hpp>
#include <fairstep/optimise/internal/table_program.hpp>

namespace fairstep {

ShadowPrices shadow_prices(const Program& program, const Tables& tables) {
  ShadowPrices prices{std::vector<double>(program.parities.size(), 0.0), std::vector<double>(program.rows.size(), 0.0)};
  TableProgram smooth(program, tables, 0, Goal::value);
  const std::vector<double> x = smooth.start();
  const auto bounds = smooth.variable_bounds();
  const auto limits = smooth.constraint_bounds();
  const auto sparsity = smooth.jacobian_sparsity();
  std::vector<double> c(limits.low.size()), gradient(x.size()), jacobian(sparsity.row.size());
  smooth.evaluate(x, c);
  smooth.differentiate(gradient, jacobian);

  // maximise -gradient . d subject to c + J d within its limits and x + d within its bounds
  LinearProgram lp;
  for (std::size_t k = 0; k < c.size(); ++k) lp.add_row(limits.low[k] - c[k] - 1e-9, limits.high[k] - c[k] + 1e-9);
  std::vector<std::vector<Coefficient>> columns(x.size());
  for (std::size_t i = 0; i < jacobian.size(); ++i)
    columns[static_cast<std::size_t>(sparsity.column[i])].push_back(
        {static_cast<std::size_t>(sparsity.row[i]), jacobian[i]});
  for (std::size_t i = 0; i < x.size(); ++i)
    lp.add_variable(bounds.low[i] - x[i], bounds.high[i] - x[i], -gradient[i], columns[i]);
  const LpSolution solution = lp.solve();
  if (solution.status != LpStatus::optimal) return prices;

  std::size_t row = program.functionals;
  for (std::size_t i = 0; i < program.parities.size(); ++i) {
    const bool pair = program.parities[i].means.size() == 2;
    const std::size_t rows = pair ? 1 : program.parities[i].means.size();
    for (std::size_t k = 0; k < rows; ++k, ++row) prices.parity[i] += std::abs(solution.price[row]) * (pair ? 1 : 0.5);
  }
  for (double& price : prices.row) price = std::abs(solution.price[row++]);
  return prices;
}

}  // namespace fairstep
