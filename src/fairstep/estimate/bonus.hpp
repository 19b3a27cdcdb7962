// The paper's exploration bonus: what is added to the estimated reward of a cell for having seen it rarely.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fairstep/core/model.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Where in a learning run a formula of the paper is asked for: S, A and H are the shape's.
struct AtEpisode {
  Shape shape{};
  std::uint64_t k = 1;  ///< episode, at least 1
  double delta = 0.1;   ///< the lemmas hold with probability 1 - delta; within (0,1)

  /// What a lemma pays for all groups together, so much each: its union is over two groups as it is printed, and over
  /// all of them where there are more.
  [[nodiscard]] double per_group(double each) const {
    return each * static_cast<double>(std::max<std::size_t>(2, shape.groups));
  }
};

struct BonusOptions {
  Range reward{0, 1};  ///< that single rewards are known to lie in; its length multiplies
  double scale = 1;    ///< 1: the lemma as printed
};

/// b_hat(N) = min{2H, 2H sqrt(2 ln(16 S A H k^2 / delta) / max(1, N))} for rewards between 0 and 1. The paper's 16 is 8
/// for each of two groups.
[[nodiscard]] double unit_bonus(std::int64_t visits, const AtEpisode& at);

/// [g,x,y,a] scale * (u - l) * b_hat(visits), where rewards lie between l and u: with these the values to go span
/// H (u - l), which is the paper's H if rewards lie between 0 and 1.
[[nodiscard]] Tensor<double, 4> bonus(const Tensor<std::int64_t, 4>& visits, const AtEpisode& at,
                                      const BonusOptions& options = {});

}  // namespace fairstep
