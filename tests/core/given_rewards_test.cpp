// Rewards by label and decision, and by group and feature where these are named: each cell once.
#include <fairstep/core/given_rewards.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

const Names kPeople{.groups = {"white", "black"}, .features = {"low", "high"}};

TEST(GivenRewards, TextNamesLabelsAndDecisionsAndTheRestEarnsNothing) {
  const GivenRewards given = unwrap(rewards_from("y1a1=1,y0a1=-4"));
  EXPECT_EQ(given.elsewhere, 0);
  EXPECT_EQ(not_named(given), "y0a0 and y1a0");
  const Tensor<double, 4> reward = unwrap(rewards_by_cell(given, kPeople));
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < 2; ++x) {
      EXPECT_EQ(reward(g, x, 1, 1), 1);
      EXPECT_EQ(reward(g, x, 0, 1), -4);
      EXPECT_EQ(reward(g, x, 0, 0), 0);
      EXPECT_EQ(reward(g, x, 1, 0), 0);
    }
  EXPECT_EQ(not_named(unwrap(rewards_from("y1a1=1e-3,y0a1=0,y1a0=-0.5,y0a0=2"))), "");
}

TEST(GivenRewards, TextThatIsNoneIsRefused) {
  for (const std::string text : {"", "y1a1", "y2a1=1", "a1y1=1", "y1a1=one", "y1a1=1,", "y1a1=1;y0a1=2", "y1=1"}) {
    const auto given = rewards_from(text);
    ASSERT_FALSE(given) << text;
    EXPECT_EQ(given.error().option, "reward");
    EXPECT_NE(given.error().message.find("expected label, decision and number: y1a1=1"), std::string::npos) << text;
  }
  EXPECT_EQ(rewards_from("y1a1=1,y1a1=2").error().message, "reward names y1a1 twice, expected it once");
  EXPECT_EQ(rewards_from("y1a1=1e101").error().message,
            "reward has \"y1a1=1e101\", expected a number between -1e100 and 1e100");
}

TEST(GivenRewards, AnEntryIsAboutAllCellsThatHaveWhatItNames) {
  GivenRewards given;
  given.entries = {{"black", "low", 1, 1, 7},
                   {"black", "high", 1, 1, 5},
                   {"white", {}, 1, 1, 3},
                   {{}, {}, 0, 1, -2},
                   {{}, {}, {}, 0, 0.5}};
  const Tensor<double, 4> reward = unwrap(rewards_by_cell(given, kPeople));
  // [g,x,y,a], a running fastest: refused 0.5 always; accepted -2 with label 0, and with label 1 as named.
  const std::vector<double> expected{0.5, -2, 0.5, 3, 0.5, -2, 0.5, 3, 0.5, -2, 0.5, 7, 0.5, -2, 0.5, 5};
  EXPECT_EQ(std::vector<double>(reward.flat().begin(), reward.flat().end()), expected);
}

TEST(GivenRewards, ACellIsNamedOnceAndUnknownNamesAreNone) {
  const auto error = [](std::vector<RewardEntry> entries, std::optional<double> elsewhere = 0.0) {
    return rewards_by_cell({std::move(entries), elsewhere}, kPeople).error();
  };
  EXPECT_EQ(error({{{}, {}, 1, 1, 1}, {"black", {}, {}, 1, 2}}).message,
            "rewards[0] and rewards[1] both name group black, x low, y 1, a 1, expected each cell once");
  EXPECT_EQ(error({{{}, {}, 1, 1, 1}, {"black", {}, {}, 1, 2}}).pointer, "/rewards/1");
  const Error unknown = error({{{}, {}, 1, 1, 1}, {"blck", {}, 0, 1, 2}});
  EXPECT_EQ(unknown.message, "rewards[1].group is \"blck\", which the counts do not have");
  EXPECT_EQ(unknown.hint, "did you mean \"black\"?");
  EXPECT_EQ(error({{{}, "600", 0, 1, 2}}).hint, "they have low, high");
  EXPECT_EQ(error({{{}, {}, 2, 1, 2}}).message, "rewards[0].y is 2, expected 0 or 1");
  EXPECT_EQ(error({{{}, {}, 1, 1, std::numeric_limits<double>::quiet_NaN()}}).pointer, "/rewards/0/reward");
  EXPECT_EQ(error({}, 1e200).pointer, "/elsewhere");
  const Error missing = error({{{}, {}, 1, {}, 1}, {"white", {}, 0, {}, 2}}, std::nullopt);
  EXPECT_EQ(missing.message,
            "no reward is given for group black, x low, y 0, a 0 (of 16 cells, 4 have none), expected one for every "
            "cell");
}

}  // namespace
}  // namespace fairstep
