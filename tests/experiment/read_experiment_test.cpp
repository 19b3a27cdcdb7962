// Experiment files that are read, and what becomes of what they say and leave out.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/io/files.hpp>

#include "experiment/small.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::least_file;
using testing::parsed;
using testing::unwrap;

TEST(ReadExperiment, FillsInThePapersSettings) {
  const Experiment experiment = parsed(least_file());
  EXPECT_EQ(experiment.name, "small");  // the file's
  EXPECT_EQ(experiment.repeats, 5u);
  EXPECT_EQ(experiment.seed, 1u);
  EXPECT_EQ(experiment.horizon, 8u);
  ASSERT_EQ(experiment.learning.schedule.size(), 16u);
  EXPECT_EQ(experiment.learning.schedule.front(), 8u);
  EXPECT_EQ(experiment.learning.schedule.back(), 262144u);
  EXPECT_EQ(experiment.learning.people_per_episode, 1u);
  EXPECT_EQ(experiment.learning.trial_episodes, 8000u);
  EXPECT_EQ(experiment.learning.fairness.limit, std::vector<double>{0});
  EXPECT_EQ(experiment.learning.delta, 0.1);
  EXPECT_EQ(experiment.relaxation.mode, RelaxationMode::scaled_width);
  EXPECT_FALSE(experiment.learning.people_by_share);
  EXPECT_FALSE(experiment.learning.last_proof);
  EXPECT_EQ(experiment.methods.at(0).notions, experiment.notions);
  EXPECT_EQ(experiment.relaxation.bonus_scale, 0.001);
  EXPECT_EQ(experiment.relaxation.scale, (std::array<double, 3>{0.001, 0.0001, 0.0001}));
  EXPECT_TRUE(experiment.learning.proof.wanted);
  EXPECT_EQ(experiment.learning.proof.gap, 0.001);
  EXPECT_EQ(experiment.learning.proof.time_limit, 60);
  EXPECT_EQ(experiment.notions, std::vector<Notion>{Notion::dp});
  ASSERT_EQ(experiment.environments.size(), 1u);
  EXPECT_EQ(experiment.environments[0].name, "fico");
  EXPECT_EQ(experiment.environments[0].source, "fico");
  EXPECT_EQ(to_text(experiment.environments[0].model), to_text(unwrap(make_fico())));
  ASSERT_EQ(experiment.methods.size(), 1u);
  EXPECT_EQ(experiment.methods[0].id, "ours");
}

TEST(ReadExperiment, DefaultsAreTheLearnersOwn) {
  const Experiment experiment = parsed(least_file());
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    const LearnOptions options = learn_options(experiment, notion, experiment.methods[0], 1);
    LearnOptions plain;
    plain.fairness.notion = notion;
    SimulatedEnvironment population(experiment.environments[0].model, 1);
    const Learner learner = unwrap(Learner::make(population, plain));
    EXPECT_EQ(options.bonus_scale, learner.options().bonus_scale);
    EXPECT_EQ(options.relaxation_scale, learner.options().relaxation_scale);
    EXPECT_EQ(options.schedule, learner.options().schedule);
    EXPECT_EQ(options.delta, plain.delta);
    EXPECT_EQ(options.proof.gap, plain.proof.gap);
    EXPECT_EQ(options.proof.time_limit, plain.proof.time_limit);
    EXPECT_EQ(options.proof.effort, plain.proof.effort);
    EXPECT_EQ(options.trial_episodes, plain.trial_episodes);
    EXPECT_EQ(options.people_per_episode, plain.people_per_episode);
    EXPECT_EQ(options.proof.wanted, plain.proof.wanted);
    EXPECT_EQ(options.safe, plain.safe);
  }
}

TEST(ReadExperiment, TakesPeopleByShareDiscountedLimitsPoliciesForAllAndALastProof) {
  const Experiment experiment =
      parsed(least_file("people = 7\ndiscounted_limits = true\ngroup_independent = true\nmonotone = true\norder = "
                        "[\"25\", \"0\"]\n[certificate]\neffort = 10\n"
                        "last = {gap = 1e-5, effort = 99, fairness = \"dp\"}\n"));
  const LearnOptions options = learn_options(experiment, Notion::dp, experiment.methods[0], 1);
  EXPECT_EQ(options.people_per_episode, 7u);
  EXPECT_TRUE(options.people_by_share);
  EXPECT_TRUE(options.discounted_limits);
  EXPECT_TRUE(options.group_independent);
  EXPECT_TRUE(options.rules.monotone);
  EXPECT_FALSE(options.rules.threshold || options.rules.stationary);
  EXPECT_EQ(options.rules.order, (std::vector<std::string>{"25", "0"}));
  EXPECT_EQ(options.proof.gap, 1e-3);
  EXPECT_EQ(options.proof.effort, 10u);
  ASSERT_TRUE(options.last_proof);
  EXPECT_EQ(options.last_proof->gap, 1e-5);
  EXPECT_EQ(options.last_proof->effort, 99u);
  EXPECT_EQ(options.last_proof->time_limit, options.proof.time_limit);
  EXPECT_FALSE(learn_options(experiment, Notion::eqopt, experiment.methods[0], 1).last_proof);
}

TEST(ReadExperiment, HandsEverythingToTheLearner) {
  const Experiment experiment = parsed(
      least_file("limit = [0.1, 0.2]\nhorizon = 2\nschedule = \"4..16\"\npeople_per_episode = 7\n"
                 "evaluation_episodes = 0\nbonus_scale = 0.5\nrelaxation_scale = {dp = 0.25}\ndelta = 0.2\n"
                 "floor = 0.125\nfloor_kind = \"accept_only\"\nepsilon = 0.5\nunvisited = \"stay\"\n"
                 "certificate = {gap = 0.01, time_limit = 2, effort = 77}\npenalty_form = \"cross\"\n",
                 "[[method]]\nmethod = \"penalty\"\nlambda = 3\n[[method]]\nmethod = \"constrained\"\nsafe = true\n"));
  const LearnOptions penalty = learn_options(experiment, Notion::dp, experiment.methods[0], 11);
  EXPECT_EQ(penalty.method, Method::penalty);
  EXPECT_EQ(penalty.penalty, 3);
  EXPECT_EQ(penalty.penalty_form, PenaltyForm::cross);
  EXPECT_EQ(penalty.seed, 11u);
  EXPECT_FALSE(penalty.safe);
  const LearnOptions safe = learn_options(experiment, Notion::dp, experiment.methods[1], 11);
  EXPECT_TRUE(safe.safe);
  EXPECT_EQ(safe.fairness.limit, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(safe.schedule, (std::vector<std::uint64_t>{4, 8, 16}));
  EXPECT_EQ(safe.people_per_episode, 7u);
  EXPECT_EQ(safe.trial_episodes, 0u);
  EXPECT_EQ(safe.bonus_scale, 0.5);
  EXPECT_EQ(safe.relaxation_scale, 0.25);
  EXPECT_EQ(safe.delta, 0.2);
  EXPECT_EQ(safe.floor, 0.125);
  EXPECT_EQ(safe.floor_kind, FloorKind::accept_only);
  EXPECT_EQ(safe.epsilon, 0.5);
  EXPECT_EQ(safe.unvisited, Unvisited::stay);
  EXPECT_EQ(safe.proof.gap, 0.01);
  EXPECT_EQ(safe.proof.time_limit, 2);
  EXPECT_EQ(safe.proof.effort, 77u);
  EXPECT_EQ(experiment.environments[0].model.shape().horizon, 2u);
}

TEST(ReadExperiment, AFrontierIsProvenAsRunsAreUnlessItSaysOtherwise) {
  EXPECT_EQ(parsed(least_file("certificate = {gap = 0.5, time_limit = 1}")).frontier.proof.gap, 0.5);
  EXPECT_EQ(parsed(least_file("certificate = {gap = 0.5, time_limit = 1}")).frontier.proof.time_limit, 60);
  const Experiment own = parsed(least_file("frontier = {limits = [1, 0], gap = 0.25, time_limit = 3}"));
  EXPECT_EQ(own.frontier.proof.gap, 0.25);
  EXPECT_EQ(own.frontier.proof.time_limit, 3);
  EXPECT_EQ(own.frontier.limits, (std::vector<double>{0, 1}));
  EXPECT_FALSE(parsed(least_file("certificate = \"off\"")).frontier.proof.wanted);
  EXPECT_TRUE(parsed(least_file("frontier = \"off\"")).frontier.limits.empty());
}

TEST(ReadExperiment, ReadsTheShippedExperiments) {
  const std::filesystem::path configs = FAIRSTEP_SOURCE_DIR "/configs";
  const Experiment paper = unwrap(read_experiment_file(configs / "paper.toml"));
  EXPECT_EQ(paper.environments.size(), 2u);
  EXPECT_EQ(paper.notions.size(), 2u);
  EXPECT_EQ(paper.repeats, 5u);
  EXPECT_EQ(paper.learning.schedule.size(), 16u);
  EXPECT_EQ(paper.learning.trial_episodes, 8000u);
  for (const ExperimentEnvironment& environment : paper.environments) EXPECT_EQ(environment.model.shape().horizon, 8u);
  EXPECT_TRUE(read_experiment_file(configs / "paper-certified.toml"));
  EXPECT_TRUE(read_experiment_file(configs / "quick.toml"));
}

}  // namespace
}  // namespace fairstep
