// A small population with balls around it, for numbers that are worked out by hand.
#pragma once

#include <utility>

#include <fairstep/evaluate/robust.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

inline constexpr std::size_t kLow = 0, kHigh = 1;

/// Two features and two steps. All start in each of the four states with 1/4. At step 0 the high are accepted and the
/// low refused, at step 1 P(accept) is 1/4 for the low and 3/4 for the high in group a, 1/2 for all in group b. Refused
/// and low: stays low. Accepted and high: stays high with 3/4. Labels keep. Refused pays 1 to the low and 4 to the
/// high, accepted 2 and 3; a step later counts half. Radii: 1/8 for the first state and the accepted high, 1/4 for the
/// refused low, 1 for rows that are never used at step 0.
struct LowAndHigh {
  LowAndHigh() : balls{Tensor<double, 4>({2, 2, kLabels, kActions}, 1), {0.125, 0.125}} {
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t y = 0; y < 2; ++y) {
        balls.row(g, kLow, y, 0) = 0.25;
        balls.row(g, kHigh, y, 1) = 0.125;
      }
  }

  static Model make_model() {
    ModelSpec spec;
    spec.horizon = 2;
    spec.discount = 0.5;
    spec.names.groups = {"a", "b"};
    spec.names.features = {"low", "high"};
    spec.share = {0.5, 0.5};
    spec.initial = Tensor<double, 3>({2, 2, kLabels}, 0.25);
    spec.transition = Tensor<double, 6>({2, 2, kLabels, kActions, 2, kLabels});
    spec.reward = Tensor<double, 4>({2, 2, kLabels, kActions});
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t y = 0; y < 2; ++y) {
        for (std::size_t a = 0; a < 2; ++a) spec.transition(g, kLow, y, a, kLow, y) = 1;
        spec.transition(g, kHigh, y, 0, kHigh, y) = 1;
        spec.transition(g, kHigh, y, 1, kHigh, y) = 0.75;
        spec.transition(g, kHigh, y, 1, kLow, y) = 0.25;
        spec.reward(g, kLow, y, 0) = 1, spec.reward(g, kLow, y, 1) = 2;
        spec.reward(g, kHigh, y, 0) = 4, spec.reward(g, kHigh, y, 1) = 3;
      }
    return unwrap(Model::make(std::move(spec)));
  }

  static Policy make_policy() {
    Tensor<double, 3> accept({2, 2, 2}, 0.5);
    for (std::size_t g = 0; g < 2; ++g) accept(g, 0, kLow) = 0, accept(g, 0, kHigh) = 1;
    accept(0, 1, kLow) = 0.25;
    accept(0, 1, kHigh) = 0.75;
    return unwrap(Policy::make(accept, {"a", "b"}));
  }

  const Model model = make_model();
  const Policy policy = make_policy();
  Balls balls;
};

}  // namespace fairstep::testing
