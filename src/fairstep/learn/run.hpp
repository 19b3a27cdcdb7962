// A learning run on disk: every update is kept before the next begins, so that a run may be killed at any moment and
// the same command goes on where it was and ends with the same bytes.
//
//   run/model.json                   the population
//   run/run.json                     everything else that decides the result
//   run/updates/0003.policy.json     what update 3 (counted from 0) decided,
//   run/updates/0003.counts.json     what had been seen before it,
//   run/updates/0003.json            and its numbers: written last, an update without it did not happen
//   run/result.json                  all updates, once the run is finished
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/learn/learn.hpp>

namespace fairstep {

struct RunOptions {
  bool by_person = false;  ///< draw people one by one
  bool restart = false;    ///< drop what an earlier run left in the folder
  std::string version{};   ///< of the program, kept with the run
  std::function<void(const Update&)> on_update{};
};

struct Run {
  RunRecord record{};             ///< all updates, and what they are measured against: what result.json says
  std::size_t resumed = 0;        ///< updates that were there already
  std::vector<Update> updates{};  ///< those made now
};

/// On a simulated population, in memory only.
[[nodiscard]] Expected<Run> run_in_memory(const Model& model, const LearnOptions& options, const RunOptions& run);

/// The same with a folder that is made, or taken up if it holds this very run; an Error says what differs if it holds
/// another.
[[nodiscard]] Expected<Run> run_in_folder(const std::filesystem::path& folder, const Model& model,
                                          const LearnOptions& options, const RunOptions& run);

/// What is kept of an update, with its policy. What is infinite is unknown, as in a record that is read back.
[[nodiscard]] UpdateRecord record_of(const Update& update, const LearnOptions& options, const Shape& shape);

}  // namespace fairstep
