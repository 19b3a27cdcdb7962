// Certificates in a world that changes: by period they hold, pooled they do not.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::random_policy;
using testing::unwrap;

/// Two groups that change places: whoever decides, nine of ten of a go up after step 0 and one of ten after step 1;
/// of b it is one of ten and nine of ten. Everybody begins low; labels are 1 for half.
Model trading_places() {
  ModelSpec spec;
  spec.horizon = 3;
  spec.names.groups = {"a", "b"};
  spec.names.features = {"low", "high"};
  spec.share = {0.5, 0.5};
  spec.initial = Tensor<double, 3>({2, 2, kLabels});
  spec.periods = Periods::per_step(3);
  spec.transition = ByPeriod<double, 6>({2, 2, kLabels, kActions, 2, kLabels}, 2);
  spec.reward = Tensor<double, 4>({2, 2, kLabels, kActions});
  for (std::size_t g = 0; g < 2; ++g) {
    spec.initial(g, 0, 0) = spec.initial(g, 0, 1) = 0.5;
    for (std::size_t k = 0; k < 2; ++k) {
      const double up = g == k ? 0.9 : 0.1;
      for (std::size_t cell = 0; cell < 8; ++cell)
        std::ranges::copy(std::vector{(1 - up) / 2, (1 - up) / 2, up / 2, up / 2},
                          spec.transition.of(g, k).subspan(cell * 4, 4).begin());
    }
  }
  return unwrap(Model::make(std::move(spec)));
}

/// Accepts the high.
Policy of_the_high(const Model& model) {
  Tensor<double, 3> accept({2, model.shape().horizon, 2});
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < model.shape().horizon; ++h) accept(g, h, 1) = 1;
  return unwrap(Policy::make(std::move(accept), model.names().groups));
}

bool gaps_hold(const Certificate& found, const Evaluation& truth) {
  for (const Notion notion : found.asked.notions)
    for (std::size_t h = 0; h < of_notion(found.gap, notion).size(); ++h)
      if (of_notion(truth.gap, notion)[h].gap > of_notion(found.gap, notion)[h] + 1e-12) return false;
  return true;
}

SimulateOptions drawn(std::uint64_t people, std::uint64_t seed) {
  SimulateOptions options;
  options.crowd = {people, true};
  options.seed = seed;
  return options;
}

TEST(CertifyPeriods, PooledCertificatesAreWrongWhereTheWorldChangedAndThoseByPeriodHold) {
  // At step 1 nine of ten of a are high and one of ten of b: a gap of 0.8. Pooled over the steps the rows of the low
  // are 0.83 and 0.48 (all of step 0, and of step 1 who was still low), which is a gap of 0.35.
  const Model truth = trading_places();
  const Policy policy = of_the_high(truth);
  const Evaluation exact = unwrap(evaluate(truth, policy));
  ASSERT_NEAR(exact.gap.dp[1].gap, 0.8, 1e-12);
  CertifyOptions options;
  options.notions = {Notion::dp, Notion::eqopt};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Counts by_step = unwrap(simulate_counts(truth, policy, drawn(20'000, seed)));
    const Certificate changing = unwrap(certify(by_step, policy, options));
    EXPECT_TRUE(gaps_hold(changing, exact)) << seed;
    EXPECT_LT(changing.gap.dp[1], 0.85);
    const Certificate pooled = unwrap(certify(unwrap(by_step.by({})), policy, options));
    EXPECT_FALSE(gaps_hold(pooled, exact)) << seed;
    EXPECT_LT(pooled.gap.dp[1], 0.45);
  }
}

/// Of logs of people who met another policy.
struct PeriodTally {
  int sets_hold = 0, holds = 0;
};

bool sets_hold_by_period(const Model& truth, const Counts& counts, const CertifyOptions& options) {
  const Estimate found = unwrap(estimate(counts));
  const Balls sets = confidence_sets(counts, found, *found.lost, split_delta(options, counts.shape()));
  const ByPeriod<double, 6>& p = found.model.spec().transition;
  const std::size_t states = truth.shape().states();
  bool hold = true;
  for (std::size_t row = 0; row < p.all().size() / states; ++row) {
    double apart = 0;
    for (std::size_t i = row * states; i < (row + 1) * states; ++i) {
      const double q = truth.spec().transition.all()[i];
      hold = hold && q >= sets.boxes->low.all()[i] && q <= sets.boxes->high.all()[i];
      apart += std::abs(q - p.all()[i]) / 2;
    }
    hold = hold && apart <= sets.row.all()[row];
  }
  return hold;
}

// With delta = 0.2 more than 60 of 150 fail with probability below 1e-7 (30 expected at most, standard deviation 4.9).
// The bounds are cautious, so that hardly any should.
TEST(CertifyPeriods, HoldOftenEnoughForPopulationsOfAnyKind) {
  CertifyOptions options;
  options.delta = 0.2;
  PeriodTally tally;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Periods periods = seed % 2 == 0 ? Periods::per_step(4) : Periods{{{"before", 0}, {"after", 2}}};
    const Model truth = changing_model(seed % 7, 2, 2, 4, periods);
    const Policy policy = random_policy(seed % 7, truth);
    const Counts counts = unwrap(simulate_counts(truth, random_policy(seed % 7 + 100, truth), drawn(400, seed)));
    options.value = KnownRewards{truth.spec().reward, truth.spec().share, 1};
    const Certificate found = unwrap(certify(counts, policy, options));
    const Evaluation exact = unwrap(evaluate(truth, policy));
    const bool inside = sets_hold_by_period(truth, counts, options);
    const bool right = gaps_hold(found, exact) && exact.value >= *found.value - 1e-12;
    tally.sets_hold += inside ? 1 : 0;
    tally.holds += right ? 1 : 0;
  }
  EXPECT_GE(tally.sets_hold, 90);
  EXPECT_GE(tally.holds, 90);
}

TEST(CertifyPeriods, OfTwoPartsHoldOftenEnoughToo) {
  CertifyOptions options;
  options.delta = 0.2;
  int holds = 0, narrower = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Model truth = changing_model(seed % 7, 2, 2, 4, Periods::per_step(4));
    const Policy policy = random_policy(seed % 7, truth);
    const SplitCounts parts =
        unwrap(simulate_split_counts(truth, random_policy(seed % 7 + 100, truth), drawn(20'000, seed), {0.3, seed}));
    options.value = KnownRewards{truth.spec().reward, truth.spec().share, 1};
    const Certificate found = unwrap(certify(parts.audit, policy, options, {}, &parts.design));
    const Certificate alone = unwrap(certify(parts.audit, policy, options));
    const Evaluation exact = unwrap(evaluate(truth, policy));
    if (gaps_hold(found, exact) && exact.value >= *found.value - 1e-12) ++holds;
    // What counts is by how much bounds are above the gap that the same people show.
    const double seen = alone.estimated_gap.dp.back();
    if (found.gap.dp.back() - seen < 0.7 * (alone.gap.dp.back() - seen)) ++narrower;
  }
  EXPECT_GE(holds, 36);     // of 60 more than 24 fail with probability below 1e-3 at a rate of 0.2
  EXPECT_EQ(narrower, 52);  // all but the eight logs of one of the seven worlds
}

TEST(CertifyPeriods, PeriodsThatAreAllAlikeCostTheirRowsOnly) {
  // One period with a name is one kernel for all steps, to the last bit.
  const Model truth = testing::random_model(3, 2, 2, 3);
  const Policy policy = random_policy(3, truth);
  const Counts pooled = unwrap(simulate_counts(truth, policy, drawn(1000, 1)));
  SimulateOptions options = drawn(1000, 1);
  options.periods = Periods{{{"all", 0}}};
  const Counts named = unwrap(simulate_counts(truth, policy, options));
  EXPECT_EQ(unwrap(certify(pooled, policy)).gap.dp, unwrap(certify(named, policy)).gap.dp);
  options.periods = Periods::per_step(3);
  const Counts by_step = unwrap(simulate_counts(truth, policy, options));
  EXPECT_GT(unwrap(certify(by_step, policy)).gap.dp[2], unwrap(certify(pooled, policy)).gap.dp[2]);
  EXPECT_EQ(split_delta({}, by_step.shape()).row, 0.05 / (2 * (2 * 8 + 1)));
}

TEST(CertifyPeriods, AModelOfOtherPeriodsIsRefused) {
  const Model truth = changing_model(1, 2, 2, 4, Periods::per_step(4));
  const Policy policy = random_policy(1, truth);
  const Counts counts = unwrap(simulate_counts(truth, policy, drawn(1000, 1)));
  const ModelSpec& spec = truth.spec();
  CertifyOptions options;
  options.value = KnownRewards{spec.reward, spec.share, 1, {}, spec.initial, spec.transition, spec.periods};
  EXPECT_TRUE(certify(counts, policy, options));
  const auto refused = certify(unwrap(counts.by({})), policy, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pointer, "/periods");
  // A row that the counts of its period refute is named with it.
  KnownRewards wrong = std::get<KnownRewards>(options.value);
  std::ranges::copy(std::vector{1.0, 0.0, 0.0, 0.0}, wrong.transition.of(1, 2).subspan(0, 4).begin());
  options.value = wrong;
  const auto refuted = certify(counts, policy, options);
  ASSERT_FALSE(refuted);
  EXPECT_EQ(refuted.error().pointer, "/transition/1/2/0/0/0");
}

}  // namespace
}  // namespace fairstep
