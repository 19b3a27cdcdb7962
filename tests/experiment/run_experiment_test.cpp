// Whole experiments: the same bytes whatever the threads, and what the files say.
#include <fairstep/experiment/run_experiment.hpp>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/experiment/plan.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/learn/run.hpp>

#include "experiment/small.hpp"
#include "learn/runs.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::on_threads;
using testing::parsed;
using testing::run_in;
using testing::small_file;
using testing::TemporaryFolder;
using testing::Tree;
using testing::tree_of;
using testing::unwrap;

nlohmann::json json_in(const std::filesystem::path& file) {
  return nlohmann::json::parse(unwrap(read_text_file(file)));
}

/// All but the file that is about time.
Tree results_of(const std::filesystem::path& folder) {
  Tree tree = tree_of(folder);
  EXPECT_EQ(tree.erase("timing.json"), 1u);
  return tree;
}

TEST(RunExperiment, EndsWithTheSameBytesOnAnyNumberOfThreads) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  const ExperimentSummary one = run_in(folder / "one", experiment, on_threads(1));
  EXPECT_TRUE(one.finished);
  EXPECT_EQ(one.runs, 32u);
  EXPECT_EQ(one.runs_finished, 32u);
  EXPECT_EQ(one.runs_resumed, 0u);
  EXPECT_EQ(one.solves, 96u);
  EXPECT_EQ(one.solves_made, 96u);
  EXPECT_EQ(one.certified, 0u);
  EXPECT_TRUE(std::isinf(one.worst_gap));
  const Tree tree = results_of(folder / "one");
  for (const unsigned threads : {2U, 5U}) {
    const auto other = folder / std::to_string(threads);
    EXPECT_TRUE(run_in(other, experiment, on_threads(threads)).finished);
    EXPECT_TRUE(results_of(other) == tree) << threads;
  }
}

TEST(RunExperiment, GoesOnWhereItWasStoppedAndEndsWithTheSameBytes) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "whole", experiment, on_threads(1));
  // Stopped after 1, then 10, then 20 more updates, each time on another number of threads.
  std::size_t solves = 0;
  for (const std::size_t more : {1u, 10u, 20u}) {
    std::stop_source stop;
    std::atomic<std::size_t> left = more;
    ExperimentOptions options = on_threads(static_cast<unsigned>(1 + more % 3));
    options.stop = stop.get_token();
    options.progress = [&](const ExperimentProgress& now) {
      if (now.made > 0 && left.fetch_sub(1) == 1) stop.request_stop();
    };
    const ExperimentSummary summary = run_in(folder / "parts", experiment, options);
    EXPECT_FALSE(summary.finished);
    EXPECT_LT(summary.runs_finished, 32u);
    EXPECT_GT(summary.solves, solves);
    EXPECT_FALSE(std::filesystem::exists(folder / "parts/timing.json"));
    solves = summary.solves;
  }
  const ExperimentSummary rest = run_in(folder / "parts", experiment, on_threads(2));
  EXPECT_TRUE(rest.finished);
  EXPECT_LT(rest.solves_made, 96u - 20);
  EXPECT_EQ(rest.solves, 96u);
  EXPECT_TRUE(results_of(folder / "parts") == results_of(folder / "whole"));
}

TEST(RunExperiment, DoneInPartsInTurnedOrderItEndsWithTheSameBytes) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "whole", experiment, on_threads(1));
  const auto runs = plan(experiment);
  std::vector<std::string> parts{"oracles.json", "frontier/"};
  for (const auto& run : runs)
    if (run.repeat == 0 && run.environment == 1) parts.push_back(run.folder.parent_path().string());
  parts.emplace_back("runs/tiny");
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    ExperimentOptions options = on_threads(2);
    options.only = {*part};
    const ExperimentSummary summary = run_in(folder / "parts", experiment, options);
    EXPECT_TRUE(summary.finished) << *part;
    const bool runs_in_it = part->starts_with("runs");
    EXPECT_EQ(summary.runs, !runs_in_it ? 0u : *part == "runs/tiny" ? 16u : 2u) << *part;
    EXPECT_EQ(summary.cells.size(), summary.runs / 2) << *part;
    EXPECT_EQ(summary.solves_made, summary.runs * 3) << *part;
    EXPECT_FALSE(std::filesystem::exists(folder / "parts/timing.json"));
  }
  const ExperimentSummary rest = run_in(folder / "parts", experiment, on_threads(1));
  EXPECT_TRUE(rest.finished);
  EXPECT_EQ(rest.solves_made, 0u);
  EXPECT_TRUE(results_of(folder / "parts") == results_of(folder / "whole"));
}

TEST(RunExperiment, RefusesAPartThatItDoesNotHave) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  for (const char* part :
       {"runs/tiny/d", "runs/tiny/dp/ours/2", "/runs", "frontier/tiny/eqodds.json", "", "timing.json"}) {
    ExperimentOptions options = on_threads(1);
    options.only = {"runs/tiny/dp", part};
    const auto refused = run_experiment(experiment, folder / "run", options);
    ASSERT_FALSE(refused) << part;
    EXPECT_EQ(refused.error().message, "the experiment has no part \"" + std::string(part) +
                                           "\", expected a path below its folder, such as runs/tiny/dp/ours/0 or "
                                           "oracles.json");
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
  }
}

TEST(RunExperiment, AFinishedExperimentIsReadAgainAndKeepsItsTimes) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "run", experiment, on_threads(2));
  const Tree before = tree_of(folder / "run");
  const ExperimentSummary again = run_in(folder / "run", experiment, on_threads(1));
  EXPECT_TRUE(again.finished);
  EXPECT_EQ(again.runs_resumed, 32u);
  EXPECT_EQ(again.solves, 96u);
  EXPECT_EQ(again.solves_made, 0u);
  EXPECT_TRUE(tree_of(folder / "run") == before);
}

TEST(RunExperiment, LeavesRunsThatAreThoseOfTheLearner) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "run", experiment, on_threads(2));
  const auto oracles = json_in(folder / "run/oracles.json").at("oracles");
  const auto planned = plan(experiment);
  for (const std::size_t number : {0u, 13u, 31u}) {
    const PlannedRun& run = planned[number];
    LearnOptions options =
        learn_options(experiment, experiment.notions[run.notion], experiment.methods[run.method], run.seed);
    const auto& of = oracles.at(run.environment * 2 + run.notion);
    EXPECT_EQ(of.at("environment"), experiment.environments[run.environment].name);
    options.oracle = Oracle{{of.at("bounds").at("lower"), HUGE_VAL}, Outcome::feasible};
    RunOptions keeping;
    keeping.version = "1.2.3";
    unwrap(run_in_folder(folder / std::to_string(number), experiment.environments[run.environment].model, options,
                         keeping));
    EXPECT_TRUE(tree_of(folder / std::to_string(number)) == tree_of(folder / "run" / run.folder.string())) << number;
  }
}

TEST(RunExperiment, TheOraclesAreWhatTheLearnerWouldHaveFound) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "run", experiment, on_threads(1));
  const auto oracles = json_in(folder / "run/oracles.json").at("oracles");
  ASSERT_EQ(oracles.size(), 4u);
  for (const auto& of : oracles) {
    const std::size_t environment = of.at("environment") == "tiny" ? 0 : 1;
    LearnOptions options;
    options.fairness.notion = of.at("fairness") == "dp" ? Notion::dp : Notion::eqopt;
    options.proof.wanted = false;
    const Oracle oracle = unwrap(find_oracle(experiment.environments[environment].model, options));
    EXPECT_EQ(of.at("bounds").at("lower").get<double>(), oracle.bounds.lower);
    EXPECT_TRUE(of.at("bounds").at("upper").is_null());
    EXPECT_EQ(of.at("outcome"), "feasible");
  }
}

TEST(RunExperiment, MethodsWithLimitsOfTheirOwnAreHeldAgainstOraclesOfTheirOwn) {
  TemporaryFolder folder;
  Experiment experiment = parsed(small_file());
  experiment.environments.erase(experiment.environments.begin());
  experiment.repeats = 1;
  experiment.methods.resize(2);
  experiment.methods[1] = experiment.methods[0];
  experiment.methods[1].id = "wide";
  experiment.methods[1].limit = {1.0};
  run_in(folder / "run", experiment, on_threads(1));
  const auto lower = [&](const char* method) {
    return json_in(folder / "run/runs/other/dp" / method / "0/result.json")
        .at("oracle")
        .at("bounds")
        .at("lower")
        .get<double>();
  };
  // A limit of 1 forbids nothing.
  EXPECT_GT(lower("wide"), lower("ours") + 1e-6);
}

TEST(RunExperiment, TheFrontierIsWhatTheRefereeSays) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "run", experiment, on_threads(2));
  for (const ExperimentEnvironment& environment : experiment.environments)
    for (const char* notion : {"dp", "eqopt"}) {
      const auto frontier = json_in(folder / "run/frontier" / environment.name / (std::string(notion) + ".json"));
      EXPECT_EQ(frontier.at("schema"), "fairstep/pareto/1");
      EXPECT_EQ(frontier.at("environment"), environment.name);
      EXPECT_EQ(frontier.at("fairness"), notion);
      const double free = frontier.at("unconstrained").at("value");
      ASSERT_EQ(frontier.at("points").size(), 3u);
      double before = -HUGE_VAL;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto& point = frontier.at("points")[i];
        EXPECT_EQ(point.at("limit").get<double>(), experiment.frontier.limits[i]);
        const auto policy = unwrap(parse_document(point.at("policy").dump()));
        const auto exact = unwrap(evaluate(environment.model, std::get<Policy>(policy)));
        EXPECT_EQ(point.at("value").get<double>(), exact.value);
        EXPECT_NEAR(point.at("price").get<double>(), free - exact.value, 1e-15);
        EXPECT_GE(exact.value, before - 1e-9);
        before = exact.value;
        double sum = 0;
        const auto& gaps = std::string(notion) == "dp" ? exact.gap.dp : exact.gap.eqopt;
        for (const StepGap& step : gaps) {
          EXPECT_LE(step.gap, point.at("limit").get<double>() + 1e-7);
          sum += step.gap;
        }
        EXPECT_NEAR(point.at("violation").get<double>(), sum / static_cast<double>(gaps.size()), 1e-15);
      }
      EXPECT_NEAR(frontier.at("points")[2].at("price").get<double>(), 0, 1e-6);  // a limit of 1 forbids nothing
    }
}

TEST(RunExperiment, WithoutAFrontierThereIsNoSweep) {
  TemporaryFolder folder;
  Experiment experiment = parsed(small_file());
  experiment.frontier.limits.clear();
  EXPECT_TRUE(run_in(folder / "run", experiment, on_threads(1)).finished);
  EXPECT_FALSE(std::filesystem::exists(folder / "run/frontier"));
}

TEST(RunExperiment, TheSummaryIsTheLastUpdateOfEveryRun) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  const ExperimentSummary summary = run_in(folder / "run", experiment, on_threads(2));
  ASSERT_EQ(summary.cells.size(), 16u);
  for (const CellSummary& cell : summary.cells) {
    ASSERT_EQ(cell.value.size(), 2u);
    for (std::size_t r = 0; r < 2; ++r) {
      const auto result = json_in(folder / "run/runs" / experiment.environments[cell.environment].name /
                                  name_of(experiment.notions[cell.notion]) / experiment.methods[cell.method].id /
                                  std::to_string(r) / "result.json");
      EXPECT_EQ(result.at("updates").back().at("value").get<double>(), cell.value[r]);
      EXPECT_EQ(result.at("updates").back().at("violation").get<double>(), cell.violation[r]);
    }
  }
}

TEST(RunExperiment, CountsWhatWasProven) {
  TemporaryFolder folder;
  Experiment experiment = parsed(small_file());
  experiment.learning.proof = experiment.frontier.proof = {true, 0.05, 60, 0};
  experiment.environments.pop_back();
  experiment.repeats = 1;
  const ExperimentSummary summary = run_in(folder / "run", experiment, on_threads(2));
  EXPECT_EQ(summary.solves, 24u);
  EXPECT_EQ(summary.certified, 24u);  // two steps and two features: nothing is left to doubt
  EXPECT_EQ(summary.cut, 0u);
  EXPECT_LE(summary.worst_gap, 0.05 * (1 + 1e-9));
  const auto timing = json_in(folder / "run/timing.json");
  EXPECT_EQ(timing.at("certified"), 24);
  EXPECT_EQ(timing.at("threads"), 2);
  EXPECT_EQ(timing.at("seconds_of_runs").size(), 8u);
}

TEST(RunExperiment, TellsItsProgressOneAtATimeAndToTheEnd) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  std::atomic<int> inside{0};
  std::size_t calls = 0, done = 0, made = 0;
  double share = 0;
  ExperimentOptions options = on_threads(4);
  options.progress = [&](const ExperimentProgress& now) {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(now.runs, 32u);
    EXPECT_GE(now.runs_done, done);
    EXPECT_GE(now.share, share);
    made = now.made;
    EXPECT_GE(now.seconds_left, 0);
    EXPECT_FALSE(now.current.empty());
    done = now.runs_done;
    share = now.share;
    ++calls;
    --inside;
  };
  run_in(folder / "run", experiment, options);
  EXPECT_EQ(done, 32u);
  EXPECT_NEAR(share, 1, 1e-9);
  EXPECT_EQ(calls, 96u + 32);
  EXPECT_EQ(made, 96u);

  // What was there already is no speed to count on.
  options.progress = [&](const ExperimentProgress& now) {
    EXPECT_EQ(now.made, 0u);
    EXPECT_EQ(now.seconds_left, 0);
  };
  run_in(folder / "run", experiment, options);
}

TEST(RunExperiment, DescribesItselfInFull) {
  TemporaryFolder folder;
  const Experiment experiment = parsed(small_file());
  run_in(folder / "run", experiment, on_threads(1));
  const auto document = json_in(folder / "run/experiment.json");
  EXPECT_EQ(document.at("schema"), "fairstep/experiment-run/1");
  EXPECT_EQ(document.at("version"), "1.2.3");
  EXPECT_EQ(document.at("name"), "small");
  EXPECT_EQ(document.at("schedule"), nlohmann::json({1, 8, 32}));
  EXPECT_EQ(document.at("notions"), nlohmann::json({"dp", "eqopt"}));
  EXPECT_EQ(document.at("relaxation_scale").at("eqopt"), 0.0001);
  ASSERT_EQ(document.at("environments").size(), 2u);
  EXPECT_EQ(document.at("environments")[1].at("label"), "another one");
  EXPECT_EQ(document.at("environments")[1].at("horizon"), 3);
  for (const auto& environment : document.at("environments"))
    EXPECT_TRUE(read_model(folder / "run" / environment.at("model").get<std::string>()));
  ASSERT_EQ(document.at("methods").size(), 4u);
  EXPECT_TRUE(document.at("methods")[0].at("lambda").is_null());
  EXPECT_EQ(document.at("methods")[3].at("id"), "penalty-2");
  EXPECT_EQ(document.at("methods")[3].at("lambda"), 2);
}

}  // namespace
}  // namespace fairstep
