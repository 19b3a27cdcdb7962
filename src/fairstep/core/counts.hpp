// What a log says, in as many numbers as matter: the sufficient statistics of a time-invariant, group-dependent kernel,
// and the visits per step that an audit needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/history.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct Counts {
  std::size_t horizon = 0;
  Names names{};
  Tensor<std::int64_t, 3> first{};        ///< [g,x,y] people whose first seen state this was
  Tensor<std::int64_t, 5> visits{};       ///< [g,h,x,y,a] decisions taken
  Tensor<std::int64_t, 6> transitions{};  ///< [g,x,y,a,x1,y1] steps whose successor was seen
  Tensor<double, 4> reward_sum{};         ///< [g,x,y,a]
  Tensor<double, 4> reward_squares{};     ///< [g,x,y,a] sum of squared rewards
  std::optional<LogRecord> log{};         ///< where they came from, if they came from a log
  std::optional<History> history{};       ///< when and after what, for `diagnose`; if it was counted
  std::optional<Part> part{};             ///< of which split, if they are not of all people

  /// All zero, for a model's or a log's names.
  [[nodiscard]] static Counts zeros(std::size_t horizon, Names names);

  [[nodiscard]] Shape shape() const { return {names.groups.size(), horizon, names.features.size()}; }
  /// First states seen.
  [[nodiscard]] std::int64_t people(std::size_t g) const;
  /// These, and the people whose first state was in the log and could not be used. Whoever may be of several groups
  /// counts in each. Of a log whose losses nobody recorded it is what was seen, and there may be more.
  [[nodiscard]] std::int64_t everybody(std::size_t g) const;
  /// Decisions taken in a cell, over all steps.
  [[nodiscard]] std::int64_t visits_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const;
  /// Successors seen of a cell: at most its visits.
  [[nodiscard]] std::int64_t successors_of(std::size_t g, std::size_t x, std::size_t y, std::size_t a) const;

  /// Adds counts of other people; an error if names or horizon differ, if they are not the same part of the same split,
  /// if the logs were read in ways that do not go together, or if a sum would overflow. A record that only one of the
  /// two has stays, and counts the other's people as unrecorded; a history is kept only if both have one.
  [[nodiscard]] Expected<void> add(const Counts& other);

  friend bool operator==(const Counts&, const Counts&) = default;
};

/// An error if these cannot be the counts of any log: a wrong size, a negative number, more successors than visits.
[[nodiscard]] Expected<void> check(const Counts& counts);

}  // namespace fairstep
