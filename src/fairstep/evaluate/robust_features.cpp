#include <fairstep/evaluate/robust_features.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/shape.hpp>
#include <fairstep/evaluate/internal/least_enough.hpp>
#include <fairstep/evaluate/shared/ranked.hpp>

namespace fairstep {
namespace {

/// Thrown where a stop was asked for, from however deep inside; it never leaves this file.
struct StoppedAmongFeatures {};

Expected<void> check_fits(const FeatureSets& sets, const Policy& policy) {
  const auto [groups, features] = sets.initial.extents();
  if ((policy.group_independent() || policy.groups() == groups) && policy.features() == features) return {};
  return fail(fmt::format("the policy has {} groups and {} features, expected {} and {}", policy.groups(),
                          policy.features(), groups, features),
              "/accept");
}

/// Picks, for one group, the chain within the sets that makes a mean greatest.
///
/// Rounding as in robust.cpp: payoffs are within [-1,1] and span at most 1, a maximum over a ball and a box is off by
/// at most 8 (X + 2) u, u = 2^-53, and mixing, subtracting and weighing by a share add less than 16 u. The margin of 8
/// (X + 4) u, added at every step, is as much.
class FeatureAdversary {
 public:
  FeatureAdversary(const FeatureSets& sets, const Policy& policy, std::size_t g, std::stop_token stop)
      : stop_(std::move(stop)),
        features_(sets.initial.extents()[1]),
        accept_(policy.group(g)),
        margin_(8 * static_cast<double>(features_ + 4) * 0x1p-53),
        initial_{sets.initial.block(g), sets.initial_low.block(g), sets.initial_high.block(g), 0},
        value_(features_),
        ranked_(features_) {
    initial_.reach = internal::reach(initial_.p, sets.initial_radius[g]);
    for (std::size_t x = 0; x < features_; ++x)
      for (std::size_t a = 0; a < kActions; ++a) {
        Row row{sets.transition.block(g, x, a), sets.low.block(g, x, a), sets.high.block(g, x, a), 0};
        row.reach = internal::reach(row.p, sets.radius(g, x, a));
        rows_.push_back(row);
      }
  }

  /// At least E[payoff(x_h)] under every chain in the sets.
  double greatest_mean(std::size_t h, const std::function<double(std::size_t x)>& payoff) {
    for (std::size_t x = 0; x < features_; ++x) value_[x] = payoff(x);
    for (std::size_t t = h; t-- > 0;) {
      ranked_.rank(value_);
      for (std::size_t x = 0; x < features_; ++x) value_[x] = before(t, x) + margin_;
    }
    ranked_.rank(value_);
    return greatest(initial_) + margin_;
  }

  [[nodiscard]] std::span<const double> accept(std::size_t h) const {
    return accept_.subspan(h * features_, features_);
  }

 private:
  struct Row {
    std::span<const double> p, low, high;
    double reach = 0;
  };

  /// Of feature x at step t, over both decisions. One that is never taken costs nothing to leave out.
  [[nodiscard]] double before(std::size_t t, std::size_t x) const {
    if (stop_.stop_requested()) throw StoppedAmongFeatures{};
    const double p = accept_[t * features_ + x];
    double mean = 0;
    if (p != 1) mean += (1 - p) * greatest(rows_[x * kActions]);
    if (p != 0) mean += p * greatest(rows_[x * kActions + 1]);
    return mean;
  }

  [[nodiscard]] double greatest(const Row& row) const {
    const double all = std::inner_product(row.p.begin(), row.p.end(), ranked_.shortfall().begin(), 0.0);
    return ranked_.greatest_in_box(row.p.data(), row.low.data(), row.high.data(), all, row.reach);
  }

  std::stop_token stop_;
  std::size_t features_;
  std::span<const double> accept_;  ///< [h,x]
  double margin_;
  Row initial_;
  std::vector<Row> rows_{};    ///< [x,a]
  std::vector<double> value_;  ///< [x] of the step in hand
  internal::Ranked ranked_;    ///< by value_
};

Range hull_among(std::span<const double> entries) {
  const auto [low, high] = std::minmax_element(entries.begin(), entries.end());
  return {*low, *high};
}

/// P(a=1 | label), whose share at x is within share(x). E[c | label] <= t in all chains and for all shares if the
/// greatest E[(c - t) share] is at most 0. Below t the least share is worst, above it the greatest.
Range rate_given(FeatureAdversary& adversary, std::size_t h, const std::function<Range(std::size_t x)>& share) {
  const auto accept = adversary.accept(h);
  const Range hull = hull_among(accept);
  const auto greatest = [&](double sign, Range within) {
    const auto excess = [&](double t) {
      return adversary.greatest_mean(h, [&](std::size_t x) {
        const double above = sign * accept[x] - t;
        return above * (above > 0 ? share(x).high : share(x).low);
      });
    };
    return internal::least_enough(within, within.low + (within.high - within.low) / 2, 1, excess);
  };
  return {-greatest(-1, {-hull.high, -hull.low}), greatest(1, hull)};
}

/// Of each group and step. `of` may throw where it is stopped.
template <class Of>
Expected<void> at_each_step(const FeatureSets& sets, const Policy& policy, const Watch& watch, const Of& of) {
  if (auto ok = check_fits(sets, policy); !ok) return ok;
  const std::size_t groups = sets.initial.extents()[0];
  const std::size_t horizon = policy.horizon();
  try {
    for (std::size_t g = 0; g < groups; ++g) {
      FeatureAdversary adversary(sets, policy, g, watch.stop);
      for (std::size_t h = 0; h < horizon; ++h) {
        if (watch.stop.stop_requested()) throw StoppedAmongFeatures{};
        of(adversary, g, h);
        // A step takes as many passes over those before it.
        const auto steps = static_cast<double>((h + 1) * (h + 2)) / static_cast<double>(horizon * (horizon + 1));
        if (watch.progress) watch.progress((static_cast<double>(g) + steps) / static_cast<double>(groups));
      }
    }
  } catch (const StoppedAmongFeatures&) {
    return fail("stopped before the end");
  }
  return {};
}

}  // namespace

Expected<Tensor<Range, 2>> robust_acceptance(const FeatureSets& sets, const Policy& policy, const Watch& watch) {
  Tensor<Range, 2> accept({sets.initial.extents()[0], policy.horizon()});
  const auto ok = at_each_step(sets, policy, watch, [&](FeatureAdversary& adversary, std::size_t g, std::size_t h) {
    const auto entries = adversary.accept(h);
    const Range hull = hull_among(entries);
    const double high = adversary.greatest_mean(h, [&](std::size_t x) { return entries[x]; });
    const double low = -adversary.greatest_mean(h, [&](std::size_t x) { return -entries[x]; });
    accept(g, h) = {std::max(low, hull.low), std::min(high, hull.high)};
  });
  if (!ok) return tl::unexpected(ok.error());
  return accept;
}

Expected<LabelRateRanges> robust_label_rates(const FeatureSets& sets, const Tensor<Range, 2>& qualified,
                                             const Policy& policy, const Watch& watch) {
  LabelRateRanges rates;
  for (auto* rate : {&rates.tpr, &rates.fpr, &rates.qualified})
    *rate = Tensor<Range, 2>({sets.initial.extents()[0], policy.horizon()});
  const auto ok = at_each_step(sets, policy, watch, [&](FeatureAdversary& adversary, std::size_t g, std::size_t h) {
    const auto ones = [&](std::size_t x) { return qualified(g, x); };
    rates.tpr(g, h) = rate_given(adversary, h, ones);
    rates.fpr(g, h) = rate_given(adversary, h, [&](std::size_t x) { return Range{1 - ones(x).high, 1 - ones(x).low}; });
    const double high = adversary.greatest_mean(h, [&](std::size_t x) { return ones(x).high; });
    const double low = -adversary.greatest_mean(h, [&](std::size_t x) { return -ones(x).low; });
    rates.qualified(g, h) = {std::max(0.0, low), std::min(1.0, high)};
  });
  if (!ok) return tl::unexpected(ok.error());
  return rates;
}

}  // namespace fairstep
