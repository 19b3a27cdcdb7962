#include <fairstep/core/model.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::random_model;
using testing::unwrap;

/// Groups "a" and "b", features "low" and "high", horizon 2, with everything that is optional.
ModelSpec full_spec() {
  ModelSpec spec = hand_model().spec();
  spec.reward_noise = Tensor<double, 4>({2, 2, 2, 2}, 0.25);
  spec.participation = Participation{Tensor<double, 4>({2, 2, 2, 2}, 0.125), Tensor<double, 2>({2, 2}, 0.5)};
  return spec;
}

TEST(Model, TakesASoundSpec) {
  const Model model = unwrap(Model::make(full_spec()));
  EXPECT_EQ(model.spec(), full_spec());
  EXPECT_EQ(model.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(model.share(1), 0.25);
  EXPECT_EQ(model.initial(0)[3], 0.375);
  EXPECT_EQ(model.reward(1)[1], -0.5);
  EXPECT_EQ(model.kernel(0, 0).row(0)[0], 1);
}

TEST(Model, TakesRowsThatMissOneByRounding) {
  ModelSpec spec = full_spec();
  spec.share = {0.1, 0.9 + 1e-10};
  EXPECT_TRUE(Model::make(spec));
  spec.share = {0.1, 0.9 + 1e-8};
  EXPECT_FALSE(Model::make(spec));
}

TEST(Model, TakesStatesThatNobodyReaches) {
  // Group b starts low, and its row for (high,0) is there all the same.
  ModelSpec spec = full_spec();
  EXPECT_EQ(spec.initial(1, 1, 0), 0);
  EXPECT_TRUE(Model::make(spec));
}

struct Mistake {
  const char* name;
  std::function<void(ModelSpec&)> make;
  std::string message;
  std::string pointer;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

const double kNaN = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"OneGroup", [](auto& m) { m.names.groups = {"a"}; }, "groups has 1 name, expected at least 2", "/groups"},
      {"NoFeature", [](auto& m) { m.names.features.clear(); }, "features has 0 names, expected at least 1",
       "/features"},
      {"EqualNames", [](auto& m) { m.names.features = {"low", "low"}; },
       "features[1] is \"low\" again, expected different names", "/features/1"},
      {"EmptyName", [](auto& m) { m.names.groups[0] = ""; }, "groups[0] is empty, expected a name", "/groups/0"},
      {"NameNotUtf8", [](auto& m) { m.names.groups[1] = "\xFF"; }, "groups[1] is not valid UTF-8, expected a name",
       "/groups/1"},
      {"NameOfTwoLines", [](auto& m) { m.names.features[0] = "a\nb"; },
       "features[0] contains a line break, tab or other control character, expected a name of one line", "/features/0"},
      {"ThreeLabels", [](auto& m) { m.names.labels = {"a", "b", "c"}; }, "labels has 3 names, expected 2", "/labels"},
      {"OneAction", [](auto& m) { m.names.actions = {"a"}; }, "actions has 1 name, expected 2", "/actions"},
      {"DescriptionNotUtf8", [](auto& m) { m.description = "\xC0"; }, "description is not valid UTF-8", "/description"},
      {"NoStep", [](auto& m) { m.horizon = 0; }, "horizon is 0, expected at least 1", "/horizon"},
      {"TooManySteps", [](auto& m) { m.horizon = std::numeric_limits<std::size_t>::max(); },
       "horizon is 18446744073709551615, expected at most 16777216 with 2 groups and 2 features",  // 2^28 / (2 * 2 * 4)
       "/horizon"},
      {"ShareTooShort", [](auto& m) { m.share = {1}; }, "share has size 1, expected 2", "/share"},
      {"ShareNotANumber", [](auto& m) { m.share[1] = kNaN; },
       "share[g=b] is nan, expected a probability between 0 and 1", "/share/1"},
      {"ShareSum", [](auto& m) { m.share = {0.5, 0.25}; }, "share sums to 0.75, expected 1 (within 1e-9)", "/share"},
      {"InitialSize", [](auto& m) { m.initial = Tensor<double, 3>({2, 3, 2}); },
       "initial has size 2 x 3 x 2, expected 2 x 2 x 2", "/initial"},
      {"InitialSum", [](auto& m) { m.initial(1, 0, 0) = 0.25; }, "initial[g=b] sums to 0.75, expected 1 (within 1e-9)",
       "/initial/1"},
      {"TransitionSize", [](auto& m) { m.transition = {}; },
       "transition has size 0 x 0 x 0 x 0 x 0 x 0, expected 2 x 2 x 2 x 2 x 2 x 2", "/transition"},
      {"TransitionNegative", [](auto& m) { m.transition(1, 0, 1, 1, 0, 0) = -0.5; },
       "transition[g=b,x=0,y=1,a=1,x1=0,y1=0] is -0.5, expected a probability between 0 and 1",
       "/transition/1/0/1/1/0/0"},
      {"TransitionNotANumber", [](auto& m) { m.transition(0, 0, 0, 0, 0, 0) = kNaN; },
       "transition[g=a,x=0,y=0,a=0,x1=0,y1=0] is nan, expected a probability between 0 and 1",
       "/transition/0/0/0/0/0/0"},
      {"TransitionSum", [](auto& m) { m.transition(0, 1, 0, 1, 0, 0) = 0.47; },
       "transition[g=a,x=1,y=0,a=1] sums to 0.97, expected 1 (within 1e-9)", "/transition/0/1/0/1"},
      {"RewardSize", [](auto& m) { m.reward = Tensor<double, 4>({2, 2, 2, 3}); },
       "reward has size 2 x 2 x 2 x 3, expected 2 x 2 x 2 x 2", "/reward"},
      {"RewardInfinite", [](auto& m) { m.reward(1, 1, 1, 1) = -kInfinity; },
       "reward[g=b,x=1,y=1,a=1] is -inf, expected a number between -1e100 and 1e100", "/reward/1/1/1/1"},
      {"NoiseSize", [](auto& m) { m.reward_noise = Tensor<double, 4>({1, 2, 2, 2}); },
       "reward_noise has size 1 x 2 x 2 x 2, expected 2 x 2 x 2 x 2", "/reward_noise"},
      {"NoiseNegative", [](auto& m) { m.reward_noise(0, 0, 0, 1) = -1; },
       "reward_noise[g=a,x=0,y=0,a=1] is -1, expected a number between 0 and 1e100", "/reward_noise/0/0/0/1"},
      {"DiscountZero", [](auto& m) { m.discount = 0; }, "discount is 0, expected more than 0 and at most 1",
       "/discount"},
      {"DiscountNotANumber", [](auto& m) { m.discount = kNaN; }, "discount is nan, expected more than 0 and at most 1",
       "/discount"},
      {"LeaveSize", [](auto& m) { m.participation->leave = {}; },
       "participation.leave has size 0 x 0 x 0 x 0, expected 2 x 2 x 2 x 2", "/participation/leave"},
      {"LeaveAboveOne", [](auto& m) { m.participation->leave(1, 0, 1, 0) = 1.5; },
       "participation.leave[g=b,x=0,y=1,a=0] is 1.5, expected a probability between 0 and 1",
       "/participation/leave/1/0/1/0"},
      {"FirstStepSum", [](auto& m) { m.participation->first_step(1, 1) = 0; },
       "participation.first_step[g=b] sums to 0.5, expected 1 (within 1e-9)", "/participation/first_step/1"},
  };
  return all;
}

class ModelMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ModelMistake, IsRefusedByName) {
  ModelSpec spec = full_spec();
  GetParam().make(spec);
  const auto model = Model::make(spec);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, GetParam().message);
  EXPECT_EQ(model.error().pointer, GetParam().pointer);
}

INSTANTIATE_TEST_SUITE_P(Each, ModelMistake, ::testing::ValuesIn(mistakes()),
                         [](const auto& mistake) { return mistake.param.name; });

TEST(RewardRange, IsThatOfTheMeansWithoutNoise) {
  const Range range = hand_model().reward_range();  // rewards 0, 1 and -1/2
  EXPECT_EQ(range.low, -0.5);
  EXPECT_EQ(range.high, 1);
}

TEST(RewardRange, IsWidenedByNoise) {
  ModelSpec spec = full_spec();
  spec.reward_noise = Tensor<double, 4>({2, 2, 2, 2});
  spec.reward_noise(0, 0, 0, 1) = 0.25;  // mean -1/2
  spec.reward_noise(1, 1, 1, 1) = 0.5;   // mean 1
  spec.reward_noise(1, 1, 1, 0) = 1;     // mean 0
  const Range range = unwrap(Model::make(spec)).reward_range();
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 1.5);
}

TEST(RewardRange, OfTheGreatestRewardsIsStillFinite) {
  ModelSpec spec = full_spec();
  spec.reward(0, 0, 0, 0) = kLargestReward;
  spec.reward_noise(0, 0, 0, 0) = kLargestReward;
  EXPECT_EQ(unwrap(Model::make(spec)).reward_range().high, 2e100);
}

TEST(Model, CanBeCopiedAndMoved) {
  const Model original = random_model(1, 2, 3, 2);
  Model copy = original;
  const Model moved = std::move(copy);
  const std::vector<double> ones(original.shape().states(), 1.0);
  EXPECT_NEAR(moved.kernel(1, 0).expect(0, ones.data()), 1, 1e-12);
  EXPECT_EQ(moved.kernel(1, 0).expect(0, ones.data()), original.kernel(1, 0).expect(0, ones.data()));
}

}  // namespace
}  // namespace fairstep
