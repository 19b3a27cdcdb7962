// The folder of a run: whose it is, and what may happen to it from outside.
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fairstep/io/files.hpp>
#include <fairstep/io/folder_lock.hpp>
#include <fairstep/learn/run.hpp>

#include "learn/runs.hpp"
#include "support/counts.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

namespace fs = std::filesystem;
using testing::nobody;
using testing::plain;
using testing::population;
using testing::run_in;
using testing::run_some;
using testing::short_run;
using testing::TemporaryFolder;
using testing::Tree;
using testing::tree_of;
using testing::unwrap;
using testing::write;

struct Difference {
  const char* name;
  std::string message;
  std::function<void(LearnOptions&, RunOptions&)> change;
};

class OtherRun : public ::testing::TestWithParam<Difference> {};

TEST_P(OtherRun, IsRefusedInTheSameFolderAndReplacesItIfTold) {
  TemporaryFolder folder;
  run_in(folder / "run", short_run());
  const Tree before = tree_of(folder / "run");
  LearnOptions options = short_run();
  RunOptions run = plain();
  GetParam().change(options, run);
  const auto refused = run_in_folder(folder / "run", population(), options, run);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the folder holds another run: it has " + GetParam().message);
  EXPECT_EQ(refused.error().file, (folder / "run/run.json").string());
  EXPECT_EQ(refused.error().hint, "use another folder, or start over with restart = true");
  EXPECT_TRUE(tree_of(folder / "run") == before);

  run_in(folder / "fresh", options, run);
  run.restart = true;
  EXPECT_EQ(run_in(folder / "run", options, run).resumed, 0u);
  EXPECT_TRUE(tree_of(folder / "run") == tree_of(folder / "fresh"));
}

INSTANTIATE_TEST_SUITE_P(
    Run, OtherRun,
    ::testing::Values(
        Difference{"seed", "\"seed\": 3, this one \"seed\": 4", [](auto& o, auto&) { o.seed = 4; }},
        Difference{"schedule", "\"schedule\": [1, 8, 20, 64], this one \"schedule\": [1, 8]",
                   [](auto& o, auto&) { o.schedule = {1, 8}; }},
        Difference{"limit", "\"limit\": [0], this one \"limit\": [0.25]",
                   [](auto& o, auto&) { o.fairness.limit = {0.25}; }},
        Difference{"floor", "\"floor\": null, this one \"floor\": 0.125", [](auto& o, auto&) { o.floor = 0.125; }},
        Difference{"scale", "\"bonus_scale\": 0.001, this one \"bonus_scale\": 0.5",
                   [](auto& o, auto&) { o.bonus_scale = 0.5; }},
        Difference{"by", "\"by\": \"counts\", this one \"by\": \"person\"", [](auto&, auto& r) { r.by_person = true; }},
        Difference{"version", "\"version\": \"1.2.3\", this one \"version\": \"1.2.4\"",
                   [](auto&, auto& r) { r.version = "1.2.4"; }}),
    [](const auto& tested) { return tested.param.name; });

TEST(Run, TellsEveryOptionThatDecidesTheResult) {
  TemporaryFolder folder;
  run_some(folder / "run", short_run(), 1);
  const std::vector<std::function<void(LearnOptions&)>> changes{[](auto& o) { o.fairness.notion = Notion::eqopt; },
                                                                [](auto& o) { o.method = Method::unconstrained; },
                                                                [](auto& o) { o.penalty = 2; },
                                                                [](auto& o) { o.penalty_form = PenaltyForm::cross; },
                                                                [](auto& o) { o.people_per_episode = 2; },
                                                                [](auto& o) { o.relaxation = RelaxationMode::tight; },
                                                                [](auto& o) { o.relaxation_scale = 0.5; },
                                                                [](auto& o) { o.delta = 0.2; },
                                                                [](auto& o) { o.epsilon = 0.5; },
                                                                [](auto& o) { o.floor_kind = FloorKind::accept_only; },
                                                                [](auto& o) { o.unvisited = Unvisited::stay; },
                                                                [](auto& o) { o.safe = true; },
                                                                [](auto& o) { o.proof.wanted = true; },
                                                                [](auto& o) { o.proof.gap = 0.5; },
                                                                [](auto& o) { o.proof.time_limit = 10; },
                                                                [](auto& o) { o.proof.effort = 10; },
                                                                [](auto& o) { o.trial_episodes = 21; },
                                                                [](auto& o) { o.oracle = Oracle{}; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    LearnOptions options = short_run();
    changes[i](options);
    EXPECT_FALSE(run_in_folder(folder / "run", population(), options, plain())) << i;
  }
}

TEST(Run, RefusesAnotherPopulation) {
  TemporaryFolder folder;
  run_some(folder / "run", short_run(), 1);
  ModelSpec spec = population().spec();
  spec.discount = 0.5;
  const Model other = unwrap(Model::make(std::move(spec)));
  const auto refused = run_in_folder(folder / "run", other, short_run(), plain());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "run/model.json").string());
  EXPECT_NE(refused.error().message.find("\"discount\": 0.5"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().hint.find("restart = true"), std::string::npos);
}

TEST(Run, ARestartLeavesOtherFilesAlone) {
  TemporaryFolder folder;
  run_in(folder / "run", short_run());
  const std::vector<std::string> others{"notes.txt", "plot.json", "updates/notes.json", "updates/0001.html"};
  for (const std::string& name : others) write(folder / ("run/" + name), "mine");
  RunOptions run = plain();
  run.restart = true;
  LearnOptions options = short_run();
  options.schedule = {8};
  run_in(folder / "run", options, run);
  Tree tree = tree_of(folder / "run");
  EXPECT_EQ(tree.size(), others.size() + 6);
  for (const std::string& name : others) EXPECT_EQ(tree[name], "mine");
}

// A restart that was killed has taken records away from the last on, then the rest; what names the run goes last.
TEST(Run, WhatAnUnfinishedRestartLeftIsStillTheOldRun) {
  TemporaryFolder folder;
  run_in(folder / "run", short_run());
  const Tree whole = tree_of(folder / "run");
  LearnOptions other = short_run();
  other.seed = 99;
  for (const char* gone : {"result.json", "updates/0003.json", "updates/0002.json", "updates/0001.json",
                           "updates/0000.json", "updates/0002.policy.json", "updates/0000.counts.json"}) {
    fs::remove(folder / ("run/" + std::string(gone)));
    EXPECT_FALSE(run_in_folder(folder / "run", population(), other, plain())) << gone;
  }
  EXPECT_EQ(run_in(folder / "run", short_run()).resumed, 0u);
  EXPECT_TRUE(tree_of(folder / "run") == whole);
}

TEST(Run, ARunThatIsStoppedAtOnceChangesNothing) {
  TemporaryFolder folder;
  run_in(folder / "run", short_run());
  const Tree whole = tree_of(folder / "run");
  const auto stopped = run_some(folder / "run", short_run(), 0);
  EXPECT_FALSE(stopped.record.finished);
  EXPECT_TRUE(tree_of(folder / "run") == whole);
}

TEST(Run, TellsWhichFileWasDamaged) {
  const std::map<std::string, std::string> damages{
      {"updates/0000.json", "garbage"},
      {"updates/0001.json", "{\"k\": 8"},
      {"updates/0000.policy.json", "{}"},
      {"updates/0001.counts.json", to_text(nobody(2, population().names()))},
      {"updates/0001.policy.json", to_text(testing::random_policy(1, testing::random_model(1, 2, 3, 3)))}};
  for (const auto& [name, text] : damages) {
    TemporaryFolder folder;
    run_some(folder / "run", short_run(), 2);
    write(folder / ("run/" + name), text);
    const auto refused = run_in_folder(folder / "run", population(), short_run(), plain());
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().file, (folder / ("run/" + name)).string()) << refused.error().message;
    fs::remove(folder / ("run/" + name));
    // A policy or counts that are gone are told too; a record that is gone is an update that did not happen.
    const auto gone = run_in_folder(folder / "run", population(), short_run(), plain());
    EXPECT_EQ(gone.has_value(), name.size() == std::string("updates/0000.json").size()) << name;
  }
}

TEST(Run, IsOneProcessAtATime) {
  TemporaryFolder folder;
  fs::create_directories(folder / "run");
  {
    const FolderLock lock = unwrap(FolderLock::take(folder / "run"));
    const auto refused = run_in_folder(folder / "run", population(), short_run(), plain());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the folder is in use by process " + std::to_string(::getpid()));
    EXPECT_EQ(refused.error().file, (folder / "run").string());
    EXPECT_FALSE(fs::exists(folder / "run/run.json"));
  }
  EXPECT_TRUE(run_in(folder / "run", short_run()).record.finished);
}

TEST(Run, GoesOnAfterAProcessThatWasKilled) {
  TemporaryFolder folder;
  run_in(folder / "whole", short_run());
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    RunOptions run = plain();
    run.on_update = [&](const Update& update) {
      if (update.k < 8) return;
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::pause();
    };
    (void)run_in_folder(folder / "run", population(), short_run(), run);
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto refused = run_in_folder(folder / "run", population(), short_run(), plain());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the folder is in use by process " + std::to_string(child));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(run_in(folder / "run", short_run()).resumed, 2u);
  EXPECT_TRUE(tree_of(folder / "run") == tree_of(folder / "whole"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(Run, TellsAFolderThatCannotBeWritten) {
  TemporaryFolder folder;
  write(folder / "file", "");
  const auto refused = run_in_folder(folder / "file/run", population(), short_run(), plain());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "file/run").string());
  EXPECT_TRUE(refused.error().hint.empty());

  fs::create_directories(folder / "closed");
  fs::permissions(folder / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(folder.path(), fs::perms::all);
  const testing::AsAnybody anybody;
  EXPECT_FALSE(run_in_folder(folder / "closed", population(), short_run(), plain()));
}

TEST(Run, AnErrorOfTheLearnerLeavesNoFolder) {
  TemporaryFolder folder;
  LearnOptions options = short_run();
  options.delta = 2;
  EXPECT_FALSE(run_in_folder(folder / "run", population(), options, plain()));
  EXPECT_TRUE(folder.entries().empty());
}

}  // namespace
}  // namespace fairstep
