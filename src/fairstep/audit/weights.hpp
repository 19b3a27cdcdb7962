// Rates of decisions that count by weights: a sample in which not everybody stands for as many. docs/audit.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/decision_weights.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep {

/// An error if they are not of these counts, or if something is asked for that knows no weights.
[[nodiscard]] Expected<void> check_weights(const DecisionWeights& weights, const Counts& counts,
                                           const AuditOptions& options, bool policy);

/// The weighted rate of a group at a step, and the band that fails with probability delta, whatever up to `lost` more
/// decisions said and whatever their weights were. The numbers of decisions stay.
void weigh(Observed& observed, Rate rate, const DecisionWeights& weights, std::size_t g, std::size_t h,
           std::int64_t lost, double delta);
/// The rate alone, where there is no band.
void weigh(Observed& observed, Rate rate, const DecisionWeights& weights, std::size_t g, std::size_t h);

[[nodiscard]] WeightAudit audit_weights(const DecisionWeights& weights);

/// A sentence or two: that rates are weighted, by what, and how many decisions that amounts to.
[[nodiscard]] std::string in_words(const WeightAudit& weights, std::int64_t decisions);

}  // namespace fairstep
