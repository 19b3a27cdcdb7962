// The cells of an experiment's grid, one learning run each.
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
  double work = 1;                 ///< how long it takes, roughly and compared to others
};

/// Every run, in the order of the experiment's lists.
[[nodiscard]] std::vector<PlannedRun> plan(const Experiment& experiment);

}  // namespace fairstep
