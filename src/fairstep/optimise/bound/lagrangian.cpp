#include <fairstep/optimise/bound/lagrangian.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/common/outward.hpp>

namespace fairstep {

double lagrangian_bound(const Master& master, std::span<const Coefficient> objective, std::span<const double> best) {
  std::vector<Sum> left(master.variables());
  for (const Coefficient& c : objective) left[c.index].add(c.value);
  Sum total;
  double error = 0;
  for (const double b : best) total.add(b);
  // V and F_j are sold to the blocks at their prices (the defining rows are columns - V = 0). A block is paid the sum
  // of what it is paid for each of them, which rounds as well.
  left[Master::kValue].add(master.price_of_value());
  for (std::size_t j = 0; j < master.functionals(); ++j) {
    left[Master::functional(j)].add(master.price_of_functional(j));
    error += master.rounding_of(j);
  }
  for (const Master::Repair& repair : master.repairs())
    left[repair.slack].add(-repair.sign * master.price_of_functional(repair.functional));
  for (std::size_t r = 0; r < master.rows().size(); ++r) {
    const double y = master.price_of_row(r);
    const Master::Row& row = master.rows()[r];
    if (y == 0 || (y > 0 && row.high == kInfinity) || (y < 0 && row.low == -kInfinity)) continue;
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
