#include <fairstep/optimise/answer/price_rules.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairstep/optimise/common/infinity.hpp>

namespace fairstep {
namespace {

/// Of the time, for the question itself; what it leaves goes to the other one.
constexpr double kShareOfTime = 0.75;

Expected<RulesPrice> price_of(const Model& model, const SolveOptions& options, const SolveResult& ruled,
                              const SolveResult& free) {
  RulesPrice price{.rules = rules_in_words(options.policies), .without = free.bounds};
  if (options.policies.is_monotone()) {
    auto order = feature_order(model.names().features, options.policies.order, options.policies.monotone_in);
    if (!order) return tl::unexpected(order.error());
    price.order = std::move(*order);
  }
  price.without.lower = std::max(price.without.lower, ruled.bounds.lower);  // a policy under rules is one without
  price.without.upper = std::max(price.without.upper, price.without.lower);
  price.at_most = kInfinity;
  if (!ruled.solution) return price;
  price.at_least = std::max(0.0, price.without.lower - ruled.bounds.upper);
  price.at_most = price.without.upper - ruled.bounds.lower;
  return price;
}

}  // namespace

Expected<SolveResult> solve_and_price(const SolveOnce& solve_once, const Model& model, const Fairness& fairness,
                                      const SolveOptions& options) {
  SolveOptions first = options;
  first.proof.time_limit *= kShareOfTime;
  auto ruled = solve_once(model, fairness, first);
  if (!ruled || options.stop.stop_requested() || (options.interrupted && options.interrupted())) return ruled;
  SolveOptions second = options;
  second.policies = without_rules(options.policies);
  second.proof.time_limit = std::max(options.proof.time_limit - ruled->seconds, 1e-3);
  second.progress = {};
  if (ruled->solution) second.start = ruled->solution->policy;
  auto free = solve_once(model, fairness, second);
  if (!free) return tl::unexpected(free.error());
  ruled->seconds += free->seconds;
  if (ruled->solution) {
    const double scale = value_scale(model) + ruled->penalty;
    auto above = upper_above(ruled->bounds.lower, free->bounds.upper, scale);
    if (!above) return tl::unexpected(std::move(above.error()));
    if (options.proof.wanted && *above < ruled->bounds.upper) {
      const double before = ruled->bounds.upper - ruled->bounds.lower;
      ruled->bounds.upper = *above;
      ruled->gap = std::isfinite(before) && before > 0
                       ? ruled->gap * ((*above - ruled->bounds.lower) / before)
                       : (*above - ruled->bounds.lower) / std::max(std::abs(ruled->bounds.lower), 1e-9 * scale);
      if (ruled->gap <= options.proof.gap * (1 + 1e-9)) {
        ruled->outcome = Outcome::optimal;
        ruled->stopped_by = StopReason::finished;
      }
    }
  }
  if (!ruled->solution && free->outcome == Outcome::infeasible) {
    ruled->outcome = Outcome::infeasible;
    ruled->bounds.upper = -kInfinity;
    if (ruled->infeasibility && free->infeasibility)
      ruled->infeasibility->least_excess =
          std::max(ruled->infeasibility->least_excess, free->infeasibility->least_excess);
  }
  auto price = price_of(model, options, *ruled, *free);
  if (!price) return tl::unexpected(std::move(price.error()));
  ruled->rules_price = std::move(*price);
  return ruled;
}

}  // namespace fairstep
