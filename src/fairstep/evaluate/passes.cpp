#include <fairstep/evaluate/passes.hpp>

#include <algorithm>
#include <cassert>

#include <fairstep/core/shape.hpp>

namespace fairstep {

void forward(const Kernels& kernels, std::span<const double> initial, std::span<const double> accept,
             std::span<double> mass, const AtWork& at_work) {
  const std::size_t states = kernels.states();
  const std::size_t features = states / kLabels;
  const std::size_t horizon = mass.size() / states;
  assert(initial.size() == states && accept.size() == horizon * features);

  std::copy(initial.begin(), initial.end(), mass.begin());
  for (std::size_t h = 0; h + 1 < horizon; ++h) {
    const KernelView kernel = kernels.at(h);
    if (at_work) at_work(states * kActions * states);
    const double* here = mass.data() + h * states;
    double* next = mass.data() + (h + 1) * states;
    std::fill(next, next + states, 0.0);
    for (std::size_t s = 0; s < states; ++s) {
      const double p = accept[h * features + s / kLabels];
      const double part[kActions] = {here[s] * (1 - p), here[s] * p};
      for (std::size_t a = 0; a < kActions; ++a)
        if (part[a] != 0) kernel.push(s * kActions + a, part[a], next);
    }
  }
}

void backward(const Kernels& kernels, const Rewards& rewards, std::span<const double> accept, std::span<double> q,
              std::span<double> v, const AtWork& at_work) {
  const std::size_t states = kernels.states();
  const std::size_t cells = states * kActions;
  const std::size_t features = states / kLabels;
  const std::size_t horizon = v.size() / states;
  assert(q.size() == horizon * cells && accept.size() == horizon * features);
  assert(rewards.reward.size() >= (horizon - 1) * rewards.step_stride + cells);

  for (std::size_t h = horizon; h-- > 0;) {
    if (at_work) at_work(cells * states);
    const double* pay = rewards.reward.data() + h * rewards.step_stride;
    const KernelView kernel = kernels.at(h);
    const double* next = h + 1 < horizon ? v.data() + (h + 1) * states : nullptr;
    for (std::size_t s = 0; s < states; ++s) {
      double* q_s = q.data() + h * cells + s * kActions;
      for (std::size_t a = 0; a < kActions; ++a) {
        const std::size_t cell = s * kActions + a;
        q_s[a] = pay[cell] + (next != nullptr ? rewards.discount * kernel.expect(cell, next) : 0.0);
      }
      const double p = accept[h * features + s / kLabels];
      v[h * states + s] = (1 - p) * q_s[0] + p * q_s[1];
    }
  }
}

}  // namespace fairstep
