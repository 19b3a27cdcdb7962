#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/report/internal/figure.hpp>
#include <fairstep/report/internal/page.hpp>

#include "cells.hpp"
#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::number;
using test::parameter;
using test::setting_of;
using test::words;

/// Ours at a violation of 1/4 and a return of 3/4; no constraint at (1/2, 1); a weight of 2 at (1/4, 1/2), one of 3 at
/// (3/8, 5/8), below the line from there to no constraint.
Evidence of_last_policies() {
  Evidence made;
  made.plan.name = "trial";
  made.plan.certificate_gap = 0.001;
  MethodRuns ours = ending_at(Kind::ours, {{0.25, 0.75}, {0.25, 0.75}});
  ours.about.label = "ours";
  MethodRuns two = ending_at(Kind::penalty, {{0.25, 0.5}, {0.25, 0.5}}, 2);
  two.about.label = "penalty, lambda 2";
  MethodRuns three = ending_at(Kind::penalty, {{0.375, 0.625}, {0.375, 0.625}}, 3);
  three.about.label = "penalty, lambda 3";
  made.settings = {setting_of({ours, ending_at(Kind::unconstrained, {{0.5, 1}, {0.5, 1}}), two, three,
                               ending_at(Kind::literal, {{0.9, 0.1}, {0.9, 0.1}})})};
  return made;
}

std::string first_screen(const Evidence& evidence) {
  Html html;
  write_first_screen(html, evidence, front(evidence));
  return std::move(html).finish();
}

TEST(FirstScreen, HasTheExperimentInWordsForATitle) {
  EXPECT_EQ(title_of(of_last_policies()), "Demographic parity at every step: Town");
}

TEST(FirstScreen, SaysWhatCameOutInOneSentence) {
  EXPECT_NE(first_screen(of_last_policies())
                .find("The method ends with a violation of 0.250, where without constraint it is 0.500; at equal "
                      "violation it returns more than the penalty baseline in 1 of 1 setting."),
            std::string::npos)
      << first_screen(of_last_policies());
}

TEST(FirstScreen, SaysSoWhereNothingIsDecided) {
  Evidence evidence = of_last_policies();
  for (MethodRuns& method : evidence.settings[0].methods)
    for (RunRecord& run : method.repeats) run.updates.back().gap_to_bound = 0.5;
  EXPECT_NE(first_screen(evidence).find("whether it returns more than the penalty baseline at equal violation is "
                                        "undecided."),
            std::string::npos);
  EXPECT_EQ(front(evidence).panels.at(0).title, "Undecided");
}

TEST(FirstScreen, DefinesItsWordsAndNamesTheMethodByItsLabel) {
  Evidence evidence = of_last_policies();
  EXPECT_NE(first_screen(evidence).find("charts and tables call it by its label, \u201cours\u201d. Its violation is"),
            std::string::npos);
  EXPECT_NE(first_screen(evidence).find("Steps are counted from 0"), std::string::npos);
  evidence.settings[0].methods[0].about.label = "the method";
  EXPECT_EQ(first_screen(evidence).find("by its label"), std::string::npos);
}

TEST(FirstScreen, DrawsTheFrontierOfThePenaltiesAndTheLastPolicies) {
  const Group group = front(of_last_policies());
  ASSERT_EQ(group.panels.size(), 1U);
  const Panel& panel = group.panels[0];
  EXPECT_EQ(panel.title, "Above the penalty");
  // Two corners, the weight of 2 and no constraint; then ours, no constraint and both weights, but not what is literal.
  ASSERT_EQ(panel.table.rows.size(), 6U);
  EXPECT_EQ(words(panel.table, 0, "method"), "frontier of penalty");
  EXPECT_EQ(number(panel.table, 0, "violation"), 0.25);
  EXPECT_EQ(number(panel.table, 1, "value"), 1);
  EXPECT_EQ(words(panel.table, 2, "kind"), "ours");
  EXPECT_EQ(number(panel.table, 2, "value"), 0.75);
  EXPECT_DOUBLE_EQ(parameter(panel, "xMax"), 0.54);
  EXPECT_DOUBLE_EQ(parameter(panel, "yMin"), 0.5 - 0.12 * 0.5);
  ASSERT_EQ(group.legend.size(), 3U);
  EXPECT_EQ(group.legend[1].label, "penalty, frontier");
}

TEST(FirstScreen, SaysWhereThereIsNoResult) {
  Evidence evidence = of_last_policies();
  evidence.settings[0].methods.erase(evidence.settings[0].methods.begin());
  EXPECT_NE(first_screen(evidence).find("there is no result yet"), std::string::npos);
}

}  // namespace
}  // namespace fairstep::report
