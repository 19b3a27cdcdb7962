// Squares in the master from below, e >= weight z^2, by tangents where the last solution is off (outer approximation).
//
// What a penalty squares is z; the master has q = z S, for a positive S that is a variable or 1:
//   e >= weight z^2 >= weight (2 c z S - c^2 S^2) for any c, as weight (z - c S)^2 >= 0; and S^2 lies below its chord.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fairstep/optimise/bound/master.hpp>

namespace fairstep {

class Tangents {
 public:
  /// The master must outlive them, and has no rows after theirs.
  explicit Tangents(Master& master) : master_(master) {}

  struct Square {
    std::size_t q, e;
    std::optional<std::size_t> scale{};  ///< S = per_scale * scale, or 1
    double per_scale = 1;
    double weight = 0;
  };
  /// All squares come before the first tangent.
  void add_square(const Square& square) { squares_.push_back(square); }
  [[nodiscard]] std::size_t squares() const { return squares_.size(); }

  void add(std::size_t square, double c);
  /// Where the last solution leaves more than `precision` out, all squares together; whether it does.
  bool add_where_off(double precision);
  /// Drops those that do not bind in the last solution.
  bool forget();
  /// After the range of a variable has changed.
  void rewrite(std::size_t variable);

 private:
  struct Tangent {
    std::size_t square, row;
    double c;
  };
  void write(const Tangent& tangent);
  [[nodiscard]] Range scale_of(const Square& square) const;

  Master& master_;
  std::vector<Square> squares_{};
  std::vector<Tangent> tangents_{};
};

}  // namespace fairstep
