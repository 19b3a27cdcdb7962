// The paper's figure of an environment: what is drawn, and what the titles say of it.
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
using test::parameter;
using test::run_with;
using test::setting_of;
using test::words;

TEST(Figure, LabelsThatWouldMeetAreShared) {
  // Ends 0.1, 0.11 and 0.5 with at least 0.05 between labels: the first two share one.
  const auto labels = end_labels({{1, 0.11}, {10, 0.1}, {0.1, 0.5}}, 0.05);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].text, "1\u201310");
  EXPECT_EQ(labels[1].text, "0.1");
  EXPECT_EQ(labels[1].of, 2U);
}

TEST(Figure, LabelsBelowPointsThatWouldMeetBecomeOneAndStayInThePlot) {
  // "100" is 19 wide: around 3 it would begin left of the plot, and it is moved to 10. "10" is 13 wide and around 20:
  // they meet. "3" around 100 is alone, and so is "1" right above it, 40 higher.
  const auto labels = point_labels({{100, 3, 0}, {10, 20, 0}, {3, 100, 0}, {1, 101, 40}});
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].text, "10\u2013100");
  EXPECT_EQ(labels[0].of, 0U);
  EXPECT_DOUBLE_EQ(labels[0].x, 6 * 6.4 / 2);
  EXPECT_EQ(labels[1].text, "3");
  EXPECT_EQ(labels[1].x, 100);
  EXPECT_EQ(labels[2].text, "1");
  EXPECT_TRUE(point_labels({}).empty());
}

TEST(Figure, SpreadLabelsKeepTheirOrderAndDistance) {
  // Three at 1, 1 and 1 want to be 1 apart: 0, 1 and 2 around their mean; the one at 5 stays.
  EXPECT_EQ(spread({1, 5, 1, 1}, 1), (std::vector<double>{0, 5, 1, 2}));
}

TEST(Figure, LabelsOfNothingAreNone) {
  EXPECT_TRUE(end_labels({}, 0.05).empty());
  EXPECT_TRUE(spread({}, 1).empty());
}

TEST(Figure, SpreadLabelsThatAreFarApartStayWhereTheyAre) {
  EXPECT_EQ(spread({3, 1, 2}, 0.5), (std::vector<double>{3, 1, 2}));
}

TEST(Figure, SettingsHaveShortNames) {
  Setting setting = setting_of({});
  setting.measure = "DP";
  EXPECT_EQ(short_name(setting), "Town \u00b7 DP");
}

TEST(Figure, LegendsHaveEachKindOnceAndPenaltiesByTheirWeight) {
  const auto legend =
      legend_of({setting_of({ending_at(Kind::penalty, {{0, 0}}, 1), ending_at(Kind::penalty, {{0, 0}}, 2),
                             ending_at(Kind::literal, {{0, 0}})}),
                 setting_of({ending_at(Kind::ours, {{0, 0}})})},
                {{"band", "an interval"}});
  ASSERT_EQ(legend.size(), 3U);
  EXPECT_EQ(legend[0].kind, "ours");
  EXPECT_EQ(legend[1].label, "penalty, by lambda");
  EXPECT_EQ(legend[2].kind, "band");
}

/// Ours from a violation of 1/2 to 1/4 and a return of 1/2 to 3/4; unconstrained at (1/2, 1), a weight of 2 at (1/4,
/// 1/2).
Evidence of_training() {
  Evidence made;
  made.plan.environments = {{.name = "town", .label = "Town"}};
  made.plan.horizon = 2;
  made.plan.certificate_gap = 0.001;
  MethodRuns ours = ending_at(Kind::ours, {});
  ours.repeats = {run_with({0.5, 0.25}, {0.5, 0.75}), run_with({0.5, 0.25}, {0.5, 0.75})};
  made.settings = {setting_of({ours, ending_at(Kind::unconstrained, {{0.5, 1}, {0.5, 1}}),
                               ending_at(Kind::penalty, {{0.25, 0.5}, {0.25, 0.5}}, 2)})};
  return made;
}

TEST(PaperFigures, AreThreePanelsForEachSetting) {
  const std::vector<Group> groups = paper_figures(of_training());
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].id, "figure-town");
  EXPECT_EQ(groups[0].heading, "Town: frontier, violation and return");
  EXPECT_EQ(groups[0].columns, 3);
  ASSERT_EQ(groups[0].panels.size(), 3U);
  EXPECT_EQ(groups[0].panels[0].id, "pareto-town-dp");
  EXPECT_EQ(groups[0].panels[1].id, "violation-town-dp");
  EXPECT_EQ(groups[0].panels[2].id, "return-town-dp");
}

TEST(PaperFigures, OfAnEnvironmentWithoutRunsAreNone) {
  Evidence evidence = of_training();
  evidence.plan.environments.push_back({.name = "city", .label = "City"});
  EXPECT_EQ(paper_figures(evidence).size(), 1U);
}

TEST(PaperFigures, TheFrontierHasEarlierUpdatesAndEveryLastPolicy) {
  const Panel panel = paper_figures(of_training())[0].panels[0];
  // At a violation of 1/4 the penalty returns 1/2, ours 3/4.
  EXPECT_EQ(panel.title, "The method lies above the penalty baseline's frontier");
  ASSERT_EQ(panel.table.rows.size(), 4U);
  EXPECT_EQ(words(panel.table, 0, "role"), "update");
  EXPECT_EQ(number(panel.table, 0, "violation"), 0.5);
  EXPECT_EQ(words(panel.table, 1, "role"), "final");
  EXPECT_EQ(number(panel.table, 1, "violation"), 0.25);
  EXPECT_EQ(number(panel.table, 1, "value"), 0.75);
  EXPECT_EQ(number(panel.table, 1, "k"), 16);
  EXPECT_EQ(words(panel.table, 3, "label"), "2");  // the weight, beside its cross
  // Violations from 0 to 1/2, returns from 1/2 to 1.
  EXPECT_DOUBLE_EQ(parameter(panel, "xMax"), 0.52);
  EXPECT_DOUBLE_EQ(parameter(panel, "yMin"), 0.5 - 1.7 * 0.05);
  EXPECT_DOUBLE_EQ(parameter(panel, "yMax"), 1.05);
}

TEST(PaperFigures, TheBestOnTheTrueModelStandsAtItsAverageGap) {
  Evidence evidence = of_training();
  evidence.settings[0].frontier.emplace();
  evidence.settings[0].frontier->points = {{.limit = 0.1, .value = 0.875, .parity_gap = {0.125, kUnknown, 0.25, 0.125}},
                                           {.limit = 0}};
  const Table table = paper_figures(evidence)[0].panels[0].table;
  EXPECT_EQ(words(table, 0, "role"), "limit 0.1");
  EXPECT_EQ(number(table, 0, "violation"), 0.125);  // a gap of nobody is none: 1/2 over 4 steps
  EXPECT_EQ(number(table, 0, "value"), 0.875);
  EXPECT_EQ(words(table, 1, "role"), "update");  // where no policy was found there is no point
}

TEST(PaperFigures, CurvesSayWhereTheyGo) {
  const std::vector<Panel> panels = paper_figures(of_training())[0].panels;
  EXPECT_EQ(panels[1].title, "Violation falls from 0.500 to 0.250 (unconstrained 0.500)");
  EXPECT_EQ(panels[2].title, "Return rises from 0.500 to 0.750 (unconstrained 1.000)");
  EXPECT_EQ(parameter(panels[1], "yMin"), 0);
  ASSERT_EQ(panels[1].table.rows.size(), 4U);
  EXPECT_EQ(number(panels[1].table, 1, "mean"), 0.25);
  EXPECT_EQ(number(panels[1].table, 1, "repeats"), 2);
}

TEST(PaperFigures, WithoutTheMethodHaveTitlesAllTheSame) {
  Evidence evidence = of_training();
  evidence.settings[0].methods.erase(evidence.settings[0].methods.begin());
  const std::vector<Panel> panels = paper_figures(evidence)[0].panels;
  EXPECT_EQ(panels[0].title, "Return against violation");
  EXPECT_EQ(panels[1].title, "violation over training");
}

// The penalty that the paper's baseline is not was left out of the charts, though it was run.
TEST(PaperFigures, ShowThePenaltyInItsOtherFormToo) {
  Evidence evidence = of_training();
  MethodRuns rates = ending_at(Kind::other_form, {{0.125, 0.25}, {0.125, 0.25}}, 3);
  rates.about.label = "penalty of rates, lambda 3";
  evidence.settings[0].methods.push_back(rates);
  const Group group = paper_figures(evidence)[0];
  EXPECT_EQ(words(group.panels[0].table, 4, "kind"), "other_form");
  EXPECT_EQ(group.panels[1].table.rows.size(), 5U);
  ASSERT_EQ(group.legend.size(), 6U);
  EXPECT_EQ(group.legend[3].label, "penalty of rates, by lambda");
}

TEST(PaperFigures, SayThatNothingIsDecidedWhereNothingIs) {
  Evidence evidence = of_training();
  for (MethodRuns& method : evidence.settings[0].methods)
    for (RunRecord& run : method.repeats)
      for (UpdateRecord& update : run.updates) update.gap_to_bound = 0.5;
  EXPECT_EQ(paper_figures(evidence)[0].panels[0].title, "Above or below the penalty baseline's frontier: undecided");
}

TEST(PaperFigures, LeaveTheConstantsAsPrintedOut) {
  Evidence evidence = of_training();
  evidence.settings[0].methods.push_back(ending_at(Kind::literal, {{9, 9}, {9, 9}}));
  EXPECT_EQ(paper_figures(evidence)[0].panels[1].table.rows.size(), 4U);
}

}  // namespace
}  // namespace fairstep::report
