// Where people can be: ranges of the masses at each feature, over tables that do not remember.
//
// Those of one group who stand at x are a point in the plane of (mass with y=0, mass with y=1), and what a table's
// other entries can do to it is kept as an octagon: the most of it in eight directions, in units of what a coin would
// lead to.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {

class Reach {
 public:
  static constexpr std::size_t kDirections = 8;  ///< evenly around; the opposite one is half of them further

  Reach() = default;
  /// The masses at the first step are known; those of later ones may be anything yet.
  Reach(const Model& model, const std::vector<std::size_t>& groups);

  /// Of the k-th group at x at step h.
  [[nodiscard]] std::size_t place(std::size_t h, std::size_t k, std::size_t x) const {
    return (h * groups_ + k) * features_ + x;
  }
  /// A direction as what each label's mass counts.
  [[nodiscard]] std::array<double, kLabels> direction(std::size_t place, std::size_t i) const;
  [[nodiscard]] double most(std::size_t place, std::size_t i) const { return most_[place * kDirections + i]; }
  [[nodiscard]] double width(std::size_t place, std::size_t i) const {
    return most(place, i) + most(place, opposite(i));
  }
  void narrow(std::size_t place, std::size_t i, double most);

  /// d0 * mass at y=0 + d1 * mass at y=1 lies between these, but for rounding of sums of this size.
  struct Ends {
    double low, high, size;
  };
  [[nodiscard]] Ends ends(std::size_t place, double d0, double d1) const;

 private:
  static constexpr std::size_t opposite(std::size_t i) { return (i + kDirections / 2) % kDirections; }

  std::size_t groups_ = 0, features_ = 0;
  std::vector<double> unit_{};  ///< [place,y]
  std::vector<double> most_{};  ///< [place,direction]
};

}  // namespace fairstep
