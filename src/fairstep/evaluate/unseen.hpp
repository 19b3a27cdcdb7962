// How much of what a policy does rests on rows of an estimated model that nobody saw.
#pragma once

#include <string>

#include <fairstep/core/grounds.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Shares of expected visits; people count by the shares of their groups, and all steps alike.
struct Unseen {
  double rows = 0;     ///< of the visits before the last step, in cells whose next state is a guess
  double rewards = 0;  ///< of all visits, in cells whose reward is a guess
};

/// `mass` is [g,h,x,y], what `evaluate` found for this model and policy; the model rests on `grounds`.
[[nodiscard]] Unseen unseen_under(const Model& model, const Policy& policy, const Grounds& grounds,
                                  const Tensor<double, 4>& mass);

/// `rests on 1,000 people and 7,000 decisions: 12.5 % of this policy's visits rest on rows that nobody saw (guessed:
/// uniform)`. Shares are rounded up.
[[nodiscard]] std::string in_words(const Grounds& grounds, const Unseen& unseen);

}  // namespace fairstep
