// A grid of learning runs, written down in one file: environments x notions x methods x repeats (docs/experiments.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/learn/learn.hpp>
#include <fairstep/optimise/proof_budget.hpp>

namespace fairstep {

/// A population that is learned about.
struct ExperimentEnvironment {
  std::string name{};    ///< of its folder
  std::string label{};   ///< for people
  std::string source{};  ///< `fico`, or `file loans.json`
  Model model;
};

/// How far limits are relaxed and rewards raised. The factors are those of LearnOptions, filled in.
struct ExperimentRelaxation {
  RelaxationMode mode = RelaxationMode::scaled_width;
  double bonus_scale = 1e-3;
  std::array<double, 3> scale{1e-3, 1e-4, 1e-4};  ///< [notion]
};

struct ExperimentMethod {
  std::string id{};     ///< of its folder: `ours`, `penalty-0.1`
  std::string label{};  ///< for people
  Method method = Method::constrained;
  std::optional<double> lambda{};  ///< set iff the method is a penalty
  PenaltyForm penalty_form = PenaltyForm::rate;
  std::vector<Notion> notions{};   ///< those of the experiment that it runs under
  std::vector<double> limit{0.0};  ///< [h], or one entry for all steps
  ExperimentRelaxation relaxation{};
  bool safe = false;
};

/// What is solved on the true models: the best under the experiment's limits, and under a range of limits.
struct ExperimentFrontier {
  std::vector<double> limits{};  ///< empty: no sweep
  ProofBudget proof{};
};

struct Experiment {
  std::string name{};
  std::vector<ExperimentEnvironment> environments{};
  std::vector<Notion> notions{};
  std::vector<ExperimentMethod> methods{};
  std::size_t repeats = 5;
  std::uint64_t seed = 1;
  std::size_t horizon = 8;            ///< of ready-made environments that name none
  LearnOptions learning{};            ///< what runs have in common; `learn_options` adds what a cell of the grid says
  std::vector<Notion> last_proven{};  ///< under which the last update is proven as `learning.last_proof` says
  ExperimentRelaxation relaxation{};
  ExperimentFrontier frontier{};
};

/// Reads and checks an experiment file (TOML), model files that it names included. An Error has the file, the key, and
/// the line in its message.
[[nodiscard]] Expected<Experiment> read_experiment_file(const std::filesystem::path& path);

/// The same from text; relative model files are looked for in `folder`, and `file` is only for messages.
[[nodiscard]] Expected<Experiment> parse_experiment(std::string_view text, const std::filesystem::path& folder,
                                                    const std::string& file = {});

/// Everything that decides the result, as the document `experiment.json`.
[[nodiscard]] std::string to_text(const Experiment& experiment, const std::string& version);

/// SHA-256 of the whole file `experiment.json`, which a report on it names.
[[nodiscard]] std::string fingerprint_of(const Experiment& experiment, const std::string& version);

/// What the learner is asked in one cell of the grid, but for its oracle and stop token.
[[nodiscard]] LearnOptions learn_options(const Experiment& experiment, Notion notion, const ExperimentMethod& method,
                                         std::uint64_t seed);

/// The seed of a run. Methods share it, so that they meet the same luck; nothing else in the experiment changes it.
[[nodiscard]] std::uint64_t run_seed(std::uint64_t experiment_seed, const std::string& environment, Notion notion,
                                     std::size_t repeat);

}  // namespace fairstep
