// Logs of people whose labels follow features, and of whom some labels are not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <random>

#include <fairstep/core/counts.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/policy.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/evaluate/evaluate.hpp>

namespace fairstep::testing {

/// Two groups of people with features.
struct FeatureWorld {
  Tensor<double, 2> first{};      ///< [g,x]
  Tensor<double, 2> qualified{};  ///< [g,x] P(y=1 | x)
  Tensor<double, 5> next{};       ///< [g,x,y,a,x1]

  /// `label_moves`: whether the next feature depends on the label. Probabilities are at least some hundredths.
  [[nodiscard]] static FeatureWorld drawn(std::uint64_t seed, std::size_t features, bool label_moves);

  /// What a policy on features does to these people.
  [[nodiscard]] Evaluation truth(const Policy& policy) const;
};

struct Decision {
  bool accepted = false;
  bool seen = true;  ///< the label
};

/// How a person is treated at step h.
using Treatment = std::function<Decision(std::size_t g, std::size_t h, std::size_t x, std::size_t y)>;
/// The label; `before` is that of the step before.
using Labels = std::function<bool(std::size_t g, std::size_t h, std::size_t x, bool before, double chance,
                                  std::mt19937_64& engine)>;

/// Counts of so many people of each group, with the record that a log would have.
[[nodiscard]] Counts feature_log(const FeatureWorld& world, std::size_t horizon, int people, std::mt19937_64& engine,
                                 const Treatment& treatment, const Labels& labels = {});

/// Groups a and b, features 0, 1 and so on.
[[nodiscard]] Names names_of_features(std::size_t features);
/// The record of a log of which nothing is counted yet, and nothing lost.
[[nodiscard]] LogRecord record_without_labels(const Shape& n);

/// x with its odds times a factor.
[[nodiscard]] double odds_times(double factor, double p);

}  // namespace fairstep::testing
