// A whole grid of learning runs on disk.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/experiment/plan.hpp>
#include <fairstep/experiment/run_experiment.hpp>

#include "convert.hpp"
#include "interruptible.hpp"
#include "parts.hpp"

namespace fairstep::python {
namespace {

using ExperimentListener =
    std::function<void(std::size_t runs_done, std::size_t runs, double share, std::string current)>;

/// A cell of the grid by its names.
struct GridCell {
  std::string environment{}, fairness{}, method{};
  std::vector<double> value{}, violation{};
};

struct Summary {
  ExperimentSummary it{};
  std::string name{};
  std::vector<GridCell> cells{};
};

Summary named(ExperimentSummary summary, const Experiment& experiment) {
  Summary made{std::move(summary), experiment.name, {}};
  for (const CellSummary& cell : made.it.cells)
    made.cells.push_back({experiment.environments[cell.environment].name, name_of(experiment.notions[cell.notion]),
                          experiment.methods[cell.method].id, cell.value, cell.violation});
  return made;
}

}  // namespace

void bind_experiment(nb::module_& module) {
  nb::class_<GridCell>(module, "ExperimentCell",
                       "What came out in one cell of the grid, at the last update of each repeat.")
      .def_ro("environment", &GridCell::environment)
      .def_ro("fairness", &GridCell::fairness)
      .def_ro("method", &GridCell::method)
      .def_prop_ro("value", array_of<GridCell>([](const GridCell& c) -> auto& { return c.value; }),
                   "Of finished repeats, [r].")
      .def_prop_ro("violation", array_of<GridCell>([](const GridCell& c) -> auto& { return c.violation; }),
                   "Step-average gap of finished repeats, [r].")
      .def("__repr__", [](const GridCell& c) {
        return "ExperimentCell(" + c.environment + ", " + c.fairness + ", " + c.method + ")";
      });
  nb::class_<Summary>(module, "ExperimentSummary", "What came out of an experiment; its folder has everything.")
      .def_ro("name", &Summary::name)
      .def_prop_ro(
          "finished", [](const Summary& s) { return s.it.finished; }, "Whether all runs were made.")
      .def_prop_ro(
          "runs", [](const Summary& s) { return s.it.runs; }, "Of the grid.")
      .def_prop_ro("runs_finished", [](const Summary& s) { return s.it.runs_finished; })
      .def_prop_ro(
          "runs_resumed", [](const Summary& s) { return s.it.runs_resumed; }, "Finished before this call.")
      .def_prop_ro(
          "solves", [](const Summary& s) { return s.it.solves; }, "Updates of all runs.")
      .def_prop_ro(
          "solves_made", [](const Summary& s) { return s.it.solves_made; }, "In this call.")
      .def_prop_ro(
          "certified", [](const Summary& s) { return s.it.certified; }, "Solves that are proven to the gap.")
      .def_prop_ro(
          "cut_by_time", [](const Summary& s) { return s.it.cut; }, "Solves that the time limit ended.")
      .def_prop_ro(
          "worst_gap", [](const Summary& s) { return s.it.worst_gap; }, "Of all solves; infinite if one has no bound.")
      .def_prop_ro(
          "seconds", [](const Summary& s) { return s.it.seconds; }, "Of this call.")
      .def_ro("cells", &Summary::cells, "A result for each environment, notion and method.")
      .def("to_frame", in_python("fairstep._frames", "experiment"), nb::sig("def to_frame(self) -> pandas.DataFrame"),
           "A table with a row for each run: environment, fairness, method, repeat, value and violation.")
      .def("__repr__", [](const Summary& s) {
        return "ExperimentSummary(" + s.name + ", " + std::to_string(s.it.runs_finished) + " of " +
               std::to_string(s.it.runs) + " runs)";
      });
  module.def(
      "planned_runs",
      [](const std::filesystem::path& file) {
        std::vector<std::string> folders;
        for (const PlannedRun& run : plan(unwrap(read_experiment_file(file)))) folders.push_back(run.folder.string());
        return folders;
      },
      nb::arg("file"));
  module.def(
      "experiment",
      [](const std::filesystem::path& file, const std::filesystem::path& folder, unsigned threads, bool restart,
         std::vector<std::string> only, const std::optional<ExperimentListener>& progress) {
        const Experiment experiment = unwrap(read_experiment_file(file));
        ExperimentOptions options;
        options.threads = threads;
        options.restart = restart;
        options.only = std::move(only);
        options.version = FAIRSTEP_VERSION;
        std::function<void(const ExperimentProgress&)> hear;
        if (progress)
          hear = [&](const ExperimentProgress& now) { (*progress)(now.runs_done, now.runs, now.share, now.current); };
        return named(unwrap(interruptible<ExperimentProgress>(
                         [&](const std::stop_token& stop, const auto& tell) {
                           options.stop = stop;
                           options.progress = tell;
                           return run_experiment(experiment, folder, options);
                         },
                         hear)),
                     experiment);
      },
      nb::arg("file"), nb::arg("folder"), nb::arg("threads"), nb::arg("restart"), nb::arg("only"),
      nb::arg("progress").none());
}

}  // namespace fairstep::python
