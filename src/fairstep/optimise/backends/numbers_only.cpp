// Apart from the library behind linear programs, so that a test can put a liar in its place.
#include <algorithm>
#include <cmath>

#include <fairstep/optimise/backends/linear_program.hpp>

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
