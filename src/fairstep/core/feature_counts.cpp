#include <fairstep/core/feature_counts.hpp>

#include <numeric>
#include <span>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/shape.hpp>

namespace fairstep {
namespace {

std::int64_t sum_of(std::span<const std::int64_t> entries) {
  return std::accumulate(entries.begin(), entries.end(), std::int64_t{0});
}

/// Entries of `states` are those of `features`, for each label one.
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

}  // namespace

std::int64_t FeatureCounts::visits_of(std::size_t g, std::size_t x, std::size_t a) const {
  return sum_of(labels.block(g, x, a)) + unlabelled(g, x, a);
}

std::int64_t FeatureCounts::successors_of(std::size_t g, std::size_t x, std::size_t a) const {
  return sum_of(transitions.block(g, x, a));
}

std::int64_t FeatureCounts::people(std::size_t g) const { return sum_of(first.block(g)); }

Expected<FeatureCounts> feature_counts(const Counts& counts) {
  const Shape n = counts.shape();
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
  FeatureCounts features{Tensor<std::int64_t, 2>(extents_of(kFeatureAxes, n)),
                         Tensor<std::int64_t, 4>(extents_of(kFeatureVisitsAxes, n)),
                         Tensor<std::int64_t, 4>(extents_of(kFeatureTransitionAxes, n)),
                         Tensor<std::int64_t, 4>({n.groups, n.features, kActions, kLabels}),
                         Tensor<std::int64_t, 3>(extents_of(kFeatureCellAxes, n)),
                         feature_losses(counts.spec())};
  add_labelled(counts.spec(), features);
  if (log) add_unlabelled(*log, n, features);
  return features;
}

}  // namespace fairstep
