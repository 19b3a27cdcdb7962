// People drawn from a model: what is known of them beforehand, and that draws belong to their phase.
#include <fairstep/learn/environment.hpp>

#include <limits>
#include <stop_token>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::unwrap;

TEST(SimulatedEnvironment, TellsWhatIsKnownBeforehand) {
  // Rewards of 1, -1/2 and 0, always the same; three quarters of the people are in group a.
  const SimulatedEnvironment population(hand_model(), 1);
  const Known& known = population.known();
  EXPECT_EQ(known.horizon, 2U);
  EXPECT_EQ(known.names, hand_model().names());
  EXPECT_EQ(known.share, (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(known.discount, 1);
  EXPECT_EQ(known.reward.low, -0.5);
  EXPECT_EQ(known.reward.high, 1);
  EXPECT_FALSE(known.noisy_rewards);
  EXPECT_EQ(known.shape(), (Shape{2, 2, 2}));
}

TEST(SimulatedEnvironment, KnowsWhetherRewardsAreNoisy) {
  ModelSpec spec = hand_model().spec();
  spec.reward_noise = Tensor<double, 4>({2, 2, 2, 2});
  EXPECT_FALSE(SimulatedEnvironment(unwrap(Model::make(spec)), 1).known().noisy_rewards);
  spec.reward_noise(1, 0, 0, 1) = 0.25;
  const SimulatedEnvironment noisy(unwrap(Model::make(spec)), 1);
  EXPECT_TRUE(noisy.known().noisy_rewards);
  EXPECT_EQ(noisy.known().reward.low, -0.75);
}

class Acted : public ::testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static Counts acted(std::uint64_t seed, const Phase& phase) {
    SimulatedEnvironment population(hand_model(), seed, GetParam());
    return unwrap(population.act(unwrap(uniform_policy(hand_model(), 0.5)), phase));
  }
};

TEST_P(Acted, HasSoManyPeopleOfEachGroupAnEpisode) {
  const Counts counts = acted(1, {.number = 0, .episodes = 20, .people_per_episode = 3});
  EXPECT_EQ(counts.people(0), 60);
  EXPECT_EQ(counts.people(1), 60);
}

TEST_P(Acted, DrawsDependOnTheSeedAndTheNumberOfThePhaseAlone) {
  const Phase phase{.number = 4, .episodes = 50};
  EXPECT_EQ(acted(7, phase), acted(7, phase));
  EXPECT_NE(acted(7, phase), acted(8, phase));
  EXPECT_NE(acted(7, phase), acted(7, {.number = 5, .episodes = 50}));
}

INSTANTIATE_TEST_SUITE_P(All, Acted, ::testing::Bool(),
                         [](const auto& by_person) { return by_person.param ? "ByPerson" : "ByCrowd"; });

TEST(SimulatedEnvironment, RefusesMorePeopleThanCanBeCounted) {
  SimulatedEnvironment population(hand_model(), 1);
  const auto acted = population.act(unwrap(uniform_policy(hand_model(), 0.5)),
                                    {.episodes = std::numeric_limits<std::uint64_t>::max(), .people_per_episode = 2});
  ASSERT_FALSE(acted);
  EXPECT_EQ(acted.error().message, "18446744073709551615 episodes of 2 people are more than can be counted");
}

TEST(SimulatedEnvironment, EndsWithAnErrorWhereItWasStopped) {
  std::stop_source source;
  source.request_stop();
  SimulatedEnvironment population(hand_model(), 1, true);
  EXPECT_FALSE(
      population.act(unwrap(uniform_policy(hand_model(), 0.5)), {.episodes = 1'000'000, .stop = source.get_token()}));
}

}  // namespace
}  // namespace fairstep
