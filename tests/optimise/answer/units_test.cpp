#include <fairstep/optimise/answer/units.hpp>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

Model with_rewards(double factor) {
  ModelSpec spec = testing::hand_model().spec();
  for (double& reward : spec.reward.flat()) reward *= factor;
  return testing::unwrap(Model::make(std::move(spec)));
}

TEST(Units, AreOneWhereRewardsAreUsual) {
  for (const double factor : {1.0, 100.0, 0.01}) EXPECT_EQ(unit_of_rewards(with_rewards(factor)), 1);
  EXPECT_EQ(unit_of_rewards(with_rewards(0)), 1);
}

TEST(Units, AreThePowerOfTwoBelowTheGreatestReward) {
  EXPECT_EQ(unit_of_rewards(with_rewards(1000)), 512);
  EXPECT_EQ(unit_of_rewards(with_rewards(1.0 / 1024)), 1.0 / 1024);
}

TEST(Units, ChangeNoDigitAndComeBack) {
  const Model model = with_rewards(1000.1);
  const Model converted = testing::unwrap(in_units(model, 512));
  for (std::size_t i = 0; i < model.reward(0).size(); ++i) EXPECT_EQ(512 * converted.reward(0)[i], model.reward(0)[i]);
  SolveResult result;
  result.bounds = {0.1, 0.3};
  result.shadow_price = {0.7};
  result.randomised_value = 0.2;
  convert(result, 512);
  EXPECT_EQ(result.bounds.lower, 51.2);
  EXPECT_EQ(result.bounds.upper, 512 * 0.3);
  EXPECT_EQ(result.shadow_price[0], 512 * 0.7);
  EXPECT_EQ(result.randomised_value, 512 * 0.2);
}

}  // namespace
}  // namespace fairstep
