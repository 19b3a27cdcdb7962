// From the ends of rates to gaps between groups.
#pragma once

#include <cstddef>

#include <fairstep/certify/certify.hpp>
#include <fairstep/core/fairness.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/robust.hpp>

namespace fairstep {

/// Those of one notion, to be set: GapBounds, BoundsBy.
template <class PerNotion>
[[nodiscard]] auto& steps_of(PerNotion& gaps, Notion notion) {
  return notion == Notion::dp ? gaps.dp : notion == Notion::eqopt ? gaps.eqopt : gaps.eqodds;
}

/// How far apart two groups can be at a step, rounded up.
[[nodiscard]] double widest(const Tensor<Range, 2>& rate, std::size_t i, std::size_t j, std::size_t h);

/// The gap of each pair of groups by their rates, for all notions that were asked for, and the widest of them.
void set_pairs(Certificate& found, const Shape& n);

/// Over all pairs.
void set_worst_gaps(Certificate& found, const Shape& n);

}  // namespace fairstep
