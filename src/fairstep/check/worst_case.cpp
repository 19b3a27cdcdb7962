#include <fairstep/check/worst_case.hpp>

#include <algorithm>
#include <numeric>

namespace fairstep::rigorous {
namespace {

/// The states from the least f to the greatest.
std::vector<std::size_t> order_of(const std::vector<Real>& f) {
  std::vector<std::size_t> order(f.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return f[i] < f[j]; });
  return order;
}

/// max q.f over the set of a row. Mass is moved from states of low f to states of high f, as long as both have room and
/// the ball allows it. Rounding up what may be moved makes the set larger, never smaller.
Real greatest_of_row(const RowSet& row, const std::vector<Real>& f, const std::vector<std::size_t>& order) {
  const Real most = f[order.back()];
  if (row.all == 0) return most;
  Real sum = 0;
  for (std::size_t s = 0; s < f.size(); ++s)
    if (row.seen[s] > 0) sum = up(sum + up(row.seen[s] * f[s]));
  Real value = up(sum / row.all);
  Real reach = row.reach;
  std::size_t low = 0;
  std::size_t high = order.size() - 1;
  Real loss = row.loss[order[low]];
  Real gain = row.gain[order[high]];
  while (low < high && reach > 0) {
    const Real moved = std::min({loss, gain, reach});
    if (moved > 0) value = up(value + up(moved * up(f[order[high]] - f[order[low]])));
    reach = moved == reach ? 0 : up(reach - moved);
    loss = moved == loss ? 0 : up(loss - moved);
    gain = moved == gain ? 0 : up(gain - moved);
    if (loss == 0) loss = row.loss[order[++low]];
    if (gain == 0 && low < high) gain = row.gain[order[--high]];
  }
  return std::min(value, most);
}

/// p a + (1 - p) r, rounded up.
Real mixed(Real p, Real accepted, Real refused) {
  const Interval rest = Interval(1) - p;
  const Real by_refused = p == 1 ? 0 : p == 0 ? refused : up((refused > 0 ? rest.high : rest.low) * refused);
  return up(up(p * accepted) + by_refused);
}

}  // namespace

WorstCase::WorstCase(const Question& question, const Split& split, std::size_t g) : q_(question), g_(g) {
  const auto row_at = [&](const std::vector<Real>& table, std::size_t row, const Unknown& unknown) {
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row * q_.states);
    return set_of({begin, begin + static_cast<std::ptrdiff_t>(q_.states)}, unknown, split);
  };
  for (std::size_t row = g * q_.cells; row < (g + 1) * q_.cells; ++row)
    rows_.push_back(row_at(q_.transitions, row, {q_.lost.transitions[row], 0}));
  first_ = row_at(q_.first, g, {q_.lost.first[g], q_.lost.in_doubt[g]});
}

Real WorstCase::greatest(std::size_t h, const Payoff& payoff) const {
  Values f(q_.states);
  for (std::size_t s = 0; s < q_.states; ++s) f[s] = payoff(s / 2, s % 2);
  for (std::size_t t = h; t-- > 0;) {
    const auto order = order_of(f);
    Values before(q_.states);
    for (std::size_t s = 0; s < q_.states; ++s)
      before[s] = mixed(q_.accepted(g_, t, s / 2), greatest_of_row(rows_[2 * s + 1], f, order),
                        greatest_of_row(rows_[2 * s], f, order));
    f = before;
  }
  return greatest_of_row(first_, f, order_of(f));
}

Real WorstCase::greatest_total(const std::vector<Real>& cost) const {
  Values f(q_.states);
  for (std::size_t t = q_.horizon; t-- > 0;) {
    const auto order = order_of(f);
    const auto of_cell = [&](std::size_t cell) {
      const Real later = greatest_of_row(rows_[cell], f, order);
      return up(cost[cell] + (q_.discount == 1 ? later : up(q_.discount * later)));
    };
    Values before(q_.states);
    for (std::size_t s = 0; s < q_.states; ++s)
      before[s] = mixed(q_.accepted(g_, t, s / 2), of_cell(2 * s + 1), of_cell(2 * s));
    f = before;
  }
  return greatest_of_row(first_, f, order_of(f));
}

}  // namespace fairstep::rigorous
