// Ratios of the groups' rates, as the four-fifths rule has them: how a group fares beside the one that is treated best,
// or beside a reference.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fairstep/core/fairness.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep {

/// The least ratio of any group's rate to the greatest of all, or of any other group's to the reference's.
struct StepRatio {
  double ratio = 0;        ///< NaN if fewer than two groups have the rate, or the rate below the line is 0
  std::size_t group = 0;   ///< whose rate is above the line; the first of several; meaningless if the ratio is NaN
  std::size_t beside = 0;  ///< whose is below it
};

/// [h] of a rate [g,h], NaN where nobody has it.
[[nodiscard]] std::vector<StepRatio> step_ratios(const Tensor<double, 2>& rate,
                                                 std::optional<std::size_t> reference = {});
[[nodiscard]] std::vector<StepRatio> step_ratios(const Rates& rates, RatioNotion notion,
                                                 std::optional<std::size_t> reference = {});

}  // namespace fairstep
