#include <fairstep/experiment/internal/time_left.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/fairness.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/plan.hpp>

namespace fairstep::internal {
namespace {

TEST(TimeLeft, IsWhatWasExpectedAsLongAsNothingIsSeen) {
  TimeLeft left;
  left.add("a", {1, 1, 4}, 2);  // 2 runs of 6 seconds
  left.add("b", {3}, 1);
  EXPECT_NEAR(left.seconds(), 15, 1e-12);
  EXPECT_EQ(left.share(), 0);
}

TEST(TimeLeft, LearnsHowFastTheMachineIs) {
  TimeLeft left;
  const std::size_t a = left.add("a", {1}, 100);
  const std::size_t b = left.add("b", {1}, 100);
  for (int i = 0; i < 100; ++i) left.done(a, 0, 3);
  // Kind and cell b are unknown: the machine's multiple is (1 + 300) / (1 + 100), about 3, for a run of 1 second.
  EXPECT_NEAR(left.seconds(), 100 * 301.0 / 101, 1e-9);
  for (int i = 0; i < 100; ++i) left.done(b, 0, 3);
  EXPECT_EQ(left.seconds(), 0);
  EXPECT_EQ(left.share(), 1);
}

TEST(TimeLeft, LearnsWhatACellAndAnUpdateOfItTake) {
  TimeLeft left;
  const std::size_t a = left.add("a", {1, 1}, 1001);
  for (int i = 0; i < 1000; ++i) {
    left.done(a, 0, 1);
    left.done(a, 1, 9);
  }
  // The last run: its first update about 1, its second about 9, each a little drawn to their mean of 5.
  EXPECT_NEAR(left.seconds(), (1000 + 5.0) / 1001 + (9000 + 5.0) / 1001, 0.01);
}

TEST(TimeLeft, CountsWhatWasThereAsDoneButLearnsNothingFromIt) {
  TimeLeft left;
  const std::size_t a = left.add("a", {1, 3}, 2);
  left.found(a, 0);
  left.found(a, 1);
  EXPECT_NEAR(left.seconds(), 4, 1e-12);
  EXPECT_NEAR(left.share(), 0.5, 1e-12);
}

TEST(TimeLeft, IsNeverLessThanNothingThoughPiecesAreToldTwice) {
  TimeLeft left;
  const std::size_t a = left.add("a", {1}, 1);
  left.done(a, 0, 2);
  left.done(a, 0, 2);
  left.found(a, 0);
  EXPECT_EQ(left.seconds(), 0);
  EXPECT_EQ(left.share(), 1);
}

/// What each update of each run took in seconds when the paper's experiment was run on two threads, and each sweep.
std::map<std::string, std::vector<double>> recorded() {
  std::map<std::string, std::vector<double>> made;
  std::ifstream file(FAIRSTEP_SOURCE_DIR "/tests/experiment/paper_durations.txt");
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (double milliseconds = 0; words >> milliseconds;) made[name].push_back(milliseconds / 1000);
  }
  return made;
}

/// A run or sweep: its number in `TimeLeft`, and how long its pieces take.
struct Work {
  std::size_t cell = 0;
  std::vector<double> seconds{};
};

/// The experiment as `run_experiment` plans it, with the times that were recorded.
std::vector<Work> planned_work(const Experiment& experiment, TimeLeft& left) {
  const auto times = recorded();
  std::vector<Work> work;
  for (const PlannedSweep& sweep : planned_sweeps(experiment))
    work.push_back({left.add("sweep", {sweep.work}, 1), times.at(sweep.file.generic_string())});
  const auto runs = plan(experiment);
  std::map<std::string, std::size_t> cells;
  for (const std::size_t i : longest_first(runs)) {
    const PlannedRun& run = runs[i];
    const std::string cell = run.folder.parent_path().generic_string();
    if (!cells.contains(cell)) {
      const std::string kind =
          std::string(name_of(experiment.methods[run.method].method)) + " " + name_of(experiment.notions[run.notion]);
      cells[cell] = left.add(kind, run.work, experiment.repeats);
    }
    work.push_back({cells[cell], times.at(run.folder.generic_string())});
  }
  return work;
}

struct Moment {
  double at = 0, said = 0;  ///< seconds since the beginning, and those that were said to be left
};

/// The work as a few threads do it, each taking the next piece when it is free, on a machine that is so much slower.
std::vector<Moment> estimates(const Experiment& experiment, std::size_t threads, double slower) {
  TimeLeft left;
  const std::vector<Work> work = planned_work(experiment, left);
  struct Thread {
    double free_at = 0;
    std::size_t work = 0, piece = 0;
    bool busy = false;
  };
  std::vector<Thread> all(threads);
  std::size_t next = 0;
  std::vector<Moment> made;
  while (true) {
    for (Thread& thread : all)
      if (!thread.busy && next < work.size()) {
        thread.work = next++;
        thread.piece = 0;
        thread.busy = true;
        thread.free_at += slower * work[thread.work].seconds[0];
      }
    Thread* first = nullptr;  // to end a piece
    for (Thread& thread : all)
      if (thread.busy && (first == nullptr || thread.free_at < first->free_at)) first = &thread;
    if (first == nullptr) return made;
    const Work& of = work[first->work];
    left.done(of.cell, first->piece, slower * of.seconds[first->piece]);
    made.push_back({first->free_at, left.seconds() / static_cast<double>(threads)});
    if (++first->piece < of.seconds.size())
      first->free_at += slower * of.seconds[first->piece];
    else
      first->busy = false;
    for (Thread& thread : all)
      if (!thread.busy) thread.free_at = std::max(thread.free_at, first->free_at);
  }
}

TEST(TimeLeft, OfThePapersExperimentIsWithinAFactorOfTwoFromTheFirstTenthOn) {
  const auto experiment = read_experiment_file(FAIRSTEP_SOURCE_DIR "/configs/paper.toml");
  ASSERT_TRUE(experiment) << experiment.error().message;
  for (const std::size_t threads : {1U, 2U, 8U})
    for (const double slower : {0.3, 1.0, 10.0}) {
      const auto moments = estimates(*experiment, threads, slower);
      ASSERT_EQ(moments.size(), 4320u + 4);
      const double end = moments.back().at;
      double worst = 1, worst_at = 0;
      for (const auto& [at, said] : moments) {
        const double truly = end - at;
        // In the last hundredth single solves count, and what is shown is a second or two.
        if (at < 0.1 * end || truly < 0.01 * end) continue;
        const double apart = std::max(said / truly, truly / said);
        if (apart > worst) worst = apart, worst_at = at / end;
      }
      EXPECT_LT(worst, 2) << threads << " threads, " << slower << " times as slow, at " << worst_at << " of the time";
    }
}

}  // namespace
}  // namespace fairstep::internal
