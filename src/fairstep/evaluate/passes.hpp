// The two recursions behind every number: mass forwards, value backwards. One group at a time, no allocation.
//
// Both cost one multiplication per non-zero kernel entry and step. Everything above them (values, rates, gaps,
// gradients) is a sum over what they fill in.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <fairstep/core/kernel.hpp>

namespace fairstep {

/// Told before each step how many multiplications it takes, at the most; may throw to end the recursion.
using AtWork = std::function<void(std::size_t multiplications)>;

/// mass[h,x,y] = P(x_h = x, y_h = y) for a group that starts from initial[x,y] under accept[h,x].
/// mass[h+1] = sum over (s,a) of mass[h](s) P(a | x) p(. | s,a). Fills mass, whose length sets the horizon.
void forward(const Kernels& kernels, std::span<const double> initial, std::span<const double> accept,
             std::span<double> mass, const AtWork& at_work = {});

/// What decisions earn: reward[x,y,a] at every step, or reward[h,x,y,a] with step_stride = the number of cells.
struct Rewards {
  std::span<const double> reward{};
  double discount = 1;
  std::size_t step_stride = 0;
};

/// q[h,x,y,a] = reward_h(s,a) + discount E[v[h+1] | s,a] and v[h,x,y] = E[q[h] | x], with v[H] = 0: values are seen
/// from their own step. Fills q and v; the length of v sets the horizon.
void backward(const Kernels& kernels, const Rewards& rewards, std::span<const double> accept, std::span<double> q,
              std::span<double> v, const AtWork& at_work = {});

}  // namespace fairstep
