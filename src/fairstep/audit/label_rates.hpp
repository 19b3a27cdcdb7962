// Rates given the label where labels follow features (core/label_assumption.hpp) and not all of them were seen. Of each
// decision it is known how likely it is to be one about somebody qualified: it counts as so much of one. docs/audit.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// Decisions that count as parts of one, by the same unknown weight: from `least` to `most`.
struct Weighed {
  double accepted = 0, refused = 0;
  double least = 0, most = 1;
};

/// The greatest chance behind the share of accepted ones, whatever the weights are; 1 before the first decision. It and
/// the least hold together except with probability delta. `accepted` and `refused` are decisions that count in full.
[[nodiscard]] double highest_share(std::vector<Weighed> decisions, double accepted, double refused, double delta);
/// The least.
[[nodiscard]] double lowest_share(std::vector<Weighed> decisions, double accepted, double refused, double delta);

/// What is known of labels in each group and at each feature: points and intervals, and decisions that were lost.
class LabelRates {
 public:
  /// What each interval may fail with: of a share of the qualified, and of a rate.
  struct Deltas {
    double label = 0, rate = 0;
  };
  LabelRates(const Counts& counts, const FeatureCounts& features, RefusedRule rule, const Deltas& deltas);

  /// tpr or fpr of a group at a step.
  [[nodiscard]] Observed observe(Rate rate, std::size_t g, std::size_t h) const;

 private:
  [[nodiscard]] Range band(Rate rate, std::size_t g, std::size_t h) const;
  [[nodiscard]] Range band_of_anything(Rate rate, std::size_t g, std::size_t h) const;

  const Counts& counts_;
  const FeatureCounts& features_;
  RefusedRule rule_;
  Deltas deltas_;
  Tensor<double, 2> seen_{};       ///< [g,x] share of label 1 among the labels seen; 1/2 where none was
  Tensor<Range, 2> seen_range_{};  ///< [g,x] its interval
};

}  // namespace fairstep
