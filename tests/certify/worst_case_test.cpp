// The worst case over balls and boxes against linear programs: at every step and row, the greatest mean by a solver
// that knows nothing of sorting and moving mass.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/robust.hpp>
#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

constexpr double kSolverClose = 1e-8;  // the solver's tolerance

using Values = std::vector<double>;

struct Set {
  std::span<const double> p, low, high;
  double radius = 0;
};

/// max q.f subject to sum q = 1, low <= q <= high, q - p = up - down, sum (up + down) <= 2 radius.
double greatest_by_program(const Set& set, const Values& f) {
  const auto lp = libraries().linear();
  LinearProgram& program = *lp;
  std::vector<Coefficient> sum;
  std::vector<Coefficient> moved;
  const std::size_t n = f.size();
  for (std::size_t s = 0; s < n; ++s) sum.push_back({program.add_variable(set.low[s], set.high[s], f[s]), 1});
  for (std::size_t s = 0; s < 2 * n; ++s) moved.push_back({program.add_variable(0, 1, 0), 1});
  program.add_row(1, 1, sum);
  program.add_row(0, 2 * set.radius, moved);
  for (std::size_t s = 0; s < n; ++s) {
    const std::vector<Coefficient> row{{s, 1}, {n + s, -1}, {2 * n + s, 1}};
    program.add_row(set.p[s], set.p[s], row);
  }
  const LpSolution solution = program.solve();
  EXPECT_EQ(solution.status, LpStatus::optimal);
  return solution.objective;
}

class Programs {
 public:
  Programs(const Model& model, const Policy& policy, const Balls& balls, std::size_t g)
      : model_(model), policy_(policy), balls_(balls), g_(g) {}

  /// The greatest mean of a payoff at step h.
  [[nodiscard]] double greatest(std::size_t h, Values f) const {
    for (std::size_t t = h; t-- > 0;) f = before(t, f, [](std::size_t) { return 0.0; });
    return greatest_by_program(first(), f);
  }

  /// Minus the least value.
  [[nodiscard]] double greatest_cost() const {
    Values f(model_.shape().states());
    for (std::size_t t = model_.shape().horizon; t-- > 0;)
      f = before(t, f, [&](std::size_t cell) { return -model_.reward(g_)[cell]; }, model_.discount());
    return greatest_by_program(first(), f);
  }

 private:
  [[nodiscard]] Set first() const {
    return {model_.initial(g_), balls_.boxes->initial_low.block(g_), balls_.boxes->initial_high.block(g_),
            balls_.initial[g_]};
  }

  [[nodiscard]] Values before(std::size_t t, const Values& f, const std::function<double(std::size_t)>& cost,
                              double discount = 1) const {
    const std::size_t states = f.size();
    Values result(states);
    for (std::size_t cell = 0; cell < 2 * states; ++cell) {
      const auto row = [&](const ByPeriod<double, 6>& tensor) {
        return tensor.block(g_).subspan(cell * states, states);
      };
      const Set set{row(model_.spec().transition), row(balls_.boxes->low), row(balls_.boxes->high),
                    balls_.row.block(g_)[cell]};
      const double p = policy_.accept(g_, t, cell / 4);
      result[cell / 2] += (cell % 2 == 1 ? p : 1 - p) * (cost(cell) + discount * greatest_by_program(set, f));
    }
    return result;
  }

  const Model& model_;
  const Policy& policy_;
  const Balls& balls_;
  std::size_t g_;
};

TEST(WorstCase, AgreesWithLinearPrograms) {
  std::size_t inside = 0;  // ends that the sets decide, and not only the policy's own entries
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model truth = random_model(seed, 2, 2 + seed % 2, 2 + seed % 2, 0.9);
    const Policy policy = random_policy(seed, truth);
    const std::uint64_t people = seed % 3 == 0 ? 60 : seed % 3 == 1 ? 2000 : 200000;
    const Counts counts = unwrap(simulate_counts(truth, policy, {{people, true}, seed, 0, 1}));
    EstimateOptions how;
    how.discount = 0.9;
    const Estimate found = unwrap(estimate(counts, how));
    const Balls balls = confidence_sets(counts, found, *found.lost, split_delta({}, counts.shape()));
    const RobustRates rates = unwrap(robust_rates(found.model, policy, balls));
    const auto qualified = unwrap(robust_qualified(found.model, policy, balls));
    const auto values = unwrap(robust_values(found.model, policy, balls));
    const Shape& n = truth.shape();
    for (std::size_t g = 0; g < n.groups; ++g) {
      const Programs programs(found.model, policy, balls, g);
      EXPECT_NEAR(values[g], -programs.greatest_cost(), kSolverClose * static_cast<double>(n.horizon));
      for (std::size_t h = 0; h < n.horizon; ++h) {
        const auto greatest = [&](const std::function<double(std::size_t, std::size_t)>& payoff) {
          Values f(n.states());
          for (std::size_t s = 0; s < f.size(); ++s) f[s] = payoff(s / 2, s % 2);
          return programs.greatest(h, f);
        };
        const auto accept = [&](std::size_t x) { return policy.accept(g, h, x); };
        EXPECT_NEAR(rates.accept(g, h).high, greatest([&](auto x, auto) { return accept(x); }), kSolverClose);
        EXPECT_NEAR(rates.accept(g, h).low, -greatest([&](auto x, auto) { return -accept(x); }), kSolverClose);
        EXPECT_NEAR(qualified(g, h).high, greatest([&](auto, auto y) { return y == 1 ? 1.0 : 0.0; }), kSolverClose);
        EXPECT_NEAR(qualified(g, h).low, -greatest([&](auto, auto y) { return y == 1 ? -1.0 : 0.0; }), kSolverClose);
        for (const std::size_t label : {0u, 1u})
          for (const double sign : {1.0, -1.0}) {
            const Range range = label == 1 ? rates.tpr(g, h) : rates.fpr(g, h);
            const double end = sign > 0 ? range.high : -range.low;
            const auto excess = [&](double t) {
              return greatest([&](auto x, auto y) { return y == label ? sign * accept(x) - t : 0.0; });
            };
            EXPECT_LE(excess(end), kSolverClose);
            EXPECT_GE(excess(end - 1e-6), -kSolverClose);
            inside += excess(end + 1e-3) < -1e-5 ? 1 : 0;
          }
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(inside, 100u);
}

TEST(WorstCase, RefusesABoxThatTheModelIsNotIn) {
  const Model model = random_model(1, 2, 2, 2);
  const Policy policy = random_policy(1, model);
  const Counts counts = unwrap(simulate_counts(model, policy, {{100, true}, 1, 0, 1}));
  const Estimate found = unwrap(estimate(counts));
  Balls balls = confidence_sets(counts, found, *found.lost, split_delta({}, counts.shape()));
  balls.boxes->low(1, 0, 1, 0, 1, 1) = 1;
  const auto refused = robust_rates(found.model, policy, balls);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/low/1/0/1/0/1/1");
}

}  // namespace
}  // namespace fairstep
