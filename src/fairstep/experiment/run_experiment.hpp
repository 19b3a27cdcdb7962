// A whole experiment on disk, on several threads. Every run is a folder as `run_in_folder` keeps it, so that an
// experiment may be killed at any moment and the same call goes on where it was.
//
//   paper/experiment.json              everything that decides the result; written first
//   paper/models/fico.json             the populations
//   paper/oracles.json                 the best under the experiment's limits where the population is known
//   paper/frontier/fico/dp.json        the same over a range of limits: what fairness costs
//   paper/runs/fico/dp/ours/0/         run 0 of a cell (learn/run.hpp)
//   paper/timing.json                  how long it took; written last, and the only file that differs between two
//                                      executions, but for solves that the time limit has cut
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/experiment/experiment.hpp>

namespace fairstep {

struct ExperimentProgress {
  std::size_t runs_done = 0, runs = 0;
  double share = 0;       ///< of all the work that is done; never less than before
  std::size_t made = 0;   ///< updates of this call
  double seconds_left{};  ///< learned from how long these took; 0 before the first
  std::string current{};  ///< what was worked on last: "fico, dp, ours, repeat 0"
};

struct ExperimentOptions {
  unsigned threads = 1;  ///< changes nothing but the time
  bool restart = false;  ///< drop what an earlier experiment left in the folder
  /// Work on nothing but what these paths below the folder hold: runs/fico/dp, frontier/fico/dp.json, or oracles.json,
  /// which every run needs and which is always made. Empty: everything.
  std::vector<std::string> only{};
  std::string version{};  ///< of the program, kept with the experiment
  std::stop_token stop{};
  /// Called after every update, from any thread but by one at a time.
  std::function<void(const ExperimentProgress&)> progress{};
};

/// What came out in one cell of the grid, at the last update of every repeat.
struct CellSummary {
  std::size_t environment = 0, notion = 0, method = 0;  ///< places in the experiment's lists
  std::vector<double> value{}, violation{};             ///< [r] of the finished repeats
  double seconds = 0;                                   ///< spent in this call, all repeats together
};

/// Of what was asked for: of a part of the experiment, if `only` names one.
struct ExperimentSummary {
  bool finished = false;
  std::size_t runs = 0, runs_finished = 0, runs_resumed = 0;  ///< resumed: finished before this call
  std::uint64_t solves = 0;                                   ///< updates of all runs
  std::uint64_t solves_made = 0;                              ///< in this call
  std::uint64_t certified = 0;                                ///< solves that are proven to the gap
  std::uint64_t cut = 0;                                      ///< solves that the time limit ended
  double worst_gap = 0;                                       ///< of all solves; infinite if one has no bound
  double seconds = 0;                                         ///< of this call
  std::vector<CellSummary> cells{};
};

/// Takes up what is in the folder and does what is missing. An Error if it cannot; stopped early is an answer.
[[nodiscard]] Expected<ExperimentSummary> run_experiment(const Experiment& experiment,
                                                         const std::filesystem::path& folder,
                                                         const ExperimentOptions& options);

}  // namespace fairstep
