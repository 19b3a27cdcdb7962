// What a log had and the counts do not: rows that could not be used, as far as it is known where they belong.
//
// Every lost row is charged to each entry that it may belong to. So whatever the lost rows would have said, the tables
// of the complete log differ from the counted ones only by adding at most these numbers; `first_in_doubt` is the one
// exception. docs/logs.md has the proof, and to what each kind of row is charged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct Lost {
  Tensor<std::int64_t, 1> first{};  ///< [g] people at most whose first state is missing from Counts::first
  /// [g] people at most who are in Counts::first with a later state than their first: a row without a person may be the
  /// first of anybody.
  Tensor<std::int64_t, 1> first_in_doubt{};
  Tensor<std::int64_t, 2> decisions{};    ///< [g,h] decisions at most that are missing from Counts::visits
  Tensor<std::int64_t, 4> cells{};        ///< [g,x,y,a] the same by cell, over all steps
  Tensor<std::int64_t, 4> transitions{};  ///< [g,x,y,a] successors at most that are missing from Counts::transitions

  /// Nothing was lost.
  [[nodiscard]] static Lost none(const Shape& shape);
  [[nodiscard]] bool nothing() const;

  /// False if the sizes differ or a sum overflows.
  [[nodiscard]] bool add(const Lost& other);

  friend bool operator==(const Lost&, const Lost&) = default;
};

/// What a log had and the tables of features do not (core/feature_counts.hpp). As `Lost`, with one difference: a row
/// that lacks nothing but its label is not lost, since these tables have it. Whatever the lost rows would have said,
/// the tables of features of the complete log differ from the counted ones only by adding at most these numbers.
struct FeatureLost {
  Tensor<std::int64_t, 1> first{};           ///< [g] people at most whose first feature is missing
  Tensor<std::int64_t, 1> first_in_doubt{};  ///< [g] as Lost::first_in_doubt
  Tensor<std::int64_t, 2> decisions{};       ///< [g,h] decisions at most that are missing
  Tensor<std::int64_t, 3> cells{};           ///< [g,x,a] the same by cell, over all steps
  Tensor<std::int64_t, 3> transitions{};     ///< [g,x,a] next features at most that are missing

  /// Nothing was lost.
  [[nodiscard]] static FeatureLost none(const Shape& shape);
  /// Of a log in which no label is missing: whatever is charged to a state is charged to its feature. An upper end,
  /// since a row whose label could not be read is charged to both states. Null if a sum overflows.
  [[nodiscard]] static std::optional<FeatureLost> of(const Lost& lost);
  [[nodiscard]] bool nothing() const;

  /// False if the sizes differ or a sum overflows.
  [[nodiscard]] bool add(const FeatureLost& other);

  friend bool operator==(const FeatureLost&, const FeatureLost&) = default;
};

/// An error if these cannot be losses of counts of this shape.
[[nodiscard]] Expected<void> check(const Lost& lost, const Shape& shape, const std::vector<std::string>& groups);
[[nodiscard]] Expected<void> check(const FeatureLost& lost, const Shape& shape, const std::vector<std::string>& groups);

}  // namespace fairstep
