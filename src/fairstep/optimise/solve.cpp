#include <fairstep/optimise/solve.hpp>

#include <fairstep/optimise/answer/price_rules.hpp>
#include <fairstep/optimise/answer/solve_with.hpp>

namespace fairstep {

Expected<SolveResult> solve(const Model& model, const Fairness& fairness, const SolveOptions& options) {
  const auto once = [](const Model& m, const Fairness& f, const SolveOptions& o) { return solve_with({}, m, f, o); };
  // A myopic policy is not the best of anything, so that its price would say nothing.
  if (options.price_rules && options.policies.has_rules() && options.method != Method::myopic)
    return solve_and_price(once, model, fairness, options);
  return once(model, fairness, options);
}

}  // namespace fairstep
