// Runs on disk: whatever happens to them, the same command ends with the same bytes.
#include <fairstep/learn/run.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/io/files.hpp>
#include <fairstep/io/seal.hpp>
#include <fairstep/learn/rates.hpp>

#include "learn/runs.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
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

TEST(Run, LeavesItsConfigurationCountsPoliciesAndNumbers) {
  TemporaryFolder folder;
  std::size_t told = 0;
  RunOptions wanted = plain();
  wanted.on_update = [&](const Update&) { ++told; };
  const auto run = run_in(folder / "run", short_run(), wanted);
  EXPECT_TRUE(run.record.finished);
  EXPECT_EQ(run.resumed, 0u);
  EXPECT_EQ(run.updates.size(), 4u);
  EXPECT_EQ(told, 4u);

  Tree tree = tree_of(folder / "run");
  std::vector<std::string> names;
  for (const auto& [name, text] : tree) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"model.json", "result.json", "run.json", "updates/0000.counts.json",
                                      "updates/0000.json", "updates/0000.policy.json", "updates/0001.counts.json",
                                      "updates/0001.json", "updates/0001.policy.json", "updates/0002.counts.json",
                                      "updates/0002.json", "updates/0002.policy.json", "updates/0003.counts.json",
                                      "updates/0003.json", "updates/0003.policy.json"}));
  EXPECT_EQ(tree["model.json"], to_text(population()));
  const json config = json::parse(tree["run.json"]);
  EXPECT_EQ(config["schema"], "fairstep/run-config/2");
  EXPECT_EQ(config["version"], "1.2.3");
  EXPECT_EQ(config["seed"], 3);
  EXPECT_EQ(config["schedule"], (std::vector<int>{1, 8, 20, 64}));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string stem = (folder / "run").string() + "/updates/000" + std::to_string(i);
    EXPECT_EQ(unwrap(read_policy(stem + ".policy.json")), run.updates[i].policy);
    EXPECT_EQ(json::parse(to_text(run.record.updates[i])),
              json::parse(tree["updates/000" + std::to_string(i) + ".json"]));
  }
  EXPECT_EQ(unwrap(read_counts((folder / "run").string() + "/updates/0003.counts.json")).people(0), 63);
  EXPECT_EQ(tree["result.json"], sealed(to_text(run.record)));
}

TEST(Run, EveryUpdateTellsWhatItIs) {
  LearnOptions options = short_run();
  options.proof.wanted = true;
  const auto run = unwrap(run_in_memory(population(), options, plain()));
  const json document = json::parse(to_text(run.record));
  EXPECT_EQ(document["schema"], "fairstep/run/1");
  EXPECT_EQ(document["finished"], true);
  ASSERT_EQ(document["updates"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const json& said = document["updates"][i];
    const Update& made = run.updates[i];
    EXPECT_EQ(said["k"], made.k);
    EXPECT_EQ(said["policy"]["schema"], "fairstep/policy/1");
    EXPECT_EQ(said["relaxation"], made.relaxation);
    EXPECT_EQ(said["vacuous"], made.vacuous);
    EXPECT_EQ(said["limit"], (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(said["estimated_gap"], made.estimated_gap);
    EXPECT_EQ(said["bonus_max"], made.bonus_max);
    EXPECT_EQ(said["floor"], made.floor);
    EXPECT_EQ(said["epsilon"], made.epsilon);
    EXPECT_EQ(said["unvisited"], made.unvisited);
    EXPECT_EQ(said["bounds"]["lower"], made.bounds.lower);
    EXPECT_EQ(said["bounds"]["upper"], made.bounds.upper);
    EXPECT_EQ(said["gap_to_bound"], made.gap_to_bound);
    EXPECT_EQ(said["outcome"], "optimal");
    EXPECT_EQ(said["stopped_by"], "finished");
    EXPECT_EQ(said["value"], made.truth->evaluation.value);
    for (std::size_t h = 0; h < 3; ++h) {
      EXPECT_EQ(said["gap"]["dp"][h], made.truth->evaluation.gap.dp[h].gap);
      EXPECT_EQ(said["gap"]["eqopt"][h], made.truth->evaluation.gap.eqopt[h].gap);
      EXPECT_EQ(said["gap"]["eqodds"][h], made.truth->evaluation.gap.eqodds[h].gap);
    }
    EXPECT_EQ(said["reward_regret"], made.truth->reward_regret);
    EXPECT_EQ(said["reward_regret_bound"], made.truth->regret_bound);
    EXPECT_EQ(said["violation"], made.truth->violation);
    EXPECT_EQ(said["evaluation"]["people_per_group"], 20);
    EXPECT_EQ(said["evaluation"]["value"]["mean"], made.truth->trial->value.mean);
    EXPECT_EQ(said["evaluation"]["value"]["low"], made.truth->trial->value.low);
    EXPECT_EQ(said["evaluation"]["violation"]["high"], made.truth->trial->violation.high);
    EXPECT_EQ(said["evaluation"]["gap"], made.truth->trial->gap);
    const AtEpisode at{population().shape(), made.k, options.delta};
    EXPECT_EQ(said["reference"]["reward_regret"], reward_rate(at));
    EXPECT_EQ(said["reference"]["violation"], violation_rate(at));
    EXPECT_FALSE(said.contains("safe"));
  }
  std::vector<double> regret, violation;
  for (const Update& update : run.updates) {
    regret.push_back(update.truth->reward_regret);
    violation.push_back(update.truth->violation);
  }
  EXPECT_EQ(document["fit"]["reward_regret"]["slope"], fit_power(options.schedule, regret).slope);
  EXPECT_EQ(document["fit"]["violation"]["points"], fit_power(options.schedule, violation).points);
  EXPECT_EQ(document["oracle"]["bounds"]["lower"], run.record.oracle_lower);
}

TEST(Run, InMemoryAndInAFolderAreTheSameRun) {
  TemporaryFolder folder;
  const auto kept = run_in(folder / "run", short_run());
  const auto unkept = unwrap(run_in_memory(population(), short_run(), plain()));
  for (std::size_t i = 0; i < 4; ++i) {
    json first = json::parse(to_text(kept.record.updates[i])), second = json::parse(to_text(unkept.record.updates[i]));
    EXPECT_EQ(first["policy"], "updates/000" + std::to_string(i) + ".policy.json");
    first.erase("policy");
    for (const char* digest : {"policy_sha256", "counts_sha256", "before_sha256", "sha256"}) first.erase(digest);
    second.erase("policy");
    EXPECT_EQ(first, second);
    EXPECT_EQ(kept.updates[i].policy, unkept.updates[i].policy);
  }
}

struct Mode {
  const char* name;
  std::function<void(LearnOptions&)> choose;
};

class Interrupted : public ::testing::TestWithParam<Mode> {};

TEST_P(Interrupted, ARunThatIsTakenUpEndsWithTheSameBytes) {
  LearnOptions options = short_run();
  GetParam().choose(options);
  TemporaryFolder folder;
  run_in(folder / "whole", options);
  const Tree whole = tree_of(folder / "whole");
  for (std::size_t before = 0; before <= 4; ++before) {
    const fs::path path = folder / ("after" + std::to_string(before));
    const auto stopped = run_some(path, options, before);
    EXPECT_EQ(stopped.record.finished, before == 4);
    EXPECT_EQ(stopped.updates.size(), before);
    EXPECT_EQ(fs::exists(path / "result.json"), before == 4);
    const auto rest = run_in(path, options);
    EXPECT_TRUE(rest.record.finished);
    EXPECT_EQ(rest.resumed, before);
    EXPECT_EQ(rest.updates.size(), 4 - before);
    EXPECT_EQ(rest.record.updates.size(), 4u);
    EXPECT_TRUE(tree_of(path) == whole) << "after " << before;
  }
  // What is read back of its files says all that was written.
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string& text = whole.at("updates/000" + std::to_string(i) + ".json");
    EXPECT_EQ(to_text(unwrap(update_record_from(text))), text);
  }
  EXPECT_EQ(sealed(to_text(unwrap(read_run_record(folder / "whole/result.json")))), whole.at("result.json"));
  // One update at a time.
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_EQ(run_some(folder / "steps", options, 1).record.updates.size(), i);
  EXPECT_TRUE(tree_of(folder / "steps") == whole);
}

INSTANTIATE_TEST_SUITE_P(Run, Interrupted,
                         ::testing::Values(Mode{"scaled", [](LearnOptions&) {}},
                                           Mode{"tight", [](LearnOptions& o) { o.relaxation = RelaxationMode::tight; }},
                                           Mode{"safe",
                                                [](LearnOptions& o) {
                                                  o.safe = true;
                                                  o.fairness.limit = {0.2};
                                                }},
                                           Mode{"proven", [](LearnOptions& o) { o.proof.wanted = true; }}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Run, OverwritesWhatAnUpdateThatDidNotHappenLeft) {
  TemporaryFolder folder;
  run_in(folder / "whole", short_run());
  const fs::path path = folder / "run";
  run_some(path, short_run(), 2);
  // Killed while the third update was being written: its policy and half of its counts are there.
  fs::copy(folder / "whole/updates/0001.policy.json", path / "updates/0002.policy.json");
  write(path / "updates/0002.counts.json", "{");
  write(path / "updates/.fairstep-123-0.tmp", "{ \"k\": ");
  write(path / ".fairstep-123-0.tmp", "{");
  EXPECT_EQ(run_in(path, short_run()).resumed, 2u);
  EXPECT_TRUE(tree_of(path) == tree_of(folder / "whole"));
}

TEST(Run, IgnoresRecordsBeyondItsSchedule) {
  TemporaryFolder folder;
  run_in(folder / "run", short_run());
  write(folder / "run/updates/0004.json", "{}");
  EXPECT_EQ(run_in(folder / "run", short_run()).record.updates.size(), 4u);
}

}  // namespace
}  // namespace fairstep
