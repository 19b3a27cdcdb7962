#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/diagnose/diagnose.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

const Periods kHalves{{{"before", 0}, {"after", 4}}};

/// The FICO population, in which from step 4 on accepted people who were qualified are so no more.
Model broken_off() {
  const Model fico = unwrap(make_fico());
  ModelSpec spec = fico.spec();
  spec.periods = kHalves;
  spec.transition = ByPeriod<double, 6>(fico.spec().transition.extents(), 2);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t k = 0; k < 2; ++k) {
      std::ranges::copy(fico.spec().transition.block(g), spec.transition.of(g, k).begin());
      for (std::size_t x = 0; k == 1 && x < fico.shape().features; ++x) {
        const auto row = spec.transition.of(g, k, x, 1, 1);
        for (std::size_t s = 0; s + 1 < row.size(); s += 2) row[s] += row[s + 1], row[s + 1] = 0;
      }
    }
  return unwrap(Model::make(std::move(spec)));
}

Diagnosis diagnosed_by(const Periods& periods) {
  const Model model = broken_off();
  SimulateOptions options;
  options.crowd = {3000, true};
  options.history = true;
  options.periods = periods;
  return unwrap(diagnose(unwrap(simulate_people(model, unwrap(uniform_policy(model, 0.5)), options))));
}

std::vector<Verdict> verdicts(const Diagnosis& diagnosis, Question question) {
  std::vector<Verdict> found;
  for (const Diagnosed& answer : diagnosis.answers)
    if (answer.question == question) found.push_back(answer.verdict);
  return found;
}

TEST(DiagnosePeriods, OneKernelForAllStepsIsRefutedWhereTheWorldChanged) {
  const Diagnosis diagnosis = diagnosed_by({});
  EXPECT_TRUE(refutes_one_kernel(diagnosis));
  EXPECT_EQ(diagnosis.verdict, Verdict::refuted);
}

TEST(DiagnosePeriods, OneKernelForEachPeriodIsNot) {
  const Diagnosis diagnosis = diagnosed_by(kHalves);
  EXPECT_EQ(verdicts(diagnosis, Question::steps), (std::vector{Verdict::not_refuted, Verdict::not_refuted}));
  EXPECT_FALSE(refutes_one_kernel(diagnosis));
  EXPECT_EQ(diagnosis.answers.front().sentence,
            "group white: states one step ahead are as one kernel for all steps of a period predicts");
}

TEST(DiagnosePeriods, PeriodsThatBeginElsewhereAreRefuted) {
  EXPECT_TRUE(refutes_one_kernel(diagnosed_by({{{"before", 0}, {"after", 2}}})));
}

TEST(DiagnosePeriods, AKernelForEachStepLeavesNothingToAsk) {
  const Diagnosis diagnosis = diagnosed_by(Periods::per_step(8));
  EXPECT_EQ(verdicts(diagnosis, Question::steps), (std::vector{Verdict::untestable, Verdict::untestable}));
  // Which decision came before which is known over all steps alone, and says nothing of a kernel that changes.
  EXPECT_EQ(verdicts(diagnosis, Question::before), (std::vector{Verdict::untestable, Verdict::untestable}));
}

}  // namespace
}  // namespace fairstep
