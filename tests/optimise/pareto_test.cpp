// One limit after the other: what each is worth, and what the wider ones say about the narrower.
#include <fairstep/optimise/pareto.hpp>

#include <algorithm>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

/// For limits that may be exceeded by their tolerance.
constexpr double kParetoSlack = 1e-6;

const Fairness kAnyParity{.parity = {{Notion::dp, {0.5}}}};

TEST(Pareto, HasTheOptimumOfEachLimitInTheOrderAskedFor) {
  // Unlimited 3/8 with a gap of 1/4, and a unit of limit is worth 1/4 (solve_test.cpp): 3/8 - 1/4 * (1/4 - limit).
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const std::vector<double> limits{0.125, 1, 0, 0.25};
  const auto points = unwrap(pareto(model, kAnyParity, limits, {.proof = {.gap = 1e-7, .time_limit = 600}}));
  ASSERT_EQ(points.size(), 4U);
  const std::vector<double> values{11.0 / 32, 3.0 / 8, 5.0 / 16, 3.0 / 8};
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].limit, limits[i]);
    EXPECT_EQ(points[i].result.outcome, Outcome::optimal);
    EXPECT_NEAR(points[i].result.bounds.lower, values[i], 1e-6);
  }
}

TEST(Pareto, OfNoLimitsIsEmpty) {
  EXPECT_TRUE(unwrap(pareto(standing_still(1, kHighAndLow, -0.5, 1), kAnyParity, {})).empty());
}

TEST(Pareto, ThatIsStoppedHasLookedAtTheWidestLimitAndSaysSoOfTheOthers) {
  std::stop_source source;
  source.request_stop();
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const auto points = unwrap(pareto(model, kAnyParity, std::vector{0.0, 0.5, 0.25}, {.stop = source.get_token()}));
  ASSERT_EQ(points.size(), 3U);
  for (const ParetoPoint& point : points) EXPECT_EQ(point.result.stopped_by, StopReason::requested);
  EXPECT_FALSE(points[0].result.solution || points[2].result.solution);
  EXPECT_TRUE(points[1].result.solution);
}

TEST(Pareto, GivesOnWhatIsWrongWithALimit) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const auto points = pareto(model, kAnyParity, std::vector{0.25, 2.0});
  ASSERT_FALSE(points);
  EXPECT_EQ(points.error().message, "limit is 2, expected between 0 and 1");
}

TEST(Pareto, WiderLimitsAreWorthMoreInValueAndInBound) {
  const Model model = testing::random_model(5, 2, 2, 3);
  const std::vector<double> limits{0.1, 0.0, 0.3, 0.05, 0.2};
  SolveOptions options;
  options.proof.gap = 1e-4;
  auto points = unwrap(pareto(model, {.parity = {{Notion::dp, {0.5}}}}, limits, options));
  ASSERT_EQ(points.size(), limits.size());
  for (std::size_t i = 0; i < limits.size(); ++i) EXPECT_EQ(points[i].limit, limits[i]);
  std::ranges::sort(points, {}, &ParetoPoint::limit);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(points[i].result.solution);
    const SolveResult& here = points[i].result;
    EXPECT_LE(here.bounds.lower, here.bounds.upper);
    // Each point is the same answer as on its own.
    const SolveResult alone = unwrap(solve(model, {.parity = {{Notion::dp, {points[i].limit}}}}, options));
    EXPECT_LE(here.bounds.lower, alone.bounds.upper + kParetoSlack);
    EXPECT_LE(alone.bounds.lower, here.bounds.upper + kParetoSlack);
    if (i == 0) continue;
    const SolveResult& before = points[i - 1].result;
    EXPECT_LE(before.bounds.upper, here.bounds.upper + kParetoSlack);
    EXPECT_LE(before.bounds.lower, here.bounds.upper + kParetoSlack);
  }
}

TEST(Pareto, RefusesAQuestionWithoutAParity) {
  const auto points = pareto(testing::random_model(5, 2, 2, 2), {}, std::vector{0.1});
  ASSERT_FALSE(points);
  EXPECT_EQ(points.error().message, "there is no parity limit to vary");
}

}  // namespace
}  // namespace fairstep
