#include <fairstep/estimate/claims.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>

namespace fairstep {
namespace {

/// Sums of rewards are rounded.
constexpr double kRewardRounding = 1e-9;

/// A record of a version that did not keep what was lost: fine only if nothing was.
Expected<void> check_nothing_was_lost(const LogRecord& record, bool labels_needed) {
  const std::string_view hint = "count the log again: this version keeps what was left out, by cell";
  for (std::size_t i = 0; i < record.findings.size(); ++i)
    if (const Finding& finding = record.findings[i]; is_lost(finding.anomaly))
      return fail(fmt::format("log.lost is missing, and {} rows of the log were left out ({}): expected how many are "
                              "missing from which cell",
                              finding.rows, name_of(finding.anomaly)),
                  fmt::format("/log/findings/{}", i), std::string(hint));
  const auto unlabelled = record.unlabelled.flat();
  if (labels_needed && std::any_of(unlabelled.begin(), unlabelled.end(), [](std::int64_t n) { return n > 0; }))
    return fail(
        "log.lost is missing, and there are decisions without a label: expected how many are missing from "
        "which cell",
        "/log/unlabelled", std::string(hint));
  return {};
}

Expected<void> check_sum(std::int64_t counted, std::int64_t lost, const char* key) {
  if (lost <= std::numeric_limits<std::int64_t>::max() - counted) return {};
  return fail(fmt::format("log.lost.{} has {} beside {} counted, which add up to more than a count can hold", key, lost,
                          counted),
              fmt::format("/log/lost/{}", key));
}

/// Complete tables must be countable, too.
Expected<void> check_sums(const Counts& counts, const Lost& lost) {
  const Shape n = counts.shape();
  const auto total = [](const Tensor<std::int64_t, 2>& table) {
    return std::accumulate(table.flat().begin(), table.flat().end(), std::int64_t{0});
  };
  const auto visits = counts.visits().flat();
  const std::int64_t decisions = std::accumulate(visits.begin(), visits.end(), std::int64_t{0});
  if (auto ok = check_sum(decisions, total(lost.decisions), "decisions"); !ok) return ok;
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (auto ok = check_sum(counts.people(g), lost.first(g), "first"); !ok) return ok;
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          if (auto ok = check_sum(counts.visits_of(g, x, y, a), lost.cells(g, x, y, a), "cells"); !ok) return ok;
          if (auto ok = check_sum(counts.successors_of(g, x, y, a), lost.transitions(g, x, y, a), "transitions"); !ok)
            return ok;
        }
  }
  return {};
}

}  // namespace

Expected<Lost> lost_for_claims(const Counts& counts) {
  if (!counts.log()) return Lost::none(counts.shape());
  const LogRecord& record = *counts.log();
  if (record.censoring == Censoring::ignorable || record.imputed > 0)
    return fail(
        fmt::format("{} labels were drawn ({}), expected labels that were seen", record.imputed,
                    name_of(record.censoring)),
        "/log/censored",
        fmt::format("nothing is proven by labels that were made up: count with {}, and claims hold whatever the "
                    "labels are",
                    option("censored", "drop")));
  if (!record.lost) {
    if (auto ok = check_nothing_was_lost(record, true); !ok) return tl::unexpected(ok.error());
    return Lost::none(counts.shape());
  }
  if (auto ok = check_sums(counts, *record.lost); !ok) return tl::unexpected(ok.error());
  return *record.lost;
}

Expected<Tensor<std::int64_t, 2>> lost_decisions(const Counts& counts, bool labels_needed) {
  if (labels_needed) return lost_for_claims(counts).map([](const Lost& lost) { return lost.decisions; });
  const Shape n = counts.shape();
  if (!counts.log() || !counts.log()->lost) {
    if (counts.log())
      if (auto ok = check_nothing_was_lost(*counts.log(), false); !ok) return tl::unexpected(ok.error());
    return Lost::none(n).decisions;
  }
  if (auto ok = check_sums(counts, *counts.log()->lost); !ok) return tl::unexpected(ok.error());
  Tensor<std::int64_t, 2> lost = counts.log()->lost->decisions;
  const Tensor<std::int64_t, 4>& unlabelled = counts.log()->unlabelled;
  for (std::size_t g = 0; g < n.groups && !unlabelled.empty(); ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) {
      for (const std::int64_t rows : unlabelled.block(g, h)) lost(g, h) -= rows;
      lost(g, h) = std::max<std::int64_t>(0, lost(g, h));
    }
  return lost;
}

Expected<FeatureCounts> features_for_claims(const Counts& counts) {
  auto features = feature_counts(counts);
  if (!features) return features;
  if (!features->lost) {
    if (auto ok = check_nothing_was_lost(*counts.log(), false); !ok) return tl::unexpected(ok.error());
    return fail("what the log lost adds up to more than a count can hold", "/log/lost");
  }
  const Shape n = counts.shape();
  const FeatureLost& lost = *features->lost;
  std::int64_t decisions = 0;
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (auto ok = check_sum(features->people(g), lost.first(g), "first"); !ok) return tl::unexpected(ok.error());
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t a = 0; a < kActions; ++a) {
        const std::int64_t here = features->visits_of(g, x, a);
        decisions += here;  // all of them can be counted: core/counts.cpp
        if (auto ok = check_sum(here, lost.cells(g, x, a), "cells"); !ok) return tl::unexpected(ok.error());
        if (auto ok = check_sum(features->successors_of(g, x, a), lost.transitions(g, x, a), "transitions"); !ok)
          return tl::unexpected(ok.error());
      }
  }
  const auto steps = lost.decisions.flat();
  if (auto ok = check_sum(decisions, std::accumulate(steps.begin(), steps.end(), std::int64_t{0}), "decisions"); !ok)
    return tl::unexpected(ok.error());
  return features;
}

Expected<void> check_reward_range(const Estimate& estimate, const Range& range) {
  if (const auto& grounds = estimate.model.spec().rests_on; grounds && grounds->rewards_given)
    return fail_option("reward_range", " is given together with rewards, expected one of them", {},
                       "rewards that are given are not estimated: there is nothing to be unsure of");
  if (!estimate.rewards_seen)
    return fail("the counts are of a log without rewards, expected a column with them", "/log/columns",
                "map it when counting: " + entry("map", "reward", "COLUMN"));
  const auto [low, high] = range;
  const double most = std::max(std::abs(low), std::abs(high));
  const std::vector<std::string>& groups = estimate.model.names().groups;
  for (std::size_t i = 0; i < estimate.visits.size(); ++i) {
    const auto visits = static_cast<double>(estimate.visits.flat()[i]);
    const double mean = estimate.model.spec().reward.flat()[i];
    const double squares = estimate.reward_squares.flat()[i];
    const double room = kRewardRounding * visits * most;
    if (visits * (low - mean) > room || visits * (mean - high) > room)
      return internal::fail_at({"reward_sum", groups}, kCellAxes, internal::unflatten(i, estimate.visits.extents()),
                               fmt::format("is {} over {} visits, a mean of {}: expected one within the reward range "
                                           "of {} to {}",
                                           mean * visits, visits, mean, low, high));
    // Within the range (r - low) (high - r) is at least 0; this is the sum of it.
    if (squares > visits * ((low + high) * mean - low * high) + room * most)
      return internal::fail_at({"reward_squares", groups}, kCellAxes, internal::unflatten(i, estimate.visits.extents()),
                               fmt::format("is {} beside a mean of {} over {} visits: some rewards lie outside of the "
                                           "reward range of {} to {}",
                                           squares, mean, visits, low, high));
  }
  return {};
}

}  // namespace fairstep
