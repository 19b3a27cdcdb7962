// Gaps and value by both parts: what they say holds in the audit part itself, and with many people is close to that.
#include <fairstep/check/two_parts.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "small_question.hpp"

namespace fairstep::rigorous {
namespace {

using testing::small_question_of_two_parts;

/// Two features; `people` times as many people as the least there can be, in both parts alike.
Question random_question(unsigned seed, std::size_t groups, std::size_t horizon, Real people, bool same_proportions) {
  std::mt19937 engine(seed);  // its numbers are the same everywhere
  const auto up_to = [&](unsigned most) { return static_cast<Real>(engine() % (most + 1)); };
  Question q;
  q.groups = groups, q.horizon = horizon, q.features = 2, q.states = 4, q.cells = 8;
  q.names.assign(groups, "");
  q.delta = 0.05;
  q.dp = q.eqopt = q.eqodds = true;
  for (std::size_t i = 0; i < groups * horizon * 2; ++i) q.accept.push_back(up_to(8) / 8);
  Question::Design design;
  const auto fill = [&](std::vector<Real>& audit, std::vector<Real>& planned, std::size_t length, unsigned least) {
    for (std::size_t i = 0; i < length; ++i) {
      audit.push_back((static_cast<Real>(least) + up_to(9)) * people);
      planned.push_back(same_proportions ? audit.back() : (static_cast<Real>(least) + up_to(9)) * people);
    }
  };
  fill(q.first, design.first, groups * 4, 1);
  fill(q.transitions, design.transitions, groups * 8 * 4, 1);
  q.visits.assign(groups * horizon * 8, 50 * people);
  design.visits = q.visits;
  for (std::size_t i = 0; i < groups * 8; ++i)
    q.reward_sum.push_back(50 * people * static_cast<Real>(horizon) * (up_to(8) / 8 - 0.25L));
  design.reward_sum = q.reward_sum;
  design.share = 0.5L;
  q.design = design;
  return without_losses(q);
}

/// All that is known without looking: policies' entries, and what the sets say of who is qualified.
TwoParts::Known known_of(const Question& q, Bounds& bounds) {
  return [&](Rate rate, std::size_t g, std::size_t h) {
    if (rate == Rate::qualified) return bounds.qualified(g, h);
    const Real one = q.accepted(g, h, 0);
    const Real other = q.accepted(g, h, 1);
    return Interval(std::min(one, other), std::max(one, other));
  };
}

TEST(TwoParts, DeltaIsSharedBetweenQuestionsAndPaths) {
  Question q = small_question_of_two_parts();
  const auto is = [](const Interval& found, Real expected) {
    EXPECT_NEAR(static_cast<double>(found.high), static_cast<double>(expected), 1e-17);
  };
  // two groups, two steps, two states: both sides of three rates at two steps; of four states at the first, and of who
  // is qualified at both
  is(split_of(q).rows, 0.01L);
  is(split_of(q).directions, 0.04L);
  is(split_of(q).question, 0.032L / 12);
  is(split_of(q).path, 0.008L / 16);
  q.eqopt = q.eqodds = false;
  q.groups = 3;
  q.value = Question::Value::known;
  is(split_of(q).question, 0.032L / 13);
  is(split_of(q).path, 0.008L / 12);
  q.horizon = 1;
  is(split_of(q).question, 0.04L / 7);
  EXPECT_EQ(split_of(q).path.high, 0);
  q.horizon = 2;
  q.value = Question::Value::counted;
  is(split_of(q).rewards, 0.005L);
  is(split_of(q).path, 0.008L / 24);
  q.design.reset();
  is(split_of(q).rewards, 0.025L);
  EXPECT_EQ(split_of(q).question.high, 0);
}

// The proportions of the audit part lie in the sets, and all sums over draws are what they are for them: so nothing
// that is said of them may be wrong, whatever the design part says.
TEST(TwoParts, GapsHoldInTheAuditPart) {
  std::size_t below_one = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Real people = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 1000 : 1000000;
    const Question q = random_question(seed, 2 + seed % 2, 1 + seed % 4, people, seed % 4 == 3);
    const Split split = split_of(q);
    Bounds bounds(q, split);
    TwoParts parts(q, split, bounds, known_of(q, bounds));
    for (const Rate rate : {Rate::accept, Rate::tpr, Rate::fpr})
      for (std::size_t h = 0; h < q.horizon; ++h)
        for (std::size_t j = 1; j < q.groups; ++j)
          for (std::size_t i = 0; i < j; ++i) {
            const Real exact = std::abs(bounds.estimates(i, rate)[h] - bounds.estimates(j, rate)[h]);
            const auto found = parts.gap(i, j, h, rate);
            ASSERT_TRUE(found);
            EXPECT_GE(*found, exact) << seed << " " << static_cast<int>(rate) << " " << h;
            EXPECT_NEAR(static_cast<double>(*found), static_cast<double>(*parts.gap(j, i, h, rate)), 1e-15);
            if (*found < 1) ++below_one;
          }
  }
  EXPECT_GT(below_one, 100u);
}

// 2^34 times as many people: two rates of some 10^-5 each.
TEST(TwoParts, GapsAreExactInTheLimit) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Question q = random_question(seed, 3, 4, std::ldexp(1.0L, 34), true);
    const Split split = split_of(q);
    Bounds bounds(q, split);
    TwoParts parts(q, split, bounds, known_of(q, bounds));
    for (const Rate rate : {Rate::accept, Rate::tpr, Rate::fpr})
      for (std::size_t h = 0; h < q.horizon; ++h)
        for (std::size_t g = 0; g < 3; ++g) {
          const std::size_t other = (g + 1) % 3;
          const Real exact = std::abs(bounds.estimates(g, rate)[h] - bounds.estimates(other, rate)[h]);
          EXPECT_NEAR(static_cast<double>(*parts.gap(g, other, h, rate)), static_cast<double>(exact), 4e-5)
              << static_cast<int>(rate) << " " << h;
        }
  }
}

TEST(TwoParts, TheValueHoldsInTheAuditPartAndIsExactInTheLimit) {
  for (const Question::Value value : {Question::Value::known, Question::Value::counted})
    for (unsigned seed = 0; seed < 6; ++seed) {
      const bool many = seed >= 3;
      Question q = random_question(seed, 2, 3, many ? std::ldexp(1.0L, 34) : 1000, many);
      q.value = value;
      q.discount = 0.5L;
      q.least = -1, q.greatest = 1;
      if (value == Question::Value::known) {
        q.share = {0.25L, 0.75L};
        for (std::size_t i = 0; i < 16; ++i) q.reward.push_back(q.reward_sum[i] / q.visits_of(0, 0));
      }
      const Split split = split_of(q);
      Bounds bounds(q, split);
      const TwoParts parts(q, split, bounds, known_of(q, bounds));
      const Bounds::Worth worth = bounds.worth();
      EXPECT_LE(parts.least_value(), worth.estimate);
      if (!many) continue;
      EXPECT_GE(parts.least_value(), worth.estimate - 1e-4L);
      EXPECT_GT(parts.least_value(), worth.least);
    }
}

// Shares are those of the design part: 8 and 8 of 16, where the audit part has 100 and 50.
TEST(TwoParts, SharesAreThoseOfTheDesignPart) {
  Question q = small_question_of_two_parts();
  q.value = Question::Value::counted;
  const Split split = split_of(q);
  const Bounds bounds(q, split);
  EXPECT_NEAR(static_cast<double>(bounds.share(0).high), 0.5, 1e-15);
  q.design.reset();
  EXPECT_NEAR(static_cast<double>(bounds.share(0).high), 2 / 3., 1e-15);
}

// Nobody of the design part is qualified at first.
TEST(TwoParts, NothingIsAskedAboutNobody) {
  Question q = small_question_of_two_parts();
  q.design->first = {8, 0, 6, 2};
  const Split split = split_of(q);
  Bounds bounds(q, split);
  TwoParts parts(q, split, bounds, [](Rate, std::size_t, std::size_t) { return Interval(0, 1); });
  EXPECT_FALSE(parts.gap(0, 1, 0, Rate::tpr));
  EXPECT_TRUE(parts.gap(0, 1, 0, Rate::fpr));
  EXPECT_TRUE(parts.gap(0, 1, 1, Rate::tpr));
}

// One feature: whoever is qualified is accepted like all others, so that payoffs are 0 and all that is left is of
// second order. Group 0 accepts 1/4 at step 1, group 1 nobody; by the design part 1/2 of group 0 are qualified then, by
// what is known between 3/8 and 7/16, and 3/4 * 2/3 + 1/4 * 1/2 = 5/8 of group 1, by what is known exactly 5/8. If the
// rate of group 0 is known to be between 1/8 and 1/2, then (6) adds (tau - 1/4)(1 - 2 D): at most 1/4 * 1/4, at least
// -1/32.
TEST(TwoParts, WhatIsOfSecondOrderInARateIsAdded) {
  const Question q = small_question_of_two_parts();
  const Split split = split_of(q);
  const Bounds bounds(q, split);
  TwoParts parts(q, split, bounds, [](Rate rate, std::size_t g, std::size_t) {
    if (rate == Rate::qualified) return g == 0 ? Interval(3 / 8.L, 7 / 16.L) : Interval(5 / 8.L);
    return g == 0 ? Interval(1 / 8.L, 1 / 2.L) : Interval(0, 1);
  });
  EXPECT_NEAR(static_cast<double>(*parts.gap(0, 1, 1, Rate::tpr)), 0.25 + 1 / 16., 1e-12);
}

}  // namespace
}  // namespace fairstep::rigorous
