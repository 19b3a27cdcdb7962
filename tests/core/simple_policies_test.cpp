#include <fairstep/core/simple_policies.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::unwrap;

/// Three groups, four features, two steps.
Model model() { return random_model(1, 3, 4, 2); }

std::vector<double> row(const Policy& policy, std::size_t g, std::size_t h) {
  std::vector<double> result;
  for (std::size_t x = 0; x < policy.features(); ++x) result.push_back(policy.accept(g, h, x));
  return result;
}

void expect_rows(const Policy& policy, const std::vector<double>& expected) {
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t h = 0; h < 2; ++h) EXPECT_EQ(row(policy, g, h), expected);
}

TEST(SimplePolicies, TheConstantOnes) {
  expect_rows(unwrap(uniform_policy(model(), 0.25)), {0.25, 0.25, 0.25, 0.25});
  expect_rows(unwrap(uniform_policy(model())), {0.5, 0.5, 0.5, 0.5});
  expect_rows(accept_all(model()), {1, 1, 1, 1});
  expect_rows(refuse_all(model()), {0, 0, 0, 0});
}

TEST(SimplePolicies, AThresholdAcceptsFromTheFeatureOn) {
  expect_rows(unwrap(threshold_policy(model(), {.from = 2})), {0, 0, 1, 1});
  expect_rows(unwrap(threshold_policy(model(), {.from = 0})), {1, 1, 1, 1});
  expect_rows(unwrap(threshold_policy(model(), {.from = 4})), {0, 0, 0, 0});
}

TEST(SimplePolicies, AThresholdMayAcceptSomeAtTheEdge) {
  expect_rows(unwrap(threshold_policy(model(), {.from = 1, .at = 0.75})), {0, 0.75, 1, 1});
  expect_rows(unwrap(threshold_policy(model(), {.from = 1, .at = 0})), {0, 0, 1, 1});
}

TEST(SimplePolicies, EachGroupMayHaveItsOwnThreshold) {
  const std::vector<Threshold> thresholds{{.from = 3}, {.from = 1, .at = 0.5}, {.from = 4}};
  const Policy policy = unwrap(threshold_policy(model(), thresholds));
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_EQ(row(policy, 0, h), (std::vector<double>{0, 0, 0, 1}));
    EXPECT_EQ(row(policy, 1, h), (std::vector<double>{0, 0.5, 1, 1}));
    EXPECT_EQ(row(policy, 2, h), (std::vector<double>{0, 0, 0, 0}));
  }
}

TEST(SimplePolicies, TheyFitTheModelTheyWereMadeFor) {
  const Model m = model();
  for (const PolicyForm form : {PolicyForm::per_group, PolicyForm::group_independent}) {
    for (const Policy& policy : {unwrap(uniform_policy(m, 0.5, form)), accept_all(m, form), refuse_all(m, form),
                                 unwrap(threshold_policy(m, {.from = 2}, form)), random_policy(m, 1, form)}) {
      EXPECT_TRUE(policy.check_fits(m));
      EXPECT_EQ(policy.group_independent(), form == PolicyForm::group_independent);
    }
  }
  EXPECT_EQ(accept_all(m).group_names(), m.names().groups);
}

TEST(SimplePolicies, BothFormsSayTheSame) {
  const Model m = model();
  expect_rows(unwrap(threshold_policy(m, {.from = 2, .at = 0.5}, PolicyForm::group_independent)), {0, 0, 0.5, 1});
  expect_rows(accept_all(m, PolicyForm::group_independent), {1, 1, 1, 1});
}

// The first and the last entry, by Philox 4x64-10 written out in another language: draws 0 and 23 of the stream.
TEST(SimplePolicies, TheRandomOneIsTheSameForASeedAndDiffersOtherwise) {
  const Model m = model();
  EXPECT_EQ(random_policy(m, 1), random_policy(m, 1));
  EXPECT_FALSE(random_policy(m, 1) == random_policy(m, 2));
  const Policy policy = random_policy(m, 1);
  EXPECT_NE(row(policy, 0, 0), row(policy, 0, 1));
  EXPECT_NE(row(policy, 0, 0), row(policy, 1, 0));
  EXPECT_EQ(policy.accept(0, 0, 0), 0x1.3535becafa300p-1);
  EXPECT_EQ(policy.accept(2, 1, 3), 0x1.291085ef4eeffp-1);
}

TEST(SimplePolicies, WhatMakesNoSenseIsNamed) {
  const Model m = model();
  const auto message = [](const Expected<Policy>& policy) { return policy ? Text("taken") : policy.error().message; };
  EXPECT_EQ(message(uniform_policy(m, 1.5)), "uniform is 1.5, expected a probability between 0 and 1");
  EXPECT_EQ(message(uniform_policy(m, std::numeric_limits<double>::quiet_NaN())),
            "uniform is nan, expected a probability between 0 and 1");
  EXPECT_EQ(message(threshold_policy(m, {.from = 5})), "threshold is x=5, expected 0 to 4 (at 4 nobody is accepted)");
  EXPECT_EQ(message(threshold_policy(m, {.from = 1, .at = -1})),
            "threshold accepts -1 at x=1, expected a probability between 0 and 1");
  EXPECT_EQ(message(threshold_policy(m, std::vector<Threshold>(2))),
            "threshold has 2 entries, expected 3 (one for each of g0, g1, g2)");
}

}  // namespace
}  // namespace fairstep
