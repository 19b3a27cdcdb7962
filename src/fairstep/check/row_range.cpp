#include <fairstep/check/row_range.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace fairstep::rigorous {
namespace {

std::vector<Real> ends_of(const std::vector<Interval>& f, bool high) {
  std::vector<Real> ends;
  ends.reserve(f.size());
  for (const Interval& value : f) ends.push_back(high ? value.high : -value.low);
  return ends;
}

}  // namespace

Ranked::Ranked(std::vector<Real> function) : f(std::move(function)), order(f.size()) {
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return f[i] < f[j]; });
}

// Mass is moved from states of low f to states of high f, as long as both have room and the ball allows it. Rounding up
// what may be moved makes the set larger, never smaller.
Real greatest_of_row(const RowSet& row, const Ranked& ranked) {
  const auto& [f, order] = ranked;
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

RankedInterval::RankedInterval(const std::vector<Interval>& f)
    : high_(ends_of(f, true)), minus_low_(ends_of(f, false)) {}

Interval RankedInterval::over(const RowSet& row) const {
  return {-greatest_of_row(row, minus_low_), greatest_of_row(row, high_)};
}

}  // namespace fairstep::rigorous
