// The adapters around the solver libraries, on programs small enough to solve by hand.
#include <fairstep/optimise/backends/backends.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

TEST(LinearProgram, GivesTheOptimumAndThePriceOfEachRow) {
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

TEST(LinearProgram, AFloorThatBindsHasANegativePrice) {
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

TEST(LinearProgram, GrowsByColumnsAndRows) {
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

TEST(LinearProgram, BecomesAnotherProgramAtOnce) {
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

TEST(LinearProgram, SaysWhenNothingFitsAndWhenNothingHolds) {
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

/// minimise (x - 2)^2 + (y - 1)^2 with x + y <= 2, 0 <= x, y <= 10: the nearest point of the line, (3/2, 1/2).
class NearestPoint final : public NonlinearProgram {
 public:
  explicit NearestPoint(bool curved, double least = -1e20) : curved_(curved), least_(least) {}
  [[nodiscard]] Bounds variable_bounds() const override { return {{0, 0}, {10, 10}}; }
  [[nodiscard]] Bounds constraint_bounds() const override { return {{least_}, {2}}; }
  [[nodiscard]] Sparsity jacobian_sparsity() const override { return {{0, 0}, {0, 1}}; }
  [[nodiscard]] std::vector<double> start() const override { return {5, 5}; }
  double evaluate(std::span<const double> x, std::span<double> constraints) override {
    x_.assign(x.begin(), x.end());
    constraints[0] = x[0] + x[1];
    return (x[0] - 2) * (x[0] - 2) + (x[1] - 1) * (x[1] - 1);
  }
  void differentiate(std::span<double> gradient, std::span<double> jacobian) override {
    gradient[0] = 2 * (x_[0] - 2);
    gradient[1] = 2 * (x_[1] - 1);
    jacobian[0] = jacobian[1] = 1;
  }
  [[nodiscard]] Sparsity hessian_sparsity() const override { return curved_ ? Sparsity{{0, 1}, {0, 1}} : Sparsity{}; }
  void hessian(double factor, std::span<const double>, std::span<double> entries) override {
    entries[0] = entries[1] = 2 * factor;
  }

 private:
  bool curved_;
  double least_;
  std::vector<double> x_{};
};

TEST(NonlinearProgram, FindsTheNearestPointWithAndWithoutSecondDerivatives) {
  for (const bool curved : {true, false}) {
    NearestPoint program(curved);
    const NlpSolution solution = libraries().solve(program);
    ASSERT_EQ(solution.status, NlpStatus::converged);
    EXPECT_NEAR(solution.x[0], 1.5, 1e-6);
    EXPECT_NEAR(solution.x[1], 0.5, 1e-6);
    EXPECT_GT(solution.iterations, 0);
  }
}

TEST(NonlinearProgram, StopsWhenAskedTo) {
  NearestPoint program(true);
  const NlpSolution solution = libraries().solve(program, {.cancelled = [] { return true; }});
  EXPECT_EQ(solution.status, NlpStatus::stopped);
}

}  // namespace
}  // namespace fairstep
