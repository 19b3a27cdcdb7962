// The algorithm's order of things.
#include <fairstep/learn/learn.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/learn/run.hpp>

#include "learn/watched.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::learned;
using testing::nobody;
using testing::population;
using testing::quick;
using testing::unwrap;
using testing::Watched;

TEST(Learn, ActsByEachPolicyUntilTheNextUpdate) {
  Watched environment(population());
  LearnOptions options = quick();
  options.people_per_episode = 3;
  const std::vector<Update> updates = unwrap(learn(environment, options));
  ASSERT_EQ(updates.size(), 3u);
  ASSERT_EQ(environment.diary.size(), 3u);
  // Episodes 1 to 7 come before the update at 8, then 8 to 19, then 20 to 63.
  const std::uint64_t episodes[] = {7, 12, 44};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [policy, phase] = environment.diary[i];
    EXPECT_EQ(phase.number, i);
    EXPECT_EQ(phase.episodes, episodes[i]);
    EXPECT_EQ(phase.people_per_episode, 3u);
    EXPECT_EQ(policy, i == 0 ? unwrap(uniform_policy(population(), 0.5)) : updates[i - 1].policy);
    EXPECT_EQ(updates[i].k, options.schedule[i]);
    for (std::size_t g = 0; g < 2; ++g)
      EXPECT_EQ(environment.shown[i].people(g), static_cast<std::int64_t>(3 * episodes[i]));
  }
}

TEST(Learn, AddsUpWhatThePhasesShowed) {
  Watched environment(population());
  Learner learner = unwrap(Learner::make(environment, quick()));
  EXPECT_EQ(learner.done(), 0u);
  Counts sum = nobody(3, population().names());
  EXPECT_EQ(learner.counts(), sum);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(learner.finished());
    ASSERT_TRUE(learner.next());
    ASSERT_TRUE(sum.add(environment.shown[i]));
    EXPECT_EQ(learner.counts(), sum);
    EXPECT_EQ(learner.done(), i + 1);
  }
  EXPECT_TRUE(learner.finished());
  const auto none = learner.next();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "all 3 updates are done");
}

TEST(Learn, UpdatesBeforeAnybodyWasSeenIfToldTo) {
  Watched environment(population());
  const std::vector<Update> updates = unwrap(learn(environment, quick({1, 2, 5})));
  // Nobody acts before episode 1; the phase after the first update is number 1, as ever.
  ASSERT_EQ(environment.diary.size(), 2u);
  EXPECT_EQ(environment.diary[0].second.number, 1u);
  EXPECT_EQ(environment.diary[0].second.episodes, 1u);
  EXPECT_EQ(environment.diary[0].first, updates[0].policy);
  EXPECT_EQ(environment.diary[1].second.number, 2u);
  EXPECT_EQ(environment.diary[1].second.episodes, 3u);
  EXPECT_EQ(updates[0].unvisited, 16u);  // every cell
  EXPECT_EQ(updates[0].floor, 0.5);
}

TEST(Learn, DefaultsToThePapersSchedule) {
  Watched environment(population());
  const Learner learner = unwrap(Learner::make(environment, {}));
  ASSERT_EQ(learner.options().schedule.size(), 16u);
  EXPECT_EQ(learner.options().schedule.front(), 8u);
  EXPECT_EQ(learner.options().schedule.back(), 262'144u);
}

TEST(Learn, FillsInTheScales) {
  const auto scales = [](RelaxationMode mode, Notion notion) {
    Watched environment(population());
    LearnOptions options;
    options.relaxation = mode;
    options.fairness.notion = notion;
    const Learner learner = unwrap(Learner::make(environment, options));
    return std::pair{*learner.options().bonus_scale, *learner.options().relaxation_scale};
  };
  EXPECT_EQ(scales(RelaxationMode::scaled, Notion::dp), std::pair(1e-3, 1e-3));
  EXPECT_EQ(scales(RelaxationMode::scaled, Notion::eqopt), std::pair(1e-3, 1e-4));
  EXPECT_EQ(scales(RelaxationMode::scaled_width, Notion::eqopt), std::pair(1e-3, 1e-4));
  EXPECT_EQ(scales(RelaxationMode::literal, Notion::eqopt), std::pair(1.0, 1.0));
  EXPECT_EQ(scales(RelaxationMode::tight, Notion::eqodds), std::pair(1.0, 1.0));
}

TEST(Learn, AsksForAnEpisodesPeopleByShareOrOfEachGroup) {
  for (const bool by_share : {false, true}) {
    Watched environment(population());
    LearnOptions options = quick({8, 20});
    options.people_per_episode = 30;
    options.people_by_share = by_share;
    static_cast<void>(unwrap(learn(environment, options)));
    ASSERT_EQ(environment.diary.size(), 2u);
    EXPECT_EQ(environment.diary[1].second.by_share, by_share);
    std::int64_t people = 0;
    for (std::size_t g = 0; g < 2; ++g) people += environment.shown[1].everybody(g);
    EXPECT_EQ(people, 12 * 30 * (by_share ? 1 : 2));
    if (!by_share) {
      EXPECT_EQ(environment.shown[1].everybody(0), 12 * 30);
    }
  }
}

TEST(Learn, FindsPoliciesThatDoNotLookAtTheGroupAndMeasuresThemAgainstTheBestOfThem) {
  LearnOptions options = quick({8, 64, 1 << 20});
  options.group_independent = true;
  const std::vector<Update> updates = learned(population(), options);
  for (const Update& update : updates) EXPECT_TRUE(update.policy.group_independent());
  const Oracle best = unwrap(find_oracle(population(), options));
  ASSERT_TRUE(best.policy);
  EXPECT_TRUE(best.policy->group_independent());
  EXPECT_LE(best.bounds.lower, unwrap(find_oracle(population(), quick())).bounds.lower + 1e-9);
  EXPECT_DOUBLE_EQ(updates[2].truth->reward_regret, (best.bounds.lower - updates[2].truth->evaluation.value) / 3);
  // Safe mode mixes and falls back, and stays in the class.
  options.safe = true;
  options.fairness.limit = {0.2};
  for (const Update& update : learned(population(), options)) EXPECT_TRUE(update.policy.group_independent());
}

TEST(Learn, ProvesTheLastUpdateAsIsAskedForIt) {
  LearnOptions options = quick({8, 64, 512});
  options.last_proof = ProofBudget{};
  const std::vector<Update> updates = learned(population(), options);
  EXPECT_TRUE(std::isinf(updates[1].gap_to_bound));
  EXPECT_LE(updates[2].gap_to_bound, options.last_proof->gap);
}

TEST(Learn, EndsWithTheEnvironmentsError) {
  Watched environment(population(), 1);
  std::size_t made = 0;
  const auto updates = learn(environment, quick(), nullptr, [&](const Update&) {
    ++made;
    return true;
  });
  ASSERT_FALSE(updates);
  EXPECT_EQ(updates.error().message, "the queue is closed");
  EXPECT_EQ(updates.error().hint, "try tomorrow");
  EXPECT_EQ(made, 1u);
  EXPECT_EQ(environment.diary.size(), 2u);
}

/// An environment that says what it is told to say, and has seen nobody.
class Telling final : public Environment {
 public:
  explicit Telling(Known known, Names seen = population().names()) : known_(std::move(known)), seen_(std::move(seen)) {}
  [[nodiscard]] const Known& known() const override { return known_; }
  [[nodiscard]] Expected<Counts> act(const Policy&, const Phase&) override { return nobody(3, seen_); }

 private:
  Known known_;
  Names seen_;
};

Known told() { return {.horizon = 3, .names = population().names(), .share = {0.5, 0.5}}; }

TEST(Learn, GoesOnWhereNobodyCame) {
  Telling environment(told());
  const std::vector<Update> updates = unwrap(learn(environment, quick()));
  EXPECT_EQ(updates.size(), 3u);
  EXPECT_EQ(updates[2].unvisited, 16u);
}

TEST(Learn, RefusesCountsOfOtherPeople) {
  Names others = population().names();
  others.groups = {"somebody", "else"};
  Telling environment(told(), others);
  EXPECT_FALSE(learn(environment, quick()));
}

TEST(Learn, RefusesWhatCannotBeKnown) {
  const auto message = [](const std::function<void(Known&)>& spoil) {
    Known known = told();
    spoil(known);
    Telling environment(known);
    const auto learner = Learner::make(environment, quick());
    return learner ? "" : learner.error().message;
  };
  EXPECT_EQ(message([](Known&) {}), "");
  EXPECT_EQ(message([](Known& known) { known.reward = {2, -1}; }),
            "known.reward is 2 to -1, expected a range that holds every reward");
  EXPECT_EQ(message([](Known& known) { known.reward.high = HUGE_VAL; }),
            "known.reward is 0 to inf, expected a range that holds every reward");
  EXPECT_NE(message([](Known& known) { known.share = {0.5, 0.6}; }), "");
  EXPECT_NE(message([](Known& known) { known.horizon = 0; }), "");
  EXPECT_NE(message([](Known& known) { known.discount = 2; }), "");
  EXPECT_NE(message([](Known& known) { known.names.groups = {"one"}; }), "");
}

TEST(Learn, StopsWhenTold) {
  Watched environment(population());
  const auto first = unwrap(learn(environment, quick(), nullptr, [](const Update&) { return false; }));
  EXPECT_EQ(first.size(), 1u);

  std::stop_source source;
  LearnOptions options = quick();
  options.stop = source.get_token();
  Watched another(population());
  const auto second = unwrap(learn(another, options, nullptr, [&](const Update& update) {
    if (update.k == 20) source.request_stop();
    return true;
  }));
  EXPECT_EQ(second.size(), 2u);
  Watched third(population());
  EXPECT_TRUE(unwrap(learn(third, options)).empty());
  EXPECT_TRUE(third.diary.empty());
}

/// Asks to stop while it acts.
class Interrupting final : public Environment {
 public:
  [[nodiscard]] const Known& known() const override { return inner_.known(); }
  [[nodiscard]] Expected<Counts> act(const Policy& policy, const Phase& phase) override {
    if (phase.number == 1) source.request_stop();
    return inner_.act(policy, phase);
  }
  std::stop_source source{};

 private:
  SimulatedEnvironment inner_{population(), 5};
};

TEST(Learn, DropsAnUpdateThatWasInterrupted) {
  Interrupting environment;
  LearnOptions options = quick();
  options.stop = environment.source.get_token();
  EXPECT_EQ(unwrap(learn(environment, options)).size(), 1u);
}

TEST(Learn, RefusesMoreEpisodesThanCanBeCounted) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Watched environment(population());
  LearnOptions options = quick({8, most});
  options.people_per_episode = 3;
  const auto updates = learn(environment, options);
  ASSERT_FALSE(updates);
  EXPECT_EQ(updates.error().message, std::to_string(most - 8) + " episodes of 3 people are more than can be counted");
}

TEST(Learn, CostsTheSameHoweverManyEpisodes) {
  // 2^50 people a group: none of them is walked.
  const std::vector<Update> updates = learned(population(), quick({8, std::uint64_t{1} << 50}));
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[1].unvisited, 0u);
}

TEST(Learn, GoesOnBitByBitFromWhatWasKept) {
  for (const RelaxationMode mode : {RelaxationMode::scaled, RelaxationMode::tight}) {
    LearnOptions options = quick({1, 8, 20, 64, 300});
    options.relaxation = mode;
    options.trial_episodes = 20;
    struct Kept {
      Policy policy;
      Counts counts;
    };
    std::vector<Kept> kept;
    std::vector<std::string> texts;
    const auto text_of = [&](const Learner& learner, const Update& update) {
      return to_text(record_of(update, learner.options(), population().shape()));
    };
    {
      SimulatedEnvironment environment(population(), 5);
      Learner learner = unwrap(Learner::make(environment, options, &population()));
      while (!learner.finished()) {
        const Update update = unwrap(learner.next());
        kept.push_back({update.policy, learner.counts()});
        texts.push_back(text_of(learner, update));
      }
    }
    for (std::size_t done = 1; done <= kept.size(); ++done) {
      SimulatedEnvironment environment(population(), 5);
      Learner learner = unwrap(Learner::make(environment, options, &population()));
      ASSERT_TRUE(learner.resume(done, kept[done - 1].policy, kept[done - 1].counts));
      EXPECT_EQ(learner.done(), done);
      while (!learner.finished()) {
        const std::size_t number = learner.done();
        EXPECT_EQ(text_of(learner, unwrap(learner.next())), texts[number]) << "taken up after " << done;
      }
    }
  }
}

TEST(Learn, RefusesToGoOnFromAnotherRun) {
  Watched environment(population());
  Learner learner = unwrap(Learner::make(environment, quick()));
  const Policy half = unwrap(uniform_policy(population()));
  const Counts none = nobody(3, population().names());
  const auto late = learner.resume(4, half, none);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "4 updates are done, expected at most 3");
  Names names = population().names();
  names.groups[0] = "others";
  for (const Counts& counts : {nobody(3, names), nobody(4, population().names())}) {
    const auto other = learner.resume(1, half, counts);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, "the kept counts are of another population");
  }
  const Model larger = testing::random_model(1, 2, 3, 3);
  EXPECT_FALSE(learner.resume(1, testing::random_policy(1, larger), none));
  EXPECT_EQ(learner.done(), 0u);
}

TEST(Learn, DrawsDependOnTheSeed) {
  const LearnOptions options = quick({64});
  EXPECT_EQ(learned(population(), options, 5)[0].policy, learned(population(), options, 5)[0].policy);
  EXPECT_NE(learned(population(), options, 5)[0].policy, learned(population(), options, 6)[0].policy);
}

TEST(Learn, EveryPhaseMeetsPeopleOfItsOwn) {
  const Policy half = unwrap(uniform_policy(population()));
  for (const bool by_person : {false, true}) {
    const auto met = [&](std::size_t number) {
      SimulatedEnvironment environment(population(), 5, by_person);
      return unwrap(environment.act(half, {.number = number, .episodes = 50, .people_per_episode = 2}));
    };
    EXPECT_EQ(met(1).people(0), 100);
    EXPECT_EQ(met(1), met(1));
    EXPECT_NE(met(1), met(2));
    // Nor does a trial of the same number and seed meet them.
    const Counts counts = met(0);
    double value = 0;
    for (std::size_t g = 0; g < 2; ++g)
      for (const double sum : counts.reward_sum().block(g)) value += population().share(g) * sum / 100;
    EXPECT_GT(std::abs(unwrap(try_out(population(), half, Notion::dp, 100, 5, 0)).value.mean - value), 1e-6);
  }
}

TEST(Learn, SeesThePeopleWhoTakePart) {
  const Model model =
      unwrap(make_random({.features = 2, .horizon = 4, .reward_noise = 0.2, .participation = true, .seed = 3}));
  for (const bool by_person : {false, true}) {
    SimulatedEnvironment environment(model, 5, by_person);
    EXPECT_TRUE(environment.known().noisy_rewards);
    LearnOptions options = quick({8, 2000});
    options.relaxation = RelaxationMode::tight;
    options.trial_episodes = 100;
    Learner learner = unwrap(Learner::make(environment, options, &model));
    ASSERT_TRUE(learner.next());
    const Update update = unwrap(learner.next());
    for (std::size_t g = 0; g < 2; ++g) {
      EXPECT_EQ(learner.counts().people(g), 1999);
      std::int64_t decisions = 0, late = 0;
      for (std::size_t h = 0; h < 4; ++h)
        for (std::size_t x = 0; x < 2; ++x)
          for (std::size_t y = 0; y < kLabels; ++y)
            for (std::size_t a = 0; a < kActions; ++a) {
              decisions += learner.counts().visits()(g, h, x, y, a);
              if (h == 0) late += learner.counts().visits()(g, h, x, y, a);
            }
      EXPECT_LT(decisions, 1999 * 4);
      EXPECT_LT(late, 1999);
      EXPECT_GT(late, 0);
    }
    // Judged as people who stay, all the same.
    EXPECT_EQ(update.truth->evaluation.value, unwrap(evaluate(model, update.policy)).value);
  }
}

// Person by person or whole crowds at once: the same distribution. 200 runs of each, an update and what its policy
// shows then; the means of the policy's true value and gaps and of the visits of 16 cells are 18 differences, each
// beyond 5 of its standard deviations with probability below 6e-7 (normal): a false alarm in fewer than 1 of 90,000.
// The seeds are fixed.
TEST(Learn, PersonByPersonAndByCountsAreTheSameInDistribution) {
  struct Moments {
    double sum = 0, squares = 0;
  };
  constexpr int runs = 200;
  LearnOptions options = quick({40});
  options.method = Method::unconstrained;  // the fastest to solve; it depends on the draws as others do
  std::vector<Moments> moments[2];
  for (const bool by_person : {false, true}) {
    auto& mine = moments[by_person ? 1 : 0];
    mine.resize(18);
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      SimulatedEnvironment environment(population(), 1000 + seed, by_person);
      Learner learner = unwrap(Learner::make(environment, options));
      const Policy policy = unwrap(learner.next()).policy;
      Counts counts = unwrap(environment.act(policy, {.number = 1, .episodes = 40}));
      ASSERT_TRUE(counts.add(learner.counts()));
      const Evaluation exact = unwrap(evaluate(population(), policy));
      std::vector<double> seen{exact.value, exact.gap.dp[0].gap + exact.gap.dp[1].gap + exact.gap.dp[2].gap};
      for (std::size_t g = 0; g < 2; ++g)
        for (std::size_t x = 0; x < 2; ++x)
          for (std::size_t y = 0; y < kLabels; ++y)
            for (std::size_t a = 0; a < kActions; ++a)
              seen.push_back(static_cast<double>(counts.visits_of(g, x, y, a)));
      for (std::size_t i = 0; i < seen.size(); ++i) {
        mine[i].sum += seen[i];
        mine[i].squares += seen[i] * seen[i];
      }
    }
  }
  for (std::size_t i = 0; i < 18; ++i) {
    double difference = 0, variance = 0;
    for (const int which : {0, 1}) {
      const Moments& m = moments[which][i];
      const double mean = m.sum / runs;
      difference += (which == 0 ? 1 : -1) * mean;
      variance += (m.squares / runs - mean * mean) / (runs - 1);
    }
    EXPECT_LT(std::abs(difference), 5 * std::sqrt(variance)) << i;
    EXPECT_GT(variance, 0) << i;
  }
}

}  // namespace
}  // namespace fairstep
