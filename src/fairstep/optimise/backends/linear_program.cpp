#include <fairstep/optimise/backends/linear_program.hpp>

#include <algorithm>
#include <cmath>

namespace fairstep {

LpSolution LinearProgram::solve() {
  LpSolution solution = ask();
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  if (std::isfinite(solution.objective) && finite(solution.x) && finite(solution.price)) return solution;
  return {};
}

}  // namespace fairstep
