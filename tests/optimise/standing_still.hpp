// Populations that never change, whose optima can be worked out by hand.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <fairstep/core/model.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

/// Two groups of equal share, two features; nobody ever changes. initial[g][x][y], and what accepting earns by label.
/// Each feature may be split into `copies` that are all alike: what a policy can earn does not change with that.
inline Model standing_still(std::size_t horizon, const double (&initial)[2][2][2], double unqualified, double qualified,
                            std::size_t copies = 1) {
  const std::size_t features = 2 * copies;
  ModelSpec spec;
  spec.horizon = horizon;
  spec.names.groups = {"a", "b"};
  for (std::size_t x = 0; x < features; ++x)
    spec.names.features.push_back((x < copies ? "low " : "high ") + std::to_string(x % copies));
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, features, kLabels});
  spec.transition = Tensor<double, 6>({2, features, kLabels, kActions, features, kLabels});
  spec.reward = Tensor<double, 4>({2, features, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t x = 0; x < features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        spec.initial(g, x, y) = initial[g][x / copies][y] / static_cast<double>(copies);
        spec.reward(g, x, y, 1) = y == 1 ? qualified : unqualified;
        for (std::size_t a = 0; a < kActions; ++a) spec.transition(g, x, y, a, x, y) = 1;
      }
  return unwrap(Model::make(std::move(spec)));
}

// The low are unqualified, the high qualified. Accepting earns 1 from the qualified and -1/2 from the others.
// Group a: half of it high. Group b: a quarter.
inline constexpr double kHighAndLow[2][2][2] = {{{0.5, 0}, {0, 0.5}}, {{0.75, 0}, {0, 0.25}}};

// P(x,y): a: low (1/4, 1/4), high (1/8, 3/8); b: low (1/2, 1/4), high (1/8, 1/8).
inline constexpr double kMixed[2][2][2] = {{{0.25, 0.25}, {0.125, 0.375}}, {{0.5, 0.25}, {0.125, 0.125}}};

}  // namespace fairstep::testing
