// Rates and values of a question that is small enough to be worked out by hand.
#include <fairstep/check/bounds.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "small_question.hpp"

namespace fairstep::rigorous {
namespace {

using testing::small_question;

// Group 0 starts with 40/100 qualified. Of the unqualified, half are refused, of whom 12/30 become qualified, and half
// accepted, of whom 15/30 do; of the qualified 10/20 and 15/20 do. At step 1: 0.6 * (0.2 + 0.25) + 0.4 * (0.25 + 0.375)
// = 0.27 + 0.25 = 0.52. Group 1 starts with 10/50; all are accepted: 0.8 * 24/40 + 0.2 * 6/10 = 0.6.
TEST(Bounds, EstimatesAreThoseOfTheFrequencies) {
  const Question q = small_question();
  const Split split = split_of(q);
  const Bounds bounds(q, split);
  const auto expect = [](const std::vector<Real>& found, Real at_0, Real at_1) {
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(static_cast<double>(found[0]), static_cast<double>(at_0), 1e-15);
    EXPECT_NEAR(static_cast<double>(found[1]), static_cast<double>(at_1), 1e-15);
  };
  expect(bounds.estimates(0, Rate::qualified), 0.4L, 0.52L);
  expect(bounds.estimates(1, Rate::qualified), 0.2L, 0.6L);
  expect(bounds.estimates(0, Rate::accept), 0.5L, 0.25L);  // one feature: everybody is treated alike
  expect(bounds.estimates(0, Rate::tpr), 0.5L, 0.25L);
  expect(bounds.estimates(1, Rate::fpr), 1, 0);
}

TEST(Bounds, ARateOfNobodyIsNone) {
  Question q = small_question();
  q.first = {100, 0, 40, 10};
  const Split split = split_of(q);
  EXPECT_TRUE(std::isnan(Bounds(q, split).estimates(0, Rate::tpr)[0]));
  EXPECT_FALSE(std::isnan(Bounds(q, split).estimates(0, Rate::fpr)[0]));
  EXPECT_FALSE(std::isnan(Bounds(q, split).estimates(0, Rate::tpr)[1]));
}

// Nobody seen: all states alike, 1/2 qualified.
TEST(Bounds, WithoutCountsAllStatesAreAlike) {
  Question q = small_question();
  q.first = {0, 0, 40, 10};
  const Split split = split_of(q);
  EXPECT_EQ(Bounds(q, split).estimates(0, Rate::qualified)[0], 0.5L);
}

/// Two features, so that rates are not all the same: 400, 100, 300, 200 people in (x,y), the second feature is
/// accepted.
Question two_features() {
  Question q;
  q.groups = 2, q.horizon = 1, q.features = 2, q.states = 4, q.cells = 8;
  q.names = {"a", "b"};
  q.delta = 0.05;
  q.dp = q.eqopt = q.eqodds = true;
  q.accept = {0, 1, 0.25L, 0.75L};
  q.first = {400, 100, 300, 200, 10, 900, 85, 5};
  q.visits = {400, 0, 100, 0, 0, 300, 0, 200, 10, 0, 900, 0, 85, 0, 5, 0};
  q.transitions.assign(64, 0);
  q.reward_sum.assign(16, 0);
  return without_losses(q);
}

/// The least value that is proven, by halving.
Real least_proven(Bounds& bounds, const End& end) {
  Real low = -2, high = 2;
  while (high - low > 1e-14L) {
    const Real middle = (low + high) / 2;
    (bounds.prove(end, middle, 0) ? high : low) = middle;
  }
  return high;
}

// The ends of P(a=1) and of P(a=1 | y) follow from how much may move into or out of the second feature: the ball, or
// the ends of the entries, stop it. Given y, mass moves between (0,y) and (1,y) first; with y = 1 these are 0.1 and
// 0.2.
TEST(Bounds, EndsOfRatesAreWhereTheSetsEnd) {
  const Question q = two_features();
  const Split split = split_of(q);
  Bounds bounds(q, split);
  const RowSet row = set_of({400, 100, 300, 200}, {}, split);
  const Real up_moved = std::min({row.reach, row.gain[2] + row.gain[3], row.loss[0] + row.loss[1]});
  const Real down_moved = std::min({row.reach, row.loss[2] + row.loss[3], row.gain[0] + row.gain[1]});
  const auto is = [](Real found, Real expected) {
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(expected), 1e-12);
  };
  is(least_proven(bounds, {0, 0, Rate::accept, 1}), 0.5L + up_moved);
  is(least_proven(bounds, {0, 0, Rate::accept, -1}), -(0.5L - down_moved));
  // Of the qualified: t is proven if the most of sum over (x,1) of q (a - t) is at most 0. For high t both (0,1) at -t
  // and (1,1) at 1 - t count; the radius is spent on moving from (0,1) to (1,1) first, then from (x,0) to (1,1).
  const auto excess = [&](Real t) {
    const Real first = std::min({row.reach, row.loss[1], row.gain[3]});
    const Real then = std::min({row.reach - first, row.loss[0] + row.loss[2], row.gain[3] - first});
    return 0.1L * -t + 0.2L * (1 - t) + first + std::max(Real{0}, then) * (1 - t);
  };
  Real low = 0, high = 1;
  while (high - low > 1e-15L) {
    const Real middle = (low + high) / 2;
    (excess(middle) <= 0 ? high : low) = middle;
  }
  is(least_proven(bounds, {0, 0, Rate::tpr, 1}), high);
  // P(y=1) = 0.3.
  const Real qualified = std::min({row.reach, row.gain[1] + row.gain[3], row.loss[0] + row.loss[2]});
  const Real unqualified = std::min({row.reach, row.loss[1] + row.loss[3], row.gain[0] + row.gain[2]});
  is(least_proven(bounds, {0, 0, Rate::qualified, 1}), 0.3L + qualified);
  is(least_proven(bounds, {0, 0, Rate::qualified, -1}), -(0.3L - unqualified));
}

TEST(Bounds, NoRateIsOutsideOfThePolicysEntries) {
  const Question q = two_features();
  const Split split = split_of(q);
  Bounds bounds(q, split);
  for (const Rate rate : {Rate::accept, Rate::tpr, Rate::fpr}) {
    EXPECT_TRUE(bounds.prove({1, 0, rate, 1}, 0.75L, -1));  // without looking at any data
    EXPECT_TRUE(bounds.prove({1, 0, rate, -1}, -0.25L, -1));
  }
  EXPECT_TRUE(bounds.prove({1, 0, Rate::qualified, 1}, 1, -1));
  EXPECT_TRUE(bounds.prove({1, 0, Rate::qualified, -1}, 0, -1));
  EXPECT_FALSE(bounds.prove({1, 0, Rate::tpr, 1}, 0.7499L, -1));  // the slack cannot be met
}

// 500 of 1000 were accepted, 200 of 300 qualified and 300 of 700 others: an end is proven if the tail up to there is
// rare.
TEST(Bounds, ThoseWhoFollowedProveByThemselves) {
  Question q = two_features();
  q.followed = true;
  const Split split = split_of(q);
  Bounds bounds(q, split);
  const auto expect_just_so = [&](const End& end, Real accepted, Real people) {
    const Real found = least_proven(bounds, end);
    const auto rare = [&](Real value) {
      return end.sign > 0 ? rarely_so_few(accepted, people, value, split.tail)
                          : rarely_so_few(people - accepted, people, 1 + value, split.tail);
    };
    EXPECT_TRUE(rare(found + 1e-12L)) << static_cast<int>(end.rate);
    EXPECT_FALSE(rare(found - 1e-12L)) << static_cast<int>(end.rate);
  };
  for (const Real sign : {1.L, -1.L}) {
    expect_just_so({0, 0, Rate::accept, sign}, 500, 1000);
    expect_just_so({0, 0, Rate::tpr, sign}, 200, 300);
    expect_just_so({0, 0, Rate::fpr, sign}, 300, 700);
  }
}

// Seven are missing at the step: had they been there, up to seven more or fewer were accepted.
TEST(Bounds, ThoseAwayCouldHaveBeenAcceptedOrNot) {
  Question q = two_features();
  q.followed = true;
  const Split split = split_of(q);
  Bounds with_all(q, split);
  const Real all = least_proven(with_all, {0, 0, Rate::accept, 1});
  Question fewer = q;
  fewer.visits[0] -= 7;
  Bounds without(fewer, split);
  const Real found = least_proven(without, {0, 0, Rate::accept, 1});
  EXPECT_GT(found, all + 0.005L);
  EXPECT_TRUE(rarely_so_few(507, 993, found + 1e-12L, split.tail));
  EXPECT_FALSE(rarely_so_few(507, 993, found - 1e-12L, split.tail));
  Bounds others(fewer, split);  // the other group's people do not matter
  EXPECT_EQ(least_proven(others, {1, 0, Rate::accept, 1}), least_proven(with_all, {1, 0, Rate::accept, 1}));
}

// Cause: only steps 0 and h were looked at, and people away in between gave 0.0062 where the truth is 1. Nothing is
// known of successors, so at step 2 only those who followed prove anything: 300 of 1000, and 700 of 1000 in group 1.
// Whoever is missing at any step to there, or has no row of a first state, counts for and against.
TEST(Bounds, WhoWasAwayAtAnyStepBeforeCounts) {
  Question q = two_features();
  q.followed = true;
  q.horizon = 3;
  q.accept.assign(12, 0);
  for (std::size_t i = 1; i < 12; i += 2) q.accept[i] = 1;
  q.visits = {400, 0, 100, 0, 0, 300, 0, 200, 400, 0, 100, 0, 0, 300, 0, 200, 350, 0, 350, 0, 0, 200, 0, 100,
              10,  0, 900, 0, 0, 85,  0, 5,   10,  0, 900, 0, 0, 85,  0, 5,   150, 0, 150, 0, 0, 300, 0, 400};
  const auto proven = [](const Question& question, std::size_t g, Real sign) {
    const Split split = split_of(question);
    Bounds bounds(question, split);
    return static_cast<double>(least_proven(bounds, {g, 2, Rate::accept, sign}));
  };
  EXPECT_LT(proven(q, 0, 1), 0.36);
  EXPECT_GT(proven(q, 0, 1), 0.33);
  EXPECT_LT(proven(q, 1, 1), 0.76);
  EXPECT_GT(proven(q, 1, 1), 0.73);
  for (const std::size_t step : {0u, 1u, 2u})
    for (const std::size_t g : {0u, 1u})
      for (const Real sign : {1.L, -1.L}) {
        Question fewer = q;
        fewer.visits[(3 * g + step) * 8 + 2] -= 60;
        EXPECT_GT(proven(fewer, g, sign), proven(q, g, sign) + 0.02) << step << g;
        EXPECT_EQ(proven(fewer, 1 - g, sign), proven(q, 1 - g, sign)) << step << g;
      }
  Question nobody = q;
  for (std::size_t cell = 0; cell < 8; ++cell) nobody.visits[8 + cell] = 0;
  EXPECT_NEAR(proven(nobody, 0, 1), 1, 1e-12);
  Question lost = q;  // at every step, and the first state with it
  lost.lost.first[0] = 20;
  EXPECT_GT(proven(lost, 0, 1), proven(q, 0, 1) + 0.055);
}

// Rewards are known: group 0 is 1/4 of the people, group 1 3/4. Group 0 at step 0: 0.6 * (1 + 2) / 2 + 0.4 * (3 + 5) /
// 2 = 2.5, at step 1: 0.48 * (0.75 + 0.5) + 0.52 * (2.25 + 1.25) = 2.42. Group 1 at step 0, all accepted: 0.8 * 2 + 0.2
// * 5 = 2.6, at step 1, nobody: 0.4 + 0.6 * 3 = 2.2. The discount is 1/2.
TEST(Bounds, TheEstimatedValueIsAsWorkedOutByHand) {
  Question q = small_question();
  q.value = Question::Value::known;
  q.reward = {1, 2, 3, 5, 1, 2, 3, 5};
  q.share = {0.25L, 0.75L};
  q.discount = 0.5L;
  const Split split = split_of(q);
  const Bounds::Worth worth = Bounds(q, split).worth();
  EXPECT_NEAR(static_cast<double>(worth.estimate), 0.25 * (2.5 + 1.21) + 0.75 * (2.6 + 1.1), 1e-15);
  EXPECT_EQ(worth.scale, 10);  // 5 at both steps
  Real least = 0;
  for (std::size_t g = 0; g < 2; ++g) least -= q.share[g] * WorstCase(q, split, g).greatest_total({-1, -2, -3, -5});
  EXPECT_NEAR(static_cast<double>(worth.least), static_cast<double>(least), 1e-15);
  EXPECT_LE(worth.least, least);
  EXPECT_LT(worth.least, worth.estimate);
}

// Rewards are counted, as sums: means are sums over visits, groups weigh 100 and 50 of 150. A mean is at least itself
// less the range times its radius, and at least the least reward there is; of nobody it may be the least.
TEST(Bounds, CountedRewardsAreTakenAtTheirLeast) {
  Question q = small_question();
  q.value = Question::Value::counted;
  q.least = -1, q.greatest = 6;
  // visits over both steps: 66, 42, 59, 33; 20, 40, 30, 10
  q.reward_sum = {66, 84, 177, 165, 20, 80, 90, 50};
  const Split split = split_of(q);
  const Bounds::Worth worth = Bounds(q, split).worth();
  EXPECT_NEAR(static_cast<double>(worth.estimate), 100 / 150. * (2.5 + 2.42) + 50 / 150. * (2.6 + 2.2), 1e-14);
  const Real visits[] = {66, 42, 59, 33, 20, 40, 30, 10};
  const Real mean[] = {1, 2, 3, 5, 1, 2, 3, 5};
  Real least = 0;
  for (std::size_t g = 0; g < 2; ++g) {
    std::vector<Real> cost;
    for (std::size_t cell = 0; cell < 4; ++cell) {
      const std::size_t i = 4 * g + cell;
      cost.push_back(-std::max(Real{-1}, mean[i] - 7 * radius(visits[i], 0, split.reward)));
    }
    least -= (g == 0 ? 100.L : 50.L) / 150 * WorstCase(q, split, g).greatest_total(cost);
  }
  EXPECT_NEAR(static_cast<double>(worth.least), static_cast<double>(least), 1e-14);

  // Cause: the scale was that of the least rewards alone. Where these are all 0, an estimate had to be right to the
  // last bit of numbers that have more of them than the estimate.
  Question at_least_nothing = q;
  at_least_nothing.least = 0;
  at_least_nothing.greatest = 1e6L;
  EXPECT_EQ(Bounds(at_least_nothing, split).worth().scale, 10);

  Question lost = q;  // seven rewards more may be as low as they can be
  lost.lost.cells[0] = 7;
  const Real mean_with_lost = (66 - 7) / 73.L - 7 * greatest_radius(66, 73, 0, split.reward);
  Real difference = std::max(Real{-1}, mean[0] - 7 * radius(66, 0, split.reward)) - std::max(Real{-1}, mean_with_lost);
  EXPECT_GE(difference, 0);
  EXPECT_LE(Bounds(lost, split).worth().least, worth.least);
  EXPECT_EQ(Bounds(lost, split).worth().estimate, worth.estimate);

  q.visits[8 + 1] = 0, q.visits[8 + 5] = 0, q.reward_sum[4 + 1] = 0;  // nobody of group 1 accepted and unqualified
  const Bounds::Worth unseen = Bounds(q, split).worth();
  EXPECT_LT(unseen.least, worth.least);
  EXPECT_NEAR(static_cast<double>(unseen.estimate), static_cast<double>(worth.estimate) - 50 / 150. * 1.6, 1e-14);
}

}  // namespace
}  // namespace fairstep::rigorous
