// Everything that a report speaks of, read from the folder of an experiment and from nowhere else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/words.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/report/internal/statistics.hpp>

namespace fairstep::report {

/// What a method is to the report. Colours, dashes and marks go by it.
enum class Kind {
  ours,           ///< limits as constraints; the first such method of the experiment
  unconstrained,  ///< no regard to fairness
  penalty,        ///< squared gaps cost lambda, in the form of the experiment's first penalty
  other_form,     ///< a penalty in another form than that
  literal,        ///< limits relaxed by the paper's constants as printed
  variant,        ///< any other
};

}  // namespace fairstep::report

namespace fairstep {

template <>
inline constexpr auto kWords<report::Kind> = words<report::Kind>({{report::Kind::ours, "ours"},
                                                                  {report::Kind::unconstrained, "unconstrained"},
                                                                  {report::Kind::penalty, "penalty"},
                                                                  {report::Kind::other_form, "other_form"},
                                                                  {report::Kind::literal, "literal"},
                                                                  {report::Kind::variant, "variant"}});

}  // namespace fairstep

namespace fairstep::report {

/// One method in one setting: its repeats, as far as they are finished.
struct MethodRuns {
  ExperimentRecord::Method about{};
  Kind kind = Kind::variant;
  std::vector<RunRecord> repeats{};              ///< [r]
  std::vector<std::filesystem::path> folders{};  ///< [r]

  /// Updates that every repeat has; 0 if there is no repeat.
  [[nodiscard]] std::size_t updates() const;
  /// [r] a number of update l.
  [[nodiscard]] std::vector<double> at(std::size_t l, const std::function<double(const UpdateRecord&)>& number) const;
  /// Its mean over repeats.
  [[nodiscard]] Band band(std::size_t l, const std::function<double(const UpdateRecord&)>& number) const;
};

/// An environment with a notion of fairness: "FICO, demographic parity".
struct Setting {
  std::string id{};                    ///< fico-dp: a part of anchors and file names
  std::size_t environment_number = 0;  ///< e, in the plan
  std::string environment{};           ///< its label
  Notion notion = Notion::dp;
  std::string name{};     ///< "FICO, demographic parity"
  std::string measure{};  ///< "DP" or "EqOpt", as the paper has it
  const Model* model = nullptr;
  const Names* names = nullptr;       ///< those of the model, as charts can hold them
  std::vector<MethodRuns> methods{};  ///< those with a finished repeat, in the experiment's order
  std::optional<FrontierRecord> frontier{};
  std::optional<OracleRecord> oracle{};  ///< what the theorems ask of the best fair policy, if that was looked at

  /// The first method of a kind; null if there is none.
  [[nodiscard]] const MethodRuns* find(Kind kind) const;
  [[nodiscard]] std::vector<const MethodRuns*> all(Kind kind) const;
  /// The penalty whose final average violation is nearest to ours; null if there is none.
  [[nodiscard]] const MethodRuns* nearest_penalty() const;
  /// [h] gaps of the setting's notion.
  [[nodiscard]] const std::vector<double>& gaps(const UpdateRecord& update) const;
  [[nodiscard]] double worst_gap(const UpdateRecord& update) const;
};

struct Evidence {
  std::string folder{};  ///< its last name
  ExperimentRecord plan{};
  std::string plan_text{};                                  ///< experiment.json as it is
  std::vector<Model> models{};                              ///< [e]
  std::vector<Names> names{};                               ///< [e], as charts can hold them
  std::set<std::pair<std::string, std::string>> in_full{};  ///< what was cut of names and labels, and the whole
  std::vector<Setting> settings{};                          ///< environments, and notions within
  std::vector<std::string> missing{};                       ///< runs that are not there or not finished
  std::size_t unsealed = 0;  ///< runs without a fingerprint, of which nobody can say whether they were edited
  std::size_t runs = 0;      ///< that are
  std::optional<TimingRecord> timing{};
  std::string plan_digest{};     ///< SHA-256 of experiment.json
  std::string results_digest{};  ///< of the list `sha256sum` prints for all result.json, in the order of the grid
};

/// An Error if the folder is no experiment, if nothing of it is finished, or if a file of it is damaged.
[[nodiscard]] Expected<Evidence> gather(const std::filesystem::path& folder);

/// The numbers 0 .. count - 1, or at most `most` of them, evenly, the first and the last included.
[[nodiscard]] std::vector<std::size_t> thinned(std::size_t count, std::size_t most = 1000);

}  // namespace fairstep::report
