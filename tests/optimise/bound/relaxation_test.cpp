// Column generation: bounds of programs whose optimum is known.
#include <fairstep/optimise/bound/relaxation.hpp>

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/program/compile.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::kMixed;
using testing::standing_still;
using testing::unwrap;

struct Relaxed {
  explicit Relaxed(Program asked) : program(std::move(asked)) {}
  double bound() { return relaxation.maximise(1e-9, -kInfinity, {}).bound; }

  Program program;
  Pricing pricing{program};
  Relaxation relaxation{program, pricing, 0, {}};
};

class RelaxationOf : public ::testing::Test {
 protected:
  [[nodiscard]] Program once_with(const Fairness& fairness, const PolicyClass& policies = {}) const {
    return unwrap(compile(once, fairness, policies));
  }
  Model once = standing_still(1, kHighAndLow, -0.5, 1);
  Model twice = standing_still(2, kMixed, -2, 1);
  Fairness parity{.parity = {{Notion::dp, {0.125}}}};
};

TEST_F(RelaxationOf, ALinearProgramIsTheProgram) {
  Relaxed here(once_with(parity));
  const auto [bound, master, rounds, nodes] = here.relaxation.maximise(1e-9, -kInfinity, {});
  EXPECT_NEAR(bound, 11.0 / 32, 1e-7);  // solve_test.cpp
  EXPECT_GE(bound, 11.0 / 32);
  EXPECT_NEAR(master, 11.0 / 32, 1e-7);
  EXPECT_GE(rounds, 1U);
  EXPECT_FALSE(here.relaxation.has_products());
}

TEST_F(RelaxationOf, QuotientsIsNeverBelowTheOptimum) {
  Relaxed here(unwrap(compile(twice, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  EXPECT_TRUE(here.relaxation.has_products());
  EXPECT_GE(here.bound(), 1.0 / 24);
  EXPECT_LE(here.bound(), 1.0 / 8 + 1e-9);  // 1/16 a step without the limit
}

TEST_F(RelaxationOf, NarrowerBoxesIsWorthLessAndTheWholeAsMuchAsBefore) {
  // Without b's low, a's high have to be refused, at 1/2 a unit of rate: 3/8 - 1/8 * 1/2 = 5/16.
  Relaxed here(once_with(parity));
  const std::vector<Box> whole = here.relaxation.boxes();
  here.relaxation.set_boxes({{{0, 0}, {1, 1}}, {{0, 0}, {0, 1}}});
  EXPECT_NEAR(here.bound(), 5.0 / 16, 1e-7);
  here.relaxation.set_boxes(whole);
  EXPECT_NEAR(here.bound(), 11.0 / 32, 1e-7);
}

TEST_F(RelaxationOf, ASingleTableIsWorthWhatItIsWorth) {
  // Everybody: 1/16.
  Relaxed here(once_with(parity));
  here.relaxation.set_boxes({{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}});
  EXPECT_NEAR(here.bound(), 1.0 / 16, 1e-7);
}

TEST_F(RelaxationOf, WhatCannotBeKeptProvesTheLeastExcess) {
  Relaxed here(once_with({.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only}));
  const double least = here.relaxation.least_excess(1e-9, {});
  EXPECT_NEAR(least, 0.1, 1e-6);  // 2/5 - 3/10
  EXPECT_LE(least, 0.1);
}

TEST_F(RelaxationOf, WhatCanBeKeptProvesNoExcess) {
  Relaxed here(once_with(parity));
  EXPECT_LE(here.relaxation.least_excess(1e-9, {}), 0);
}

TEST_F(RelaxationOf, ForgottenColumnsAreFoundAgain) {
  Relaxed here(once_with(parity));
  const double before = here.bound();
  here.relaxation.forget_columns(0);
  here.relaxation.forget_tangents();
  EXPECT_NEAR(here.bound(), before, 1e-8);
}

TEST_F(RelaxationOf, ASearchThatIsTooLateHoldsAllTheSame) {
  Relaxed here(once_with(parity));
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  EXPECT_GE(here.relaxation.maximise(1e-9, -kInfinity, over).bound, 11.0 / 32);
}

TEST_F(RelaxationOf, APenaltyIsThePenaltysOptimum) {
  // 21/64, local/local_test.cpp.
  Relaxed here(unwrap(compile_penalty(once, parity, {}, 1, PenaltyForm::rate)));
  const double bound = here.relaxation.maximise(1e-6, -kInfinity, {}).bound;
  EXPECT_GE(bound, 21.0 / 64);
  EXPECT_NEAR(bound, 21.0 / 64, 1e-5);
}

}  // namespace
}  // namespace fairstep
