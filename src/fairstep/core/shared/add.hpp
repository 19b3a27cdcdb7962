// Tables of counts, added.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairstep/core/tensor.hpp>

namespace fairstep::internal {

/// Entry by entry. False if the sizes differ or a sum overflows.
template <std::size_t Rank>
[[nodiscard]] bool add_to(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
  if (to.extents() != from.extents()) return false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (__builtin_add_overflow(to.flat()[i], from.flat()[i], &to.flat()[i])) return false;
  return true;
}

}  // namespace fairstep::internal
