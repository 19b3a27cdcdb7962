#include <fairstep/check/two_parts.hpp>

#include <algorithm>
#include <utility>

namespace fairstep::rigorous {
namespace {

/// Doubles lose a part of what is paid, at each step and in each row.
constexpr Real kRounding = 2e-13L;

}  // namespace

TwoParts::TwoParts(const Question& question, const Split& split, const Bounds& bounds, Known known)
    : q_(question), split_(split), bounds_(bounds), known_(std::move(known)) {
  for (std::size_t g = 0; g < q_.groups; ++g) plans_.emplace_back(q_, g);
  // Remainders take drifts up to the step before the last; rewards that were counted take those of the last too.
  const std::size_t steps = q_.horizon - (q_.value == Question::Value::counted ? 0 : 1);
  for (std::size_t g = 0; g < q_.groups; ++g) paths_.emplace_back(group(g), steps, split_.path);
}

std::optional<Real> TwoParts::gap(std::size_t i, std::size_t j, std::size_t h, Rate rate) {
  const auto& one = of_rate(i, h, rate);
  const auto& other = of_rate(j, h, rate);
  if (!one || !other) return std::nullopt;
  const Interval planned = one->rate - other->rate + (one->direction.planned_answer - other->direction.planned_answer);
  const auto excess = [&](Real sign) {
    return greatest_excess({{one->direction, one->remainder, sign}, {other->direction, other->remainder, -sign}},
                           split_.question);
  };
  const Real more = up(planned.high + excess(1));
  const Real less = up(-planned.low + excess(-1));
  return std::clamp(std::max(more, less), Real{0}, Real{1});
}

Real TwoParts::rounding(std::size_t i, std::size_t j, std::size_t h, Rate rate) {
  const auto& one = of_rate(i, h, rate);
  const auto& other = of_rate(j, h, rate);
  if (rate == Rate::accept || !one || !other) return 0;
  return kRounding * static_cast<Real>(q_.horizon) * (1 / one->people + 1 / other->people);
}

const std::optional<TwoParts::OfRate>& TwoParts::of_rate(std::size_t g, std::size_t h, Rate rate) {
  auto& all = rates_[rate];
  if (all.empty())
    for (std::size_t group = 0; group < q_.groups; ++group)
      for (std::size_t step = 0; step < q_.horizon; ++step)
        all.push_back(rate == Rate::accept ? of_accepted(group, step) : of_labelled(group, step, rate == Rate::tpr));
  return all[g * q_.horizon + h];
}

std::optional<TwoParts::OfRate> TwoParts::of_accepted(std::size_t g, std::size_t h) const {
  std::vector<Interval> payoff;
  for (std::size_t s = 0; s < q_.states; ++s) payoff.emplace_back(q_.accepted(g, h, s / 2));
  OfRate found;
  found.direction = direction_of(group(g), paid_at(h, std::move(payoff)));
  found.remainder = remainder_of(found.direction, paths_[g].drifts());
  return found;
}

// Formula (6). Rate and number of people in the design part are rounded, and taken as exact from there on: it holds for
// any numbers.
std::optional<TwoParts::OfRate> TwoParts::of_labelled(std::size_t g, std::size_t h, std::size_t y) const {
  Real people = 0;
  Real accepted = 0;
  for (std::size_t s = y; s < q_.states; s += 2) {
    people += plans_[g].reached(h, s);
    accepted += plans_[g].reached(h, s) * q_.accepted(g, h, s / 2);
  }
  if (people == 0) return std::nullopt;
  const Real planned = accepted / people;
  std::vector<Interval> payoff(q_.states);
  for (std::size_t s = y; s < q_.states; s += 2) payoff[s] = (Interval(q_.accepted(g, h, s / 2)) - planned) / people;
  OfRate found;
  found.people = people;
  found.direction = direction_of(group(g), paid_at(h, std::move(payoff)));
  found.remainder = remainder_of(found.direction, paths_[g].drifts());
  const Interval off = known_(y == 1 ? Rate::tpr : Rate::fpr, g, h) - planned;
  found.rate = Interval(planned) + off * (Interval(1) - labelled(g, h, y) / people);
  return found;
}

/// Holds P(y_h = y): by what is known of it, and by a question of its own.
Interval TwoParts::labelled(std::size_t g, std::size_t h, std::size_t y) const {
  std::vector<Interval> payoff(q_.states);
  for (std::size_t s = 1; s < q_.states; s += 2) payoff[s] = 1;
  const Interval asked = paths_[g].answer(paid_at(h, std::move(payoff)));
  const Interval known = known_(Rate::qualified, g, h);
  const Interval qualified(std::max(known.low, asked.low), std::min(known.high, asked.high));
  return y == 1 ? qualified : Interval(1) - qualified;
}

/// The mean of the design part within the range; of nobody the least. A number to be taken as exact.
Real TwoParts::planned_reward(std::size_t g, std::size_t cell) const {
  const std::size_t at = g * q_.cells + cell;
  if (q_.value == Question::Value::known) return q_.reward[at];
  Real visits = 0;
  for (std::size_t h = 0; h < q_.horizon; ++h) visits += q_.design->visits[(g * q_.horizon + h) * q_.cells + cell];
  return visits == 0 ? q_.least : std::clamp(q_.design->reward_sum[at] / visits, q_.least, q_.greatest);
}

Real TwoParts::least_value() const {
  std::vector<Direction> directions;
  Interval least;
  for (std::size_t g = 0; g < q_.groups; ++g) {
    Payoffs payoffs;
    Interval weight = bounds_.share(g);
    for (std::size_t t = 0; t < q_.horizon; ++t) {
      std::vector<Interval> payoff;
      for (std::size_t s = 0; s < q_.states; ++s) {
        const Interval accepted = q_.accepted(g, t, s / 2);
        payoff.push_back(
            weight * (accepted * planned_reward(g, 2 * s + 1) + (Interval(1) - accepted) * planned_reward(g, 2 * s)));
      }
      payoffs.push_back(std::move(payoff));
      weight = weight * q_.discount;
    }
    directions.push_back(direction_of(group(g), payoffs));
    least = least + directions.back().planned_answer;
    if (q_.value == Question::Value::counted) least = least + less_rewards(g);
  }
  std::vector<Side> sides;
  for (std::size_t g = 0; g < q_.groups; ++g)
    sides.push_back({directions[g], remainder_of(directions[g], paths_[g].drifts()), -1});
  return down(least.low - greatest_excess(sides, split_.question));
}

/// What rewards may be less than the design part says, where people can be.
Interval TwoParts::less_rewards(std::size_t g) const {
  Interval sum;
  Interval weight = bounds_.share(g);
  for (std::size_t t = 0; t < q_.horizon; ++t) {
    for (std::size_t s = 0; s < q_.states; ++s) {
      const auto less = [&](std::size_t cell) {
        return Interval(bounds_.least_reward(g, cell)) - planned_reward(g, cell);
      };
      const Interval drifted = paths_[g].drifts()[t][s] + plans_[g].reached(t, s);
      const Interval people(std::max(Real{0}, drifted.low), std::min(Real{1}, drifted.high));
      const Interval accepted = q_.accepted(g, t, s / 2);
      sum = sum + weight * people * (accepted * less(2 * s + 1) + (Interval(1) - accepted) * less(2 * s));
    }
    weight = weight * q_.discount;
  }
  return sum;
}

}  // namespace fairstep::rigorous
