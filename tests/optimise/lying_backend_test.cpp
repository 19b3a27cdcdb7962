// Solvers that return nonsense. Both backends are wrapped by the linker (CMakeLists.txt), so that whatever the
// optimiser asks is answered honestly and then spoilt in a way of our choice. What is reported must stay true: values
// and gaps are the referee's, no bound may fall below what can be reached, and nothing that is feasible is called
// infeasible.
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/backends/linear_program.hpp>
#include <fairstep/optimise/backends/nonlinear_program.hpp>
#include <fairstep/optimise/pricing/belief_grid.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/common/deadline.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/search/rates.hpp>
#include <fairstep/optimise/solve.hpp>

#include "support/models.hpp"

using fairstep::BeliefGrid;
using fairstep::Deadline;
using fairstep::LinearProgram;
using fairstep::LpSolution;
using fairstep::LpStatus;
using fairstep::NlpOptions;
using fairstep::NlpSolution;
using fairstep::NlpStatus;
using fairstep::NonlinearProgram;

namespace {

std::function<void(LpSolution&)> spoil_lp;
std::function<void(NlpSolution&)> spoil_nlp;
double bound_too_low_by = 0;

}  // namespace

// The symbols are those of LinearProgram::ask() and solve(NonlinearProgram&, const NlpOptions&). The linker must see
// them. NOLINTBEGIN(misc-use-internal-linkage)
LpSolution honest_solve(LinearProgram* self) asm("__real__ZN8fairstep13LinearProgram3askEv");
LpSolution spoilt_solve(LinearProgram* self) asm("__wrap__ZN8fairstep13LinearProgram3askEv");
NlpSolution honest_solve(NonlinearProgram& program, const NlpOptions& options) asm(
    "__real__ZN8fairstep5solveERNS_16NonlinearProgramERKNS_10NlpOptionsE");
NlpSolution spoilt_solve(NonlinearProgram& program, const NlpOptions& options) asm(
    "__wrap__ZN8fairstep5solveERNS_16NonlinearProgramERKNS_10NlpOptionsE");

LpSolution spoilt_solve(LinearProgram* self) {
  LpSolution answer = honest_solve(self);
  if (spoil_lp) spoil_lp(answer);
  return answer;
}

NlpSolution spoilt_solve(NonlinearProgram& program, const NlpOptions& options) {
  NlpSolution answer = honest_solve(program, options);
  if (spoil_nlp) spoil_nlp(answer);
  return answer;
}

using Numbers = std::span<const double>;
double
honest_bound(const BeliefGrid* self, Numbers reward, Numbers lo, Numbers hi, BeliefGrid::Worth& worth, const Deadline& deadline) asm(
    "__real__ZNK8fairstep10BeliefGrid5boundESt4spanIKdLm18446744073709551"
    "615EES3_S3_RNS0_5WorthERKNS_8DeadlineE");
double
spoilt_bound(const BeliefGrid* self, Numbers reward, Numbers lo, Numbers hi, BeliefGrid::Worth& worth, const Deadline& deadline) asm(
    "__wrap__ZNK8fairstep10BeliefGrid5boundESt4spanIKdLm18446744073709551"
    "615EES3_S3_RNS0_5WorthERKNS_8DeadlineE");
double spoilt_bound(const BeliefGrid* self, Numbers reward, Numbers lo, Numbers hi, BeliefGrid::Worth& worth,
                    const Deadline& deadline) {
  return honest_bound(self, reward, lo, hi, worth, deadline) - bound_too_low_by;
}
// NOLINTEND(misc-use-internal-linkage)

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

struct Lie {
  std::string name{};
  std::function<void(LpSolution&)> lp{};
  std::function<void(NlpSolution&)> nlp{};
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
  options.effort = 2000;
  const SolveResult honest = unwrap(solve(model, fairness, options));
  ASSERT_TRUE(honest.solution) << where;

  spoil_lp = lie.lp;
  spoil_nlp = lie.nlp;
  const auto answered = solve(model, fairness, options);
  spoil_lp = nullptr;
  spoil_nlp = nullptr;
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
  const Program program =
      unwrap(compile_penalty(model, {.parity = {{Notion::eqopt, {0.0}}}}, {}, 0.1, PenaltyForm::rate));
  Tables middle;
  for (const Box& box : program.boxes) middle.emplace_back(box.lo.size(), 0.5);
  const Candidate good = look_around(program, middle);
  Effort effort(2000);
  spoil_lp = GetParam().lp;
  spoil_nlp = GetParam().nlp;
  const BranchResult result =
      branch_on_rates(program, assess(program, middle), kInfinity, {.gap = 1e-3, .deadline = {.effort = &effort}});
  spoil_lp = nullptr;
  spoil_nlp = nullptr;
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

// `upper = max(upper, lower)` used to hide it.
TEST(Proof, ThatIsWrongContradictsItselfAndIsReported) {
  const Model model = random_model(3, 2, 3, 3);
  for (const Method method : {Method::constrained, Method::unconstrained, Method::penalty, Method::myopic}) {
    SolveOptions options;
    options.method = method;
    options.penalty = method == Method::penalty ? 1 : 0;
    options.effort = 500;
    bound_too_low_by = 0.5;
    const auto answer = solve(model, {.parity = {{Notion::dp, {0.5}}}}, options);
    bound_too_low_by = 0;
    ASSERT_FALSE(answer);
    EXPECT_TRUE(answer.error().ours);
    EXPECT_NE(answer.error().message.find("contradicts"), std::string::npos) << answer.error().message;
  }
}

TEST(Backend, ThatIsOutOfMemorySaysSoToWhoeverAsked) {
  spoil_lp = [](LpSolution&) { throw std::bad_alloc(); };
  EXPECT_THROW(unwrap(solve(unwrap(make_fico({.horizon = 3})), {.parity = {{Notion::eqopt, {0.02}}}}, {})),
               std::bad_alloc);
  spoil_lp = nullptr;
}

TEST(Backend, IsReallyAsked) {
  // Were the wrapping to fail, every test above would pass for nothing.
  int linear = 0, nonlinear = 0;
  spoil_lp = [&](LpSolution&) { ++linear; };
  spoil_nlp = [&](NlpSolution&) { ++nonlinear; };
  SolveOptions options;
  options.method = Method::penalty;
  options.penalty = 1;
  unwrap(solve(unwrap(make_fico({.horizon = 3})), {.parity = {{Notion::eqopt, {0.02}}}}, options));
  spoil_lp = nullptr;
  spoil_nlp = nullptr;
  EXPECT_GT(linear, 0);
  EXPECT_GT(nonlinear, 0);
}

}  // namespace
}  // namespace fairstep
