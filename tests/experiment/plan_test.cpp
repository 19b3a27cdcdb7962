#include <fairstep/experiment/plan.hpp>

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "experiment/small.hpp"

namespace fairstep {
namespace {

using testing::parsed;
using testing::small_file;

TEST(Plan, HasOneRunForEveryCellAndRepeat) {
  const auto runs = plan(parsed(small_file()));
  ASSERT_EQ(runs.size(), 2u * 2 * 4 * 2);
  EXPECT_EQ(runs.front().folder, "runs/tiny/dp/ours/0");
  EXPECT_EQ(runs.back().folder, "runs/other/eqopt/penalty-2/1");
  std::set<std::string> folders;
  for (const PlannedRun& run : runs) folders.insert(run.folder.string());
  EXPECT_EQ(folders.size(), runs.size());
}

TEST(Plan, LeavesOutMethodsUnderNotionsThatAreNotTheirs) {
  Experiment experiment = parsed(small_file());
  experiment.methods[1].notions = {Notion::eqopt};
  EXPECT_FALSE(runs_under(experiment.methods[1], Notion::dp));
  const auto runs = plan(experiment);
  EXPECT_EQ(runs.size(), 2u * 2 * 4 * 2 - 2u * 2);
  for (const PlannedRun& run : runs) EXPECT_FALSE(run.method == 1 && experiment.notions[run.notion] == Notion::dp);
}

TEST(Plan, LongRunsComeFirstAndEqualOnesInTheirOrder) {
  std::vector<PlannedRun> runs(4);
  for (std::size_t i = 0; i < 4; ++i) runs[i].work = {1, i % 2 == 0 ? 0.0 : 7.0};
  EXPECT_EQ(longest_first(runs), (std::vector<std::size_t>{1, 3, 0, 2}));
}

TEST(Plan, SweepsAreOneForEveryPopulationAndNotionUnlessSwitchedOff) {
  Experiment experiment = parsed(small_file());
  experiment.frontier.limits = {0.1};
  const auto sweeps = planned_sweeps(experiment);
  ASSERT_EQ(sweeps.size(), 4u);
  EXPECT_EQ(sweeps[1].file, "frontier/tiny/eqopt.json");
  EXPECT_EQ(sweeps[2].file, "frontier/other/dp.json");
  experiment.frontier.limits.clear();
  EXPECT_TRUE(planned_sweeps(experiment).empty());
}

TEST(Plan, MethodsOfOneRepeatShareASeedAndNothingElseDoes) {
  const auto runs = plan(parsed(small_file()));
  std::map<std::string, std::set<std::uint64_t>> seeds;
  std::set<std::uint64_t> all;
  for (const PlannedRun& run : runs) {
    const std::string cell =
        std::to_string(run.environment) + '/' + std::to_string(run.notion) + '/' + std::to_string(run.repeat);
    seeds[cell].insert(run.seed);
    all.insert(run.seed);
    EXPECT_LT(run.seed, std::uint64_t{1} << 53);
  }
  for (const auto& [cell, of_cell] : seeds) EXPECT_EQ(of_cell.size(), 1u) << cell;
  EXPECT_EQ(all.size(), 2u * 2 * 2);
}

TEST(Plan, SeedsDoNotDependOnWhatElseIsInTheExperiment) {
  Experiment experiment = parsed(small_file());
  std::map<std::string, std::uint64_t> before;
  for (const PlannedRun& run : plan(experiment)) before[run.folder.string()] = run.seed;
  std::swap(experiment.environments[0], experiment.environments[1]);
  experiment.notions = {Notion::eqopt};
  experiment.methods.erase(experiment.methods.begin());
  experiment.repeats = 1;
  for (const PlannedRun& run : plan(experiment)) EXPECT_EQ(run.seed, before.at(run.folder.string()));
}

TEST(Plan, SeedsStayWhatTheyAre) {
  // Runs on disk rely on them. From this implementation: a change here makes every old experiment another one.
  EXPECT_EQ(run_seed(1, "fico", Notion::dp, 0), 3935011974829370u);
  EXPECT_NE(run_seed(1, "fico", Notion::dp, 0), run_seed(2, "fico", Notion::dp, 0));
  EXPECT_NE(run_seed(1, "fico", Notion::dp, 0), run_seed(1, "fico", Notion::dp, 1));
  EXPECT_NE(run_seed(1, "fico", Notion::dp, 0), run_seed(1, "fico", Notion::eqopt, 0));
  EXPECT_NE(run_seed(1, "fico", Notion::dp, 0), run_seed(1, "synthetic", Notion::dp, 0));
}

TEST(Plan, LimitsAndProofsAreExpectedToTakeLonger) {
  Experiment experiment = parsed(small_file());
  const auto work = [&](const std::string& folder) {
    for (const PlannedRun& run : plan(experiment))
      if (run.folder == folder) return std::accumulate(run.work.begin(), run.work.end(), 0.0);
    return -1.0;
  };
  const double ours = work("runs/tiny/dp/ours/0");
  EXPECT_GT(work("runs/other/dp/ours/0"), ours);
  experiment.learning.proof.wanted = true;
  const double proven = work("runs/tiny/dp/ours/0");
  EXPECT_GT(proven, ours);
  EXPECT_GT(proven, work("runs/tiny/dp/unconstrained/0"));
  EXPECT_GT(work("runs/tiny/eqopt/ours/0"), proven);
}

}  // namespace
}  // namespace fairstep
