#include <fairstep/check/bounds.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairstep::rigorous {
namespace {

/// Whether people with label y are among those whom the rate is about.
bool about(Rate rate, std::size_t y) { return !((rate == Rate::tpr && y == 0) || (rate == Rate::fpr && y == 1)); }

/// Entry s of a row of counts as a share; of a row without counts all alike.
Real share_of(const std::vector<Real>& table, std::size_t row, std::size_t s, std::size_t states) {
  Real all = 0;
  for (std::size_t i = 0; i < states; ++i) all += table[row * states + i];
  return all == 0 ? 1 / static_cast<Real>(states) : table[row * states + s] / all;
}

}  // namespace

Bounds::Bounds(const Question& question, const Split& split) : q_(question), split_(split) {
  for (std::size_t g = 0; g < q_.groups; ++g) worst_.emplace_back(q_, split_, g);
}

bool Bounds::prove(const End& end, Real value, Real slack) {
  return followers_prove(end, value) || sets_prove(end, value, slack);
}

bool Bounds::sets_prove(const End& end, Real value, Real slack) {
  const auto& [g, h, rate, sign] = end;
  if (rate == Rate::qualified) {
    if (value >= (sign > 0 ? 1 : 0)) return true;
  } else {
    Real most = sign * q_.accepted(g, h, 0);  // no rate is outside of the policy's entries
    for (std::size_t x = 1; x < q_.features; ++x) most = std::max(most, sign * q_.accepted(g, h, x));
    if (value >= most) return true;
  }
  if (rate == Rate::tpr || rate == Rate::fpr)
    return worst_[g].greatest(h, [&](std::size_t x, std::size_t y) {
      return about(rate, y) ? up(sign * q_.accepted(g, h, x) - value) : Real{0};
    }) <= slack;
  return greatest_mean(end) <= value;
}

/// Of P(a=1) or P(y=1).
Real Bounds::greatest_mean(const End& end) {
  const auto& [g, h, rate, sign] = end;
  const auto [found, is_new] = means_.try_emplace({g, h, rate, sign}, 0);
  if (is_new)
    found->second = worst_[g].greatest(h, [&, accept = rate == Rate::accept](std::size_t x, std::size_t y) {
      return sign * (accept ? q_.accepted(g, h, x) : static_cast<Real>(y));
    });
  return found->second;
}

Interval Bounds::qualified(std::size_t g, std::size_t h) {
  return {std::max(Real{0}, -greatest_mean({g, h, Rate::qualified, -1})),
          std::min(Real{1}, greatest_mean({g, h, Rate::qualified, 1}))};
}

/// At most so many people were away at some step up to h, or have no row there. Exact as long as it is less than 2^64;
/// from there on it is more than all people.
Real Bounds::away(std::size_t g, std::size_t h) const {
  Real all = 0;
  for (std::size_t t = 0; t <= h; ++t) all += std::max(Real{0}, q_.people(g) + q_.lost.first[g] - q_.visits_at(g, t));
  return all;
}

bool Bounds::followers_prove(const End& end, Real value) const {
  const auto& [g, h, rate, sign] = end;
  if (!q_.followed || rate == Rate::qualified) return false;
  // That at least so many are accepted is that at most the others are refused.
  const std::size_t action = sign > 0 ? 1 : 0;
  Real counted = 0;
  Real people = 0;
  for (std::size_t cell = 0; cell < q_.cells; ++cell) {
    if (!about(rate, cell / 2 % 2)) continue;
    const Real n = q_.visits[(g * q_.horizon + h) * q_.cells + cell];
    people += n;
    if (cell % 2 == action) counted += n;
  }
  return rarely_so_few(std::min(people, counted + away(g, h)), people, sign > 0 ? value : down(1 + value), split_.tail);
}

/// [h][s] P(state) of the estimated population.
std::vector<std::vector<Real>> Bounds::estimated_masses(std::size_t g) const {
  std::vector<std::vector<Real>> masses(q_.horizon, std::vector<Real>(q_.states));
  for (std::size_t s = 0; s < q_.states; ++s) masses[0][s] = share_of(q_.first, g, s, q_.states);
  for (std::size_t h = 0; h + 1 < q_.horizon; ++h)
    for (std::size_t cell = 0; cell < q_.cells; ++cell) {
      const Real p = q_.accepted(g, h, cell / 4);
      const Real here = masses[h][cell / 2] * (cell % 2 == 1 ? p : 1 - p);
      if (here == 0) continue;
      for (std::size_t s = 0; s < q_.states; ++s)
        masses[h + 1][s] += here * share_of(q_.transitions, g * q_.rows() + q_.row_at(h, cell), s, q_.states);
    }
  return masses;
}

std::vector<Real> Bounds::estimates(std::size_t g, Rate rate) const {
  std::vector<Real> rates;
  const auto masses = estimated_masses(g);
  for (std::size_t h = 0; h < q_.horizon; ++h) {
    Real people = 0;
    Real accepted = 0;
    Real qualified = 0;
    for (std::size_t s = 0; s < q_.states; ++s) {
      if (s % 2 == 1) qualified += masses[h][s];
      if (!about(rate, s % 2)) continue;
      people += masses[h][s];
      accepted += masses[h][s] * q_.accepted(g, h, s / 2);
    }
    rates.push_back(rate == Rate::qualified ? qualified
                    : people == 0           ? std::numeric_limits<Real>::quiet_NaN()
                                            : accepted / people);
  }
  return rates;
}

Interval Bounds::share(std::size_t g) const {
  if (q_.value == Question::Value::known) return q_.share[g];
  const std::vector<Real>& first = q_.design ? q_.design->first : q_.first;
  Real all = 0;
  Real ours = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    all += first[i];
    if (i / q_.states == g) ours += first[i];
  }
  return all == 0 ? Interval(0) : Interval(ours) / all;
}

Real Bounds::mean_reward(std::size_t g, std::size_t cell) const {
  const std::size_t at = g * q_.cells + cell;
  if (q_.value == Question::Value::known) return q_.reward[at];
  return q_.reward_sum[at] / std::max(Real{1}, q_.visits_of(g, cell));
}

Real Bounds::least_reward(std::size_t g, std::size_t cell) const {
  const std::size_t at = g * q_.cells + cell;
  if (q_.value == Question::Value::known) return q_.reward[at];
  const Real visits = q_.visits_of(g, cell);
  const Real missing = q_.lost.cells[at];
  if (visits == 0) return q_.least;
  const Real most = visits + missing;
  const Interval off = (Interval(q_.greatest) - q_.least) * greatest_radius(visits, most, 0, split_.reward);
  const Interval sum = Interval(q_.reward_sum[at]) + Interval(missing) * q_.least;
  return std::max(q_.least, (sum / most - off).low);
}

Bounds::Worth Bounds::worth() const {
  Worth found;
  bool costs_nothing = true;
  for (std::size_t g = 0; g < q_.groups; ++g) {
    std::vector<Real> cost;
    for (std::size_t cell = 0; cell < q_.cells; ++cell) {
      cost.push_back(-least_reward(g, cell));
      costs_nothing = costs_nothing && cost.back() <= 0;
      const Real most = std::max(std::abs(cost.back()), std::abs(mean_reward(g, cell)));
      found.scale = std::max(found.scale, most * static_cast<Real>(q_.horizon));
    }
    const Interval part = share(g) * (Interval(0) - worst_[g].greatest_total(cost));
    found.least = down(found.least + part.low);
    const auto masses = estimated_masses(g);
    Real weight = share(g).low;
    for (std::size_t h = 0; h < q_.horizon; ++h, weight *= q_.discount)
      for (std::size_t cell = 0; cell < q_.cells; ++cell) {
        const Real p = q_.accepted(g, h, cell / 4);
        found.estimate += weight * masses[h][cell / 2] * (cell % 2 == 1 ? p : 1 - p) * mean_reward(g, cell);
      }
  }
  // Without rounding: a certificate that says 0 where nothing is earned is right.
  if (costs_nothing) found.least = std::max(found.least, Real{0});
  return found;
}

}  // namespace fairstep::rigorous
