#include "experiment/small.hpp"

#include "support/models.hpp"

namespace fairstep::testing {

std::string small_file() {
  return R"(
schema = "fairstep/experiment/1"
name = "small"
environments = [
  {name = "tiny", kind = "random", features = 2, horizon = 2, seed = 3},
  {name = "other", label = "another one", kind = "random", features = 2, horizon = 3, seed = 4},
]
fairness = ["dp", "eqopt"]
schedule = [1, 8, 32]
repeats = 2
seed = 5
evaluation_episodes = 20
certificate = "off"

[frontier]
limits = [0, 0.25, 1]

[[method]]
method = "constrained"

[[method]]
method = "unconstrained"

[[method]]
method = "penalty"
lambda = [0.1, 2]
)";
}

std::string least_file(const std::string& keys, const std::string& methods, const std::string& environments) {
  return "schema = \"fairstep/experiment/1\"\nenvironments = " + environments + "\nfairness = \"dp\"\n" + keys + "\n" +
         methods;
}

Experiment parsed(const std::string& text, const std::filesystem::path& folder) {
  return unwrap(parse_experiment(text, folder, "small.toml"));
}

ExperimentOptions on_threads(unsigned threads) {
  ExperimentOptions options;
  options.threads = threads;
  options.version = "1.2.3";
  return options;
}

ExperimentSummary run_in(const std::filesystem::path& folder, const Experiment& experiment,
                         const ExperimentOptions& options) {
  return unwrap(run_experiment(experiment, folder, options));
}

}  // namespace fairstep::testing
