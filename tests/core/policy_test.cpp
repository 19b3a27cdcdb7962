#include <fairstep/core/policy.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::unwrap;

/// [2,2,2] with entries 1/16, 2/16, ..., 8/16.
Tensor<double, 3> sixteenths() {
  Tensor<double, 3> accept({2, 2, 2});
  for (std::size_t i = 0; i < accept.size(); ++i) accept.flat()[i] = static_cast<double>(i + 1) / 16;
  return accept;
}

TEST(Policy, AnswersForEachGroupStepAndFeature) {
  const Policy policy = unwrap(Policy::make(sixteenths(), {"a", "b"}));
  EXPECT_FALSE(policy.group_independent());
  EXPECT_EQ(policy.groups(), 2U);
  EXPECT_EQ(policy.horizon(), 2U);
  EXPECT_EQ(policy.features(), 2U);
  EXPECT_EQ(policy.accept(0, 0, 0), 1.0 / 16);
  EXPECT_EQ(policy.accept(1, 0, 1), 6.0 / 16);
  EXPECT_EQ(policy.group(1)[3], 8.0 / 16);
  EXPECT_EQ(policy.group_names(), (std::vector<std::string>{"a", "b"}));
}

TEST(Policy, AGroupIndependentOneGivesEveryGroupTheSame) {
  Tensor<double, 2> accept({2, 3}, 0.25);
  accept(1, 2) = 0.75;
  const Policy policy = unwrap(Policy::make_group_independent(accept));
  EXPECT_TRUE(policy.group_independent());
  EXPECT_EQ(policy.groups(), 1U);
  for (const std::size_t g : {0U, 1U, 7U}) {
    EXPECT_EQ(policy.accept(g, 1, 2), 0.75);
    EXPECT_EQ(policy.group(g)[5], 0.75);
  }
}

TEST(Policy, NamesTheEntryThatIsNoProbability) {
  for (const double bad : {-0.5, 1.5, std::nan(""), HUGE_VAL}) {
    Tensor<double, 3> accept = sixteenths();
    accept(1, 0, 1) = bad;
    const auto named = Policy::make(accept, {"white", "black"});
    ASSERT_FALSE(named);
    EXPECT_EQ(named.error().message.find("accept[g=black,h=0,x=1] is "), 0U) << named.error().message;
    EXPECT_EQ(named.error().pointer, "/accept/1/0/1");
    const auto nameless = Policy::make(accept);
    ASSERT_FALSE(nameless);
    EXPECT_EQ(nameless.error().message.find("accept[g=1,h=0,x=1] is "), 0U) << nameless.error().message;
  }
  Tensor<double, 2> shared({2, 2});
  shared(1, 0) = 2;
  const auto independent = Policy::make_group_independent(shared);
  ASSERT_FALSE(independent);
  EXPECT_EQ(independent.error().message, "accept[h=1,x=0] is 2, expected a probability between 0 and 1");
  EXPECT_EQ(independent.error().pointer, "/accept/1/0");
}

TEST(Policy, TakesTheEndsOfTheRange) {
  Tensor<double, 3> accept = sixteenths();
  accept(0, 0, 0) = 0;
  accept(0, 0, 1) = 1;
  EXPECT_TRUE(Policy::make(accept));
}

TEST(Policy, RefusesSizesThatMakeNoSense) {
  const auto message = [](const Expected<Policy>& policy) { return policy ? "" : policy.error().message; };
  EXPECT_EQ(message(Policy::make({})), "accept has size 0 x 0 x 0, expected at least one group, step and feature");
  EXPECT_EQ(message(Policy::make(Tensor<double, 3>({2, 0, 2}))),
            "accept has size 2 x 0 x 2, expected at least one group, step and feature");
  EXPECT_EQ(message(Policy::make_group_independent({})),
            "accept has size 0 x 0, expected at least one step and feature");
  EXPECT_EQ(message(Policy::make(Tensor<double, 3>({1, 2, 2}))), "accept is for 1 group, expected at least 2");
  EXPECT_EQ(message(Policy::make(sixteenths(), {"a", "b", "c"})), "accept is for 2 groups, expected 3 (a, b, c)");
  EXPECT_EQ(message(Policy::make(sixteenths(), {"a", "a"})), "groups[1] is \"a\" again, expected different names");
}

TEST(PolicyFit, IsGivenForTheModelsOwnShape) {
  const Model model = hand_model();  // groups a and b, two steps, two features
  EXPECT_TRUE(unwrap(Policy::make(sixteenths(), {"a", "b"})).check_fits(model));
  EXPECT_TRUE(unwrap(Policy::make(sixteenths())).check_fits(model));
  EXPECT_TRUE(unwrap(Policy::make_group_independent(Tensor<double, 2>({2, 2}))).check_fits(model));
}

TEST(PolicyFit, SaysWhatDiffers) {
  const Model model = hand_model();
  const auto message = [&](const Expected<Policy>& policy) {
    const auto fits = policy->check_fits(model);
    return fits ? "" : fits.error().message;
  };
  EXPECT_EQ(message(Policy::make(Tensor<double, 3>({3, 2, 2}))), "the policy is for 3 groups, the model has 2 (a, b)");
  EXPECT_EQ(message(Policy::make(sixteenths(), {"b", "a"})), "the policy is for the groups b, a, the model has a, b");
  EXPECT_EQ(message(Policy::make(Tensor<double, 3>({2, 3, 2}))), "the policy has 3 steps, the model has horizon 2");
  EXPECT_EQ(message(Policy::make(Tensor<double, 3>({2, 2, 1}))), "the policy has 1 feature, the model has 2");
  EXPECT_EQ(message(Policy::make_group_independent(Tensor<double, 2>({1, 2}))),
            "the policy has 1 step, the model has horizon 2");
}

}  // namespace
}  // namespace fairstep
