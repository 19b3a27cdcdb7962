#include <fairstep/estimate/estimate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/estimate/claims.hpp>

namespace fairstep {
namespace {

double ratio(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

/// part / total for each entry.
void fill_proportions(std::span<const std::int64_t> parts, std::int64_t total, std::span<double> row) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = ratio(parts[i], total);
}

void fill_uniform(std::span<double> row) { std::fill(row.begin(), row.end(), 1 / static_cast<double>(row.size())); }

/// By the rule for a cell without a seen successor.
void fill_unvisited(Unvisited rule, std::size_t x, std::size_t y, std::span<double> row) {
  if (rule == Unvisited::stay)
    row[state_of(x, y)] = 1;  // the others are zero as they are
  else
    fill_uniform(row);
}

Expected<std::vector<double>> shares(const std::vector<std::int64_t>& people, const std::string& group) {
  // As doubles: people who may be of several groups may add up to more than a count can hold.
  const double all = std::accumulate(people.begin(), people.end(), 0.0);
  if (all == 0)
    return fail("first is 0 everywhere, expected people to count the groups' shares from", "/first",
                "give the shares: " + entry("share", group, "..."));
  std::vector<double> result;
  for (const std::int64_t n : people) result.push_back(static_cast<double>(n) / all);
  return result;
}

Expected<double> mean_reward(const Counts& counts, const Cell& cell, std::int64_t visits) {
  const auto [g, x, y, a] = cell;
  const double mean = counts.reward_sum()(g, x, y, a) / static_cast<double>(std::max<std::int64_t>(1, visits));
  if (std::abs(mean) <= kLargestReward) return mean;
  return internal::fail_at({"reward_sum", counts.names().groups}, kCellAxes, std::array{g, x, y, a},
                           fmt::format("is {} over {} visits, expected a mean between -1e100 and 1e100",
                                       counts.reward_sum()(g, x, y, a), visits));
}

}  // namespace

Expected<Estimate> estimate(const Counts& counts, const EstimateOptions& options) {
  const Shape n = counts.shape();
  const auto cells = extents_of(kCellAxes, n);
  ModelSpec spec;
  spec.description = options.description;
  spec.horizon = n.horizon;
  spec.names = counts.names();
  spec.discount = options.discount;
  spec.initial = Tensor<double, 3>(extents_of(kInitialAxes, n));
  spec.transition = Tensor<double, 6>(extents_of(kTransitionAxes, n));
  spec.reward = Tensor<double, 4>(cells);

  Tensor<std::int64_t, 4> visits(cells);
  Tensor<std::int64_t, 4> successors(cells);
  std::vector<std::int64_t> people(n.groups), everybody(n.groups);
  std::vector<Cell> unvisited;
  std::vector<std::size_t> empty;
  for (std::size_t g = 0; g < n.groups; ++g) {
    people[g] = counts.people(g);
    everybody[g] = counts.everybody(g);
    if (people[g] > 0) {
      fill_proportions(counts.first().block(g), people[g], spec.initial.block(g));
    } else {
      fill_uniform(spec.initial.block(g));
      empty.push_back(g);
    }
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          visits(g, x, y, a) = counts.visits_of(g, x, y, a);
          const auto mean = mean_reward(counts, {g, x, y, a}, visits(g, x, y, a));
          if (!mean) return tl::unexpected(mean.error());
          spec.reward(g, x, y, a) = *mean;

          const std::int64_t seen = counts.successors_of(g, x, y, a);
          successors(g, x, y, a) = seen;
          const std::span<double> row = spec.transition.block(g, x, y, a);
          if (seen > 0) {
            fill_proportions(counts.transitions().block(g, x, y, a), seen, row);
            continue;
          }
          if (options.unvisited == Unvisited::error)
            return internal::fail_at({"transitions", counts.names().groups}, kCellAxes, std::array{g, x, y, a},
                                     "has no successor, expected at least 1 in every cell",
                                     fmt::format("{} or {} fills such rows and lists them", option("unvisited", "stay"),
                                                 option("unvisited", "uniform")));
          fill_unvisited(options.unvisited, x, y, row);
          unvisited.push_back({g, x, y, a});
        }
  }
  if (options.share.empty()) {
    auto counted = shares(everybody, counts.names().groups.front());
    if (!counted) return tl::unexpected(counted.error());
    spec.share = std::move(*counted);
  } else {
    spec.share = options.share;
  }
  spec.rests_on = Grounds{everybody,
                          options.share.empty(),
                          people,
                          successors,
                          visits,
                          options.unvisited,
                          counts.log() ? std::optional(grounds_of(*counts.log())) : std::nullopt};
  auto model = Model::make(std::move(spec));
  if (!model) return tl::unexpected(model.error());
  const bool rewards_seen = !counts.log() || std::any_of(counts.log()->columns.begin(), counts.log()->columns.end(),
                                                         [](const auto& column) { return column.first == "reward"; });
  const std::size_t missing = unvisited.size();
  return Estimate{
      std::move(*model),    std::move(visits), std::move(successors),   std::move(people),       missing,
      std::move(unvisited), std::move(empty),  lost_for_claims(counts), counts.reward_squares(), rewards_seen};
}

}  // namespace fairstep
