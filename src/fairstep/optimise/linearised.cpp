#include <fairstep/optimise/internal/linearised.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fairstep/optimise/internal/table_program.hpp>

namespace fairstep {

Linearised linearise(const Program& program, const Tables& tables, const LinearisedOptions& options) {
  TableProgram smooth(program, tables, options.margin, Goal::value);
  const std::vector<double> x = smooth.start();
  const auto bounds = smooth.variable_bounds();
  const auto limits = smooth.constraint_bounds();
  const auto sparsity = smooth.jacobian_sparsity();
  std::vector<double> c(limits.low.size());
  std::vector<double> gradient(x.size());
  std::vector<double> jacobian(sparsity.row.size());
  smooth.evaluate(x, c);
  smooth.differentiate(gradient, jacobian);

  Linearised result{.lp = {}, .first_limit = program.functionals};
  const bool elastic = options.excess_price < kInfinity;
  std::vector<std::vector<Coefficient>> columns(x.size() + (elastic ? 1 : 0));
  for (std::size_t i = 0; i < jacobian.size(); ++i)
    columns[static_cast<std::size_t>(sparsity.column[i])].push_back(
        {static_cast<std::size_t>(sparsity.row[i]), jacobian[i]});
  const std::size_t rows = c.size();
  for (std::size_t k = 0; k < rows; ++k) {
    // A limit that bends is two rows: the excess widens each side.
    const double low = limits.low[k] - c[k] - options.slack;
    const double high = limits.high[k] - c[k] + options.slack;
    const bool two_sides = elastic && k >= program.functionals && low > -kInfinity && high < kInfinity;
    result.lp.add_row(two_sides ? -kInfinity : low, high);
  }
  if (elastic)
    for (std::size_t k = program.functionals; k < rows; ++k) columns.back().push_back({k, -1.0});
  const std::size_t entries = program.blocks.size() * program.table_size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double low = bounds.low[i] - x[i];
    const double high = bounds.high[i] - x[i];
    if (i < entries)
      result.lp.add_variable(std::max(low, -options.radius), std::min(high, options.radius), -gradient[i], columns[i]);
    else
      result.lp.add_variable(low, high, -gradient[i], columns[i]);
  }
  if (!elastic) return result;
  const std::size_t excess = result.lp.add_variable(0, kInfinity, -options.excess_price, columns.back());
  std::vector<std::vector<Coefficient>> by_row(rows);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const Coefficient& entry : columns[i])
      if (entry.index >= program.functionals) by_row[entry.index].push_back({i, entry.value});
  for (std::size_t k = program.functionals; k < rows; ++k)
    if (limits.low[k] > -kInfinity && limits.high[k] < kInfinity) {
      by_row[k].push_back({excess, 1.0});
      result.lp.add_row(limits.low[k] - c[k], kInfinity, by_row[k]);
    }
  return result;
}

}  // namespace fairstep
