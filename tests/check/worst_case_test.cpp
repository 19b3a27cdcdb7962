// The worst population in the sets: two states by a formula, more by adding up what moves.
#include <fairstep/check/worst_case.hpp>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "small_question.hpp"

namespace fairstep::rigorous {
namespace {

using testing::small_question;

void expect_just_above(Real found, Real exact) {
  EXPECT_GE(found, exact - 1e-18L);
  EXPECT_LE(found, exact + 1e-15L);
}

/// With two states, mass moves from the worse to the better until the one is at its low end, the other at its high end,
/// or the radius is used up.
Real of_two(const RowSet& row, Real f0, Real f1) {
  const std::size_t better = f1 > f0 ? 1 : 0;
  const Real most = std::max(f0, f1);
  if (row.all == 0) return most;
  const Real moved = std::min({row.loss[1 - better], row.gain[better], row.reach});
  return std::min(most, (row.seen[0] * f0 + row.seen[1] * f1) / row.all + moved * std::abs(f1 - f0));
}

/// Any number of states: the t-th bit of mass leaves the state in whose losses, from the worst on, t lies, for the
/// state in whose gains, from the best on, t lies.
Real of_many(const RowSet& row, const std::vector<Real>& f) {
  std::vector<std::size_t> order(f.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return f[i] < f[j]; });
  std::vector<Real> ends{row.reach};
  Real leaves = 0, arrives = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    ends.push_back(leaves += row.loss[order[i]]);
    ends.push_back(arrives += row.gain[order[f.size() - 1 - i]]);
  }
  std::sort(ends.begin(), ends.end());
  const auto at = [&](Real t, const std::vector<Real>& room, bool from_worst) {
    Real sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const std::size_t s = order[from_worst ? i : f.size() - 1 - i];
      sum += room[s];
      if (t < sum) return f[s];
    }
    return from_worst ? f[order.back()] : f[order.front()];
  };
  Real value = 0;
  for (std::size_t s = 0; s < f.size(); ++s) value += row.seen[s] * f[s] / row.all;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Real begin = i == 0 ? 0 : ends[i - 1];
    const Real middle = (begin + ends[i]) / 2;
    if (ends[i] > row.reach) break;
    value += (ends[i] - begin) * std::max(Real{0}, at(middle, row.gain, false) - at(middle, row.loss, true));
  }
  return value;
}

class WorstCaseTest : public ::testing::Test {
 protected:
  [[nodiscard]] RowSet row(std::size_t g, std::size_t cell) const {
    const Real* seen = &q.transitions[(g * 4 + cell) * 2];
    return set_of({seen[0], seen[1]}, {}, split);
  }
  [[nodiscard]] RowSet first(std::size_t g) const { return set_of({q.first[2 * g], q.first[2 * g + 1]}, {}, split); }

  const Question q = small_question();
  const Split split = split_of(q);
};

TEST_F(WorstCaseTest, OfTheFirstStateIsAsFarAsItsSetReaches) {
  for (std::size_t g = 0; g < 2; ++g) {
    const WorstCase worst(q, split, g);
    for (const auto& [f0, f1] : {std::pair<Real, Real>{0, 1}, {1, 0}, {-0.25L, -0.5L}, {3, 3}})
      expect_just_above(worst.greatest(0, [&](std::size_t, std::size_t y) { return y == 0 ? f0 : f1; }),
                        of_two(first(g), f0, f1));
  }
}

// Group 0 accepts half of the people at step 0, group 1 all of them.
TEST_F(WorstCaseTest, OfTheSecondStepMixesTheWorstOfBothDecisions) {
  for (const auto& [f0, f1] : {std::pair<Real, Real>{0, 1}, {1, 0}, {-1, -0.5L}}) {
    const auto payoff = [&](std::size_t, std::size_t y) { return y == 0 ? f0 : f1; };
    const auto from = [&](std::size_t g, std::size_t s, Real p) {
      return p * of_two(row(g, 2 * s + 1), f0, f1) + (1 - p) * of_two(row(g, 2 * s), f0, f1);
    };
    expect_just_above(WorstCase(q, split, 0).greatest(1, payoff), of_two(first(0), from(0, 0, 0.5L), from(0, 1, 0.5L)));
    expect_just_above(WorstCase(q, split, 1).greatest(1, payoff), of_two(first(1), from(1, 0, 1), from(1, 1, 1)));
  }
}

// At step 1 group 0 accepts a quarter and group 1 nobody.
TEST_F(WorstCaseTest, OfATotalAddsTheCostsOfBothSteps) {
  for (const Real discount : {1.L, 0.5L}) {
    Question with = q;
    with.discount = discount;
    for (const auto& cost : std::vector<std::vector<Real>>{{1, 2, 3, 5}, {-1, 2, 0, -4}})
      for (std::size_t g = 0; g < 2; ++g) {
        const Real p0 = g == 0 ? 0.5L : 1;
        const Real p1 = g == 0 ? 0.25L : 0;
        const Real last[] = {p1 * cost[1] + (1 - p1) * cost[0], p1 * cost[3] + (1 - p1) * cost[2]};
        const auto from = [&](std::size_t s) {
          return p0 * (cost[2 * s + 1] + discount * of_two(row(g, 2 * s + 1), last[0], last[1])) +
                 (1 - p0) * (cost[2 * s] + discount * of_two(row(g, 2 * s), last[0], last[1]));
        };
        expect_just_above(WorstCase(with, split, g).greatest_total(cost), of_two(first(g), from(0), from(1)));
      }
  }
}

// Six states in a row, some of them never seen, at many sizes: what stops is now the radius, now the ends of entries.
TEST_F(WorstCaseTest, OfManyStatesAddsUpWhatMoves) {
  Question wide = q;
  wide.features = 3, wide.states = 6, wide.cells = 12, wide.horizon = 1;
  wide.accept.assign(6, 0.5L);
  wide.transitions.assign(2 * wide.cells * wide.states, 0);
  wide.lost.transitions.assign(2 * wide.cells, 0);
  wide.lost.cells.assign(2 * wide.cells, 0);
  const std::vector<Real> f{0.5L, -0.25L, 1, 0.125L, 0.75L, 0.5L};
  for (const Real times : {1.L, 10.L, 1000.L, 100000.L}) {
    wide.first = {7 * times, 0,          2 * times, 30 * times, 1,         60 * times,
                  1 * times, 50 * times, 0,         0,          4 * times, 9 * times};
    for (std::size_t g = 0; g < 2; ++g) {
      const auto begin = wide.first.begin() + (g == 0 ? 0 : 6);
      const RowSet row = set_of({begin, begin + 6}, {}, split);
      const Real found =
          WorstCase(wide, split, g).greatest(0, [&](std::size_t x, std::size_t y) { return f[2 * x + y]; });
      expect_just_above(found, of_many(row, f));
    }
  }
}

}  // namespace
}  // namespace fairstep::rigorous
