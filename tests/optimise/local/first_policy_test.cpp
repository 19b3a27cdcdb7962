// A policy to begin a proof with, on groups that never change.
#include <fairstep/optimise/local/first_policy.hpp>

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

constexpr double kTiny = 1e-8;

class FirstPolicy : public ::testing::Test {
 protected:
  Model model = standing_still(1, kHighAndLow, -0.5, 1);
  Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.125}}}}, {}));
};

TEST_F(FirstPolicy, IsALocalOptimum) {
  const Candidate found = look_locally(program, assess(program, middle_of(program)), kTiny, {});
  EXPECT_NEAR(found.objective, 11.0 / 32, 1e-6);  // solve_test.cpp
  EXPECT_LE(found.excess, kTiny);
}

TEST_F(FirstPolicy, IsTheOneThatWasThereIfThereIsNoTimeForABetterOne) {
  // A third of b's low besides the high: rates 1/2 and 1/2, value 3/8 - 1/4 * 1/4.
  const Candidate begun = assess(program, {{0, 1}, {1.0 / 3, 1}});
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  const Candidate found = look_locally(program, begun, kTiny, over);
  EXPECT_NEAR(found.objective, 5.0 / 16, 1e-12);
  EXPECT_EQ(found.tables, begun.tables);
}

TEST_F(FirstPolicy, TreatsAllAlikeIfThereIsNoTimeAndWhatWasThereIsUnfair) {
  const Candidate begun = assess(program, {{0, 1}, {0, 1}});
  ASSERT_GT(begun.excess, 0.1);
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  EXPECT_LE(look_locally(program, begun, kTiny, over).excess, kTiny);
}

TEST_F(FirstPolicy, ComesAsNearAsCanBeWhereNothingFits) {
  const Program impossible =
      unwrap(compile(model, {.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only}));
  const Candidate found = look_locally(impossible, assess(impossible, middle_of(impossible)), kTiny, {});
  EXPECT_NEAR(found.excess, 0.1, 1e-6);  // 2/5 - 3/10
}

TEST_F(FirstPolicy, WithoutCoinsIsTheRoundedTableIfThatKeepsTheLimits) {
  // With a limit of 1/4 the high alone may be accepted, and 3/8 is what it is worth.
  const Program wider = unwrap(compile(model, {.parity = {{Notion::dp, {0.25}}}}, {}));
  const Candidate found = best_ends(wider, {{0.25, 0.75}, {0.5, 0.625}}, kTiny);
  EXPECT_EQ(found.tables, (Tables{{0, 1}, {0, 1}}));  // a half is rounded down
  EXPECT_EQ(found.objective, 0.375);
}

TEST_F(FirstPolicy, WithoutCoinsIsEverybodyOrNobodyIfTheRoundedTableIsUnfair) {
  // Everybody: 1/2 (1/2 - 1/4) + 1/2 (1/4 - 3/8) = 1/16, more than nobody.
  const Candidate found = best_ends(program, {{0.25, 0.75}, {0.25, 0.75}}, kTiny);
  EXPECT_EQ(found.tables, (Tables{{1, 1}, {1, 1}}));
  EXPECT_EQ(found.objective, 0.0625);
}

TEST_F(FirstPolicy, WithoutCoinsRoundsToTheEndsOfTheBox) {
  const Program floored = unwrap(compile(model, {}, {.floor = 0.25}));
  // Middle of the box is 1/2.
  EXPECT_EQ(best_ends(floored, {{0.4375, 0.5625}, {0.25, 0.75}}, kTiny).tables, (Tables{{0.25, 0.75}, {0.25, 0.75}}));
}

}  // namespace
}  // namespace fairstep
