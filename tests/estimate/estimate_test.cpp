#include <fairstep/estimate/estimate.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/estimate/confidence.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"
#include "walks.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::count;
using testing::unwrap;

/// Three steps, two features. Group a has one person who stays, one who leaves after two steps (opts out) and one who
/// comes at the second step (opts in); group b has one who never changes.
Counts small_log() {
  return count(3, {"a", "b"}, 2,
               {
                   {0, 0, {{0, 0, 1, 4}, {0, 1, 1, 1}, {1, 1, 0, 7}}},
                   {0, 0, {{0, 0, 1, -1}, {0, 0, 0, 5}}},
                   {0, 1, {{1, 1, 0, 0}, {0, 1, 1, 2}}},
                   {1, 0, {{0, 1, 1, 1}, {0, 1, 1, 1}, {0, 1, 1, 1}}},
               });
}

TEST(Estimate, FirstStatesAreCountedWheneverAPersonComes) {
  const Estimate e = unwrap(estimate(small_log()));
  // Group a: two people begin in (0,0), the late one in (1,1).
  EXPECT_EQ(e.people, (std::vector<std::int64_t>{3, 1}));
  EXPECT_DOUBLE_EQ(e.model.spec().initial(0, 0, 0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(e.model.spec().initial(0, 1, 1), 1.0 / 3);
  EXPECT_EQ(e.model.spec().initial(0, 0, 1), 0);
  EXPECT_EQ(e.model.spec().initial(1, 0, 1), 1);
  EXPECT_TRUE(e.empty_groups.empty());
}

TEST(Estimate, ARowIsTheProportionsOfTheSeenSuccessors) {
  const Estimate e = unwrap(estimate(small_log()));
  // Group a, (0,0) accepted twice: once to (0,1), once to (0,0).
  EXPECT_EQ(e.visits(0, 0, 0, 1), 2);
  EXPECT_EQ(e.successors(0, 0, 0, 1), 2);
  EXPECT_EQ(e.model.spec().transition(0, 0, 0, 1, 0, 0), 0.5);
  EXPECT_EQ(e.model.spec().transition(0, 0, 0, 1, 0, 1), 0.5);
  // (0,1) accepted twice, the second time at the last step: one successor, (1,1), and it has all of the row. By the
  // number of visits it would have only half.
  EXPECT_EQ(e.visits(0, 0, 1, 1), 2);
  EXPECT_EQ(e.successors(0, 0, 1, 1), 1);
  EXPECT_EQ(e.model.spec().transition(0, 0, 1, 1, 1, 1), 1);
  // (1,1) refused at the second step (to (0,1)) and at the last.
  EXPECT_EQ(e.visits(0, 1, 1, 0), 2);
  EXPECT_EQ(e.model.spec().transition(0, 1, 1, 0, 0, 1), 1);
  // Group b has its own: three visits, two successors.
  EXPECT_EQ(e.visits(1, 0, 1, 1), 3);
  EXPECT_EQ(e.successors(1, 0, 1, 1), 2);
  EXPECT_EQ(e.model.spec().transition(1, 0, 1, 1, 0, 1), 1);
}

TEST(Estimate, RewardsAreAveragedOverVisitsTheLastStepIncluded) {
  const Estimate e = unwrap(estimate(small_log()));
  EXPECT_EQ(e.model.spec().reward(0, 0, 0, 1), 1.5);  // (4 - 1) / 2
  EXPECT_EQ(e.model.spec().reward(0, 0, 1, 1), 1.5);  // (1 + 2) / 2, the 2 at the last step
  EXPECT_EQ(e.model.spec().reward(0, 1, 1, 0), 3.5);  // (7 + 0) / 2, the 7 at the last step
  EXPECT_EQ(e.model.spec().reward(0, 0, 0, 0), 5);    // just before leaving
  EXPECT_EQ(e.model.spec().reward(1, 1, 1, 1), 0);    // no visit: 0 / max(1, 0)
}

TEST(Estimate, ACellWithVisitsButWithoutSuccessorsIsUnvisited) {
  const Estimate e = unwrap(estimate(small_log()));
  // Of 16 cells, a has seen successors of (0,0,1), (0,1,1) and (1,1,0), b of (0,1,1).
  EXPECT_EQ(e.unvisited, 12U);
  ASSERT_EQ(e.unvisited_cells.size(), 12U);
  EXPECT_EQ(e.unvisited_cells.front(), (Cell{0, 0, 0, 0}));  // visited once, by the one who then left
  EXPECT_EQ(e.visits(0, 0, 0, 0), 1);
  EXPECT_EQ(e.successors(0, 0, 0, 0), 0);
  EXPECT_EQ(e.unvisited_cells[1], (Cell{0, 0, 1, 0}));
  EXPECT_EQ(e.unvisited_cells.back(), (Cell{1, 1, 1, 1}));
}

TEST(Estimate, UnvisitedRowsAreUniformUnlessToldOtherwise) {
  const Estimate e = unwrap(estimate(small_log()));
  for (const double p : e.model.spec().transition.block(0, 0, 0, 0)) EXPECT_EQ(p, 0.25);
  for (const double p : e.model.spec().transition.block(1, 1, 0, 1)) EXPECT_EQ(p, 0.25);
}

TEST(Estimate, UnvisitedRowsMayStay) {
  EstimateOptions options;
  options.unvisited = Unvisited::stay;
  const Estimate e = unwrap(estimate(small_log(), options));
  EXPECT_EQ(e.model.spec().transition(1, 1, 0, 1, 1, 0), 1);
  EXPECT_EQ(e.model.spec().transition(1, 1, 0, 1, 0, 0), 0);
  EXPECT_EQ(e.unvisited, 12U);
  // Rows with a successor are as they were.
  EXPECT_EQ(e.model.spec().transition(0, 0, 0, 1, 0, 1), 0.5);
}

TEST(Estimate, UnvisitedRowsMayBeRefusedByName) {
  EstimateOptions options;
  options.unvisited = Unvisited::error;
  const auto refused = estimate(small_log(), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "transitions[g=a,x=0,y=0,a=0] has no successor, expected at least 1 in every cell");
  EXPECT_EQ(refused.error().pointer, "/transitions/0/0/0/0");
  EXPECT_FALSE(refused.error().hint.empty());
}

TEST(Estimate, SharesAreOfThePeopleCountedOrAsGiven) {
  EXPECT_EQ(unwrap(estimate(small_log())).model.spec().share, (std::vector<double>{0.75, 0.25}));
  EstimateOptions options;
  options.share = {0.5, 0.5};
  options.discount = 0.9;
  options.description = "from a log";
  const Estimate e = unwrap(estimate(small_log(), options));
  EXPECT_EQ(e.model.spec().share, options.share);
  EXPECT_EQ(e.model.discount(), 0.9);
  EXPECT_EQ(e.model.spec().description, "from a log");
  EXPECT_EQ(e.people, (std::vector<std::int64_t>{3, 1}));
}

TEST(Estimate, WrongSharesAreRefused) {
  EstimateOptions options;
  options.share = {0.5, 0.6};
  EXPECT_EQ(estimate(small_log(), options).error().pointer, "/share");
  options.share = {1};
  EXPECT_EQ(estimate(small_log(), options).error().message, "share has size 1, expected 2");
}

TEST(Estimate, AGroupWithoutPeopleBeginsAnywhereAndIsNamed) {
  const Counts counts = count(2, {"a", "b", "c"}, 2, {{0, 0, {{0, 1, 1, 1}, {1, 1, 1, 1}}}, {2, 0, {{0, 0, 0, 0}}}});
  const Estimate e = unwrap(estimate(counts));
  EXPECT_EQ(e.empty_groups, (std::vector<std::size_t>{1}));
  EXPECT_EQ(e.people, (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(e.model.spec().share, (std::vector<double>{0.5, 0, 0.5}));
  for (const double p : e.model.initial(1)) EXPECT_EQ(p, 0.25);
  EXPECT_EQ(e.unvisited, 8U + 7U + 8U);  // all of b and c, and all but one of a
}

TEST(Estimate, WithoutAnybodySharesMustBeGiven) {
  const Counts nobody = count(2, {"a", "b"}, 1, {});
  const auto refused = estimate(nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/first");
  EstimateOptions options;
  options.share = {0.3, 0.7};
  const Estimate e = unwrap(estimate(nobody, options));
  EXPECT_EQ(e.empty_groups, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(e.unvisited, 8U);
}

TEST(Estimate, AMeanRewardTooLargeForAModelIsNamed) {
  const Counts counts = changed(small_log(), [](CountsSpec& spec) {
    spec.reward_sum(1, 0, 1, 1) = 1e120;
    spec.reward_squares(1, 0, 1, 1) = 1e240;
  });
  const auto refused = estimate(counts);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "reward_sum[g=b,x=0,y=1,a=1] is 1e+120 over 3 visits, expected a mean between -1e100 and 1e100");
  EXPECT_EQ(refused.error().pointer, "/reward_sum/1/0/1/1");
}

TEST(Estimate, RewardsThatAreGivenTakeThePlaceOfTheLogs) {
  const Estimate seen = unwrap(estimate(small_log()));
  EstimateOptions options;
  options.reward = Tensor<double, 4>({2, 2, 2, 2}, -1.0);
  (*options.reward)(1, 1, 0, 1) = 3;
  const Estimate e = unwrap(estimate(small_log(), options));
  EXPECT_EQ(e.model.spec().reward, *options.reward);
  EXPECT_TRUE(e.model.spec().rests_on->rewards_given);
  EXPECT_FALSE(seen.model.spec().rests_on->rewards_given);
  // All else is as it was.
  ModelSpec spec = e.model.spec();
  spec.reward = seen.model.spec().reward;
  spec.rests_on->rewards_given = false;
  EXPECT_EQ(spec, seen.model.spec());
  EXPECT_TRUE(radii(e, 0.1));
  EXPECT_EQ(radii(e, {0.1, RewardKnowledge{{-1, 7}, true}}).error().message,
            "reward_range is given together with rewards, expected one of them");
  // A mean too large to be one does not matter where it is not used.
  const Counts wild = changed(small_log(), [](CountsSpec& counts) {
    counts.reward_sum(0, 0, 0, 0) = 1e150;
    counts.reward_squares(0, 0, 0, 0) = 1e300;
  });
  EXPECT_FALSE(estimate(wild));
  EXPECT_TRUE(estimate(wild, options));
  options.reward = Tensor<double, 4>({2, 1, 2, 2});
  EXPECT_EQ(estimate(small_log(), options).error().pointer, "/reward");
}

}  // namespace
}  // namespace fairstep
