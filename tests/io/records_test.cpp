#include <fairstep/io/records.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

/// A file with this text, gone with the object.
struct TextFile {
  explicit TextFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "fairstep-record-XXXXXX").string();
    const int descriptor = ::mkstemp(pattern.data());
    EXPECT_GE(descriptor, 0);
    path = pattern;
    std::ofstream(path) << text;
  }
  ~TextFile() { std::filesystem::remove(path); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  std::filesystem::path path{};
};

std::string run_text(const std::string& gap_to_bound) {
  return R"({"schema": "fairstep/run/1", "finished": true, "groups": ["a", "b"], "relaxation_mode": "scaled", "new": {},
    "oracle": {"outcome": "optimal", "bounds": {"lower": 1.5, "upper": null}},
    "updates": [{"k": 8, "policy": "updates/0000.policy.json", "limit": [0], "relaxation": [0.25], "vacuous": [],
      "floor": 0.5, "bonus_max": 1, "unvisited": 2, "bounds": {"lower": 1, "upper": 2}, "gap_to_bound": )" +
         gap_to_bound + R"(, "outcome": "feasible", "stopped_by": "time", "value": 0.5,
      "gap": {"dp": [0.125], "eqopt": [null], "eqodds": [0.5]}, "reward_regret": null, "violation": 0.125,
      "reference": {"reward_regret": 3, "violation": 2}}]})";
}

TEST(Records, OfARunAreReadBack) {
  const TextFile file(run_text("0.5"));
  const auto run = read_run_record(file.path);
  ASSERT_TRUE(run.has_value()) << run.error().message;
  EXPECT_TRUE(run->finished);
  EXPECT_EQ(run->oracle_lower, 1.5);
  EXPECT_TRUE(std::isnan(run->oracle_upper));
  ASSERT_EQ(run->updates.size(), 1U);
  const UpdateRecord& update = run->updates[0];
  EXPECT_EQ(update.k, 8U);
  EXPECT_EQ(update.policy, "updates/0000.policy.json");
  EXPECT_EQ(update.dp, std::vector<double>{0.125});
  EXPECT_TRUE(std::isnan(update.eqopt[0]));
  EXPECT_TRUE(std::isnan(update.regret));
  EXPECT_EQ(update.gap_to_bound, 0.5);
  EXPECT_EQ(update.stopped_by, "time");
  EXPECT_FALSE(update.trial.has_value());
}

TEST(Records, SayWhichKeyIsWrong) {
  const TextFile file(run_text("\"much\""));
  const auto run = read_run_record(file.path);
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().pointer, "/updates/0/gap_to_bound");
  EXPECT_EQ(run.error().file, file.path.string());
  EXPECT_NE(run.error().message.find("expected a number"), std::string::npos);
}

// A wrong bound was shown as it stood.
TEST(Records, WhoseBoundsContradictEachOtherAreRefused) {
  const TextFile file(R"({"schema": "fairstep/pareto/1", "points": [
    {"limit": 0.5, "outcome": "optimal", "value": 2, "bounds": {"lower": 2, "upper": 1.5}, "parity_gap": [],
     "shadow_price": [null]}]})");
  const auto frontier = read_frontier_record(file.path);
  ASSERT_FALSE(frontier.has_value());
  EXPECT_EQ(frontier.error().message, "upper is 1.5, expected at least the lower bound, 2");
  EXPECT_EQ(frontier.error().pointer, "/points/0/bounds/upper");
}

TEST(Records, SayWhichKeyIsMissing) {
  const TextFile file(R"({"schema": "fairstep/pareto/1", "points": [{"limit": 0}]})");
  const auto frontier = read_frontier_record(file.path);
  ASSERT_FALSE(frontier.has_value());
  EXPECT_EQ(frontier.error().message, "missing key \"outcome\"");
  EXPECT_EQ(frontier.error().pointer, "/points/0");
}

TEST(Records, OfAnotherKindAreRefused) {
  const TextFile file(R"({"schema": "fairstep/model/1"})");
  EXPECT_EQ(read_run_record(file.path).error().pointer, "/schema");
  EXPECT_EQ(read_experiment_record(file.path).error().pointer, "/schema");
  const TextFile list("[1]");
  EXPECT_NE(read_frontier_record(list.path).error().message.find("expected an object"), std::string::npos);
}

TEST(Records, OfAnExperimentHaveLabelsAndFallbacks) {
  const TextFile file(R"({"schema": "fairstep/experiment-run/1", "name": "n", "repeats": 2, "schedule": [8, 16],
    "environments": [{"name": "fico"}], "notions": ["dp"],
    "methods": [{"id": "penalty-1", "method": "penalty", "lambda": 1}, {"id": "ours", "label": "we", "method": "constrained",
      "lambda": null, "relaxation": "literal"}]})");
  const auto plan = read_experiment_record(file.path);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->environments[0].label, "fico");
  EXPECT_EQ(plan->methods[0].label, "penalty-1");
  EXPECT_EQ(plan->methods[1].label, "we");
  EXPECT_EQ(plan->methods[1].relaxation, "literal");
  EXPECT_TRUE(std::isnan(plan->methods[1].lambda));
}

TEST(Records, OfAnExperimentSayWhatASolveMaySpendAndHowDoubtIsScaled) {
  const TextFile file(R"({"schema": "fairstep/experiment-run/1", "name": "n", "repeats": 1, "schedule": [8],
    "certificate": {"gap": 0.125, "time_limit": 60, "effort": 2}, "environments": [], "notions": ["dp", "eqopt"],
    "methods": [{"id": "ours", "method": "constrained", "relaxation_scale": {"dp": 0.5, "other": 7}}]})");
  const auto plan = read_experiment_record(file.path);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->certificate_gap, 0.125);
  EXPECT_EQ(plan->certificate_seconds, 60);
  EXPECT_EQ(plan->certificate_effort, 2);
  EXPECT_EQ(plan->methods[0].relaxation_scale, (std::map<std::string, double>{{"dp", 0.5}}));
}

TEST(Records, OfARunHaveWhatWasTried) {
  std::string text = run_text("0");
  text.replace(text.find("\"reference\""), 0,
               R"("evaluation": {"value": {"mean": 2, "low": 1, "high": 3},
                                "violation": {"mean": 0.5, "low": 0.25, "high": null}}, )");
  const TextFile file(text);
  const auto run = read_run_record(file.path);
  ASSERT_TRUE(run.has_value()) << run.error().message;
  const UpdateRecord& update = run->updates[0];
  ASSERT_TRUE(update.trial.has_value());
  EXPECT_EQ(update.trial->value.mean, 2);
  EXPECT_EQ(update.trial->value.low, 1);
  EXPECT_EQ(update.trial->value.high, 3);
  EXPECT_EQ(update.trial->violation.low, 0.25);
  EXPECT_TRUE(std::isnan(update.trial->violation.high));
}

TEST(Records, OfAFrontierAreReadBackPointByPoint) {
  const TextFile file(R"({"schema": "fairstep/pareto/1", "points": [
    {"limit": 0, "outcome": "infeasible", "value": null, "bounds": {"lower": null, "upper": null},
     "parity_gap": [], "shadow_price": []},
    {"limit": 0.5, "outcome": "optimal", "value": 2, "bounds": {"lower": 2, "upper": 2.5},
     "parity_gap": [0.25, 0.5], "shadow_price": [0, 1]}]})");
  const auto frontier = read_frontier_record(file.path);
  ASSERT_TRUE(frontier.has_value()) << frontier.error().message;
  ASSERT_EQ(frontier->points.size(), 2U);
  EXPECT_EQ(frontier->points[0].outcome, "infeasible");
  EXPECT_TRUE(std::isnan(frontier->points[0].value));
  EXPECT_EQ(frontier->points[1].limit, 0.5);
  EXPECT_EQ(frontier->points[1].upper, 2.5);
  EXPECT_EQ(frontier->points[1].parity_gap, (std::vector{0.25, 0.5}));
  EXPECT_EQ(frontier->points[1].shadow_price, (std::vector{0.0, 1.0}));
}

TEST(Records, OfTimesHaveFallbacks) {
  const TextFile file(R"({"seconds": 1.5, "threads": 2, "solves": 9})");
  const auto timing = read_timing_record(file.path);
  ASSERT_TRUE(timing.has_value()) << timing.error().message;
  EXPECT_EQ(timing->seconds, 1.5);
  EXPECT_EQ(timing->threads, 2U);
  EXPECT_EQ(timing->solves_made, 9U);  // all of them, unless said otherwise
  const TextFile again(R"({"seconds": 1.5, "solves": 9, "solves_made": 4})");
  EXPECT_EQ(read_timing_record(again.path)->solves_made, 4U);
  EXPECT_EQ(read_timing_record(again.path)->threads, 0U);
}

TEST(Records, OfTimesComeBackButForThoseOfRuns) {
  TimingRecord timing{.seconds = 4,
                      .threads = 2,
                      .runs = 3,
                      .solves = 9,
                      .solves_made = 6,
                      .certified = 5,
                      .cut = 1,
                      .worst_gap = 0.25,
                      .seconds_of_runs = {{"runs/a/dp/ours/0", 1.5}}};
  const std::string text = to_text(timing);
  EXPECT_NE(text.find("\"solves_per_second\": 1.5,"), std::string::npos) << text;  // 6 in 4 seconds
  EXPECT_NE(text.find("\"runs/a/dp/ours/0\": 1.5"), std::string::npos) << text;
  const TextFile file(text);
  const auto read = read_timing_record(file.path);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->seconds, timing.seconds);
  EXPECT_EQ(read->threads, timing.threads);
  EXPECT_EQ(read->runs, timing.runs);
  EXPECT_EQ(read->solves, timing.solves);
  EXPECT_EQ(read->solves_made, timing.solves_made);
  EXPECT_EQ(read->certified, timing.certified);
  EXPECT_EQ(read->cut, timing.cut);
  EXPECT_EQ(read->worst_gap, timing.worst_gap);
  timing.worst_gap = std::numeric_limits<double>::infinity();  // of a solve without a bound
  const TextFile unbounded(to_text(timing));
  EXPECT_TRUE(std::isnan(read_timing_record(unbounded.path)->worst_gap));
}

TEST(Records, ThatAreNotThereAreAnErrorWithTheFile) {
  EXPECT_EQ(read_timing_record("no-such-timing.json").error().file, "no-such-timing.json");
}

}  // namespace
}  // namespace fairstep
