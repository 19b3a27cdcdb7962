#include <fairstep/check/worst_case.hpp>

#include <utility>

#include <fairstep/check/row_range.hpp>

namespace fairstep::rigorous {
namespace {

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
  // Whatever is missing of a cell may be of any period.
  for (std::size_t row = 0; row < q_.rows(); ++row)
    rows_.push_back(
        row_at(q_.transitions, g * q_.rows() + row, {q_.lost.transitions[g * q_.cells + row % q_.cells], 0}));
  first_ = row_at(q_.first, g, {q_.lost.first[g], q_.lost.in_doubt[g]});
}

Real WorstCase::greatest(std::size_t h, const Payoff& payoff) const {
  Values f(q_.states);
  for (std::size_t s = 0; s < q_.states; ++s) f[s] = payoff(s / 2, s % 2);
  for (std::size_t t = h; t-- > 0;) {
    const Ranked ranked(std::move(f));
    Values before(q_.states);
    for (std::size_t s = 0; s < q_.states; ++s)
      before[s] = mixed(q_.accepted(g_, t, s / 2), greatest_of_row(rows_[q_.row_at(t, 2 * s + 1)], ranked),
                        greatest_of_row(rows_[q_.row_at(t, 2 * s)], ranked));
    f = std::move(before);
  }
  return greatest_of_row(first_, Ranked(std::move(f)));
}

Real WorstCase::greatest_total(const std::vector<Real>& cost) const {
  Values f(q_.states);
  for (std::size_t t = q_.horizon; t-- > 0;) {
    const Ranked ranked(std::move(f));
    const auto of_cell = [&](std::size_t cell) {
      const Real later = greatest_of_row(rows_[q_.row_at(t, cell)], ranked);
      return up(cost[cell] + (q_.discount == 1 ? later : up(q_.discount * later)));
    };
    Values before(q_.states);
    for (std::size_t s = 0; s < q_.states; ++s)
      before[s] = mixed(q_.accepted(g_, t, s / 2), of_cell(2 * s + 1), of_cell(2 * s));
    f = std::move(before);
  }
  return greatest_of_row(first_, Ranked(std::move(f)));
}

}  // namespace fairstep::rigorous
