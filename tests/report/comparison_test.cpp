#include <fairstep/report/internal/comparison.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::setting_of;

TEST(Curve, IsTheHullOfThePointsUpToTheBest) {
  // (1,3) lies under the line from (0,2) to (2,6); (3,5) violates more than (2,6) for less.
  const Curve curve({{1, 3}, {2, 6}, {0, 2}, {3, 5}});
  ASSERT_EQ(curve.corners().size(), 2U);
  EXPECT_DOUBLE_EQ(curve.value_at(0), 2);
  EXPECT_DOUBLE_EQ(curve.value_at(0.5), 3);  // 2 + 4 * 1/4
  EXPECT_DOUBLE_EQ(curve.value_at(2), 6);
  EXPECT_DOUBLE_EQ(curve.value_at(9), 6);
  EXPECT_DOUBLE_EQ(curve.violation_at(3), 0.5);
  EXPECT_DOUBLE_EQ(curve.violation_at(1), 0);
}

TEST(Curve, SaysNothingBeyondItsReach) {
  const Curve curve({{0.1, 1}, {0.2, 2}});
  EXPECT_TRUE(std::isnan(curve.value_at(0.05)));
  EXPECT_TRUE(std::isnan(curve.violation_at(2.5)));
  EXPECT_TRUE(std::isnan(Curve({}).value_at(1)));
}

TEST(Comparison, IsRepeatByRepeat) {
  // Repeat by repeat ours is 0.1 above the curve's 1/2 at a violation of 1/4, halfway between (0,0) and (1/2,1).
  const Setting setting =
      setting_of({ending_at(Kind::ours, {{0.25, 0.6}, {0.25, 0.6}}), ending_at(Kind::penalty, {{0, 0}, {0, 0}}, 10),
                  ending_at(Kind::penalty, {{0.5, 1}, {0.5, 1}}, 0.1)});
  const AgainstCurve curve = compare(setting, 0).curve;
  EXPECT_DOUBLE_EQ(curve.value.mean, 0.5);
  EXPECT_NEAR(curve.value_gain.mean, 0.1, 1e-12);
  EXPECT_NEAR(curve.violation.mean, 0.3, 1e-12);
  EXPECT_NEAR(curve.violation_gain.mean, 0.05, 1e-12);
}

TEST(Comparison, TellsEachPenaltyItsRelation) {
  const Setting setting = setting_of(
      {ending_at(Kind::ours, {{0.2, 0.5}, {0.2, 0.5}}), ending_at(Kind::penalty, {{0.3, 0.4}, {0.3, 0.4}}, 1),
       ending_at(Kind::penalty, {{0.1, 0.6}, {0.1, 0.6}}, 2), ending_at(Kind::penalty, {{0.1, 0.4}, {0.1, 0.4}}, 3),
       ending_at(Kind::penalty, {{0.2, 0.5}, {0.2, 0.5}}, 4)});
  const auto points = compare(setting, 0).points;
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].relation, Against::Relation::ours_better);
  EXPECT_EQ(points[1].relation, Against::Relation::other_better);
  EXPECT_EQ(points[2].relation, Against::Relation::trade_off);
  EXPECT_EQ(points[3].relation, Against::Relation::tie);
}

TEST(Comparison, DoesNotBelieveInDifferencesThatAreNotProven) {
  // 0.5000 and 0.5003 differ by less than 0.1 %, to which both are proven.
  const Setting setting = setting_of(
      {ending_at(Kind::ours, {{0.2, 0.5003}, {0.2, 0.5003}}), ending_at(Kind::penalty, {{0.2, 0.5}, {0.2, 0.5}}, 1)});
  EXPECT_EQ(compare(setting, 1e-3).points[0].relation, Against::Relation::tie);
  EXPECT_EQ(compare(setting, 1e-4).points[0].relation, Against::Relation::ours_better);
}

}  // namespace
}  // namespace fairstep::report
