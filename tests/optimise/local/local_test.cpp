// Local optima of programs whose optimum is known, and the least violation where nothing fits.
#include <fairstep/optimise/local/local.hpp>

#include <chrono>

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

// solve_test.cpp: a limit of 1/8 on the gap, 11/32.
class Local : public ::testing::Test {
 protected:
  Model model = standing_still(1, kHighAndLow, -0.5, 1);
  Fairness parity{.parity = {{Notion::dp, {0.125}}}};
  Program limited = unwrap(compile(model, parity, {}));
  // A unit of rate costs 1/4, so the gap is where 2 * gap = 1/4: 3/8 - 1/4 * 1/8 - 1/64 = 21/64.
  Program penalised = unwrap(compile_penalty(model, parity, {}, 1, PenaltyForm::rate));
};

TEST_F(Local, FindsTheOptimumUnderALimit) {
  const LocalResult found = solve_locally(limited, middle_of(limited));
  EXPECT_TRUE(found.converged);
  const Candidate candidate = assess(limited, found.tables);
  EXPECT_NEAR(candidate.objective, 11.0 / 32, 1e-6);
  EXPECT_LE(candidate.excess, 1e-8);
  EXPECT_NEAR(candidate.tables[1][0], 1.0 / 6, 1e-5);
}

TEST_F(Local, FindsTheOptimumUnderAPenaltyWhichIsInsideTheBox) {
  const LocalResult found = solve_locally(penalised, middle_of(penalised));
  EXPECT_TRUE(found.converged);
  const Candidate candidate = assess(penalised, found.tables);
  EXPECT_NEAR(candidate.objective, 21.0 / 64, 1e-6);
  EXPECT_NEAR(candidate.tables[1][0], 1.0 / 6, 1e-3);
}

TEST_F(Local, LookingAroundFindsNothingWorse) {
  EXPECT_NEAR(look_around(limited, middle_of(limited)).objective, 11.0 / 32, 1e-6);
  EXPECT_NEAR(look_around(penalised, middle_of(penalised)).objective, 21.0 / 64, 1e-6);
}

TEST_F(Local, LookingAroundFromTheOptimumStaysThere) {
  const Candidate candidate = look_around(limited, {{0, 1}, {1.0 / 6, 1}});
  EXPECT_NEAR(candidate.objective, 11.0 / 32, 1e-8);
}

TEST_F(Local, TheLeastViolationIsThatOfWhatCannotBeKept) {
  // Everybody is accepted with at least 2/5, at most 3/10 may be.
  const Program impossible =
      unwrap(compile(model, {.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only}));
  const LocalResult found = least_violation(impossible, middle_of(impossible));
  ASSERT_FALSE(found.tables.empty());
  EXPECT_NEAR(assess(impossible, found.tables).excess, 0.1, 1e-6);
}

TEST_F(Local, TablesStayInTheirBoxesHoweverLittleTimeThereIs) {
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  const Candidate candidate = look_around(limited, middle_of(limited), {.deadline = over});
  for (const auto& table : candidate.tables)
    for (const double p : table) {
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1);
    }
}

}  // namespace
}  // namespace fairstep
