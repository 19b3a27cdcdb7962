// How the rows of a log are to be read, as the options and the columns of the log have it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/internal/category.hpp>
#include <fairstep/ingest/internal/roles.hpp>

namespace fairstep::internal {

struct Plan {
  std::array<ValueType, kRoles> type{};
  std::vector<double> bins{};           ///< lower ends; empty: x is a name
  std::vector<std::string> groups{};    ///< empty: whatever comes
  std::vector<std::string> excluded{};  ///< groups that are outside of the study
  std::vector<std::string> features{};  ///< empty: whatever comes; with bins, their names
  std::array<std::string, 2> labels{}, actions{};
  TextRules texts{};
  std::optional<std::int64_t> first_step{};
  std::optional<std::int64_t> horizon{};  ///< only with first_step
  std::optional<CalendarUnit> window{};
  double largest_weight = 1;     ///< if the log has weights
  bool by_step = false;          ///< successors are counted by step as well
  std::optional<Split> split{};  ///< of the people
  bool people_together = false;  ///< the engine has sorted: no need to doubt that a person's rows are together
  /// Of each part, of all people the first: P(y=1) [g,x] in the order of `groups` and `features`, for labels to be
  /// drawn there; empty: none is.
  std::array<Tensor<double, 2>, 2> impute{};
};

/// An error if the options contradict themselves.
[[nodiscard]] Expected<void> check_options(const CountOptions& options);

/// Where what is by part has that of a role.
[[nodiscard]] constexpr std::size_t part_number(PartRole role) { return role == PartRole::design ? 0 : 1; }

/// `type` is that of the log's columns.
[[nodiscard]] Plan plan_for(const std::array<ValueType, kRoles>& type, const CountOptions& options,
                            const std::optional<Split>& split = {});

}  // namespace fairstep::internal
