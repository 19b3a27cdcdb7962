// HiGHS behind its interface, on linear programs small enough to solve by hand.
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/backends/backends.hpp>

namespace fairstep {
namespace {

TEST(Highs, GivesTheOptimumAndThePriceOfEachRow) {
  // maximise 3 a + 2 b with a + b <= 4, a <= 3 (a row), a, b >= 0: a = 3, b = 1, 11. One more unit of the first row
  // buys a unit of b, 2; one more of the second swaps b for a, 3 - 2 = 1.
  const auto program = libraries().linear();
  LinearProgram& lp = *program;
  const std::size_t a = lp.add_variable(0, kInfinity, 3), b = lp.add_variable(0, kInfinity, 2);
  const std::size_t both = lp.add_row(-kInfinity, 4, std::vector<Coefficient>{{a, 1.0}, {b, 1.0}});
  const std::size_t first = lp.add_row(-kInfinity, 3, std::vector<Coefficient>{{a, 1.0}});
  const LpSolution solution = lp.solve();
  ASSERT_EQ(solution.status, LpStatus::optimal);
  EXPECT_NEAR(solution.objective, 11, 1e-9);
  EXPECT_NEAR(solution.x[a], 3, 1e-9);
  EXPECT_NEAR(solution.x[b], 1, 1e-9);
  EXPECT_NEAR(solution.price[both], 2, 1e-9);
  EXPECT_NEAR(solution.price[first], 1, 1e-9);
}

TEST(Highs, AFloorThatBindsHasANegativePrice) {
  // maximise -a with a >= 2 as a row: raising that side by one costs one.
  const auto program = libraries().linear();
  LinearProgram& lp = *program;
  const std::size_t a = lp.add_variable(0, 10, -1);
  const std::size_t row = lp.add_row(2, kInfinity, std::vector<Coefficient>{{a, 1.0}});
  const LpSolution solution = lp.solve();
  ASSERT_EQ(solution.status, LpStatus::optimal);
  EXPECT_NEAR(solution.objective, -2, 1e-9);
  EXPECT_NEAR(solution.price[row], -1, 1e-9);
}

TEST(Highs, GrowsByColumnsAndRows) {
  // maximise a with a + b = 1, then a column c that is worth 5 in b's place, then c <= 1/4 as a row.
  const auto program = libraries().linear();
  LinearProgram& lp = *program;
  const std::size_t sum = lp.add_row(1, 1);
  lp.add_variable(0, kInfinity, 1, std::vector<Coefficient>{{sum, 1.0}});
  EXPECT_NEAR(lp.solve().objective, 1, 1e-9);
  const std::size_t c = lp.add_variable(0, kInfinity, 5, std::vector<Coefficient>{{sum, 1.0}});
  EXPECT_NEAR(lp.solve().objective, 5, 1e-9);
  const std::size_t cap = lp.add_row(-kInfinity, 0.25, std::vector<Coefficient>{{c, 1.0}});
  EXPECT_NEAR(lp.solve().objective, 2, 1e-9);  // 5/4 + 3/4
  lp.set_coefficient(cap, c, 0.5);             // c / 2 <= 1/4
  EXPECT_NEAR(lp.solve().objective, 3, 1e-9);  // 5/2 + 1/2
  lp.set_variable_bounds(c, 0, 0);
  EXPECT_NEAR(lp.solve().objective, 1, 1e-9);
  EXPECT_EQ(lp.variables(), 2U);
  EXPECT_EQ(lp.rows(), 2U);
}

TEST(Highs, BecomesAnotherProgramAtOnce) {
  // maximise 3 a + 2 b with a + b <= 4 and 0 <= a, b <= 3: 11, a unit of the row is worth 2.
  LpMatrix matrix{.objective = {3, 2}, .row_start = {0, 2}, .entries = {{0, 1.0}, {1, 1.0}}};
  LpBounds bounds{.low = {0, 0}, .high = {3, 3}, .row_low = {-kInfinity}, .row_high = {4}};
  for (const Simplex simplex : {Simplex::primal, Simplex::dual}) {
    const auto program = libraries().linear(simplex);
    LinearProgram& lp = *program;
    lp.replace(matrix, bounds);
    EXPECT_NEAR(lp.solve().objective, 11, 1e-9);
    EXPECT_NEAR(lp.solve().price[0], 2, 1e-9);
    // Other bounds: a <= 1, so b takes the rest up to its own bound, 3 + 6.
    LpBounds narrower = bounds;
    narrower.high[0] = 1;
    lp.set_bounds(narrower);
    EXPECT_NEAR(lp.solve().objective, 9, 1e-9);
    narrower.row_high[0] = 2;  // one unit for each
    lp.set_bounds(narrower);
    EXPECT_NEAR(lp.solve().objective, 5, 1e-9);
    // Another matrix, 2 a + b <= 4 and b - a <= 1: b is worth more per unit of the first row, so the second binds as
    // well, a = 1, b = 2.
    lp.replace({.objective = {3, 2}, .row_start = {0, 2, 4}, .entries = {{0, 2.0}, {1, 1.0}, {0, -1.0}, {1, 1.0}}},
               {.low = {0, 0}, .high = {3, 3}, .row_low = {-kInfinity, -kInfinity}, .row_high = {4, 1}});
    const LpSolution last = lp.solve();
    EXPECT_NEAR(last.x[0], 1, 1e-9);
    EXPECT_NEAR(last.x[1], 2, 1e-9);
  }
}

TEST(Highs, SaysWhenNothingFitsAndWhenNothingHolds) {
  const auto nothing_fits = libraries().linear();
  const std::size_t a = nothing_fits->add_variable(0, 1, 1);
  nothing_fits->add_row(2, kInfinity, std::vector<Coefficient>{{a, 1.0}});
  EXPECT_EQ(nothing_fits->solve().status, LpStatus::infeasible);

  const auto nothing_holds = libraries().linear();
  const std::size_t b = nothing_holds->add_variable(0, kInfinity, 1);
  const std::size_t c = nothing_holds->add_variable(0, kInfinity, 0);
  nothing_holds->add_row(0, 0, std::vector<Coefficient>{{b, 1.0}, {c, -1.0}});
  EXPECT_EQ(nothing_holds->solve().status, LpStatus::unbounded);
}

}  // namespace
}  // namespace fairstep
