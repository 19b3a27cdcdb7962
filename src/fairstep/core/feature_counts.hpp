// What counts say of features alone, of everybody: rows with and without a label together. Where labels follow features
// (core/label_assumption.hpp) this is all that a log says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/core/unlabelled.hpp>

namespace fairstep {

struct FeatureCounts {
  Tensor<std::int64_t, 2> first{};        ///< [g,x] people whose first feature this was
  Tensor<std::int64_t, 4> visits{};       ///< [g,h,x,a] decisions
  Tensor<std::int64_t, 4> transitions{};  ///< [g,x,a,x1] steps whose next feature was seen
  Tensor<std::int64_t, 4> labels{};       ///< [g,x,a,y] decisions with a label, over all steps
  Tensor<std::int64_t, 3> unlabelled{};   ///< [g,x,a] decisions without one, over all steps
  /// What is missing at most from first, visits and transitions; from labels at most `unlabelled` and lost.cells are.
  /// None: nobody recorded what the log lost (a file of an older version). Of counts without the record of a log it is
  /// nothing.
  std::optional<FeatureLost> lost{};

  /// Decisions in a cell over all steps, with a label or without.
  [[nodiscard]] std::int64_t visits_of(std::size_t g, std::size_t x, std::size_t a) const;
  /// Next features seen of a cell: at most its visits.
  [[nodiscard]] std::int64_t successors_of(std::size_t g, std::size_t x, std::size_t a) const;
  [[nodiscard]] std::int64_t people(std::size_t g) const;
};

/// Sums over labels, and what is known of rows without one. Of counts in which all labels are seen it is the marginal.
/// An error if labels were drawn (assume-ignorable): a label that was drawn says nothing about q; if the counts have
/// decisions without a label, but are of a version that did not keep where people went from there; or if a sum
/// overflows.
[[nodiscard]] Expected<FeatureCounts> feature_counts(const Counts& counts);

}  // namespace fairstep
