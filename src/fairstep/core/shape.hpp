// How large a problem is, and the one order of its axes: [g,h,x,y,a], successors [x1,y1] last, counted from 0.
#pragma once

#include <cstddef>

namespace fairstep {

inline constexpr std::size_t kLabels = 2;   ///< y: 0 unqualified, 1 qualified; hidden from the policy
inline constexpr std::size_t kActions = 2;  ///< a: 0 refuse, 1 accept

inline constexpr std::size_t kClassesBefore = 1 + kLabels * kActions;  ///< k: of the decision before, core/history.hpp

struct Shape {
  std::size_t groups = 0;    ///< g, at least 2
  std::size_t horizon = 0;   ///< h = 0 .. horizon - 1, at least 1
  std::size_t features = 0;  ///< x, at least 1
  std::size_t periods = 1;   ///< kernels of a group, core/periods.hpp; 1: the same at all steps

  /// States s = (x,y), numbered 2x + y.
  [[nodiscard]] std::size_t states() const { return features * kLabels; }
  /// Cells (s,a), numbered 2s + a.
  [[nodiscard]] std::size_t cells() const { return states() * kActions; }

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The number of the state (x,y).
[[nodiscard]] inline std::size_t state_of(std::size_t x, std::size_t y) { return x * kLabels + y; }
/// The number of the cell (x,y,a).
[[nodiscard]] inline std::size_t cell_of(std::size_t x, std::size_t y, std::size_t a) {
  return state_of(x, y) * kActions + a;
}

}  // namespace fairstep
