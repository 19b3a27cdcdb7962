// What an experiment consists of: the cells of its grid, one learning run each, and sweeps over the limit on the true
// populations. No part needs another, so that they may be done anywhere and in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <fairstep/experiment/experiment.hpp>

namespace fairstep {

struct PlannedRun {
  std::size_t environment = 0, notion = 0, method = 0, repeat = 0;  ///< places in the experiment's lists
  std::uint64_t seed = 0;
  std::filesystem::path folder{};  ///< below the experiment's: runs/fico/dp/ours/0
  std::vector<double> work{};      ///< [l] how long each update takes, in seconds and roughly
};

struct PlannedSweep {
  std::size_t environment = 0, notion = 0;  ///< places in the experiment's lists
  std::filesystem::path file{};             ///< below the experiment's folder: frontier/fico/dp.json
  double work = 0;                          ///< how long it takes, in seconds and roughly
};

/// Every run, in the order of the experiment's lists; none of a method under a notion that is not one of its own.
[[nodiscard]] std::vector<PlannedRun> plan(const Experiment& experiment);

/// Every sweep, in the order of the experiment's lists; none if it sweeps over no limits.
[[nodiscard]] std::vector<PlannedSweep> planned_sweeps(const Experiment& experiment);

/// Whether the experiment has runs of the method under the notion.
[[nodiscard]] bool runs_under(const ExperimentMethod& method, Notion notion);

/// Places of `runs`, long ones before short ones: who takes them in this order is not left with a long one in the end.
[[nodiscard]] std::vector<std::size_t> longest_first(const std::vector<PlannedRun>& runs);

}  // namespace fairstep
