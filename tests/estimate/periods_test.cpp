#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::random_policy;
using testing::unwrap;

const Periods kBeforeAndAfter{{{"before", 0}, {"after", 2}}};

Counts counts_of_changing(const Model& model, std::uint64_t people) {
  SimulateOptions options;
  options.crowd = {people, true};
  return unwrap(simulate_counts(model, random_policy(1, model), options));
}

TEST(EstimatePeriods, RowsAreProportionsOfTheirPeriod) {
  const Model truth = changing_model(2, 2, 2, 5, kBeforeAndAfter);
  const Counts counts = counts_of_changing(truth, 500);
  const Estimate found = unwrap(estimate(counts));
  EXPECT_EQ(found.model.periods(), kBeforeAndAfter);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t cell = 0; cell < 8; ++cell) {
        const auto seen = counts.kernel(g, k).subspan(cell * 4, 4);
        const std::int64_t all = seen[0] + seen[1] + seen[2] + seen[3];
        EXPECT_EQ(found.successors.of(g, k)[cell], all);
        EXPECT_EQ(found.model.spec().rests_on->successors.of(g, k)[cell], all);
        for (std::size_t s = 0; s < 4 && all > 0; ++s)
          EXPECT_EQ(found.model.spec().transition.of(g, k)[cell * 4 + s],
                    static_cast<double>(seen[s]) / static_cast<double>(all));
      }
}

TEST(EstimatePeriods, PooledCountsGiveOneKernelForAllSteps) {
  const Counts counts = counts_of_changing(changing_model(2, 2, 2, 5, kBeforeAndAfter), 500);
  const Estimate pooled = unwrap(estimate(unwrap(counts.by({}))));
  EXPECT_TRUE(pooled.model.periods().pooled());
  EXPECT_EQ(pooled.model.spec().transition(0, 1, 0, 1, 0, 1),
            static_cast<double>(counts.transitions()(0, 1, 0, 1, 0, 1)) /
                static_cast<double>(counts.successors_of(0, 1, 0, 1)));
}

TEST(EstimatePeriods, ARowThatNobodySawIsListedWithItsPeriod) {
  CountsSpec spec = CountsSpec::zeros(3, {{"a", "b"}, {"x"}}, Periods::per_step(3));
  spec.first(0, 0, 1) = spec.first(1, 0, 1) = 1;
  for (std::size_t g = 0; g < 2; ++g) {
    for (std::size_t h = 0; h < 3; ++h) spec.visits(g, h, 0, 1, 1) = 1;
    for (std::size_t k = 0; k < 2; ++k) spec.by_period(g, k, 0, 1, 1, 0, 1) = 1;
  }
  spec.sum_over_periods();
  const Counts counts = unwrap(Counts::make(spec));
  const Estimate found = unwrap(estimate(counts));
  EXPECT_EQ(found.unvisited, 12U);  // of 2 groups, 4 cells and 2 periods all but 4
  EXPECT_EQ(found.unvisited_cells[0], (Cell{0, 0, 0, 0, 0}));
  EXPECT_EQ(found.unvisited_cells[1], (Cell{0, 0, 0, 0, 1}));
  EXPECT_EQ(guessed_rows(*found.model.spec().rests_on), 12U);
  const auto refused = estimate(counts, {.unvisited = Unvisited::error});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "transitions[g=a,period=0,x=0,y=0,a=0] has no successor, expected at least 1 in every cell");
}

TEST(EstimatePeriods, RadiiPayForTheRowsOfAllPeriods) {
  const Counts counts = counts_of_changing(changing_model(2, 2, 2, 5, kBeforeAndAfter), 500);
  const Estimate found = unwrap(estimate(counts));
  const Radii all = unwrap(radii(found, 0.1));
  EXPECT_DOUBLE_EQ(all.delta_row, 0.1 / (2 * (2 * 8 + 1)));  // 2 groups, 2 periods of 8 cells and the first states
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t cell = 0; cell < 8; ++cell)
        EXPECT_EQ(all.row.of(g, k)[cell], tv_radius(found.successors.of(g, k)[cell], 4, all.delta_row));
}

TEST(EstimatePeriods, WhateverWasLostOfACellMayBeOfAnyPeriod) {
  CountsSpec spec = counts_of_changing(changing_model(2, 2, 2, 5, kBeforeAndAfter), 500).spec();
  spec.log.emplace();
  spec.log->rows = 5000;
  spec.log->lost = Lost::none(spec.shape());
  spec.log->lost->transitions(0, 1, 1, 1) = 7;
  const Estimate found = unwrap(estimate(unwrap(Counts::make(std::move(spec)))));
  const Radii all = unwrap(radii(found, 0.1));
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(all.row.of(0, k)[cell_of(1, 1, 1)],
              tv_radius({found.successors.of(0, k)[cell_of(1, 1, 1)], 7, 0}, 4, all.delta_row));
}

}  // namespace
}  // namespace fairstep
