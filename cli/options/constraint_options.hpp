// The options by which solve, pareto and export are told what fairness asks and which policies are allowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/optimise/policy_class.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// What was given on the command line; `fairness` makes sense of it.
struct ConstraintOptions {
  std::vector<std::string> notions{};  ///< dp, ..., dp-ratio, ..., none or a file; several with commas
  std::optional<double> limit{};
  std::optional<std::string> reference{};
  std::vector<double> limit_per_step{};
  std::optional<double> capacity{};
  std::optional<double> aggregate_dp{};
  std::optional<double> aggregate_eqopt{};
  PolicyClass policies{};

  /// `with_limits` is false for a verb that sets the limits itself.
  void declare(Options& options, bool with_limits);

  /// Reads the file, if one is named. Without --fairness it is an error, unless `optional`.
  [[nodiscard]] Result<Fairness> fairness(const std::string& verb, const Model& model, bool optional) const;
  /// The same for counts, or anything else that has groups and steps.
  [[nodiscard]] Result<Fairness> fairness(const std::string& verb, const Names& names, const Shape& shape,
                                          bool optional) const;
};

inline constexpr double kDefaultLimit = 0.01;

/// Which group an option names.
[[nodiscard]] Result<std::size_t> group_called(std::string_view option, const std::string& name, const Model& model);
[[nodiscard]] Result<std::size_t> group_called(std::string_view option, const std::string& name, const Names& names);

/// "demographic-parity gap"
[[nodiscard]] std::string gap_of(const std::string& notion);

}  // namespace fairstep::cli
