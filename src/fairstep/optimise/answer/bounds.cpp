// Bounds once they are there: do they belie each other, and what do the steps after a cut add?
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairstep/optimise/common/infinity.hpp>
#include <fairstep/optimise/solve.hpp>

namespace fairstep {
namespace {

/// Numbers that differ by no more than this share of their scale may be the same.
constexpr double kRoundingShare = 1e-9;

}  // namespace

double value_scale(const Model& model) {
  const Range rewards = model.reward_range();
  return std::max({std::abs(rewards.low), std::abs(rewards.high), 1e-300}) * static_cast<double>(model.shape().horizon);
}

Expected<double> upper_above(double lower, double upper, double scale) {
  if (upper >= lower) return upper;
  if (lower - upper <= kRoundingShare * scale) return lower;
  Error error{fmt::format("the proof contradicts itself: a policy is worth {}, and none can be worth more than {}",
                          lower, upper)};
  error.hint = "no number of this answer can be trusted: please report it, with the model";
  error.ours = true;
  return tl::unexpected(std::move(error));
}

double tail_bound(const Model& model) { return tail_bound(model, model.shape().horizon); }

double tail_bound(const Model& model, std::size_t horizon) {
  if (model.discount() >= 1) return kInfinity;
  const Range rewards = model.reward_range();
  return std::pow(model.discount(), static_cast<double>(horizon)) / (1 - model.discount()) *
         std::max(std::abs(rewards.low), std::abs(rewards.high));
}

void widen(SolveResult& result, double tail, double gap) {
  // Where no policy is known there may be one all the same, and what is infeasible stays so: infinities do not move.
  result.bounds.lower -= tail;
  result.bounds.upper += tail;
  if (result.rules_price) {
    RulesPrice& price = *result.rules_price;
    price.without.lower -= tail;
    price.without.upper += tail;
    price.at_least = std::max(0.0, price.at_least - 2 * tail);
    price.at_most += 2 * tail;
  }
  if (!result.solution) return;
  result.gap = (result.bounds.upper - result.bounds.lower) / std::max(std::abs(result.bounds.lower), 1e-300);
  if (!std::isfinite(result.gap)) result.gap = kInfinity;
  if (result.outcome == Outcome::optimal && result.gap > gap) result.outcome = Outcome::feasible;
}

Expected<Model> truncate(const Model& model, double tail, std::size_t most) {
  if (model.discount() >= 1)
    return fail("discount is 1, expected less than 1: an infinite horizon needs a discount", "/discount");
  if (!(tail > 0)) return fail_option("tail", fmt::format(" is {}, expected more than 0", tail));
  if (model.spec().participation)
    return fail("participation is given per step, so its horizon cannot be changed", "/participation",
                "no value depends on it: leave it out of the model, or " + verb("fit") + " without participation");
  for (std::size_t horizon = 1; horizon <= most; ++horizon) {
    if (tail_bound(model, horizon) > tail) continue;
    ModelSpec spec = model.spec();
    spec.horizon = horizon;
    return Model::make(std::move(spec));
  }
  return fail(fmt::format("a tail of {} needs a horizon of more than {}", tail, most), "/discount",
              "allow a larger tail or a longer horizon");
}

}  // namespace fairstep
