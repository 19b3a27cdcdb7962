#include <fairstep/check/paths.hpp>

#include <algorithm>
#include <utility>

namespace fairstep::rigorous {

Payoffs paid_at(std::size_t h, std::vector<Interval> payoff) {
  Payoffs payoffs(h + 1, std::vector<Interval>(payoff.size()));
  payoffs.back() = std::move(payoff);
  return payoffs;
}

// The drift of a step takes those of the steps before it.
Paths::Paths(const Group& group, std::size_t steps, const Interval& alpha) : group_(group), alpha_(alpha) {
  const std::size_t states = group.question.states;
  for (std::size_t t = 0; t < steps; ++t) {
    std::vector<Interval> of_step(states);
    for (std::size_t s = 0; s < states; ++s) {
      std::vector<Interval> here(states);
      here[s] = 1;
      const Interval share = answer(paid_at(t, std::move(here)));
      const Interval within(std::max(Real{0}, share.low), std::min(Real{1}, share.high));
      of_step[s] = within - group.plan.reached(t, s);
    }
    drifts_.push_back(std::move(of_step));
  }
}

Interval Paths::answer(const Payoffs& payoffs) const {
  const Direction direction = direction_of(group_, payoffs);
  const Interval remainder = remainder_of(direction, drifts_);
  const Real more = greatest_excess({{direction, remainder, 1}}, alpha_);
  const Real less = greatest_excess({{direction, remainder, -1}}, alpha_);
  return direction.planned_answer + Interval(-less, more);
}

}  // namespace fairstep::rigorous
