// Ipopt behind its interface, on a smooth program small enough to solve by hand.
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/backends/backends.hpp>

namespace fairstep {
namespace {

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

TEST(Ipopt, FindsTheNearestPointWithAndWithoutSecondDerivatives) {
  for (const bool curved : {true, false}) {
    NearestPoint program(curved);
    const NlpSolution solution = libraries().solve(program);
    ASSERT_EQ(solution.status, NlpStatus::converged);
    EXPECT_NEAR(solution.x[0], 1.5, 1e-6);
    EXPECT_NEAR(solution.x[1], 0.5, 1e-6);
    EXPECT_GT(solution.iterations, 0);
  }
}

TEST(Ipopt, StopsWhenAskedTo) {
  NearestPoint program(true);
  const NlpSolution solution = libraries().solve(program, {.cancelled = [] { return true; }});
  EXPECT_EQ(solution.status, NlpStatus::stopped);
}

}  // namespace
}  // namespace fairstep
