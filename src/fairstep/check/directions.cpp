#include <fairstep/check/directions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fairstep/check/row_range.hpp>

namespace fairstep::rigorous {
namespace {

using Function = std::vector<Interval>;  ///< [s]

Real middle(const Interval& value) { return (value.low + value.high) / 2; }

Interval turned(Real sign, const Interval& value) { return sign > 0 ? value : Interval(-value.high, -value.low); }

RowDirection row_direction(const Plan::Row& planned, const RowSet& set, const Unknown& unknown, const Function& f) {
  RowDirection row;
  row.planned = planned.planned;
  row.draws = set.all;
  row.unknown = unknown;
  const Interval mean = planned.mean(f);
  Function off;
  for (const Interval& value : f) off.push_back(value - mean);
  row.least = off.front().low;
  row.greatest = off.front().high;
  for (std::size_t s = 0; s < f.size(); ++s) {
    row.least = std::min(row.least, off[s].low);
    row.greatest = std::max(row.greatest, off[s].high);
    row.variance += planned.share(s) * middle(off[s]) * middle(off[s]);
    if (set.seen[s] > 0) row.drawn.push_back({off[s], set.seen[s]});
  }
  row.range = RankedInterval(off).over(set);
  return row;
}

/// lambda, and c of each row: to be taken as exact numbers, since any would do. None at all if lambda is 0.
struct Weights {
  Real lambda = 0;
  std::vector<Real> rows{};
};

Weights weights_of(const std::vector<const RowDirection*>& rows, Real log_part) {
  Weights weights;
  weights.rows.assign(rows.size(), 0);
  Real variance = 0;
  for (const RowDirection* row : rows)
    if (row->planned > 0) {
      const Real width = row->width();
      variance += (row->variance + width * width / row->planned) / row->planned;
    }
  const Real lambda = std::sqrt(2 * log_part / variance);
  if (!(variance > 0) || !std::isfinite(lambda)) return weights;
  weights.lambda = lambda;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i]->planned > 0) weights.rows[i] = std::min(1 / rows[i]->planned, 1 / (2 * lambda * rows[i]->width()));
  return weights;
}

/// -ln(1 - lambda c x) / lambda, which is a little more than c x; lambda c x < 1.
Interval counted_as(const Interval& x, Real c, Real lambda) {
  return (Interval(0) - log1p(Interval(0) - Interval(lambda) * c * x)) / lambda;
}

/// What Lemma H2 says of sum c N (p - p_design).F for one row, with the draws that may be missing or in doubt.
Interval linear_part(const RowDirection& row, Real sign, Real c, Real lambda) {
  if (c == 0) return {};
  Interval counted;
  for (const auto& [x, times] : row.drawn) counted = counted + counted_as(turned(sign, x), c, lambda) * times;
  const Interval range = turned(sign, Interval(row.least, row.greatest));
  const Real most = std::max(Real{0}, counted_as(range.high, c, lambda).high);
  const Real least = std::min(Real{0}, counted_as(range.low, c, lambda).low);
  return counted + Interval(row.unknown.missing) * most - Interval(row.unknown.in_doubt) * least;
}

/// What is left over: (1 - scale c N) (p - p_design).F, with p in the set of the row.
Interval rest_part(const RowDirection& row, Real sign, Real c, Real scale) {
  const Real least = std::max(Real{0}, row.draws - row.unknown.in_doubt);
  const Interval draws = Interval(least, up(row.draws + row.unknown.missing));
  return (Interval(1) - draws * c * scale) * turned(sign, row.range);
}

}  // namespace

Direction direction_of(const Group& group, const Payoffs& payoffs) {
  const auto& [q, g, plan, worst] = group;
  Direction found;
  std::vector<Function> functions(q.rows());  // F of each row; empty if it has no share in the answer
  found.errors.resize(payoffs.size() - 1);
  Function later = payoffs.back();
  for (std::size_t t = payoffs.size() - 1; t-- > 0;) {
    const RankedInterval ranked(later);
    Function now = payoffs[t];
    Function errors(q.states);
    for (std::size_t cell = 0; cell < q.cells; ++cell) {
      const std::size_t s = cell / 2;
      const Real accepted = q.accepted(g, t, s / 2);
      if (accepted == (cell % 2 == 1 ? 0 : 1)) continue;  // nobody is treated so
      const Interval decided = cell % 2 == 1 ? Interval(accepted) : Interval(1) - accepted;
      const std::size_t row = q.row_at(t, cell);
      const Interval mean = plan.row(row).mean(later);
      now[s] = now[s] + decided * mean;
      errors[s] = errors[s] + decided * (ranked.over(worst.row(row)) - mean);
      if (plan.reached(t, s) == 0) continue;
      const Interval share = decided * plan.reached(t, s);
      functions[row].resize(q.states);
      for (std::size_t next = 0; next < q.states; ++next)
        functions[row][next] = functions[row][next] + share * later[next];
    }
    found.errors[t] = std::move(errors);
    later = std::move(now);
  }
  found.planned_answer = plan.first_row().mean(later);
  found.rows.push_back(
      row_direction(plan.first_row(), worst.first_row(), {q.lost.first[g], q.lost.in_doubt[g]}, later));
  for (std::size_t row = 0; row < q.rows(); ++row)
    if (!functions[row].empty())
      found.rows.push_back(row_direction(plan.row(row), worst.row(row),
                                         {q.lost.transitions[g * q.cells + row % q.cells], 0}, functions[row]));
  return found;
}

Interval remainder_of(const Direction& direction, const Drifts& drifts) {
  Interval sum;
  for (std::size_t t = 0; t < direction.errors.size(); ++t)
    for (std::size_t s = 0; s < direction.errors[t].size(); ++s) sum = sum + drifts[t][s] * direction.errors[t][s];
  return sum;
}

Real greatest_excess(const std::vector<Side>& sides, const Interval& alpha) {
  std::vector<const RowDirection*> rows;
  std::vector<Real> signs;
  std::vector<std::size_t> firsts;
  Interval remainder;
  for (const Side& side : sides) {
    remainder = remainder + turned(side.sign, side.remainder);
    firsts.push_back(rows.size());
    for (const RowDirection& row : side.direction.rows) {
      rows.push_back(&row);
      signs.push_back(side.sign);
    }
  }
  const Interval log_part = Interval(0) - log(alpha);
  const Weights weights = weights_of(rows, middle(log_part));
  Interval linear = weights.lambda == 0 ? Interval(0) : log_part / weights.lambda;
  for (std::size_t i = 0; i < rows.size(); ++i)
    linear = linear + linear_part(*rows[i], signs[i], weights.rows[i], weights.lambda);
  // Any scale would do, also one that follows from the audit part: 1, or such that a group's first states are as many
  // as were planned.
  std::vector<Real> scales{1};
  for (const std::size_t first : firsts)
    if (const Real planned = weights.rows[first] * rows[first]->draws; planned > 0) scales.push_back(1 / planned);
  Real least = std::numeric_limits<Real>::infinity();
  for (const Real scale : scales) {
    Interval sum = remainder + linear * scale;
    for (std::size_t i = 0; i < rows.size(); ++i) sum = sum + rest_part(*rows[i], signs[i], weights.rows[i], scale);
    least = std::min(least, sum.high);
  }
  return least;
}

}  // namespace fairstep::rigorous
