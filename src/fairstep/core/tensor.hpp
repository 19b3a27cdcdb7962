// A dense row-major array with named axes in the comment beside it: the last index runs fastest.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace fairstep {

template <class T, std::size_t Rank>
class Tensor {
 public:
  using Extents = std::array<std::size_t, Rank>;

  Tensor() = default;
  explicit Tensor(const Extents& extents, const T& fill = T{}) : extents_(extents), data_(product(extents), fill) {}

  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] std::size_t size() const { return data_.size(); }
  [[nodiscard]] bool empty() const { return data_.empty(); }

  template <class... Index>
  [[nodiscard]] T& operator()(Index... index) {
    static_assert(sizeof...(Index) == Rank);
    return data_[offset(index...)];
  }
  template <class... Index>
  [[nodiscard]] const T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == Rank);
    return data_[offset(index...)];
  }

  /// The contiguous block under some leading indices: t.block(g) of a [g,h,x] tensor is its [h,x] part.
  template <class... Index>
  [[nodiscard]] std::span<T> block(Index... leading) {
    return std::span<T>(data_).subspan(offset(leading...), block_size(sizeof...(Index)));
  }
  template <class... Index>
  [[nodiscard]] std::span<const T> block(Index... leading) const {
    return std::span<const T>(data_).subspan(offset(leading...), block_size(sizeof...(Index)));
  }

  [[nodiscard]] std::span<T> flat() { return data_; }
  [[nodiscard]] std::span<const T> flat() const { return data_; }

  friend bool operator==(const Tensor&, const Tensor&) = default;

 private:
  /// An impossible size is the greatest number, so that it fails as an allocation does and never wraps to a small one.
  static std::size_t product(const Extents& extents) {
    std::size_t size = 1;
    bool too_large = false;
    for (const std::size_t extent : extents) {
      if (extent == 0) return 0;
      too_large = too_large || __builtin_mul_overflow(size, extent, &size);
    }
    return too_large ? std::numeric_limits<std::size_t>::max() : size;
  }
  [[nodiscard]] std::size_t block_size(std::size_t leading) const {
    return std::accumulate(extents_.begin() + static_cast<std::ptrdiff_t>(leading), extents_.end(), std::size_t{1},
                           std::multiplies<>{});
  }
  template <class... Index>
  [[nodiscard]] std::size_t offset(Index... index) const {
    static_assert(sizeof...(Index) <= Rank);
    const std::array<std::size_t, sizeof...(Index)> indices{static_cast<std::size_t>(index)...};
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      at *= extents_[axis];
      if (axis < indices.size()) {
        assert(indices[axis] < extents_[axis]);
        at += indices[axis];
      }
    }
    return at;
  }

  Extents extents_{};
  std::vector<T> data_{};
};

}  // namespace fairstep
