// Where means may lie, whatever the tables in their boxes.
#pragma once

#include <span>

#include <fairstep/core/model.hpp>
#include <fairstep/optimise/program/program.hpp>

namespace fairstep {

/// A mean is an average of what the policy does in each cell, and there it does something between the ends of its box.
/// One over several steps without a denominator is the sum of such averages.
[[nodiscard]] Range range_of(const Program& program, std::span<const Box> boxes, std::span<const Mean> means);

}  // namespace fairstep
