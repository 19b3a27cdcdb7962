// One direction by hand: who is qualified at step 1, of a world of two states.
#include <fairstep/check/directions.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/check/paths.hpp>

#include "small_question.hpp"

namespace fairstep::rigorous {
namespace {

using testing::small_question_of_two_parts;

void expect_near(Real found, Real expected) {
  EXPECT_NEAR(static_cast<double>(found), static_cast<double>(expected), 1e-14);
}

/// What a draw of x counts, as it is written.
Real written_out(Real x, Real c, Real lambda) { return -std::log(1 - lambda * c * x) / lambda; }

class DirectionsTest : public ::testing::Test {
 protected:
  [[nodiscard]] Group group(std::size_t g) const { return {q, g, plans[g], worst[g]}; }
  /// How much more and less the second entry can be than in the audit part.
  [[nodiscard]] static Interval second_entry(const RowSet& row) {
    const Real more = std::min({row.reach, row.gain[1], row.loss[0]});
    const Real less = std::min({row.reach, row.loss[1], row.gain[0]});
    return {row.seen[1] / row.all - less, row.seen[1] / row.all + more};
  }

  const Question q = small_question_of_two_parts();
  const Split split = split_of(q);
  const std::vector<Plan> plans{{q, 0}, {q, 1}};
  const std::vector<WorstCase> worst{{q, split, 0}, {q, split, 1}};
  const Payoffs qualified = paid_at(1, {0, 1});
  const Interval alpha{std::exp(-2.0L)};  // so that L = 2
};

// Half of group 0 is accepted at step 0. Under the design part U_0 = ((1/4 + 1/2) / 2, (1/2 + 3/4) / 2) = (3/8, 5/8),
// so that 1/2 are qualified at step 1. F is (3/8, 5/8) for the first state, and 1/2 * 1/2 * (0, 1) for each cell:
// always 1/4 wide. Means of F are 1/2, then 1/16, 1/8, 1/8, 3/16.
TEST_F(DirectionsTest, RowsAreAsWorkedOutByHand) {
  const Direction found = direction_of(group(0), qualified);
  expect_near(found.planned_answer.low, 0.5L);
  expect_near(found.planned_answer.high, 0.5L);
  ASSERT_EQ(found.rows.size(), 5u);
  const Real least[] = {-1 / 8.L, -1 / 16.L, -1 / 8.L, -1 / 8.L, -3 / 16.L};
  const Real variance[] = {1 / 64.L, 3 / 256.L, 1 / 64.L, 1 / 64.L, 3 / 256.L};
  const Real planned[] = {8, 4, 4, 2, 4};
  const Real draws[] = {100, 30, 30, 20, 20};
  const Real seen[][2] = {{60, 40}, {18, 12}, {15, 15}, {10, 10}, {5, 15}};
  for (std::size_t r = 0; r < 5; ++r) {
    const RowDirection& row = found.rows[r];
    expect_near(row.least, least[r]);
    expect_near(row.width(), 0.25L);
    expect_near(row.variance, variance[r]);
    ASSERT_EQ(row.drawn.size(), 2u);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(row.drawn[s].times, seen[r][s]);
      expect_near(row.drawn[s].x.low, least[r] + static_cast<Real>(s) / 4);
      expect_near(row.drawn[s].x.high, least[r] + static_cast<Real>(s) / 4);
    }
    EXPECT_EQ(row.planned, planned[r]);
    EXPECT_EQ(row.draws, draws[r]);
    const RowSet& set = r == 0 ? worst[0].first_row() : worst[0].row(r - 1);
    const Interval entry = second_entry(set);
    const Real mean[] = {1 / 2.L, 1 / 4.L, 1 / 2.L, 1 / 2.L, 3 / 4.L};  // of the second entry, in the design part
    expect_near(row.range.high, (entry.high - mean[r]) / 4);
    expect_near(row.range.low, (entry.low - mean[r]) / 4);
  }
}

// V = (1/64 + 1/128)/8 + (3/256 + 1/64)/4 + (1/64 + 1/64)/4 + (1/64 + 1/32)/2 + (3/256 + 1/64)/4
//   = (3 + 7 + 8 + 24 + 7)/1024 = 49/1024, and with L = 2: lambda = sqrt(4/V) = 64/7, 1/(2 lambda w) = 7/32.
// So c is 1/8 for the first state and 7/32 for the cells, and lambda c is 8/7 and 2. Of first states 100 came, so that
// the scales are 1 and 8/100.
TEST_F(DirectionsTest, TheBoundIsAsWorkedOutByHand) {
  const Direction found = direction_of(group(0), qualified);
  const auto bound = [&](Real sign, Real scale) {
    const auto ln = [&](Real product) { return -std::log(1 - sign * product); };
    const Real sum = (60 * ln(-1 / 7.L) + 40 * ln(1 / 7.L)) + (18 * ln(-1 / 8.L) + 12 * ln(3 / 8.L)) +
                     25 * (ln(-1 / 4.L) + ln(1 / 4.L)) + (5 * ln(-3 / 8.L) + 15 * ln(1 / 8.L));
    Real rest = 0;
    const Real planned[] = {100 / 8.L, 7 / 32.L * 30, 7 / 32.L * 30, 7 / 32.L * 20, 7 / 32.L * 20};
    for (std::size_t r = 0; r < 5; ++r) {
      const Real left = 1 - scale * planned[r];
      rest += left * sign * ((left > 0) == (sign > 0) ? found.rows[r].range.high : found.rows[r].range.low);
    }
    return scale * (7 / 64.L * sum + 7 / 32.L) + rest;
  };
  const auto least = [&](Real sign) { return std::min(bound(sign, 1), bound(sign, 0.08L)); };
  EXPECT_LT(bound(1, 0.08L), bound(1, 1));
  expect_near(greatest_excess({{found, {}, 1}}, alpha), least(1));
  expect_near(greatest_excess({{found, {}, -1}}, alpha), least(-1));
  expect_near(greatest_excess({{found, {-0.5L, 0.25L}, 1}}, alpha), least(1) + 0.25L);
  expect_near(greatest_excess({{found, {-0.5L, 0.25L}, -1}}, alpha), least(-1) + 0.5L);
}

// Both groups: everybody of group 1 is accepted. Of it the design part saw 6 and 2 first, and 4 of 6 and 1 of 2 become
// qualified: U_0 = (2/3, 1/2), F is that, then 3/4 (0, 1) and 1/4 (0, 1). Variances are 3/4 1/4 (1/6)^2 = 1/192,
// 2/3 1/3 9/16 = 1/8 and 1/4 1/16 = 1/64, so V has (1/192 + 1/288)/8 + (1/8 + 3/32)/6 + (1/64 + 1/32)/2 more.
TEST_F(DirectionsTest, RowsOfBothGroupsAddUpAsVariances) {
  const Direction one = direction_of(group(0), qualified);
  const Direction other = direction_of(group(1), qualified);
  ASSERT_EQ(other.rows.size(), 3u);  // nobody is refused
  const Real variance =
      49 / 1024.L + (1 / 192.L + 1 / 288.L) / 8 + (1 / 8.L + 3 / 32.L) / 6 + (1 / 64.L + 1 / 32.L) / 2;
  const Real lambda = std::sqrt(4 / variance);
  const auto weight = [&](const RowDirection& row) {
    return std::min(1 / row.planned, 1 / (2 * lambda * row.width()));
  };
  const auto part = [&](const Direction& direction, Real sign, Real scale) {
    Real sum = 0;
    for (const RowDirection& row : direction.rows) {
      for (const auto& [x, times] : row.drawn) sum += scale * times * written_out(sign * x.low, weight(row), lambda);
      const Real left = 1 - scale * weight(row) * row.draws;
      sum += left * ((left < 0) == (sign > 0) ? row.range.low : row.range.high) * sign;
    }
    return sum;
  };
  const auto least = [&](Real sign) {
    Real found = std::numeric_limits<Real>::infinity();
    for (const Real scale : {1.L, 1 / (weight(one.rows[0]) * 100), 1 / (weight(other.rows[0]) * other.rows[0].draws)})
      found = std::min(found, part(one, sign, scale) + part(other, -sign, scale) + scale * 2 / lambda);
    return found;
  };
  expect_near(greatest_excess({{one, {}, 1}, {other, {}, -1}}, alpha), least(1));
  expect_near(greatest_excess({{one, {}, -1}, {other, {}, 1}}, alpha), least(-1));
}

// At step 0, state 1: x is -1/2 and 1/2, v = 1/4 and V = (1/4 + 1/8)/8 = 3/64, lambda = 16/sqrt 3, c = 1/(2 lambda) =
// sqrt 3/32, so that lambda c x is -1/4 and 1/4. There are 60 and 40 people, for whom 1 - c N is left, or nothing if
// all counts 1/(c N) times.
TEST_F(DirectionsTest, DriftsBeginWithTheFirstState) {
  const Paths paths(group(0), 1, alpha);
  const Real c = std::sqrt(3.0L) / 32;
  const Interval entry = second_entry(worst[0].first_row());
  const Real left = 1 - 100 * c;
  ASSERT_LT(left, 0);
  const auto bound = [&](Real sign) {
    const Real sum = (2 - 60 * std::log(1 + sign / 4) - 40 * std::log(1 - sign / 4)) / 16 * std::sqrt(3.0L);
    const Real rest = left * (sign > 0 ? entry.low - 0.5L : 0.5L - entry.high);
    return std::min(sum + rest, sum / (100 * c));
  };
  const Interval& drift = paths.drifts()[0][1];
  expect_near(drift.high, std::min(0.5L, bound(1)));
  expect_near(drift.low, std::max(-0.5L, -bound(-1)));
  expect_near(paths.drifts()[0][0].high, std::min(0.5L, -drift.low));  // the other state has the rest
  expect_near(paths.drifts()[0][0].low, std::max(-0.5L, -drift.high));
}

// The remainder: of each state its drift at step 0 times what its rows can be off, half of either decision.
TEST_F(DirectionsTest, TheRemainderMultipliesDriftsAndErrors) {
  const Direction found = direction_of(group(0), qualified);
  ASSERT_EQ(found.errors.size(), 1u);
  const Real mean[] = {1 / 4.L, 1 / 2.L, 1 / 2.L, 3 / 4.L};
  for (std::size_t s = 0; s < 2; ++s) {
    Real low = 0, high = 0;
    for (std::size_t a = 0; a < 2; ++a) {
      const Interval entry = second_entry(worst[0].row(2 * s + a));
      low += (entry.low - mean[2 * s + a]) / 2;
      high += (entry.high - mean[2 * s + a]) / 2;
    }
    expect_near(found.errors[0][s].low, low);
    expect_near(found.errors[0][s].high, high);
  }
  Direction made;
  made.errors = {{Interval(-0.5L, 0.25L), Interval(0.125L, 1)}};
  const Drifts drifts{{Interval(-0.25L, 0.5L), Interval(-1, -0.5L)}};
  // -1/4 from 1/2 * -1/2 up to 1/8 = 1/2 * 1/4 or -1/4 * -1/2; then -1 to -1/16
  expect_near(remainder_of(made, drifts).low, -1.25L);
  expect_near(remainder_of(made, drifts).high, 1 / 8.L - 1 / 16.L);
  EXPECT_TRUE(direction_of(group(0), paid_at(0, {0, 1})).errors.empty());
}

// Where all next states are worth the same there is no direction; where the design part saw nobody, no weight.
TEST_F(DirectionsTest, WithoutADirectionOnlyTheSetsAreLeft) {
  const Direction same = direction_of(group(0), paid_at(1, {0.25L, 0.25L}));
  expect_near(greatest_excess({{same, {}, 1}}, alpha), 0);
  Question blind = q;
  blind.design->first = {0, 0, 0, 0};
  blind.design->transitions.assign(16, 0);
  const Plan plan(blind, 0);
  const Direction found = direction_of({blind, 0, plan, worst[0]}, qualified);
  expect_near(found.planned_answer.low, 0.5L);
  Real above = 0;
  for (const RowDirection& row : found.rows) {
    EXPECT_EQ(row.planned, 0);
    above += row.range.high;
  }
  expect_near(greatest_excess({{found, {}, 1}}, alpha), above);
}

// Two may be missing from the first states, and one of those that are there may be in the wrong place: the bound is no
// less than that of any table that the complete one can be.
TEST_F(DirectionsTest, WhateverTheLostRowsWouldHaveSaid) {
  const auto bound = [&](Real k0, Real k1, Real lost, Real in_doubt, Real sign) {
    Question with = q;
    with.first[0] = k0;
    with.first[1] = k1;
    with.lost.first[0] = lost;
    with.lost.in_doubt[0] = in_doubt;
    const WorstCase sets(with, split, 0);
    const Direction found = direction_of({with, 0, plans[0], sets}, paid_at(0, {0.25L, 1}));
    return greatest_excess({{found, {}, sign}}, alpha);
  };
  std::size_t tried = 0;
  for (const Real size : {1.L, 10.L, 1000.L})
    for (const Real sign : {1.L, -1.L}) {
      const Real k0 = 4 * size, k1 = 3 * size;
      const Real with_lost = bound(k0, k1, 2, 1, sign);
      EXPECT_GT(with_lost, bound(k0, k1, 0, 0, sign));
      for (int out0 = 0; out0 <= 1; ++out0)
        for (int out1 = 0; out0 + out1 <= 1; ++out1)
          for (int in0 = 0; in0 <= 2; ++in0)
            for (int in1 = 0; in0 + in1 <= 2; ++in1, ++tried)
              EXPECT_GE(with_lost, bound(k0 - static_cast<Real>(out0) + static_cast<Real>(in0),
                                         k1 - static_cast<Real>(out1) + static_cast<Real>(in1), 0, 0, sign));
    }
  EXPECT_EQ(tried, 6u * 3 * 6);
}

}  // namespace
}  // namespace fairstep::rigorous
