#include <fairstep/optimise/bound/lagrangian.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

bool counts(double price, const Master::Row& row) {
  return price != 0 && !(price > 0 && row.high == kInfinity) && !(price < 0 && row.low == -kInfinity);
}

Prices last_prices(const Master& master) {
  Prices prices{master.price_of_value(), {}, {}};
  for (std::size_t j = 0; j < master.functionals(); ++j) prices.functional.push_back(master.price_of_functional(j));
  for (std::size_t r = 0; r < master.rows().size(); ++r)
    prices.row.push_back(master.knew_row(r) ? master.price_of_row(r) : 0.0);
  return prices;
}

Prices balanced_prices(const Master& master, std::span<const Coefficient> objective, std::span<const double> row) {
  std::vector<double> left(1 + master.functionals(), 0.0);
  const auto add = [&](std::size_t variable, double amount) {
    if (variable < left.size()) left[variable] += amount;
  };
  for (const Coefficient& c : objective) add(c.index, c.value);
  for (std::size_t r = 0; r < row.size(); ++r)
    if (counts(row[r], master.rows()[r]))
      for (const Coefficient& c : master.rows()[r].entries) add(c.index, -row[r] * c.value);
  Prices prices{-left[Master::kValue], {}, {row.begin(), row.end()}};
  for (std::size_t j = 0; j < master.functionals(); ++j) prices.functional.push_back(-left[Master::functional(j)]);
  return prices;
}

double lagrangian_bound(const Master& master, std::span<const Coefficient> objective, std::span<const double> best) {
  return lagrangian_bound(master, objective, last_prices(master), best);
}

double lagrangian_bound(const Master& master, std::span<const Coefficient> objective, const Prices& prices,
                        std::span<const double> best) {
  std::vector<Sum> left(master.variables());
  for (const Coefficient& c : objective) left[c.index].add(c.value);
  Sum total;
  double error = 0;
  for (const double b : best) total.add(b);
  // V and F_j are sold to the blocks at their prices (the defining rows are columns - V = 0). A block is paid the sum
  // of what it is paid for each of them, which rounds as well.
  left[Master::kValue].add(prices.value);
  for (std::size_t j = 0; j < master.functionals(); ++j) {
    left[Master::functional(j)].add(prices.functional[j]);
    error += master.rounding_of(j, prices.functional[j]);
  }
  for (const Master::Repair& repair : master.repairs())
    left[repair.slack].add(-repair.sign * prices.functional[repair.functional]);
  for (std::size_t r = 0; r < prices.row.size(); ++r) {
    const double y = prices.row[r];
    const Master::Row& row = master.rows()[r];
    if (!counts(y, row)) continue;
    total.add(worse_end(y, row.low, row.high));
    for (const Coefficient& c : row.entries)
      if (c.value != 0) left[c.index].add(-y * c.value);
  }
  for (std::size_t i = 0; i < master.variables(); ++i) {
    const Range& range = master.range(i);
    total.add(worse_end(left[i].value, range.low, range.high));
    error += left[i].error() * std::max(std::abs(range.low), std::abs(range.high));
  }
  // Twice, as the errors are summed with errors.
  return total.value + 2 * (total.error() + error);
}

}  // namespace fairstep
