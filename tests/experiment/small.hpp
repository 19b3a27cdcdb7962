// An experiment that takes no time.
#pragma once

#include <filesystem>
#include <string>

#include <fairstep/experiment/experiment.hpp>
#include <fairstep/experiment/run_experiment.hpp>

namespace fairstep::testing {

/// Two random populations of two features, both of the paper's notions, three methods of which one has two lambdas, two
/// repeats, three updates: 32 runs, 96 solves. Nothing is proven, so that nothing depends on the clock.
[[nodiscard]] std::string small_file();

/// The least that a file must say, with more keys at its head and tables at its end.
[[nodiscard]] std::string least_file(const std::string& keys = {},
                                     const std::string& methods = "[[method]]\nmethod = \"constrained\"\n",
                                     const std::string& environments = "[\"fico\"]");

/// The file's text as an experiment, its model files in `folder`.
[[nodiscard]] Experiment parsed(const std::string& text, const std::filesystem::path& folder = {});

[[nodiscard]] ExperimentOptions on_threads(unsigned threads);

ExperimentSummary run_in(const std::filesystem::path& folder, const Experiment& experiment,
                         const ExperimentOptions& options);

}  // namespace fairstep::testing
