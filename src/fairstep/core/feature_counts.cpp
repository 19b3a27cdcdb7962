#include <fairstep/core/feature_counts.hpp>

#include <numeric>
#include <span>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/check_features.hpp>

namespace fairstep {
namespace {

std::int64_t sum_of(std::span<const std::int64_t> entries) {
  return std::accumulate(entries.begin(), entries.end(), std::int64_t{0});
}

void add_labelled(const CountsSpec& counts, FeatureCounts& features) {
  const Shape n = counts.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        features.first(g, x) += counts.first(g, x, y);
        for (std::size_t a = 0; a < kActions; ++a) {
          for (std::size_t h = 0; h < n.horizon; ++h) {
            features.visits(g, h, x, a) += counts.visits(g, h, x, y, a);
            features.labels(g, x, a, y) += counts.visits(g, h, x, y, a);
          }
          for (std::size_t s = 0; s < n.states(); ++s)
            features.transitions(g, x, a, s / kLabels) += counts.transitions.block(g, x, y, a)[s];
        }
      }
}

void add_unlabelled(const LogRecord& log, const Shape& n, FeatureCounts& features) {
  if (log.unlabelled.empty()) return;
  const auto add = []<std::size_t Rank>(Tensor<std::int64_t, Rank>& to, const Tensor<std::int64_t, Rank>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to.flat()[i] += from.flat()[i];
  };
  add(features.visits, log.unlabelled);
  add(features.first, log.unlabelled_rows->first);
  add(features.transitions, log.unlabelled_rows->transitions);
  const std::size_t each = n.features * kActions;
  for (std::size_t i = 0; i < log.unlabelled.size(); ++i)
    features.unlabelled.flat()[i / (each * n.horizon) * each + i % each] += log.unlabelled.flat()[i];
}

std::optional<FeatureLost> feature_losses(const CountsSpec& counts) {
  if (!counts.log) return FeatureLost::none(counts.shape());
  if (counts.log->unlabelled_rows) return counts.log->unlabelled_rows->lost;
  const auto lost = losses(*counts.log, counts.shape());
  return lost ? FeatureLost::of(*lost) : std::nullopt;
}

FeatureCounts sums_of(const CountsSpec& counts) {
  const Shape n = counts.shape();
  FeatureCounts features{Tensor<std::int64_t, 2>(extents_of(kFeatureAxes, n)),
                         Tensor<std::int64_t, 4>(extents_of(kFeatureVisitsAxes, n)),
                         Tensor<std::int64_t, 4>(extents_of(kFeatureTransitionAxes, n)),
                         Tensor<std::int64_t, 4>({n.groups, n.features, kActions, kLabels}),
                         Tensor<std::int64_t, 3>(extents_of(kFeatureCellAxes, n)),
                         {}};
  add_labelled(counts, features);
  if (counts.log) add_unlabelled(*counts.log, n, features);
  return features;
}

/// All entries of both tables together can be counted.
bool fit(std::span<const std::int64_t> labelled, std::span<const std::int64_t> unlabelled) {
  std::int64_t all = 0;
  for (const auto& table : {labelled, unlabelled})
    for (const std::int64_t entry : table)
      if (__builtin_add_overflow(all, entry, &all)) return false;
  return true;
}

Expected<void> check_next_features(const FeatureCounts& features, const Names& names, std::size_t horizon) {
  const auto [groups, xs, actions, next] = features.transitions.extents();
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t x = 0; x < xs; ++x)
      for (std::size_t a = 0; a < actions; ++a) {
        const std::int64_t before_last = features.visits_of(g, x, a) - features.visits(g, horizon - 1, x, a);
        if (features.successors_of(g, x, a) <= before_last) continue;
        return fail(
            fmt::format("transitions and log.unlabelled_rows.transitions of x={},a={} in group {} add up to {}, "
                        "expected at most {} (decisions before the last step)",
                        x, a, names.groups[g], features.successors_of(g, x, a), before_last),
            fmt::format("/log/unlabelled_rows/transitions/{}/{}/{}", g, x, a));
      }
  return {};
}

Expected<void> check_feature_arrivals(const FeatureCounts& features, const Names& names) {
  const auto [groups, xs, actions, next] = features.transitions.extents();
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t x = 0; x < xs; ++x) {
      // Unsigned: either sum is below 2^63.
      std::uint64_t decided = 0;
      for (std::size_t a = 0; a < actions; ++a) decided += static_cast<std::uint64_t>(features.visits_of(g, x, a));
      auto arrived = static_cast<std::uint64_t>(features.first(g, x));
      for (std::size_t x0 = 0; x0 < xs; ++x0)
        for (std::size_t a = 0; a < actions; ++a)
          arrived += static_cast<std::uint64_t>(features.transitions(g, x0, a, x));
      if (arrived <= decided) continue;
      return fail(
          fmt::format("decisions of x={} in group {}, with a label and without, add up to {}, expected at least {} "
                      "(first seen there, and transitions to there)",
                      x, names.groups[g], decided, arrived),
          fmt::format("/log/unlabelled/{}", g));
    }
  return {};
}

}  // namespace

std::int64_t FeatureCounts::visits_of(std::size_t g, std::size_t x, std::size_t a) const {
  return sum_of(labels.block(g, x, a)) + unlabelled(g, x, a);
}

std::int64_t FeatureCounts::successors_of(std::size_t g, std::size_t x, std::size_t a) const {
  return sum_of(transitions.block(g, x, a));
}

std::int64_t FeatureCounts::people(std::size_t g) const { return sum_of(first.block(g)); }

Expected<FeatureCounts> feature_counts(const Counts& counts) {
  if (auto ok = require_pooled(counts.periods(), "the counts", "labels that follow features",
                               "count with " + option("kernel", "pooled"));
      !ok)
    return tl::unexpected(ok.error());
  const std::optional<LogRecord>& log = counts.log();
  if (log && (log->imputed > 0 || log->censoring == Censoring::ignorable))
    return fail(
        fmt::format("{} labels were drawn ({}), expected labels that were seen", log->imputed, name_of(log->censoring)),
        "/log/censored",
        fmt::format("count with {}: decisions without a label are kept without one", option("censored", "drop")));
  if (log && !log->unlabelled.empty() && !log->unlabelled_rows)
    return fail(
        "log.unlabelled_rows is missing, and there are decisions without a label: expected where these people "
        "went",
        "/log/unlabelled", "count the log again: this version keeps it");
  FeatureCounts features = sums_of(counts.spec());
  features.lost = feature_losses(counts.spec());
  return features;
}

Expected<void> internal::check_features(const CountsSpec& counts) {
  if (!counts.log || !counts.log->unlabelled_rows) return {};
  const UnlabelledRows& rows = *counts.log->unlabelled_rows;
  if (!fit(counts.visits.flat(), counts.log->unlabelled.flat()) || !fit(counts.first.flat(), rows.first.flat()) ||
      !fit(counts.transitions.flat(), rows.transitions.flat()))
    return fail("rows with a label and without add up to more than a count can hold", "/log/unlabelled");
  const FeatureCounts features = sums_of(counts);
  if (auto ok = check_next_features(features, counts.names, counts.horizon); !ok) return ok;
  return check_feature_arrivals(features, counts.names);
}

}  // namespace fairstep
