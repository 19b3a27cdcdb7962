// Climbing over long horizons. The population is one of sparse kernels for which a climb once went on for hundreds of
// steps, mending two points in time every nine.
#include <fairstep/optimise/local/climb.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

Model long_model() { return unwrap(make_random({.groups = 2, .features = 20, .horizon = 64, .successors = 10})); }

LocalResult climb_from_the_middle(const Program& program) {
  const Tables start(program.blocks.size(), std::vector<double>(program.table_size(), 0.5));
  return climb(program, start, {}, Goal::value);
}

TEST(Climb, WhatRepeatsItselfInTimeIsNotFoundStepByStep) {
  const Model model = long_model();
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqopt, {0.01}}}}, {}));
  const LocalResult found = climb_from_the_middle(program);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.iterations, 100);
  // After 200 steps of the climb that repeated nothing: 20.3077, and still on its way.
  EXPECT_GT(assess(program, found.tables).objective, 20.32);
}

TEST(Climb, ItComesBackToLimitsThatItHasLeftByALittle) {
  const Model model = long_model();
  const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.01}}}}, {}));
  const LocalResult found = climb_from_the_middle(program);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(assess(program, found.tables).excess, 1e-9);
}

}  // namespace
}  // namespace fairstep
