#include <fairstep/optimise/answer/shadow_prices.hpp>

#include <algorithm>
#include <cmath>

#include <fairstep/optimise/local/linearised.hpp>

namespace fairstep {

namespace {

/// `stopped` if there is no time.
Linearised::Step linearised_optimum(const Program& program, const Tables& tables, const Deadline& deadline) {
  try {
    return Linearised(program, tables, 0, Goal::value, deadline).solve({.slack = 1e-9});
  } catch (const OutOfTime&) {
    return {};
  }
}

}  // namespace

ShadowPrices shadow_prices(const Program& program, const Tables& tables, const Deadline& deadline) {
  ShadowPrices prices{std::vector<double>(program.parities.size(), 0.0), std::vector<double>(program.rows.size(), 0.0)};
  const Linearised::Step solution = linearised_optimum(program, tables, deadline);
  if (solution.status != LpStatus::optimal) {
    if (deadline.over())
      for (auto* unknown : {&prices.parity, &prices.row}) std::fill(unknown->begin(), unknown->end(), std::nan(""));
    return prices;
  }

  std::size_t row = 0;
  for (std::size_t i = 0; i < program.parities.size(); ++i) {
    const Parity& parity = program.parities[i];
    const bool pair = parity.means.size() == 2 && !parity.two_sided();
    const std::size_t rows = pair ? 1 : parity.means.size() + parity.lower.size();
    for (std::size_t k = 0; k < rows; ++k, ++row) prices.parity[i] += std::abs(solution.price[row]) * (pair ? 1 : 0.5);
  }
  for (double& price : prices.row) price = std::abs(solution.price[row++]);
  return prices;
}

}  // namespace fairstep
