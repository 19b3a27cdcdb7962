// The price of fairness on the true model, and how surely every solve is solved.
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
using test::setting_of;
using test::words;

/// Limits of 0 and 1/2, worth 3/4 and 1; at the first a unit of step 2 is worth 2.
Evidence of_prices() {
  Setting setting = setting_of({ending_at(Kind::ours, {{0.1, 0.5}, {0.1, 0.5}})});
  setting.frontier.emplace();
  setting.frontier->points = {{.limit = 0, .outcome = "optimal", .value = 0.75, .upper = 0.8, .shadow_price = {0.5, 2}},
                              {.limit = 0.5, .outcome = "optimal", .value = 1, .upper = 1, .shadow_price = {0, 0}}};
  Evidence made;
  made.plan.certificate_gap = 0.001;
  made.settings = {setting};
  return made;
}

TEST(PriceOfFairness, IsWhatTheNarrowestLimitCosts) {
  const Group group = price_of_fairness(of_prices());
  ASSERT_EQ(group.panels.size(), 2U);
  const Panel& panel = group.panels[0];
  EXPECT_EQ(panel.title, "A limit of 0 costs 25.0 % of the return");
  ASSERT_EQ(panel.table.rows.size(), 2U);
  EXPECT_EQ(number(panel.table, 0, "value"), 0.75);
  EXPECT_EQ(number(panel.table, 0, "upper"), 0.8);
  EXPECT_EQ(number(panel.table, 0, "price"), 2.5);  // of a unit at every step
}

TEST(PriceOfFairness, OfALimitThatCannotBeKeptIsNone) {
  Evidence evidence = of_prices();
  for (FrontierPoint& point : evidence.settings[0].frontier->points) {
    point.value = kUnknown;
    point.shadow_price.clear();
  }
  const Group group = price_of_fairness(evidence);
  EXPECT_EQ(group.panels[0].title, "No limit could be kept");
  EXPECT_TRUE(std::isnan(number(group.panels[0].table, 0, "price")));
  EXPECT_EQ(group.panels[1].title, "No limit binds");
}

TEST(PriceOfFairness, HasTheDearestStep) {
  const Panel panel = price_of_fairness(of_prices()).panels[1];
  EXPECT_EQ(panel.title, "The limit costs most at step 1: 2.000 per unit, at a limit of 0");
  ASSERT_EQ(panel.table.rows.size(), 4U);
  EXPECT_EQ(words(panel.table, 1, "x"), "0");
  EXPECT_EQ(words(panel.table, 1, "y"), "1");
  EXPECT_EQ(number(panel.table, 1, "value"), 2);
  EXPECT_EQ(parameter(panel, "most"), 2);
  EXPECT_EQ(panel.shown.rows.size(), 2U);  // a row for each step
}

TEST(PriceOfFairness, WithoutAFrontierIsNotDrawn) {
  Evidence evidence = of_prices();
  evidence.settings[0].frontier->points.clear();
  EXPECT_TRUE(price_of_fairness(evidence).panels.empty());
  evidence.settings[0].frontier.reset();
  EXPECT_TRUE(price_of_fairness(evidence).panels.empty());
}

TEST(Certificates, HaveAMarkForEachGapAndSayHowManySolvesHaveIt) {
  Evidence evidence = of_prices();
  auto& repeats = evidence.settings[0].methods[0].repeats;
  repeats[1].updates[0].gap_to_bound = 0x1p-6;  // 1.5625 %, and bounds are rounded up
  const Panel panel = certificates(evidence).panels.at(0);
  ASSERT_EQ(panel.table.rows.size(), 2U);
  EXPECT_EQ(number(panel.table, 1, "solves"), 1);
  EXPECT_NEAR(number(panel.table, 1, "gap"), 0.016, 1e-15);
  EXPECT_EQ(panel.title, "1 of 2 solves are proven to 0.1 %, the widest of the others to 1.57 %");
  ASSERT_EQ(panel.shown.rows.size(), 1U);
  EXPECT_EQ(number(panel.shown, 0, "proven"), 1);
  EXPECT_EQ(number(panel.shown, 0, "worst"), 0x1p-6);
  EXPECT_EQ(parameter(panel, "asked"), 0.001);
}

TEST(Certificates, SayWhereThereIsNoBoundAtAll) {
  Evidence evidence = of_prices();
  EXPECT_EQ(certificates(evidence).panels[0].title, "2 of 2 solves are proven to 0.1 %");
  evidence.settings[0].methods[0].repeats[0].updates[0].gap_to_bound = kUnknown;
  const Panel panel = certificates(evidence).panels[0];
  EXPECT_TRUE(panel.title.ends_with("; 1 without a bound")) << panel.title;
  EXPECT_EQ(number(panel.shown, 0, "unbounded"), 1);
}

}  // namespace
}  // namespace fairstep::report
