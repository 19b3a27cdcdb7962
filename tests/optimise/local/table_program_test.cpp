// First and second derivatives of the smooth program against differences of its own values.
#include <fairstep/optimise/local/table_program.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "optimise/reference.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

std::vector<double> dense(const NonlinearProgram::Sparsity& where, const std::vector<double>& entries, std::size_t rows,
                          std::size_t columns) {
  std::vector<double> out(rows * columns, 0.0);
  // Entries at the same place add up.
  for (std::size_t i = 0; i < entries.size(); ++i)
    out[static_cast<std::size_t>(where.row[i]) * columns + static_cast<std::size_t>(where.column[i])] += entries[i];
  return out;
}

Tables some_tables(const Program& program, std::uint64_t seed) {
  Rng rng(seed, 701);
  Tables tables(program.blocks.size(), std::vector<double>(program.table_size()));
  for (auto& table : tables)
    for (double& p : table) p = 0.2 + 0.6 * rng.uniform();
  return tables;
}

/// Gradient, Jacobian and Hessian at a random point whose f and t are near what the tables make of them, and not equal.
void check_derivatives(const Program& program, Goal goal, const std::string& what) {
  const Tables start = some_tables(program, 5);
  TableProgram smooth(program, start, 1e-9, goal);
  std::vector<double> x = smooth.start();
  Rng rng(6, 702);
  for (double& v : x) v += 0.02 * (rng.uniform() - 0.5);
  const std::size_t n = x.size(), m = smooth.constraint_bounds().low.size();
  const auto jacobian_at = smooth.jacobian_sparsity();
  const auto hessian_at = smooth.hessian_sparsity();
  ASSERT_EQ(smooth.variable_bounds().low.size(), n);

  struct At {
    double f;
    std::vector<double> c, gradient, jacobian;
  };
  const auto look = [&](const std::vector<double>& at) {
    At found{0, std::vector<double>(m), std::vector<double>(n), std::vector<double>(jacobian_at.row.size())};
    found.f = smooth.evaluate(at, found.c);
    smooth.differentiate(found.gradient, found.jacobian);
    found.jacobian = dense(jacobian_at, found.jacobian, m, n);
    return found;
  };

  const double factor = 0.7;
  std::vector<double> multipliers(m);
  for (double& y : multipliers) y = 2 * rng.uniform() - 1;
  const At here = look(x);
  std::vector<double> hessian(hessian_at.row.size());
  smooth.hessian(factor, multipliers, hessian);
  hessian = dense(hessian_at, hessian, n, n);

  // Central differences: the error is of order step^2 times third derivatives, plus rounding over step.
  const double step = 1e-5, close = 1e-6;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> up = x, down = x;
    up[j] += step;
    down[j] -= step;
    const At above = look(up), below = look(down);
    EXPECT_NEAR(here.gradient[j], (above.f - below.f) / (2 * step), close) << what << ", gradient " << j;
    for (std::size_t i = 0; i < m; ++i)
      EXPECT_NEAR(here.jacobian[i * n + j], (above.c[i] - below.c[i]) / (2 * step), close)
          << what << ", constraint " << i << ", variable " << j;
    for (std::size_t i = 0; i < n; ++i) {
      double change = factor * (above.gradient[i] - below.gradient[i]);
      for (std::size_t k = 0; k < m; ++k)
        change += multipliers[k] * (above.jacobian[k * n + i] - below.jacobian[k * n + i]);
      const double found = i >= j ? hessian[i * n + j] : hessian[j * n + i];
      EXPECT_NEAR(found, change / (2 * step), 1e-5 * (1 + std::abs(found))) << what << ", Hessian " << i << " " << j;
    }
  }
}

const Fairness kDp{.parity = {{Notion::dp, {0.05}}}};
const Fairness kEqopt{.parity = {{Notion::eqopt, {0.05}}}};

TEST(TableProgram, DerivativesOfHardLimitsAreThoseOfTheValues) {
  for (const std::size_t groups : {2U, 3U}) {
    const Model model = testing::random_model(3, groups, 2, 3, 0.9);
    Fairness everything{.parity = {{Notion::eqodds, {0.1}}}, .aggregate_eqopt = 0.1, .capacity = Capacity{{0.5}}};
    everything.moments = {testing::moment_row(model, 0.3)};
    const std::string with = std::to_string(groups) + " groups";
    for (const bool shared : {false, true}) {
      const PolicyClass policies{.floor = 0.05, .group_independent = shared};
      check_derivatives(unwrap(compile(model, kDp, policies)), Goal::value, "dp, " + with);
      check_derivatives(unwrap(compile(model, kEqopt, policies)), Goal::value, "eqopt, " + with);
      check_derivatives(unwrap(compile(model, everything, policies)), Goal::value, "everything, " + with);
    }
  }
}

TEST(TableProgram, DerivativesOfPenaltiesAreThoseOfTheValues) {
  const Model model = testing::random_model(4, 3, 2, 3);
  for (const PenaltyForm form : {PenaltyForm::rate, PenaltyForm::cross})
    for (const Fairness& fairness : {kDp, kEqopt})
      check_derivatives(unwrap(compile_penalty(model, fairness, {}, 3, form)), Goal::value, "penalty");
}

TEST(TableProgram, DerivativesOfTheLeastViolationAreThoseOfTheValues) {
  for (const std::size_t groups : {2U, 3U}) {
    const Model model = testing::random_model(8, groups, 2, 3);
    Fairness fairness = kEqopt;
    fairness.capacity = Capacity{{0.2}};
    fairness.moments = {testing::moment_row(model, 0.1)};
    check_derivatives(unwrap(compile(model, fairness, {})), Goal::least_violation, "least violation");
  }
}

}  // namespace
}  // namespace fairstep
