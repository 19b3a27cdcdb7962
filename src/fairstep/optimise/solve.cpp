#include <fairstep/optimise/solve.hpp>

#include <fairstep/optimise/answer/solve_with.hpp>

namespace fairstep {

Expected<SolveResult> solve(const Model& model, const Fairness& fairness, const SolveOptions& options) {
  return solve_with({}, model, fairness, options);
}

}  // namespace fairstep
