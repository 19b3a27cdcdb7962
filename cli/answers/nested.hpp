// Tensors as JSON: lists within lists, in the order of the axes.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include <fairstep/core/tensor.hpp>

#include "shell/verb.hpp"

namespace fairstep::cli {

/// JSON has no NaN and no infinity: null stands for them.
[[nodiscard]] inline Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(); }

template <std::size_t Rank>
[[nodiscard]] Json nested(const Tensor<double, Rank>& tensor) {
  const auto put = [&](const auto& self, std::size_t axis, std::span<const double> block) -> Json {
    if (axis == Rank) return number_or_null(block.front());
    Json list = Json::array();
    const std::size_t extent = tensor.extents()[axis];
    for (std::size_t i = 0; i < extent; ++i)
      list.push_back(self(self, axis + 1, block.subspan(i * (block.size() / extent), block.size() / extent)));
    return list;
  };
  return put(put, 0, tensor.flat());
}

}  // namespace fairstep::cli
