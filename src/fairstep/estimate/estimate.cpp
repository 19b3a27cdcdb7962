#include <fairstep/estimate/estimate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/axes.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/shape.hpp>
#include <fairstep/core/shared/checks.hpp>
#include <fairstep/estimate/claims.hpp>
#include <fairstep/estimate/label_shares.hpp>
#include <fairstep/estimate/participation.hpp>

namespace fairstep {
namespace {

double ratio(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

std::int64_t sum_of(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

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

/// What was seen of first states and of rows, by states or by features alone.
class Seen {
 public:
  [[nodiscard]] static Expected<Seen> of(const Counts& counts, const EstimateOptions& options);

  [[nodiscard]] std::int64_t people(std::size_t g) const {
    return follow_ ? follow_->features.people(g) : counts_->people(g);
  }
  void fill_first(std::size_t g, std::span<double> row) const;
  [[nodiscard]] std::int64_t successors(const Cell& cell) const;
  /// Of a cell with a seen successor.
  void fill_row(const Cell& cell, std::span<double> row) const;
  /// By the rule for a cell without one.
  void fill_guess(Unvisited rule, const Cell& cell, std::span<double> row) const;

  [[nodiscard]] std::optional<LabelGrounds> grounds() const;

 private:
  /// Next states seen.
  [[nodiscard]] std::span<const std::int64_t> row_of(const Cell& cell) const {
    const std::size_t states = counts_->shape().states();
    return counts_->kernel(cell.g, cell.period).subspan(cell_of(cell.x, cell.y, cell.a) * states, states);
  }
  struct Follow {
    FeatureCounts features;
    LabelAssumption assumption;
    RefusedPoint point;
    Tensor<double, 2> qualified;  ///< [g,x] q
  };
  explicit Seen(const Counts& counts) : counts_(&counts) {}

  /// Of each feature by its share, and of each label by q.
  template <class Share>
  void fill_states(std::size_t g, const Share& share, std::span<double> row) const {
    for (std::size_t x = 0; x < row.size() / kLabels; ++x) {
      const double q = follow_->qualified(g, x);
      row[state_of(x, 1)] = share(x) * q;
      row[state_of(x, 0)] = share(x) * (1 - q);
    }
  }

  const Counts* counts_;
  std::unique_ptr<const Follow> follow_{};  ///< null: by states
};

Expected<Seen> Seen::of(const Counts& counts, const EstimateOptions& options) {
  Seen seen(counts);
  if (!options.labels) return seen;
  const RefusedRule& rule = options.labels->refused;
  if (auto ok = check(rule); !ok) return tl::unexpected(ok.error());
  if (rule.are == Refused::anything && !options.point)
    return fail_option(
        "refused", " is anything, expected what the model is to take", {},
        fmt::format("a model is one of those that this allows: {} or {} for the ends, {} for the middle, "
                    "or another rule for the refused",
                    option("point", "low"), option("point", "high"), option("point", "like-accepted")));
  auto features = feature_counts(counts);
  if (!features) return tl::unexpected(features.error());
  const Shape n = counts.shape();
  const RefusedPoint point = options.point.value_or(RefusedPoint::like_accepted);
  Tensor<double, 2> qualified(extents_of(kFeatureAxes, n));
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      qualified(g, x) = label_share(label_tally(*features, g, x), rule, point);
  seen.follow_ =
      std::make_unique<const Follow>(Follow{std::move(*features), *options.labels, point, std::move(qualified)});
  return seen;
}

void Seen::fill_first(std::size_t g, std::span<double> row) const {
  const std::int64_t all = people(g);
  if (follow_)
    fill_states(
        g,
        [&](std::size_t x) {
          return all > 0 ? ratio(follow_->features.first(g, x), all) : 2 / static_cast<double>(row.size());
        },
        row);
  else if (all > 0)
    fill_proportions(counts_->first().block(g), all, row);
  else
    fill_uniform(row);
}

std::int64_t Seen::successors(const Cell& cell) const {
  return follow_ ? follow_->features.successors_of(cell.g, cell.x, cell.a) : sum_of(row_of(cell));
}

void Seen::fill_row(const Cell& cell, std::span<double> row) const {
  const std::int64_t seen = successors(cell);
  if (follow_)
    fill_states(
        cell.g, [&](std::size_t x1) { return ratio(follow_->features.transitions(cell.g, cell.x, cell.a, x1), seen); },
        row);
  else
    fill_proportions(row_of(cell), seen, row);
}

void Seen::fill_guess(Unvisited rule, const Cell& cell, std::span<double> row) const {
  if (!follow_) return fill_unvisited(rule, cell.x, cell.y, row);
  fill_states(
      cell.g,
      [&](std::size_t x1) {
        if (rule == Unvisited::stay) return x1 == cell.x ? 1.0 : 0.0;
        return static_cast<double>(kLabels) / static_cast<double>(row.size());
      },
      row);
}

std::optional<LabelGrounds> Seen::grounds() const {
  if (!follow_) return std::nullopt;
  const auto extents = follow_->qualified.extents();
  LabelGrounds grounds{follow_->assumption, follow_->point, Tensor<std::int64_t, 2>(extents),
                       Tensor<std::int64_t, 2>(extents)};
  for (std::size_t g = 0; g < extents[0]; ++g)
    for (std::size_t x = 0; x < extents[1]; ++x) {
      const LabelTally tally = label_tally(follow_->features, g, x);
      grounds.seen(g, x) = tally.seen();
      grounds.unseen(g, x) = tally.unseen;
    }
  return grounds;
}

/// Radii are those of rows of states.
Expected<Lost> lost_of_states(const Counts& counts, const EstimateOptions& options) {
  if (!options.labels) return lost_for_claims(counts);
  return fail("radii are of rows of states, and this model has rows of features: every radius is 1", {},
              "certify with the same assumption, which bounds rates by features");
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
  const std::size_t g = cell.g, x = cell.x, y = cell.y, a = cell.a;
  const double mean = counts.reward_sum()(g, x, y, a) / static_cast<double>(std::max<std::int64_t>(1, visits));
  if (std::abs(mean) <= kLargestReward) return mean;
  return internal::fail_at({"reward_sum", counts.names().groups}, kCellAxes, std::array{g, x, y, a},
                           fmt::format("is {} over {} visits, expected a mean between -1e100 and 1e100",
                                       counts.reward_sum()(g, x, y, a), visits));
}

tl::unexpected<Error> no_successor(const Counts& counts, const Cell& cell) {
  const internal::Field field("transitions", counts.names().groups);
  const char* const what = "has no successor, expected at least 1 in every cell";
  const Text hint = fmt::format("{} or {} fills such rows and lists them", option("unvisited", "stay"),
                                option("unvisited", "uniform"));
  if (counts.periods().pooled())
    return internal::fail_at(field, kCellAxes, std::array{cell.g, cell.x, cell.y, cell.a}, what, hint);
  return internal::fail_at(field, with_periods(kCellAxes), std::array{cell.g, cell.period, cell.x, cell.y, cell.a},
                           what, hint);
}

}  // namespace

Expected<Estimate> estimate(const Counts& counts, const EstimateOptions& options) {
  const auto seen = Seen::of(counts, options);
  if (!seen) return tl::unexpected(seen.error());
  const Shape n = counts.shape();
  const auto cells = extents_of(kCellAxes, n);
  ModelSpec spec;
  spec.description = options.description;
  spec.horizon = n.horizon;
  spec.names = counts.names();
  spec.discount = options.discount;
  spec.initial = Tensor<double, 3>(extents_of(kInitialAxes, n));
  spec.periods = counts.periods();
  spec.transition = ByPeriod<double, 6>(extents_of(kTransitionAxes, n), n.periods);
  spec.reward = options.reward ? *options.reward : Tensor<double, 4>(cells);

  Tensor<std::int64_t, 4> visits(cells);
  ByPeriod<std::int64_t, 4> successors(cells, n.periods);
  std::vector<std::int64_t> people(n.groups), everybody(n.groups);
  std::vector<Cell> unvisited;
  std::vector<std::size_t> empty;
  for (std::size_t g = 0; g < n.groups; ++g) {
    people[g] = seen->people(g);
    everybody[g] = counts.everybody(g);
    seen->fill_first(g, spec.initial.block(g));
    if (people[g] == 0) empty.push_back(g);
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          visits(g, x, y, a) = counts.visits_of(g, x, y, a);
          if (!options.reward) {
            const auto mean = mean_reward(counts, {g, x, y, a}, visits(g, x, y, a));
            if (!mean) return tl::unexpected(mean.error());
            spec.reward(g, x, y, a) = *mean;
          }

          for (std::size_t k = 0; k < n.periods; ++k) {
            const Cell cell{g, x, y, a, k};
            const std::int64_t arrived = seen->successors(cell);
            successors.of(g, k)[cell_of(x, y, a)] = arrived;
            const std::span<double> row = spec.transition.of(g, k, x, y, a);
            if (arrived > 0) {
              seen->fill_row(cell, row);
              continue;
            }
            if (options.unvisited == Unvisited::error) return no_successor(counts, cell);
            seen->fill_guess(options.unvisited, cell, row);
            unvisited.push_back(cell);
          }
        }
  }
  if (options.share.empty()) {
    auto counted = shares(everybody, counts.names().groups.front());
    if (!counted) return tl::unexpected(counted.error());
    spec.share = std::move(*counted);
  } else {
    spec.share = options.share;
  }
  TakingPart taking = options.participation ? taking_part(counts) : TakingPart{};
  if (options.labels && (taking.participation || !taking.why_not.empty()))
    taking = {{}, 0, "people come and go, and who does is not estimated where labels follow features"};
  spec.participation = std::move(taking.participation);
  spec.rests_on = Grounds{everybody,
                          options.share.empty(),
                          people,
                          successors,
                          visits,
                          options.unvisited,
                          counts.log() ? std::optional(grounds_of(*counts.log())) : std::nullopt,
                          seen->grounds(),
                          options.reward.has_value(),
                          taking.gaps};
  auto model = Model::make(std::move(spec));
  if (!model) return tl::unexpected(model.error());
  const bool rewards_seen = !counts.log() || std::any_of(counts.log()->columns.begin(), counts.log()->columns.end(),
                                                         [](const auto& column) { return column.first == "reward"; });
  const std::size_t missing = unvisited.size();
  return Estimate{std::move(*model),
                  std::move(visits),
                  std::move(successors),
                  std::move(people),
                  missing,
                  std::move(unvisited),
                  std::move(empty),
                  lost_of_states(counts, options),
                  std::move(taking.why_not),
                  counts.reward_squares(),
                  rewards_seen};
}

}  // namespace fairstep
