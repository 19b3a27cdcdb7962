// Sums of the weights of decisions, for an audit of a sample in which not everybody stands for as many. They are not
// part of counts: what is claimed of a policy is claimed of people who were drawn, of whom each counts once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fairstep/core/tensor.hpp>

namespace fairstep {

struct DecisionWeights {
  static constexpr std::size_t kUnlabelled = 2;  ///< in place of a label

  std::string column{};
  double largest = 1;             ///< every weight is at least 0 and at most this
  Tensor<double, 4> sum{};        ///< [g,h,y,a] of the decisions that are counted; each rounded once
  std::vector<double> squares{};  ///< [g] of the weights

  /// Of a group and all steps.
  [[nodiscard]] double total(std::size_t g) const {
    double weight = 0;
    for (const double part : sum.block(g)) weight += part;
    return weight;
  }
};

/// Kish's effective number of decisions: so many of the same weight have as much variance, if weights say nothing of
/// decisions. It describes a sample, and no band rests on it. 0 without weight.
[[nodiscard]] constexpr double effective_decisions(double sum, double squares) {
  return squares > 0 ? sum * sum / squares : 0.0;
}

}  // namespace fairstep
