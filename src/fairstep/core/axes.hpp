// The axes by name, the layout of every tensor, and where an entry is: for people, [g=black,x=2], and for programs,
// /1/2.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/shape.hpp>

namespace fairstep {

/// Group, step, feature, label, action; the successor's feature and label; those of the decision before, and its class
/// (core/history.hpp); and the period of time (core/periods.hpp).
enum class Axis { g, h, x, y, a, x1, y1, x0, y0, a0, k, period };

template <std::size_t Rank>
using Layout = std::array<Axis, Rank>;

inline constexpr Layout<1> kGroupAxes{Axis::g};
inline constexpr Layout<3> kInitialAxes{Axis::g, Axis::x, Axis::y};
inline constexpr Layout<6> kTransitionAxes{Axis::g, Axis::x, Axis::y, Axis::a, Axis::x1, Axis::y1};
inline constexpr Layout<4> kCellAxes{Axis::g, Axis::x, Axis::y, Axis::a};
inline constexpr Layout<5> kVisitsAxes{Axis::g, Axis::h, Axis::x, Axis::y, Axis::a};
inline constexpr Layout<2> kFirstStepAxes{Axis::g, Axis::h};
inline constexpr Layout<3> kAcceptAxes{Axis::g, Axis::h, Axis::x};
// Of features alone, where labels follow them (core/feature_counts.hpp).
inline constexpr Layout<2> kFeatureAxes{Axis::g, Axis::x};
inline constexpr Layout<3> kFeatureCellAxes{Axis::g, Axis::x, Axis::a};
inline constexpr Layout<4> kFeatureVisitsAxes{Axis::g, Axis::h, Axis::x, Axis::a};
inline constexpr Layout<4> kFeatureTransitionAxes{Axis::g, Axis::x, Axis::a, Axis::x1};
inline constexpr Layout<2> kSharedAcceptAxes{Axis::h, Axis::x};  ///< of a policy that does not look at the group

/// The same with the period after the group.
template <std::size_t Rank>
[[nodiscard]] constexpr Layout<Rank + 1> with_periods(const Layout<Rank>& axes) {
  Layout<Rank + 1> result{axes[0], Axis::period};
  for (std::size_t i = 1; i < Rank; ++i) result[i + 1] = axes[i];
  return result;
}

/// "x1"
[[nodiscard]] std::string_view name_of(Axis axis);
/// What its length is the number of: "features".
[[nodiscard]] std::string_view noun_of(Axis axis);
[[nodiscard]] std::size_t length_of(Axis axis, const Shape& shape);

template <std::size_t Rank>
[[nodiscard]] std::array<std::size_t, Rank> extents_of(const Layout<Rank>& axes, const Shape& shape) {
  std::array<std::size_t, Rank> extents{};
  for (std::size_t i = 0; i < Rank; ++i) extents[i] = length_of(axes[i], shape);
  return extents;
}

/// `[g=black,x=2]`: the leading axes with their indices, the group by its name if it has one; empty without indices.
[[nodiscard]] std::string brackets(std::span<const Axis> axes, std::span<const std::size_t> index,
                                   const std::vector<std::string>& groups);

/// `/1/2`
[[nodiscard]] std::string pointer_to(std::span<const std::size_t> index);

}  // namespace fairstep
