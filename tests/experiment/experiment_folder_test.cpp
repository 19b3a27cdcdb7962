// The folder of an experiment: whose it is, and what may happen to it from outside.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fairstep/experiment/run_experiment.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/folder_lock.hpp>

#include "experiment/small.hpp"
#include "learn/runs.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

namespace fs = std::filesystem;
using testing::on_threads;
using testing::parsed;
using testing::run_in;
using testing::small_file;
using testing::TemporaryFolder;
using testing::Tree;
using testing::tree_of;
using testing::unwrap;

/// One environment, one notion, one repeat: four runs.
Experiment smaller() {
  Experiment experiment = parsed(small_file());
  experiment.environments.pop_back();
  experiment.notions.pop_back();
  experiment.repeats = 1;
  return experiment;
}

struct Difference {
  const char* name;
  const char* message;
  std::function<void(Experiment&)> change;
};

class OtherExperiment : public ::testing::TestWithParam<Difference> {};

TEST_P(OtherExperiment, IsRefusedInTheSameFolderAndReplacesItIfTold) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  const Tree before = tree_of(folder / "run");
  Experiment experiment = smaller();
  GetParam().change(experiment);
  const auto refused = run_experiment(experiment, folder / "run", on_threads(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, std::string("the folder holds another experiment: it has ") + GetParam().message);
  EXPECT_EQ(refused.error().file, (folder / "run/experiment.json").string());
  EXPECT_EQ(refused.error().hint, "use another folder, or start over with restart = true");
  EXPECT_TRUE(tree_of(folder / "run") == before);

  run_in(folder / "fresh", experiment, on_threads(1));
  ExperimentOptions options = on_threads(2);
  options.restart = true;
  EXPECT_EQ(run_in(folder / "run", experiment, options).runs_resumed, 0u);
  Tree replaced = tree_of(folder / "run"), fresh = tree_of(folder / "fresh");
  replaced.erase("timing.json");
  fresh.erase("timing.json");
  EXPECT_TRUE(replaced == fresh);
}

INSTANTIATE_TEST_SUITE_P(
    Experiments, OtherExperiment,
    ::testing::Values(Difference{"seed", "\"seed\": 5, this one \"seed\": 6", [](Experiment& e) { e.seed = 6; }},
                      Difference{"schedule", "\"schedule\": [1, 8, 32], this one \"schedule\": [1, 8]",
                                 [](Experiment& e) { e.learning.schedule = {1, 8}; }},
                      Difference{"repeats", "\"repeats\": 1, this one \"repeats\": 2",
                                 [](Experiment& e) { e.repeats = 2; }},
                      Difference{"notion", "\"notions\": [\"dp\"], this one \"notions\": [\"eqopt\"]",
                                 [](Experiment& e) { e.notions = {Notion::eqopt}; }},
                      Difference{"method", "\"id\": \"ours\", this one \"id\": \"mine\"",
                                 [](Experiment& e) { e.methods[0].id = "mine"; }},
                      Difference{"environment", "\"name\": \"tiny\", this one \"name\": \"small\"",
                                 [](Experiment& e) { e.environments[0].name = "small"; }}),
    [](const auto& tested) { return tested.param.name; });

TEST(ExperimentFolder, RefusesAModelThatHasChanged) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  Experiment experiment = smaller();
  ModelSpec spec = experiment.environments[0].model.spec();
  spec.discount = 0.5;
  experiment.environments[0].model = unwrap(Model::make(std::move(spec)));
  const auto refused = run_experiment(experiment, folder / "run", on_threads(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "run/models/tiny.json").string());
  EXPECT_NE(refused.error().message.find("\"discount\": 0.5"), std::string::npos) << refused.error().message;
}

TEST(ExperimentFolder, IsForOneProcessAtATime) {
  TemporaryFolder folder;
  fs::create_directory(folder / "run");
  const auto lock = FolderLock::take(folder / "run");
  ASSERT_TRUE(lock);
  const auto refused = run_experiment(smaller(), folder / "run", on_threads(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the folder is in use by process " + std::to_string(::getpid()));
}

TEST(ExperimentFolder, ARestartLeavesOtherFilesAlone) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  for (const char* file :
       {"notes.txt", "runs/notes.txt", "runs/tiny/notes.txt", "models/other.json", "runs/tiny/dp/ours/notes.txt"})
    std::ofstream(folder / "run" / file) << "mine";
  Experiment experiment = smaller();
  experiment.environments[0].name = "small";
  ExperimentOptions options = on_threads(1);
  options.restart = true;
  run_in(folder / "run", experiment, options);
  for (const char* file :
       {"notes.txt", "runs/notes.txt", "runs/tiny/notes.txt", "models/other.json", "runs/tiny/dp/ours/notes.txt"})
    EXPECT_EQ(unwrap(read_text_file(folder / "run" / file)), "mine") << file;
  EXPECT_FALSE(fs::exists(folder / "run/runs/tiny/dp/ours/0"));
  EXPECT_FALSE(fs::exists(folder / "run/runs/tiny/dp/unconstrained"));
  EXPECT_FALSE(fs::exists(folder / "run/models/tiny.json"));
}

TEST(ExperimentFolder, ARestartRemovesNothingThatItDidNotWrite) {
  TemporaryFolder folder;
  fs::create_directories(folder / "run/runs/tiny/dp/ours/0");
  std::ofstream(folder / "run/runs/tiny/dp/ours/0/thesis.txt") << "mine";
  ExperimentOptions options = on_threads(1);
  options.restart = true;
  for (const char* text : {"not JSON", "{}", "{\"schema\": \"fairstep/model/1\", \"repeats\": 1}",
                           "{\"schema\": \"fairstep/experiment-run/1\", \"repeats\": \"all\"}"}) {
    std::ofstream(folder / "run/experiment.json") << text;
    const auto refused = run_experiment(smaller(), folder / "run", options);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().message, "this is not a file that an experiment wrote, so nothing here is removed");
  }
  // Names that lead out of the folder are no names of ours.
  fs::create_directories(folder / "dp/ours/0");
  std::ofstream(folder / "run/experiment.json")
      << R"({"schema": "fairstep/experiment-run/1", "repeats": 1, "environments": [{"name": "../.."}],)"
      << R"( "notions": ["dp"], "methods": [{"id": "ours"}]})";
  run_in(folder / "run", smaller(), options);
  EXPECT_TRUE(fs::exists(folder / "dp/ours/0"));
  EXPECT_EQ(unwrap(read_text_file(folder / "run/runs/tiny/dp/ours/0/thesis.txt")), "mine");
}

TEST(ExperimentFolder, SaysWhichFileWasChangedFromOutside) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  for (const char* text : {"{", "{}", "{\"schema\": \"fairstep/oracles/1\", \"oracles\": []}"}) {
    std::ofstream(folder / "run/oracles.json") << text;
    const auto refused = run_experiment(smaller(), folder / "run", on_threads(1));
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().file, (folder / "run/oracles.json").string());
  }
}

TEST(ExperimentFolder, AFailingRunEndsTheExperimentWithItsError) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  std::ofstream(folder / "run/runs/tiny/dp/ours/0/run.json") << "{}";
  const auto refused = run_experiment(smaller(), folder / "run", on_threads(2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "run/runs/tiny/dp/ours/0/run.json").string());
}

TEST(ExperimentFolder, RecordsThatWereChangedFromOutsideAreNamed) {
  TemporaryFolder folder;
  run_in(folder / "run", smaller(), on_threads(1));
  std::ofstream(folder / "run/runs/tiny/dp/ours/0/updates/0001.json") << "{}";
  const auto refused = run_experiment(smaller(), folder / "run", on_threads(2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "run/runs/tiny/dp/ours/0/updates/0001.json").string());
  EXPECT_EQ(refused.error().hint, "the run was changed from outside; start over with restart = true");
}

TEST(ExperimentFolder, AKilledExperimentGoesOnAndEndsWithTheSameBytes) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "whole", experiment, on_threads(1));
  // Killed after 3, 20 and 40 more updates, by the very thread that made the last of them.
  for (const int updates : {3, 20, 40}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int left = updates;
      ExperimentOptions options = on_threads(2);
      options.progress = [&](const ExperimentProgress& now) {
        if (now.made > 0 && --left == 0) ::kill(::getpid(), SIGKILL);
      };
      const auto never = run_experiment(experiment, folder / "killed", options);
      ::_exit(never ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << updates << ' ' << status;
  }
  EXPECT_TRUE(run_in(folder / "killed", experiment, on_threads(2)).finished);
  Tree killed = tree_of(folder / "killed"), whole = tree_of(folder / "whole");
  killed.erase("timing.json");
  whole.erase("timing.json");
  EXPECT_TRUE(killed == whole);
}

}  // namespace
}  // namespace fairstep
