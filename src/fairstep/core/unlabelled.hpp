// Rows that lack nothing but their label: what a lender has of the refused. They say where people went, which is all
// that demographic parity needs, so the tables of *features* have them; the tables of states (core/counts.hpp) have
// not.
//
// Features are x alone, in place of states (x,y). Beside LogRecord::unlabelled, the decisions, this is the rest of what
// is known of such rows. core/feature_counts.hpp adds them to the labelled ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Of rows without a label, besides the decisions.
struct UnlabelledRows {
  Tensor<std::int64_t, 2> first{};  ///< [g,x] people whose first row has no label
  /// [g,x,a,x1] steps to the next row of a person where one or both have no label.
  Tensor<std::int64_t, 4> transitions{};
  std::optional<FeatureLost> lost{};  ///< of the whole log, and LogRecord::lost in features; none if nobody recorded it

  [[nodiscard]] static UnlabelledRows zeros(const Shape& shape);

  /// False if the sizes differ or a sum overflows. What one of the two lost, and nobody recorded, nobody knows of both.
  [[nodiscard]] bool add(const UnlabelledRows& other);

  friend bool operator==(const UnlabelledRows&, const UnlabelledRows&) = default;
};

/// Errors if these cannot belong to counts of this shape.
[[nodiscard]] Expected<void> check(const UnlabelledRows& rows, const Shape& shape,
                                   const std::vector<std::string>& groups);

}  // namespace fairstep
