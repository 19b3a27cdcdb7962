// The greedy rule, step after step, with every number worked out by hand.
#include <fairstep/optimise/local/myopic.hpp>

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

TEST(Myopic, TakesWhatEarnsMostTodayGivenHowThePopulationGotThere) {
  // Accepting earns 1 from the qualified and -1/2 from the others. Group a at step 0: low 1/8 - 3/16 < 0, high 3/8 -
  // 1/16 = 5/16. At step 1 it is low with (7/16, 1/8), high with (1/16, 3/8): -3/32 and 11/32. Group b, all low: 1/2 -
  // 1/4 = 1/4, so at step 1 it is low with (1/4, 0), high with (1/4, 1/2): -1/8 and 3/8. In all
  // 3/4 (5/16 + 11/32) + 1/4 (1/4 + 3/8) = 63/128 + 20/128.
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {}, {}));
  const Candidate greedy = unwrap(solve_myopically(program, {}));
  EXPECT_NEAR(greedy.objective, 83.0 / 128, 1e-9);
  EXPECT_EQ(greedy.excess, -kInfinity);
  EXPECT_NEAR(greedy.tables[0][0], 0, 1e-9);
  EXPECT_NEAR(greedy.tables[0][1], 1, 1e-9);
  EXPECT_NEAR(greedy.tables[1][0], 1, 1e-9);
  EXPECT_NEAR(greedy.tables[1][2], 0, 1e-9);
  EXPECT_NEAR(greedy.tables[1][3], 1, 1e-9);
}

TEST(Myopic, OfASingleStepIsTheOptimum) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.125}}}}, {}));
  const Candidate greedy = unwrap(solve_myopically(program, {}));
  EXPECT_NEAR(greedy.objective, 11.0 / 32, 1e-7);  // solve_test.cpp
  EXPECT_LE(greedy.excess, 1e-7);
}

TEST(Myopic, KeepsLimitsOnQuotientsWhichAreLinearGivenThePast) {
  // The same people twice: each step is worth 1/48 (solve_test.cpp), also where the denominator is the policy's doing.
  const Model model = standing_still(2, testing::kMixed, -2, 1);
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {}));
  const Candidate greedy = unwrap(solve_myopically(program, {}));
  EXPECT_NEAR(greedy.objective, 1.0 / 24, 1e-7);
  EXPECT_LE(greedy.excess, 1e-7);
}

TEST(Myopic, KeepsACapacity) {
  // A quarter of all may be accepted, and each of the high earns 1.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.capacity = Capacity{{0.25}}}, {}));
  EXPECT_NEAR(unwrap(solve_myopically(program, {})).objective, 0.25, 1e-7);
}

TEST(Myopic, OneTableForAllGroupsIsOneRow) {
  // The high of both earn 3/8, the low -1/2 each.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {}, {.group_independent = true}));
  const Candidate greedy = unwrap(solve_myopically(program, {}));
  ASSERT_EQ(greedy.tables.size(), 1U);
  EXPECT_NEAR(greedy.objective, 0.375, 1e-9);
}

TEST(Myopic, ExceedsALimitThatCannotBeKeptByAsLittleAsCanBe) {
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const Program program =
      unwrap(compile(model, {.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only}));
  EXPECT_NEAR(unwrap(solve_myopically(program, {})).excess, 0.1, 1e-7);
}

TEST(Myopic, WithoutTimeTreatsAllAlike) {
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0}}}}, {.floor = 0.25}));
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  const Candidate greedy = unwrap(solve_myopically(program, over));
  EXPECT_EQ(greedy.tables, Tables(2, std::vector<double>(4, 0.25)));
  EXPECT_LE(greedy.excess, 1e-12);
}

TEST(Myopic, RefusesALimitOnTheWholeEpisode) {
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.aggregate_eqopt = 0.1}, {}));
  const auto greedy = solve_myopically(program, {});
  ASSERT_FALSE(greedy);
  EXPECT_EQ(greedy.error().message, "a myopic policy cannot keep a constraint on the whole episode");
  EXPECT_EQ(greedy.error().hint, "drop aggregate_eqopt, or use another method");
  const auto of_all = solve_myopically(unwrap(compile(model, {.aggregate_dp = 0.1}, {})), {});
  ASSERT_FALSE(of_all);
  EXPECT_EQ(of_all.error().hint, "drop aggregate_dp, or use another method");
}

}  // namespace
}  // namespace fairstep
