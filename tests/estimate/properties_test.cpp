// What must hold of every estimate, on random models.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/bonus.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/estimate/literal_relaxation.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_policy;
using testing::unwrap;

class EstimateProperties : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static Model model() {
    RandomOptions options;
    options.groups = 2 + GetParam() % 3;
    options.features = 1 + GetParam() % 4;
    options.horizon = 1 + GetParam() % 5;
    options.reward_noise = GetParam() % 2 == 0 ? 0.5 : 0;
    options.participation = GetParam() % 3 == 0;
    options.seed = GetParam();
    return unwrap(make_random(options));
  }
  static Counts counts(std::uint64_t people) {
    SimulateOptions options;
    options.crowd = {people, true};
    options.seed = GetParam();
    const Model truth = model();
    return unwrap(simulate_counts(truth, random_policy(GetParam(), truth), options));
  }
};

TEST_P(EstimateProperties, SeenNumbersAddUp) {
  const Counts log = counts(50);
  const Estimate e = unwrap(estimate(log));
  const auto sum = [](std::span<const std::int64_t> all) {
    std::int64_t total = 0;
    for (const std::int64_t n : all) total += n;
    return total;
  };
  EXPECT_EQ(sum(e.visits.flat()), sum(log.visits().flat()));
  EXPECT_EQ(sum(e.successors.flat()), sum(log.transitions().flat()));
  EXPECT_EQ(static_cast<std::size_t>(std::count(e.successors.flat().begin(), e.successors.flat().end(), 0)),
            e.unvisited);
  EXPECT_EQ(e.unvisited_cells.size(), e.unvisited);
  for (std::size_t i = 0; i < e.visits.size(); ++i) EXPECT_LE(e.successors.flat()[i], e.visits.flat()[i]);
}

TEST_P(EstimateProperties, TheSameLogManyTimesGivesTheSameModelWithSmallerRadii) {
  const Counts once = counts(20);
  Counts often = once;
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(often.add(once));
  const Estimate a = unwrap(estimate(once));
  const Estimate b = unwrap(estimate(often));
  for (std::size_t i = 0; i < a.model.spec().transition.size(); ++i)
    EXPECT_NEAR(a.model.spec().transition.flat()[i], b.model.spec().transition.flat()[i], 1e-15);
  for (std::size_t i = 0; i < a.model.spec().reward.size(); ++i)
    EXPECT_NEAR(a.model.spec().reward.flat()[i], b.model.spec().reward.flat()[i], 1e-12);
  EXPECT_EQ(a.unvisited_cells, b.unvisited_cells);
  const Radii wide = *radii(a, 0.1);
  const Radii narrow = *radii(b, 0.1);
  for (std::size_t i = 0; i < wide.row.size(); ++i) {
    EXPECT_LE(narrow.row.flat()[i], wide.row.flat()[i]);
    if (wide.row.flat()[i] < 1) {
      EXPECT_LT(narrow.row.flat()[i], wide.row.flat()[i]);
    }
  }
  const AtEpisode at{a.model.shape(), 100, 0.1};
  const WorstCells few = worst_cells(a);
  const WorstCells many = worst_cells(b);
  EXPECT_LE(c_hat(many.visits, at, paper_epsilon(at)), c_hat(few.visits, at, paper_epsilon(at)));
}

TEST_P(EstimateProperties, ManyPeopleBringTheEstimateToTheTruth) {
  const Model truth = model();
  SimulateOptions options;
  options.crowd = {std::uint64_t{1} << 40, true};
  const Estimate e = unwrap(estimate(unwrap(simulate_counts(truth, unwrap(uniform_policy(truth, 0.5)), options))));
  // No row of these models rests on fewer than 10^8 draws, so that a number is off by more than 1e-3 with probability
  // below 2 exp(-200) (Hoeffding; rewards have noise at most 1 wide).
  for (std::size_t i = 0; i < truth.spec().initial.size(); ++i)
    EXPECT_NEAR(e.model.spec().initial.flat()[i], truth.spec().initial.flat()[i], 1e-3);
  for (std::size_t g = 0; g < truth.shape().groups; ++g)
    for (std::size_t cell = 0; cell < truth.shape().cells(); ++cell) {
      if (e.visits.block(g)[cell] > 0) {
        EXPECT_NEAR(e.model.reward(g)[cell], truth.reward(g)[cell], 1e-3);
      }
      if (e.successors.block(g)[cell] == 0) continue;
      for (std::size_t s = 0; s < truth.shape().states(); ++s)
        EXPECT_NEAR(e.model.kernel(g, 0).row(cell)[s], truth.kernel(g, 0).row(cell)[s], 1e-3);
    }
}

TEST_P(EstimateProperties, TheRuleChangesUnvisitedRowsOnly) {
  const Counts log = counts(2);
  const Estimate uniform = unwrap(estimate(log));
  EstimateOptions options;
  options.unvisited = Unvisited::stay;
  const Estimate stay = unwrap(estimate(log, options));
  EXPECT_EQ(uniform.unvisited_cells, stay.unvisited_cells);
  EXPECT_EQ(uniform.model.spec().reward, stay.model.spec().reward);
  const Shape& n = uniform.model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const double* one = uniform.model.kernel(g, 0).row(cell);
      const double* other = stay.model.kernel(g, 0).row(cell);
      EXPECT_EQ(std::equal(one, one + n.states(), other), uniform.successors.block(g)[cell] > 0);
    }
  options.unvisited = Unvisited::error;
  EXPECT_EQ(estimate(log, options).has_value(), uniform.unvisited == 0);
}

TEST_P(EstimateProperties, MoreVisitsNeverRaiseTheBonus) {
  const AtEpisode at{model().shape(), 1 + GetParam(), 0.1};
  double before = unit_bonus(0, at);
  for (std::int64_t visits = 1; visits < std::int64_t{1} << 40; visits *= 3) {
    const double now = unit_bonus(visits, at);
    EXPECT_LE(now, before);
    before = now;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomModels, EstimateProperties, ::testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace fairstep
