#include <fairstep/core/label_assumption.hpp>

#include <gtest/gtest.h>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

TEST(LabelAssumption, RulesAreReadAsTheyAreWritten) {
  for (const char* text : {"like-accepted", "odds=2.5", "odds=1", "anything"})
    EXPECT_EQ(text_of(unwrap(refused_from(text))), text);
  EXPECT_EQ(unwrap(refused_from("odds 3")), (RefusedRule{Refused::odds, 3}));
}

TEST(LabelAssumption, WhatIsNoRuleIsRefused) {
  EXPECT_EQ(refused_from("like").error().message,
            "refused is \"like\", expected like-accepted, odds=NUMBER or anything");
  EXPECT_EQ(refused_from("odds").error().message,
            "refused is \"odds\", expected like-accepted, odds=NUMBER or anything");
  EXPECT_EQ(refused_from("anything=2").error().message,
            "refused is \"anything=2\", expected like-accepted, odds=NUMBER or anything");
  EXPECT_EQ(refused_from("odds=two").error().message, "refused is \"odds=two\", expected a number after odds=");
  EXPECT_EQ(refused_from("odds=0.5").error().message, "refused has odds of 0.5, expected 1 to 1000000");
  EXPECT_NE(refused_from("odds=0.5").error().hint.find("1 / odds"), std::string::npos);
  EXPECT_FALSE(check({Refused::anything, 2}).has_value());
}

TEST(LabelAssumption, EndsOfARuleAreThoseOfItsOdds) {
  // s = 1/2 has odds 1: times 3 they are 3/4, and a third of them 1/4.
  const RefusedRule three{Refused::odds, 3};
  EXPECT_DOUBLE_EQ(refused_share(three, RefusedPoint::high, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(refused_share(three, RefusedPoint::low, 0.5), 0.25);
  EXPECT_EQ(refused_share(three, RefusedPoint::like_accepted, 0.5), 0.5);
  EXPECT_EQ(refused_share({}, RefusedPoint::high, 0.3), 0.3);
  EXPECT_EQ(refused_share({Refused::anything, 1}, RefusedPoint::low, 0.3), 0);
  EXPECT_EQ(refused_share({Refused::anything, 1}, RefusedPoint::high, 0.3), 1);
  for (const double s : {0.0, 1.0})  // certain stays certain
    EXPECT_EQ(refused_share(three, RefusedPoint::high, s), s);
}

}  // namespace
}  // namespace fairstep
