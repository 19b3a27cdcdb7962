// Experiment files that are read, and what becomes of what they say and leave out.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/io/files.hpp>

#include "experiment/small.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::parsed;
using testing::TemporaryFolder;
using testing::unwrap;

/// The least that a file must say, with more keys at its head and tables at its end.
std::string file(const std::string& keys = {}, const std::string& methods = "[[method]]\nmethod = \"constrained\"\n",
                 const std::string& environments = "[\"fico\"]") {
  return "schema = \"fairstep/experiment/1\"\nenvironments = " + environments + "\nfairness = \"dp\"\n" + keys + "\n" +
         methods;
}

TEST(ReadExperiment, FillsInThePapersSettings) {
  const Experiment experiment = parsed(file());
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
  EXPECT_EQ(experiment.relaxation.mode, RelaxationMode::scaled);
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
  const Experiment experiment = parsed(file());
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

TEST(ReadExperiment, HandsEverythingToTheLearner) {
  const Experiment experiment =
      parsed(file("limit = [0.1, 0.2]\nhorizon = 2\nschedule = \"4..16\"\npeople_per_episode = 7\n"
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

TEST(ReadExperiment, APenaltyWithSeveralLambdasIsSeveralMethods) {
  const Experiment experiment = parsed(
      file("",
           "[[method]]\nmethod = \"penalty\"\nlambda = [0.01, 1, 10]\n[[method]]\nname = \"soft\"\nlabel = \"weak\"\n"
           "method = \"penalty\"\nlambda = 0.001\n"));
  ASSERT_EQ(experiment.methods.size(), 4u);
  EXPECT_EQ(experiment.methods[0].id, "penalty-0.01");
  EXPECT_EQ(experiment.methods[0].lambda, 0.01);
  EXPECT_EQ(experiment.methods[1].id, "penalty-1");
  EXPECT_EQ(experiment.methods[1].label, "penalty, lambda 1");
  EXPECT_EQ(experiment.methods[2].id, "penalty-10");
  EXPECT_EQ(experiment.methods[3].id, "soft-0.001");
  EXPECT_EQ(experiment.methods[3].label, "weak, lambda 0.001");
}

TEST(ReadExperiment, FactorsGoWithTheModeTheyWereGivenFor) {
  const Experiment experiment = parsed(
      file("bonus_scale = 0.5\nrelaxation_scale = {dp = 0.25}\n",
           "[[method]]\nmethod = \"constrained\"\n"
           "[[method]]\nname = \"a\"\nmethod = \"constrained\"\nrelaxation = \"literal\"\n"
           "[[method]]\nname = \"b\"\nmethod = \"constrained\"\nrelaxation = \"tight\"\nbonus_scale = 0.125\n"
           "[[method]]\nname = \"c\"\nmethod = \"constrained\"\nrelaxation = \"scaled\"\nrelaxation_scale = 2\n"));
  EXPECT_EQ(experiment.methods[0].relaxation.bonus_scale, 0.5);
  EXPECT_EQ(experiment.methods[0].relaxation.scale, (std::array<double, 3>{0.25, 0.0001, 0.0001}));
  EXPECT_EQ(experiment.methods[1].relaxation.mode, RelaxationMode::literal);
  EXPECT_EQ(experiment.methods[1].relaxation.bonus_scale, 1);
  EXPECT_EQ(experiment.methods[1].relaxation.scale, (std::array<double, 3>{1, 1, 1}));
  EXPECT_EQ(experiment.methods[2].relaxation.mode, RelaxationMode::tight);
  EXPECT_EQ(experiment.methods[2].relaxation.bonus_scale, 0.125);
  EXPECT_EQ(experiment.methods[2].relaxation.scale, (std::array<double, 3>{1, 1, 1}));
  EXPECT_EQ(experiment.methods[3].relaxation.bonus_scale, 0.5);
  EXPECT_EQ(experiment.methods[3].relaxation.scale, (std::array<double, 3>{2, 2, 2}));
}

TEST(ReadExperiment, MakesEnvironmentsWithOptionsOfTheirOwn) {
  const Experiment experiment =
      parsed(file("horizon = 3\n", "[[method]]\nmethod = \"unconstrained\"\n",
                  "[{name = \"fico\", groups = [\"white\", \"asian\"], discount = 0.5}, \"synthetic\",\n"
                  " {name = \"even\", kind = \"synthetic\", qualified = [0.25, 0.75], horizon = 4},\n"
                  " {name = \"lending\", interest = 0.5, repay = [0.25, 0.75], scores = [[0.5, 0.5], [1, 0]]},\n"
                  " {name = \"drawn\", kind = \"random\", features = 3, seed = 9, participation = true}]"));
  ASSERT_EQ(experiment.environments.size(), 5u);
  const auto same = [&](std::size_t i, const Expected<Model>& model) {
    return to_text(experiment.environments[i].model) == to_text(unwrap(model));
  };
  EXPECT_TRUE(same(0, make_fico({.groups = {"white", "asian"}, .horizon = 3, .discount = 0.5})));
  EXPECT_TRUE(same(1, make_synthetic({.horizon = 3})));
  EXPECT_TRUE(same(2, make_synthetic({.horizon = 4, .qualified = {0.25, 0.75}})));
  EXPECT_TRUE(
      same(3, make_lending({.horizon = 3, .interest = 0.5, .repay = {0.25, 0.75}, .scores = {{0.5, 0.5}, {1, 0}}})));
  EXPECT_TRUE(same(4, make_random({.features = 3, .horizon = 3, .participation = true, .seed = 9})));
  EXPECT_EQ(experiment.environments[2].source, "synthetic");
}

TEST(ReadExperiment, TakesAModelFileBesideItOrBelow) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "data");
  const Model model = testing::hand_model();
  ASSERT_TRUE(write_file(folder / "data/loans.json", to_text(model)));
  const std::string text = file("", "[[method]]\nmethod = \"constrained\"\n",
                                "[{name = \"loans\", label = \"Our loans\", model = \"data/../data/loans.json\"}]");
  const Experiment experiment = parsed(text, folder.path());
  EXPECT_EQ(experiment.environments[0].name, "loans");
  EXPECT_EQ(experiment.environments[0].label, "Our loans");
  EXPECT_EQ(experiment.environments[0].source, "file data/../data/loans.json");
  EXPECT_EQ(to_text(experiment.environments[0].model), to_text(model));

  std::ofstream(folder / "loans.toml") << text;
  EXPECT_TRUE(read_experiment_file(folder / "loans.toml"));
}

TEST(ReadExperiment, RefusesAModelFileThatALinkLeadsOutTo) {
  TemporaryFolder folder, elsewhere;
  ASSERT_TRUE(write_file(elsewhere / "loans.json", to_text(testing::hand_model())));
  std::filesystem::create_symlink(elsewhere.path(), folder / "data");
  const auto refused = parse_experiment(
      file("", "[[method]]\nmethod = \"constrained\"\n", "[{name = \"loans\", model = \"data/loans.json\"}]"),
      folder.path(), "loans.toml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "line 2: environments[0].model is the text \"data/loans.json\", expected a file in the folder of the "
            "experiment file or below it");
}

TEST(ReadExperiment, SaysWhatIsWrongInAModelFileWithItsOwnName) {
  TemporaryFolder folder;
  std::ofstream(folder / "loans.json") << "{\"schema\": \"fairstep/model/1\", \"horizon\": 0}";
  const auto refused = parse_experiment(
      file("", "[[method]]\nmethod = \"constrained\"\n", "[{name = \"loans\", model = \"loans.json\"}]"), folder.path(),
      "loans.toml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "loans.json").string());
  EXPECT_EQ(refused.error().hint, "it is environments[0].model of the experiment");
}

TEST(ReadExperiment, AFrontierIsProvenAsRunsAreUnlessItSaysOtherwise) {
  EXPECT_EQ(parsed(file("certificate = {gap = 0.5, time_limit = 1}")).frontier.proof.gap, 0.5);
  EXPECT_EQ(parsed(file("certificate = {gap = 0.5, time_limit = 1}")).frontier.proof.time_limit, 60);
  const Experiment own = parsed(file("frontier = {limits = [1, 0], gap = 0.25, time_limit = 3}"));
  EXPECT_EQ(own.frontier.proof.gap, 0.25);
  EXPECT_EQ(own.frontier.proof.time_limit, 3);
  EXPECT_EQ(own.frontier.limits, (std::vector<double>{0, 1}));
  EXPECT_FALSE(parsed(file("certificate = \"off\"")).frontier.proof.wanted);
  EXPECT_TRUE(parsed(file("frontier = \"off\"")).frontier.limits.empty());
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

// toml++ takes tables apart one within the other: 50,000 of them ended the program by its stack.
TEST(ParseExperiment, RefusesKeysAndBracketsThatNestWithoutEnd) {
  const auto many = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  const auto message = [](const std::string& text) {
    const auto read = parse_experiment(text, {}, "loans.toml");
    EXPECT_FALSE(read);
    return read ? Text() : read.error().message;
  };
  const std::string keys = "line 2: keys nest more than 32 deep", brackets = "line 2: brackets nest more than 32 deep";
  EXPECT_EQ(message("# first\n" + many("a.", 50'000) + "b = 1\n"), keys);
  EXPECT_EQ(message("\n[" + many("a.", 50'000) + "b]\n"), keys);
  EXPECT_EQ(message("\n" + many("a . 'b c' . \"d\\\"e\" .", 20) + " f = 1\n"), keys);
  EXPECT_EQ(message("\nx = {" + many("a.", 40) + "b = 1}\n"), keys);
  EXPECT_EQ(message("\nx = " + many("[", 50'000) + "\n"), brackets);
  EXPECT_EQ(message("\nx = " + many("{a = ", 50'000) + "\n"), brackets);
  // Dots and brackets in texts and remarks are none.
  EXPECT_EQ(message("x = '" + many("a.", 100) + "'").find("nest"), std::string::npos);
  EXPECT_EQ(message("x = \"\"\"" + many("[a.\n\"", 100) + "\"\"\"").find("nest"), std::string::npos);
  EXPECT_EQ(message("# " + many("[a.", 100)).find("nest"), std::string::npos);
  EXPECT_EQ(message("x = [" + many("1.5, ", 100) + "]").find("nest"), std::string::npos);
}

}  // namespace
}  // namespace fairstep
