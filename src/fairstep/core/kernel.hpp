// One group's transition rows p(x1,y1 | x,y,a), as every recursion uses them: pull a function back, or push mass on.
//
// Rows are dense. Where most entries are zero an index of the others rides along, so that a pass costs one
// multiplication per non-zero entry either way.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairstep/core/shape.hpp>

namespace fairstep {

/// Where the non-zero entries of a group's rows are; empty for a kernel that is mostly full.
struct NonZeros {
  std::vector<std::size_t> start{};    ///< [cell], one more than there are cells
  std::vector<std::uint32_t> state{};  ///< successor of each non-zero entry
  std::vector<double> probability{};   ///< and its probability
};

class KernelView {
 public:
  KernelView(const double* rows, std::size_t states, const NonZeros& nonzeros)
      : rows_(rows), states_(states), nonzeros_(nonzeros.start.empty() ? nullptr : &nonzeros) {
    assert(states % 2 == 0);  // two labels to a feature
  }

  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] const double* row(std::size_t cell) const { return rows_ + cell * states_; }

  /// E[f(s1) | cell], f over states.
  [[nodiscard]] double expect(std::size_t cell, const double* f) const {
    // Four sums side by side, since one alone waits for each of its additions. Which of them a successor goes to does
    // not depend on how rows are stored, so dense and sparse rows give the same result to the last bit.
    double sums[4] = {0, 0, 0, 0};
    if (nonzeros_ == nullptr) {
      const double* p = row(cell);
      std::size_t s1 = 0;
      for (; s1 + 4 <= states_; s1 += 4)
        for (std::size_t i = 0; i < 4; ++i) sums[i] += p[s1 + i] * f[s1 + i];
      if (s1 < states_)  // two are left: states come in pairs, one per label
        for (std::size_t i = 0; i < 2; ++i) sums[i] += p[s1 + i] * f[s1 + i];
    } else {
      for (std::size_t i = nonzeros_->start[cell]; i < nonzeros_->start[cell + 1]; ++i)
        sums[nonzeros_->state[i] % 4] += nonzeros_->probability[i] * f[nonzeros_->state[i]];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  /// out[s1] += mass * p(s1 | cell).
  void push(std::size_t cell, double mass, double* out) const {
    if (nonzeros_ == nullptr) {
      const double* p = row(cell);
      for (std::size_t s1 = 0; s1 < states_; ++s1) out[s1] += mass * p[s1];
    } else {
      for (std::size_t i = nonzeros_->start[cell]; i < nonzeros_->start[cell + 1]; ++i)
        out[nonzeros_->state[i]] += mass * nonzeros_->probability[i];
    }
  }

 private:
  const double* rows_;
  std::size_t states_;
  const NonZeros* nonzeros_;
};

/// One group's kernels, step by step: the one at h leads from step h to the next.
class Kernels {
 public:
  /// The same at all steps.
  Kernels(const KernelView& all_steps) : first_(all_steps) {}  // NOLINT(google-explicit-constructor)
  /// Rows and non-zeros one period after the other; period_of[h] says which is that of step h.
  Kernels(const double* rows, std::size_t states, std::span<const NonZeros> nonzeros,
          std::span<const std::uint32_t> period_of)
      : first_(rows, states, nonzeros[0]), nonzeros_(nonzeros), period_of_(period_of) {}

  [[nodiscard]] std::size_t states() const { return first_.states(); }
  [[nodiscard]] KernelView at(std::size_t h) const {
    if (period_of_.empty()) return first_;
    const std::size_t k = period_of_[h];
    return {first_.row(k * first_.states() * kActions), first_.states(), nonzeros_[k]};
  }

 private:
  KernelView first_;
  std::span<const NonZeros> nonzeros_{};
  std::span<const std::uint32_t> period_of_{};  ///< [h]; empty: all the same
};

}  // namespace fairstep
