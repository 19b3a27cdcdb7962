// Solvers that return nonsense: whatever the optimiser asks is answered honestly and then spoilt in a way of our
// choice. What is reported must stay true: values and gaps are the referee's, no bound may fall below what can be
// reached, and nothing that is feasible is called infeasible.
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/answer/solve_with.hpp>
#include <fairstep/optimise/backends/backends.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>
#include <fairstep/optimise/search/rates.hpp>
#include <fairstep/optimise/solve.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

struct Lie {
  std::string name{};
  std::function<void(LpSolution&)> lp{};
  std::function<void(NlpSolution&)> nlp{};
};

/// Passes everything on but the truth.
class LyingProgram final : public LinearProgram {
 public:
  LyingProgram(std::unique_ptr<LinearProgram> honest, const Lie& lie) : honest_(std::move(honest)), lie_(lie) {}

  std::size_t add_variable(double low, double high, double objective, std::span<const Coefficient> column) override {
    return honest_->add_variable(low, high, objective, column);
  }
  std::size_t add_row(double low, double high, std::span<const Coefficient> row) override {
    return honest_->add_row(low, high, row);
  }
  void remove_variables(const std::vector<bool>& which) override { honest_->remove_variables(which); }
  void remove_rows(const std::vector<bool>& which) override { honest_->remove_rows(which); }
  void set_objective(std::size_t variable, double objective) override { honest_->set_objective(variable, objective); }
  void set_variable_bounds(std::size_t variable, double low, double high) override {
    honest_->set_variable_bounds(variable, low, high);
  }
  void set_row_bounds(std::size_t row, double low, double high) override { honest_->set_row_bounds(row, low, high); }
  void set_coefficient(std::size_t row, std::size_t variable, double value) override {
    honest_->set_coefficient(row, variable, value);
  }
  [[nodiscard]] std::size_t variables() const override { return honest_->variables(); }
  [[nodiscard]] std::size_t rows() const override { return honest_->rows(); }
  void replace(const LpMatrix& matrix, const LpBounds& bounds) override { honest_->replace(matrix, bounds); }
  void set_bounds(const LpBounds& bounds) override { honest_->set_bounds(bounds); }
  void stop_when(std::function<bool()> asked) override { honest_->stop_when(std::move(asked)); }

 private:
  [[nodiscard]] LpSolution ask() override {
    LpSolution answer = honest_->solve();
    if (lie_.lp) lie_.lp(answer);
    return answer;
  }

  std::unique_ptr<LinearProgram> honest_;
  const Lie& lie_;
};

class LyingBackends final : public Backends {
 public:
  explicit LyingBackends(Lie lie) : lie_(std::move(lie)) {}

  [[nodiscard]] std::unique_ptr<LinearProgram> linear(Simplex simplex) const override {
    return std::make_unique<LyingProgram>(libraries().linear(simplex), lie_);
  }
  [[nodiscard]] NlpSolution solve(NonlinearProgram& program, const NlpOptions& options) const override {
    NlpSolution answer = libraries().solve(program, options);
    if (lie_.nlp) lie_.nlp(answer);
    return answer;
  }

 private:
  Lie lie_;
};

std::vector<Lie> lies() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto all_x = [](double factor, double plus) {
    return [=](auto& answer) {
      for (double& x : answer.x) x = factor * x + plus;
    };
  };
  const auto all_prices = [](double factor, double plus) {
    return [=](LpSolution& answer) {
      for (double& price : answer.price) price = factor * price + plus;
    };
  };
  const auto status = [](LpStatus claimed) { return [=](LpSolution& answer) { answer.status = claimed; }; };
  const auto objective = [](double value) { return [=](LpSolution& answer) { answer.objective = value; }; };
  return {
      {"points that break every bound", all_x(1, 5), {}},
      {"points that are no numbers", all_x(nan, 0), {}},
      {"points that are 0", all_x(0, 0), {}},
      {"an objective that is too high", objective(1e6), {}},
      {"an objective that is too low", objective(-1e6), {}},
      {"an objective that is no number", objective(nan), {}},
      {"prices of the wrong sign", all_prices(-1, 0), {}},
      {"prices ten times too high", all_prices(10, 0), {}},
      {"prices that are 0", all_prices(0, 0), {}},
      {"prices that are no numbers", all_prices(nan, 0), {}},
      {"prices that are infinite", all_prices(0, std::numeric_limits<double>::infinity()), {}},
      {"everything is infeasible", status(LpStatus::infeasible), {}},
      {"everything is unbounded", status(LpStatus::unbounded), {}},
      {"nothing is ever solved", status(LpStatus::stopped), {}},
      {"local solutions that break every bound", {}, all_x(1, 5)},
      {"local solutions that are no numbers", {}, all_x(nan, 0)},
      {"local solutions that are 1", {}, all_x(0, 1)},
      {"no local solution at all", {}, [](NlpSolution& answer) { answer = {}; }},
      {"local solutions that claim to have converged",
       {},
       [](NlpSolution& answer) {
         answer.status = NlpStatus::converged;
         for (double& x : answer.x) x = 0.5;
       }},
  };
}

class LyingBackend : public ::testing::TestWithParam<Lie> {};

/// What is reported stays true when the backends lie, whatever the method.
void expect_truth(const Lie& lie, const Model& model, Notion notion, Method method, const std::string& where) {
  const Fairness fairness{.parity = {{notion, {0.02}}}};
  SolveOptions options;
  options.method = method;
  options.penalty = method == Method::penalty ? 1 : 0;  // with one, the local solver is the nonlinear backend
  options.proof.effort = 2000;
  const SolveResult honest = unwrap(solve(model, fairness, options));
  ASSERT_TRUE(honest.solution) << where;

  const LyingBackends liar(lie);
  const auto answered = solve_with({.backends = &liar}, model, fairness, options);
  if (!answered) {
    EXPECT_FALSE(answered.error().message.empty());
    return;
  }
  EXPECT_NE(answered->outcome, Outcome::infeasible) << where;
  // No bound below what is known to be possible.
  EXPECT_GE(answered->bounds.upper, honest.bounds.lower - 1e-9) << where;
  if (!answered->solution) return;
  // The referee's word, asked again from the policy alone.
  const Evaluation truth = unwrap(evaluate(model, answered->solution->policy));
  EXPECT_EQ(answered->bounds.lower, truth.value - answered->penalty) << where;
  EXPECT_LE(answered->bounds.lower, honest.bounds.upper + 1e-9) << where;
  const auto& gaps = notion == Notion::dp ? truth.gap.dp : truth.gap.eqopt;
  double squares = 0;
  for (const auto& step : gaps) {
    squares += step.gap * step.gap;
    EXPECT_TRUE(method != Method::constrained || step.gap <= 0.02 + 1e-9) << where << ": " << step.gap;
  }
  if (method == Method::penalty && model.shape().groups == 2) {  // more groups are more pairs
    EXPECT_NEAR(answered->penalty, squares, 1e-12) << where;
  }
  // Nothing is called optimal that is not.
  const double least = honest.bounds.lower - 1e-3 * std::abs(honest.bounds.lower) - 1e-9;
  EXPECT_TRUE(answered->outcome != Outcome::optimal || answered->bounds.lower >= least) << where;
}

TEST_P(LyingBackend, IsNeitherBelievedNorFatal) {
  std::vector<std::pair<std::string, Model>> worlds;
  worlds.emplace_back("fico", unwrap(make_fico({.horizon = 3})));
  worlds.emplace_back("random", random_model(3, 3, 3, 3, 0.9));
  for (const auto& [name, model] : worlds)
    for (const Notion notion : {Notion::dp, Notion::eqopt})
      for (const Method method : {Method::constrained, Method::penalty, Method::unconstrained})
        expect_truth(GetParam(), model, notion, method,
                     name + (notion == Notion::dp ? " dp" : " eqopt") +
                         (method == Method::penalty       ? " penalty"
                          : method == Method::constrained ? " limit"
                                                          : " free"));
}

TEST_P(LyingBackend, DoesNotSpoilWhatPricesOnRatesProve) {
  const Model model = random_model(4, 2, 3, 3);
  Program program = unwrap(compile_penalty(model, {.parity = {{Notion::eqopt, {0.0}}}}, {}, 0.1, PenaltyForm::rate));
  const Tables middle = middle_of(program);
  const Candidate good = look_around(program, middle);
  Effort effort(2000);
  const LyingBackends liar(GetParam());
  program.backends = &liar;
  const BranchResult result =
      branch_on_rates(program, assess(program, middle), kInfinity, {.gap = 1e-3, .deadline = {.effort = &effort}});
  EXPECT_GE(result.upper, good.objective - 1e-12);
  EXPECT_EQ(result.best.objective, assess(program, result.best.tables).objective);
}

INSTANTIATE_TEST_SUITE_P(All, LyingBackend, ::testing::ValuesIn(lies()), [](const auto& lie) {
  std::string name;
  bool upper = true;
  for (const char c : lie.param.name) {
    if (c != ' ') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == ' ';
  }
  return name;
});

/// A proof with a mistake in it.
using Mistake = std::function<void(BranchResult&)>;
Helpers with_mistake(const Mistake& mistake) {
  return {.prove = [mistake](const Program& program, Candidate start, const BranchOptions& options) {
    BranchResult result = branch_and_bound(program, std::move(start), options);
    mistake(result);
    return result;
  }};
}

// `upper = max(upper, lower)` used to hide it.
TEST(Proof, ThatIsWrongContradictsItselfAndIsReported) {
  const Model model = random_model(3, 2, 3, 3);
  const Mistake mistakes[] = {[](BranchResult& result) { result.upper = result.best.objective - 0.5; },
                              [](BranchResult& result) { result.contradiction = 0.5; }};
  for (const Method method : {Method::constrained, Method::unconstrained, Method::penalty, Method::myopic})
    for (const Mistake& mistake : mistakes) {
      SolveOptions options;
      options.method = method;
      options.penalty = method == Method::penalty ? 1 : 0;
      options.proof.effort = 500;
      const auto answer = solve_with(with_mistake(mistake), model, {.parity = {{Notion::dp, {0.5}}}}, options);
      ASSERT_FALSE(answer);
      EXPECT_TRUE(answer.error().ours);
      EXPECT_NE(answer.error().message.find("contradicts"), std::string::npos) << answer.error().message;
    }
}

// The search is shown a policy that is worth more than it proves possible, as if its bounds were too low.
TEST(Proof, WhoseBoundsAreBelowWhatIsReachedSaysSo) {
  const Model model = random_model(3, 2, 3, 3);
  const Fairness fairness{.parity = {{Notion::eqopt, {0.5}}}};
  const Program programs[] = {unwrap(compile(model, fairness, {})), unwrap(compile(model, {}, {})),
                              unwrap(compile(model, fairness, {.deterministic = true})),
                              unwrap(compile_penalty(model, fairness, {}, 1, PenaltyForm::rate))};
  for (const Program& program : programs) {
    Candidate start = assess(program, middle_of(program));
    const BranchResult honest = branch_and_bound(program, start, {.kept = 1e-8});
    EXPECT_LE(honest.contradiction, 1e-12);
    start.objective = honest.upper + 0.5;
    // It stops once a bound is below that, before it is as low as it could be.
    EXPECT_GE(branch_and_bound(program, start, {.kept = 1e-8}).contradiction, 0.4);
  }
  const Candidate high{middle_of(programs[3]), 100, 0};
  EXPECT_GE(branch_on_rates(programs[3], high, kInfinity, {}).contradiction, 90);
}

TEST(Backend, ThatIsOutOfMemorySaysSoToWhoeverAsked) {
  const LyingBackends exhausted({.lp = [](LpSolution&) { throw std::bad_alloc(); }});
  EXPECT_THROW(unwrap(solve_with({.backends = &exhausted}, unwrap(make_fico({.horizon = 3})),
                                 {.parity = {{Notion::eqopt, {0.02}}}}, {})),
               std::bad_alloc);
}

TEST(Backend, IsReallyAsked) {
  // Were it not, every test above would pass for nothing.
  int linear = 0, nonlinear = 0;
  const LyingBackends counting({.lp = [&](LpSolution&) { ++linear; }, .nlp = [&](NlpSolution&) { ++nonlinear; }});
  SolveOptions options;
  options.method = Method::penalty;
  options.penalty = 1;
  unwrap(solve_with({.backends = &counting}, unwrap(make_fico({.horizon = 3})), {.parity = {{Notion::eqopt, {0.02}}}},
                    options));
  EXPECT_GT(linear, 0);
  EXPECT_GT(nonlinear, 0);
}

}  // namespace
}  // namespace fairstep
