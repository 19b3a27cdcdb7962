// Gaps step by step, and update by update.
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
using test::number;
using test::numbers_of;
using test::parameter;
using test::run_with;
using test::setting_of;

TEST(Figure, PivotedTablesHaveARowForEachStep) {
  Table table;
  table.columns = {{"x", "k"}, {"y", "step"}, {"value", "gap"}};
  table.rows = {{"8", "1", 0.1}, {"8", "2", 0.2}, {"16", "1", 0.3}, {"16", "2", 0.4}};
  const Table made = pivoted(table, "step", 2);
  ASSERT_EQ(made.columns.size(), 3U);
  ASSERT_EQ(made.rows.size(), 2U);
  EXPECT_EQ(std::get<double>(made.rows[1][2]), 0.4);
}

TEST(Figure, PivotedTablesHaveRoomForWhatIsMissing) {
  Table table;
  table.columns = {{"x", "k"}, {"y", "step"}, {"value", "gap"}};
  table.rows = {{"8", "1", 0.1}, {"16", "2", 0.4}};
  const Table made = pivoted(table, "step", 2);
  ASSERT_EQ(made.rows.size(), 2U);
  ASSERT_EQ(made.rows[1].size(), 3U);
  EXPECT_TRUE(std::isnan(std::get<double>(made.rows[1][1])));
  EXPECT_EQ(std::get<double>(made.rows[1][2]), 0.4);
}

TEST(Figure, HeatMapsLabelEveryElevenOfTheirColumnsAtTheMost) {
  Panel panel;
  panel.table.columns = {{"x", "k"}, {"y", "step"}};
  for (int k = 0; k < 12; ++k)
    for (const char* step : {"1", "2"}) panel.table.rows.push_back({std::to_string(k), step});
  space_labels(panel);
  EXPECT_EQ(parameter(panel, "columns"), 12);
  EXPECT_EQ(parameter(panel, "every"), 2);  // 12 / 11, rounded up
}

/// At two steps. Ours had 1/2 and 1/4, then 1/8 and 1/4, where 1/8 and 1/16 were allowed; unconstrained 3/4 and 1/2.
Evidence of_steps() {
  Evidence made;
  made.plan.environments = {{.name = "town", .label = "Town"}};
  MethodRuns ours = ending_at(Kind::ours, {});
  for (int repeat = 0; repeat < 2; ++repeat) {
    RunRecord run = run_with({0.5, 0.25}, {0.5, 0.5});
    run.updates[0].dp = {0.5, 0.25};
    run.updates[1].dp = {0.125, 0.25};
    for (UpdateRecord& update : run.updates) {
      update.limit = {0.0625, 0.0};
      update.relaxation = {0.0625};
    }
    ours.repeats.push_back(run);
  }
  MethodRuns unconstrained = ending_at(Kind::unconstrained, {{0.5, 1}, {0.5, 1}});
  for (RunRecord& run : unconstrained.repeats) run.updates[0].dp = {0.75, 0.5};
  made.settings = {setting_of({ours, unconstrained, ending_at(Kind::penalty, {{0.5, 1}, {0.5, 1}}, 1),
                               ending_at(Kind::penalty, {{0.25, 1}, {0.25, 1}}, 3)})};
  return made;
}

TEST(SideBySide, AreTheMethodTheNearestPenaltyAndNoConstraint) {
  const Evidence evidence = of_steps();
  const auto methods = side_by_side(evidence.settings[0]);
  ASSERT_EQ(methods.size(), 3U);
  EXPECT_EQ(methods[0]->kind, Kind::ours);
  EXPECT_EQ(methods[1]->about.lambda, 3);
  EXPECT_EQ(methods[2]->kind, Kind::unconstrained);
  EXPECT_TRUE(side_by_side(setting_of({ending_at(Kind::variant, {{0, 0}})})).empty());
}

TEST(GapsByStep, AreThoseOfTheLastPoliciesBesideWhatWasAllowed) {
  const Group group = gaps_by_step(of_steps());
  ASSERT_EQ(group.panels.size(), 1U);
  const Panel& panel = group.panels[0];
  EXPECT_EQ(numbers_of(panel.table, "ours", "mean"), (std::vector<double>{0.125, 0.25}));
  EXPECT_EQ(numbers_of(panel.table, "unconstrained", "mean"), (std::vector<double>{0.75, 0.5}));
  // A relaxation with one entry is that of all steps: 1/16 + 1/16 and 0 + 1/16.
  EXPECT_EQ(numbers_of(panel.table, "allowed", "mean"), (std::vector<double>{0.125, 0.0625}));
  EXPECT_EQ(numbers_of(panel.table, "ours", "step"), (std::vector<double>{0, 1}));
  EXPECT_EQ(panel.title, "Worst step: the method 0.250 (step 1), unconstrained 0.750 (step 0)");
  EXPECT_DOUBLE_EQ(parameter(panel, "yMax"), 1.06 * 0.75);
}

TEST(GapsByStep, WithoutTheMethodAreStillGaps) {
  Evidence evidence = of_steps();
  evidence.settings[0].methods.erase(evidence.settings[0].methods.begin());
  const Panel panel = gaps_by_step(evidence).panels[0];
  EXPECT_EQ(panel.title, "Gaps at the last update, step by step");
  EXPECT_TRUE(numbers_of(panel.table, "allowed", "mean").empty());
}

TEST(GapsByStep, OfNothingHaveNoPanels) { EXPECT_TRUE(gaps_by_step({}).panels.empty()); }

TEST(GapMaps, HaveACellForEachStepAndUpdateOnOneScale) {
  const Group group = gap_maps(of_steps());
  ASSERT_EQ(group.panels.size(), 3U);
  const Panel& ours = group.panels[0];
  EXPECT_EQ(ours.id, "map-town-dp-ours");
  ASSERT_EQ(ours.table.rows.size(), 4U);
  EXPECT_EQ(number(ours.table, 0, "value"), 0.5);
  EXPECT_EQ(number(ours.table, 3, "value"), 0.25);
  for (const Panel& panel : group.panels) EXPECT_EQ(parameter(panel, "most"), 0.75);
}

TEST(GapMaps, MarkWhatIsAboveWhatWasAllowed) {
  // 1/2 above 1/8, 1/4 above 1/16 twice; 1/8 is just what was allowed.
  const Panel ours = gap_maps(of_steps()).panels[0];
  std::vector<double> marks;
  for (std::size_t row = 0; row < 4; ++row) marks.push_back(number(ours.table, row, "mark"));
  EXPECT_EQ(marks, (std::vector<double>{1, 1, 0, 1}));
  EXPECT_EQ(ours.title, "Gaps up to 0.500 (step 0, k = 2\u00b3), 0.250 at the end; 3 above what was allowed");
}

}  // namespace
}  // namespace fairstep::report
