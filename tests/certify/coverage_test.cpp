// A certificate holds: always when its sets hold the truth, and these do at least as often as they say.
#include <cmath>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/ratios.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

/// Whether every true row is in its ball and its box.
bool sets_hold(const Model& truth, const Counts& counts, const CertifyOptions& options) {
  const Estimate found = unwrap(estimate(counts));
  const Balls sets = confidence_sets(counts, found, *found.lost, split_delta(options, counts.shape()));
  const Shape& n = truth.shape();
  const auto holds = [&](std::span<const double> p, std::span<const double> q, std::span<const double> low,
                         std::span<const double> high, double radius) {
    double apart = 0;
    for (std::size_t s = 0; s < p.size(); ++s) {
      if (q[s] < low[s] || q[s] > high[s]) return false;
      apart += std::abs(p[s] - q[s]) / 2;
    }
    return apart <= radius;
  };
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (!holds(found.model.initial(g), truth.initial(g), sets.boxes->initial_low.block(g),
               sets.boxes->initial_high.block(g), sets.initial[g]))
      return false;
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const auto row = [&](const auto& tensor) { return tensor.block(g).subspan(cell * n.states(), n.states()); };
      if (!holds(row(found.model.spec().transition), row(truth.spec().transition), row(sets.boxes->low),
                 row(sets.boxes->high), sets.row.block(g)[cell]))
        return false;
    }
  }
  return true;
}

/// Whether everything that is certified is so, up to the rounding of the referee.
bool certificate_holds(const Certificate& found, const Evaluation& truth) {
  constexpr double rounding = 1e-12;
  for (const Notion notion : found.asked.notions)
    for (std::size_t h = 0; h < of_notion(found.gap, notion).size(); ++h)
      if (of_notion(truth.gap, notion)[h].gap > of_notion(found.gap, notion)[h] + rounding) return false;
  for (const RatioNotion notion : found.asked.ratios) {
    const std::vector<StepRatio> ratios = step_ratios(truth.rates, notion, found.asked.reference);
    for (std::size_t h = 0; h < ratios.size(); ++h)  // no comparison with NaN is true
      if (ratios[h].ratio < steps_of(found.ratio, notion)[h] - rounding) return false;
  }
  if (found.aggregate_dp && truth.aggregate_dp_gap.gap > *found.aggregate_dp + rounding) return false;
  return !found.value || truth.value >= *found.value - rounding;
}

struct Tally {
  int logs = 0, sets_hold = 0, holds = 0;
  double gap = 0;  ///< certified, on average
};

/// Data of people who met another policy, or the certified one itself.
Tally certify_logs(int logs, std::uint64_t people, CertifyOptions options, bool counted) {
  Tally tally;
  for (int i = 0; i < logs; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    const Model model = random_model(seed % 7, 2, 2, 3);
    const Policy policy = random_policy(seed % 7, model);
    const Policy treated_by = options.followed ? policy : random_policy(seed % 7 + 100, model);
    const Counts counts = unwrap(simulate_counts(model, treated_by, {{people, true}, seed, 9, 1}));
    const ModelSpec& spec = model.spec();
    if (counted) {
      options.value = CountedRewards{model.reward_range(), spec.discount};
    } else {
      options.value = KnownRewards{spec.reward, spec.share, spec.discount};
    }
    ++tally.logs;
    const auto made = certify(counts, policy, options);
    // People who followed may, by chance, look as if they had not; that counts as a failure here.
    EXPECT_TRUE(made || options.followed);
    if (!made) continue;
    const Certificate& found = *made;
    Evaluation truth = unwrap(evaluate(model, policy));
    if (counted) {  // shares are those of the people counted, the same number of each group
      truth.value = 0;
      for (const double value : truth.value_per_group) truth.value += value / 2;
    }
    const bool inside = sets_hold(model, counts, options);
    const bool right = certificate_holds(found, truth);
    if (inside && !options.followed && !counted) {
      EXPECT_TRUE(right) << "log " << i;
    }
    tally.sets_hold += inside ? 1 : 0;
    tally.holds += right ? 1 : 0;
    tally.gap += found.gap.dp.back() / logs;
  }
  return tally;
}

// With delta = 0.2 a certificate fails with probability at most 0.2: more than 75 of 210 do with probability below 1e-7
// (42 expected at most, standard deviation 5.8). The bounds are cautious, so that hardly any should.
constexpr int kLogs = 210;
constexpr int kMost = 75;

TEST(CertifyCoverage, HoldsWhereverTheSetsHoldAndTheyDoOftenEnough) {
  CertifyOptions options;
  options.delta = 0.2;
  for (const std::uint64_t people : {50u, 3000u, 1000000u}) {
    const Tally tally = certify_logs(kLogs, people, options, false);
    EXPECT_GE(tally.sets_hold, tally.logs - kMost) << people;
    EXPECT_GE(tally.holds, tally.logs - kMost) << people;
    if (people == 1000000u) {
      EXPECT_LT(tally.gap, 0.5);  // it says something
    }
  }
}

TEST(CertifyCoverage, RatiosAndTheWholeEpisodeHoldWhereverTheSetsHold) {
  CertifyOptions options;
  options.delta = 0.2;
  options.ratios = {RatioNotion::dp, RatioNotion::eqopt};
  options.aggregate_dp = true;
  for (const auto reference : {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
    options.reference = reference;
    for (const std::uint64_t people : {50u, 3000u, 1000000u})
      EXPECT_GE(certify_logs(kLogs, people, options, false).holds, kLogs - kMost) << people;
  }
}

TEST(CertifyCoverage, HoldsForThoseWhoFollowed) {
  CertifyOptions options;
  options.delta = 0.2;
  options.followed = true;
  for (const std::uint64_t people : {50u, 3000u})
    EXPECT_GE(certify_logs(kLogs, people, options, false).holds, kLogs - kMost) << people;
}

TEST(CertifyCoverage, HoldsForRewardsThatWereCounted) {
  CertifyOptions options;
  options.delta = 0.2;
  EXPECT_GE(certify_logs(kLogs, 3000, options, true).holds, kLogs - kMost);
}

// The event behind a certificate is not empty talk: sets for a delta of 0.999999 are left by some logs.
TEST(CertifyCoverage, SetsForALargeDeltaAreLeft) {
  CertifyOptions options;
  options.delta = 0.999999;
  int left = 0;
  for (std::uint64_t seed = 0; seed < 2000 && left == 0; ++seed) {
    const Model model = random_model(seed % 7, 2, 2, 3);
    const Counts counts = unwrap(simulate_counts(model, random_policy(3, model), {{100, true}, seed, 4, 1}));
    left += sets_hold(model, counts, options) ? 0 : 1;
  }
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace fairstep
