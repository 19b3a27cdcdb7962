// From a policy to a proof, on programs whose optimum is known. never_wrong_test.cpp has bounds beside other policies.
#include <fairstep/optimise/search/branch.hpp>

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/local/first_policy.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::kMixed;
using testing::standing_still;
using testing::unwrap;

constexpr double kMayExceed = 1e-8;

BranchOptions to_a_millionth() { return {.gap = 1e-6, .tolerance = kMayExceed, .kept = 0.99 * kMayExceed}; }

class Branched : public ::testing::Test {
 protected:
  [[nodiscard]] Program with(const Fairness& fairness, const PolicyClass& policies = {}) const {
    return unwrap(compile(once, fairness, policies));
  }
  Model once = standing_still(1, kHighAndLow, -0.5, 1);
  Fairness parity{.parity = {{Notion::dp, {0.125}}}};
};

TEST_F(Branched, FromAnyTableEndsAtTheOptimumWithAProof) {
  const Program program = with(parity);
  for (const double entry : {0.0, 0.5, 1.0}) {
    const Tables start(2, std::vector<double>(2, entry));
    const BranchResult found = branch_and_bound(program, assess(program, start), to_a_millionth());
    EXPECT_TRUE(found.finished);
    EXPECT_NEAR(found.best.objective, 11.0 / 32, 1e-6);  // solve_test.cpp
    EXPECT_LE(found.best.excess, kMayExceed);
    EXPECT_GE(found.upper, 11.0 / 32 - 1e-12);
    EXPECT_LE(found.upper, found.best.objective * (1 + 1e-6));
    EXPECT_LE(found.contradiction, 1e-9);
  }
}

TEST_F(Branched, FromTheOptimumStaysThere) {
  const Program program = with(parity);
  const Candidate best = assess(program, {{0, 1}, {1.0 / 6, 1}});
  const BranchResult found = branch_and_bound(program, best, to_a_millionth());
  EXPECT_TRUE(found.finished);
  EXPECT_GE(found.best.objective, best.objective);
}

TEST_F(Branched, WithoutCoinsFindsTheBestOfAllTables) {
  // Within 1/8 of each other are nobody, 0, and everybody, 1/16.
  const Program program = with(parity, {.deterministic = true});
  const BranchResult found = branch_and_bound(program, assess(program, {{0, 0}, {0, 0}}), to_a_millionth());
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.best.tables, (Tables{{1, 1}, {1, 1}}));
  EXPECT_EQ(found.best.objective, 0.0625);
  EXPECT_NEAR(found.upper, 0.0625, 1e-6);
}

TEST_F(Branched, WhatCannotBeKeptIsProvenSo) {
  const Program program = with({.capacity = Capacity{{0.3}}}, {.floor = 0.4, .floor_kind = FloorKind::accept_only});
  const BranchResult found = branch_and_bound(program, assess(program, middle_of(program)), to_a_millionth());
  EXPECT_TRUE(found.finished);
  EXPECT_GT(found.best.excess, kMayExceed);
  EXPECT_NEAR(found.least_excess, 0.1, 1e-5);  // 2/5 - 3/10
  EXPECT_LE(found.least_excess, 0.1);
}

TEST_F(Branched, TooLateHasWhatWasThereAndABoundThatHolds) {
  // Whatever is accepted earns 1 at most: the bound of no work at all.
  const Program program = with(parity);
  const Candidate start = assess(program, {{1, 1}, {1, 1}});
  BranchOptions options = to_a_millionth();
  options.deadline.at = std::chrono::steady_clock::time_point::min();
  const BranchResult found = branch_and_bound(program, start, options);
  EXPECT_FALSE(found.finished);
  EXPECT_GE(found.best.objective, start.objective);
  EXPECT_GE(found.upper, 11.0 / 32);
  EXPECT_LE(found.upper, 1 + 1e-5);
}

TEST_F(Branched, WhoeverStopsItGetsABoundThatHolds) {
  std::stop_source source;
  source.request_stop();
  const Program program = with(parity);
  BranchOptions options = to_a_millionth();
  options.deadline.stop = source.get_token();
  const BranchResult found = branch_and_bound(program, assess(program, middle_of(program)), options);
  EXPECT_FALSE(found.finished);
  EXPECT_GE(found.upper, 11.0 / 32);
}

TEST_F(Branched, AWideGapIsClosedSooner) {
  // Everybody is worth 1/16; a slack of 1/2 allows 9/16, which is above the optimum.
  const Program program = with(parity);
  BranchOptions options = to_a_millionth();
  options.slack = 0.5;
  const BranchResult found = branch_and_bound(program, assess(program, {{1, 1}, {1, 1}}), options);
  EXPECT_TRUE(found.finished);
  EXPECT_LE(found.upper - found.best.objective, 0.5 + 1e-6);
  EXPECT_EQ(found.nodes, 0U);
}

TEST(BranchOnQuotients, ReportsBoundsThatCloseIn) {
  const Model model = standing_still(2, kMixed, -2, 1);
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {}));
  BranchOptions options = to_a_millionth();
  double last_lower = -kInfinity, last_upper = kInfinity;
  options.progress = [&](double lower, double upper, const char* phase) {
    EXPECT_GE(lower, last_lower);
    EXPECT_LE(upper, last_upper);
    EXPECT_NE(std::string(phase), "");
    last_lower = lower;
    last_upper = upper;
  };
  const Candidate start = look_locally(program, assess(program, middle_of(program)), kMayExceed, {});
  const BranchResult found = branch_and_bound(program, start, options);
  EXPECT_TRUE(found.finished);
  EXPECT_NEAR(found.best.objective, 1.0 / 24, 1e-6);
  EXPECT_GE(found.upper, 1.0 / 24 - 1e-12);
  EXPECT_LT(last_upper, kInfinity);
}

TEST(BranchAllowance, IsAHairLessThanAskedForAndTheSlackBesides) {
  const BranchOptions options{.gap = 0.5, .slack = 0.25};
  EXPECT_LT(options.allowance(-4), 2.25);
  EXPECT_NEAR(options.allowance(-4), 2.25, 1e-8);
}

}  // namespace
}  // namespace fairstep
