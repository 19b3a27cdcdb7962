// Regret and violation against the theorems' rates, and the relaxations in use.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/figure.hpp>

#include "cells.hpp"
#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::numbers_of;
using test::run_with;
using test::setting_of;

/// One run at k = 8, 16, 32, 64. Violations fall like 1/k, the theorem's expression like k^(-1/2); the regret is given.
Evidence of_rates(const std::vector<double>& regret) {
  MethodRuns ours = ending_at(Kind::ours, {});
  RunRecord run = run_with({0.5, 0.25, 0.125, 0.0625}, {0.5, 0.5, 0.5, 0.5});
  for (std::size_t l = 0; l < 4; ++l) {
    UpdateRecord& update = run.updates[l];
    update.regret = regret[l];
    update.reference_violation = update.reference_regret = 1 / std::sqrt(static_cast<double>(update.k));
  }
  ours.repeats = {run};
  ours.about.method = "constrained";
  Evidence made;
  made.settings = {setting_of({ours})};
  return made;
}

TEST(LearningRates, DrawTheTheoremThroughTheLastPointAndTheFitThroughTheLaterHalf) {
  const Group group = learning_rates(of_rates({1, 1, 1, 1}));
  ASSERT_EQ(group.panels.size(), 2U);
  const Panel& panel = group.panels[1];
  EXPECT_EQ(panel.id, "rate-town-dp");
  EXPECT_EQ(numbers_of(panel.table, "measured", "mean"), (std::vector<double>{0.5, 0.25, 0.125, 0.0625}));
  // k^(-1/2) times what makes it 1/16 at 64: 1/2 k^(-1/2).
  const std::vector<double> theorem = numbers_of(panel.table, "theorem", "mean");
  ASSERT_EQ(theorem.size(), 4U);
  EXPECT_DOUBLE_EQ(theorem[1], 0.125);
  EXPECT_DOUBLE_EQ(theorem[3], 0.0625);
  const std::vector<double> fit = numbers_of(panel.table, "fit", "mean");
  ASSERT_EQ(fit.size(), 2U);
  EXPECT_NEAR(fit[0], 0.125, 1e-12);
  EXPECT_NEAR(fit[1], 0.0625, 1e-12);
  EXPECT_EQ(panel.title, "Violation falls with exponent \u22121.000 (theorem \u22120.500)");
  EXPECT_EQ(panel.note, "");
}

TEST(LearningRates, LeaveOutWhatHasNoLogarithmAndSaySo) {
  const Panel panel = learning_rates(of_rates({0, 0.5, 0.25, 0.125})).panels[0];
  EXPECT_EQ(numbers_of(panel.table, "measured", "k"), (std::vector<double>{16, 32, 64}));
  EXPECT_EQ(panel.note, "Left out, since they have no logarithm: k = 2\u00b3.");
  EXPECT_TRUE(panel.title.starts_with("Regret falls with exponent \u22121.000")) << panel.title;
}

TEST(LearningRates, SayFromWhereOnRegretIsNegative) {
  const Panel panel = learning_rates(of_rates({0.5, 0.25, -0.1, -0.2})).panels[0];
  EXPECT_EQ(panel.title, "Regret is negative from k = 2\u2075 on: violation buys return");
  EXPECT_TRUE(numbers_of(panel.table, "fit", "mean").empty());  // nothing of the later half is left
}

TEST(LearningRates, OfNothingPositiveHaveNoPowerLaw) {
  Evidence evidence = of_rates({1, 1, 1, 1});
  for (UpdateRecord& update : evidence.settings[0].methods[0].repeats[0].updates) update.violation = 0;
  const Panel panel = learning_rates(evidence).panels[1];
  EXPECT_EQ(panel.title, "Of the violation there is no power law to fit");
  EXPECT_TRUE(panel.table.rows.empty());
}

TEST(LearningRates, NeedTheMethod) {
  Evidence evidence;
  evidence.settings = {setting_of({ending_at(Kind::penalty, {{0.1, 1}}, 1)})};
  EXPECT_TRUE(learning_rates(evidence).panels.empty());
}

TEST(Relaxations, AreThoseOfTheWidestStep) {
  Evidence evidence = of_rates({1, 1, 1, 1});
  std::vector<UpdateRecord>& updates = evidence.settings[0].methods[0].repeats[0].updates;
  updates[0].relaxation = {0.5, 12};
  updates[0].vacuous = {1};
  const Group group = relaxations(evidence);
  ASSERT_EQ(group.panels.size(), 1U);
  EXPECT_EQ(numbers_of(group.panels[0].table, "ours", "mean"), (std::vector<double>{12, 0.25, 0.125, 0.0625}));
  EXPECT_EQ(numbers_of(group.panels[0].table, "ours", "vacuous"), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(group.panels[0].title, "ours: vacuous up to k = 2\u00b3");
  ASSERT_EQ(group.legend.size(), 1U);
  EXPECT_EQ(group.legend[0].kind, "ours");
}

TEST(Relaxations, SayWhetherTheyEverTakeEffect) {
  Evidence evidence = of_rates({1, 1, 1, 1});
  EXPECT_EQ(relaxations(evidence).panels[0].title, "ours: in effect at every update");
  MethodRuns literal = ending_at(Kind::literal, {{0.5, 1}});
  literal.about.method = "constrained";
  literal.repeats[0].updates[0].vacuous = {0, 1};
  evidence.settings[0].methods.push_back(literal);
  EXPECT_EQ(relaxations(evidence).panels[0].title, "ours: in effect at every update; literal: vacuous to the end");
}

TEST(Relaxations, AreOfMethodsThatHaveOne) {
  Evidence evidence;
  evidence.settings = {setting_of({ending_at(Kind::unconstrained, {{0.1, 1}})})};
  EXPECT_TRUE(relaxations(evidence).panels.empty());
}

}  // namespace
}  // namespace fairstep::report
