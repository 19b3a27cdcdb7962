// What counts prove: cases that can be worked out by hand, and what must hold for all.
#include <fairstep/certify/certify.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/estimate/proportion.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/optimise/solve.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

constexpr double kClose = 1e-10;

/// Two groups, two features, one step. Of group g, n[g][s] people are in state s, all refused.
Counts one_step(const std::vector<std::vector<std::int64_t>>& n) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  CountsSpec counts = CountsSpec::zeros(1, names);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t s = 0; s < 4; ++s) {
      counts.first(g, s / 2, s % 2) = n[g][s];
      counts.visits(g, 0, s / 2, s % 2, 0) = n[g][s];
    }
  return made(std::move(counts));
}

/// Accepts the feature `high` only.
Policy accept_high() {
  Tensor<double, 2> accept({1, 2});
  accept(0, 1) = 1;
  return unwrap(Policy::make_group_independent(accept));
}

// At step 0 only the first state matters. P(a=1) = q(high,0) + q(high,1) is largest where the ball's radius or the two
// entries' upper ends or the other two's lower ends stop it, whichever comes first.
TEST(Certify, TheFirstStepIsWhatBallAndIntervalsSay) {
  const Counts counts = one_step({{400, 100, 300, 200}, {10, 900, 85, 5}});
  CertifyOptions options;
  options.notions = {Notion::dp};
  const Certificate found = unwrap(certify(counts, accept_high(), options));
  const double row = 0.05 / (2 * (8 + 1));
  for (std::size_t g = 0; g < 2; ++g) {
    double accepted = 0, up = 0, down = 0, others_up = 0, others_down = 0;
    for (std::size_t s = 0; s < 4; ++s) {
      const std::int64_t seen = counts.first()(g, s / 2, s % 2);
      const double share = static_cast<double>(seen) / 1000;
      const Range ends = proportion_at_all_times(seen, 1000, row / 2 / 4);
      (s >= 2 ? up : others_up) += ends.high - share;
      (s >= 2 ? down : others_down) += share - ends.low;
      accepted += s >= 2 ? share : 0;
    }
    const double reach = tv_radius(1000, 4, row / 2);
    EXPECT_NEAR(found.accept->range(g, 0).high, accepted + std::min({reach, up, others_down}), kClose);
    EXPECT_NEAR(found.accept->range(g, 0).low, accepted - std::min({reach, down, others_up}), kClose);
    EXPECT_NEAR(found.accept->estimate(g, 0), accepted, kClose);
  }
  // 0.5 against 0.09.
  EXPECT_NEAR(found.estimated_gap.dp[0], 0.41, kClose);
  EXPECT_NEAR(found.gap.dp[0], found.accept->range(0, 0).high - found.accept->range(1, 0).low, kClose);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].gap.dp, found.gap.dp);
  EXPECT_TRUE(found.gap.eqopt.empty());
  EXPECT_FALSE(found.tpr);
  EXPECT_FALSE(found.value);
}

// Nobody has been seen: a policy that treats all alike has no gap, any other may have one as wide as its entries.
TEST(Certify, WithoutDataOnlyThePolicyItselfIsKnown) {
  const Counts nothing = one_step({{0, 0, 0, 0}, {0, 0, 0, 0}});
  const Certificate alike =
      unwrap(certify(nothing, unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 2}, 0.3)))));
  EXPECT_EQ(alike.gap.dp[0], 0);
  EXPECT_EQ(alike.gap.eqodds[0], 0);
  const Certificate any = unwrap(certify(nothing, accept_high()));
  EXPECT_EQ(any.gap.dp[0], 1);
  EXPECT_EQ(any.gap.eqopt[0], 1);
  EXPECT_EQ(any.qualified->range(0, 0).low, 0);
  EXPECT_EQ(any.qualified->range(0, 0).high, 1);
}

TEST(Certify, ARateOfNobodyIsNoRate) {
  const Certificate found = unwrap(certify(one_step({{500, 0, 500, 0}, {400, 100, 300, 200}}), accept_high()));
  EXPECT_TRUE(std::isnan(found.tpr->estimate(0, 0)));
  EXPECT_TRUE(std::isnan(found.estimated_gap.eqopt[0]));
  EXPECT_EQ(found.qualified->range(0, 0).low, 0);
  EXPECT_EQ(found.tpr->range(0, 0).low, 0);  // the hull of the policy's entries
  EXPECT_EQ(found.tpr->range(0, 0).high, 1);
}

// 480 of 1000 accepted, all there at the only step: the ends for 1/2 delta over 2 ends x 2 groups.
TEST(Certify, ThoseWhoFollowedThePolicyNarrowItsRates) {
  CountsSpec counts = one_step({{400, 120, 300, 180}, {400, 120, 300, 180}}).spec();
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < 2; ++y) std::swap(counts.visits(g, 0, 1, y, 0), counts.visits(g, 0, 1, y, 1));
  CertifyOptions options;
  options.notions = {Notion::dp};
  options.followed = true;
  const Certificate found = unwrap(certify(made(counts), accept_high(), options));
  const Range ends = proportion_once(480, 1000, 0.025 / 4);
  EXPECT_NEAR(found.accept->range(0, 0).high, ends.high, kClose);
  EXPECT_NEAR(found.accept->range(1, 0).low, ends.low, kClose);
  // The rows of two people are lost: they may have been accepted or not.
  counts.log.emplace().lost = Lost::none(counts.shape());
  counts.log->lost->first(0) = 2;
  const Certificate without = unwrap(certify(made(counts), accept_high(), options));
  EXPECT_NEAR(without.accept->range(0, 0).high, proportion_once(482, 1000, 0.025 / 4).high, kClose);
  EXPECT_NEAR(without.accept->range(0, 0).low, proportion_once(478, 1000, 0.025 / 4).low, kClose);
  EXPECT_NEAR(without.accept->range(1, 0).low, ends.low, kClose);
}

// More decisions at a step than people: these are no people who were treated once a step.
TEST(Certify, RefusesFollowersOfWhomThereAreMoreDecisionsThanPeople) {
  const Counts counts = changed(one_step({{400, 120, 300, 180}, {400, 120, 300, 180}}),
                                [](CountsSpec& less) { less.first(0, 0, 0) -= 1; });
  CertifyOptions options;
  EXPECT_TRUE(certify(counts, accept_high(), options));
  options.followed = true;
  EXPECT_EQ(certify(counts, accept_high(), options).error().pointer, "/visits/0/0");
}

// One step, everybody refused at a known reward of 2 or 3: the value is known whatever the population is, but for its
// share of `high`.
TEST(Certify, TheValueIsTheLeastOverTheSets) {
  const Counts counts = one_step({{500, 0, 500, 0}, {1000, 0, 0, 0}});
  CertifyOptions options;
  options.notions = {Notion::dp};
  KnownRewards known{Tensor<double, 4>({2, 2, 2, 2}), {0.25, 0.75}, 1};
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < 2; ++y) known.reward(g, 0, y, 0) = 2, known.reward(g, 1, y, 0) = 3;
  options.value = known;
  const auto refuse = unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 2}, 0)));
  const Certificate found = unwrap(certify(counts, refuse, options));
  EXPECT_NEAR(*found.estimated_value, 0.25 * 2.5 + 0.75 * 2, kClose);
  // The same as the lowest share of `high`, which a policy that accepts `high` has as its rate.
  const Certificate shares = unwrap(certify(counts, accept_high(), options));
  EXPECT_NEAR(*found.value, 2 + 0.25 * shares.accept->range(0, 0).low + 0.75 * shares.accept->range(1, 0).low, kClose);
}

TEST(Certify, RefusesWhatItCannotAnswer) {
  const Counts counts = one_step({{1, 1, 1, 1}, {1, 1, 1, 1}});
  CertifyOptions options;
  options.delta = 0;
  EXPECT_EQ(certify(counts, accept_high(), options).error().option, "delta");
  options = {};
  options.notions.clear();
  EXPECT_EQ(certify(counts, accept_high(), options).error().option, "fairness");
  options = {};
  options.value = CountedRewards{{1, 0}, 1};
  EXPECT_EQ(certify(counts, accept_high(), options).error().option, "reward_range");
  EXPECT_FALSE(certify(counts, unwrap(Policy::make_group_independent(Tensor<double, 2>({2, 2}, 0.5)))));
  const Counts censored =
      changed(counts, [](CountsSpec& drawn) { drawn.log.emplace().censoring = Censoring::ignorable; });
  EXPECT_EQ(certify(censored, accept_high()).error().pointer, "/log/censored");
}

TEST(Certify, OptionsAreTakenUpToTheirBounds) {
  const Counts counts = one_step({{1, 1, 1, 1}, {1, 1, 1, 1}});
  const auto refused = [&](const CertifyOptions& options) {
    const auto found = certify(counts, accept_high(), options);
    return found ? Text() : found.error().message;
  };
  CertifyOptions options;
  for (const double delta : {1.0, -0.1, 1.5, std::nan("")}) {
    options.delta = delta;
    EXPECT_NE(refused(options).find("expected more than 0 and less than 1"), std::string::npos) << delta;
  }
  for (const double delta : {1e-201, 5e-324}) {
    options.delta = delta;
    EXPECT_NE(refused(options).find("expected at least 1e-200"), std::string::npos) << delta;
  }
  for (const double delta : {1e-200, 0.999}) {
    options.delta = delta;
    EXPECT_EQ(refused(options), "");
  }
  const auto with_range = [&](double low, double high) {
    options.value = CountedRewards{{low, high}, 1};
    return refused(options);
  };
  EXPECT_EQ(with_range(0, 0), "");
  EXPECT_EQ(with_range(-1e100, 1e100), "");
  EXPECT_EQ(with_range(2, 1), "reward_range is 2 to 1, expected the least and the greatest reward");
  EXPECT_NE(with_range(-1e101, 0), "");
  EXPECT_NE(with_range(0, 1e101), "");
  EXPECT_NE(with_range(std::nan(""), 1), "");
}

// Counts whose log says that no label was censored are as good as counts without a log.
TEST(Certify, ALogWithoutCensoringIsFine) {
  const Counts counts = changed(one_step({{1, 1, 1, 1}, {1, 1, 1, 1}}),
                                [](CountsSpec& logged) { logged.log.emplace().censoring = Censoring::none; });
  EXPECT_TRUE(certify(counts, accept_high()));
}

// One step, nobody accepted, reward sums counted: 1000 visits of (low,0) with mean 2, none elsewhere. The sets allow
// others than (low,0), who may earn the least, -1; and the mean of 2 may be less by the range, 5, times its radius.
TEST(Certify, CountedRewardsAreTakenAtTheirLeast) {
  const Counts counts = changed(one_step({{1000, 0, 0, 0}, {1000, 0, 0, 0}}), [](CountsSpec& earned) {
    for (std::size_t g = 0; g < 2; ++g) {
      earned.reward_sum(g, 0, 0, 0) = 2000;
      earned.reward_squares(g, 0, 0, 0) = 4000;
    }
  });
  CertifyOptions options;
  options.notions = {Notion::dp};
  options.value = CountedRewards{{-1, 4}, 1};
  const auto refuse = unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 2}, 0)));
  const Certificate found = unwrap(certify(counts, refuse, options));
  const DeltaSplit split = split_delta(options, counts.shape());
  const double least = 2 - 5 * one_sided_mean_radius(1000, split.reward);
  // Who is not (low,0): at most the ball, and at most what (low,0) can lose.
  const double others =
      std::min(tv_radius(1000, 4, split.ball), 1 - proportion_at_all_times(1000, 1000, split.interval).low);
  EXPECT_NEAR(*found.value, (1 - others) * least + others * -1, 1e-9);
  EXPECT_NEAR(*found.estimated_value, 2, kClose);
}

TEST(Certify, TheWorstGapIsTheLargestOfAllNotionsAndSteps) {
  EXPECT_EQ(worst_gap({}), 0);
  EXPECT_EQ(worst_gap({{0.1, 0.3}, {0.2}, {}}), 0.3);
  EXPECT_EQ(worst_gap({{0.1}, {0.4, 0.2}, {0.3}}), 0.4);
  EXPECT_EQ(worst_gap({{0.1}, {0.2}, {0.3, 0.5}}), 0.5);
}

// Three groups: each pair has its own gap, and the worst of them is the certificate's.
TEST(Certify, EveryPairOfGroupsHasItsGap) {
  const Model model = random_model(4, 3, 2, 2);
  const Policy policy = random_policy(4, model);
  const Counts counts = unwrap(simulate_counts(model, policy, {{100000, true}, 4, 0, 1}));
  const Certificate found = unwrap(certify(counts, policy));
  ASSERT_EQ(found.pairs.size(), 3u);
  const auto widest = [&](const RateBounds& rate, std::size_t i, std::size_t j, std::size_t h) {
    return std::max({0.0, rate.range(i, h).high - rate.range(j, h).low, rate.range(j, h).high - rate.range(i, h).low});
  };
  for (std::size_t h = 0; h < 2; ++h) {
    GapBounds worst{{0}, {0}, {0}};
    for (const PairBounds& pair : found.pairs) {
      const double dp = widest(*found.accept, pair.first, pair.second, h);
      const double eqopt = widest(*found.tpr, pair.first, pair.second, h);
      const double eqodds = std::max(eqopt, widest(*found.fpr, pair.first, pair.second, h));
      EXPECT_NEAR(pair.gap.dp[h], dp, kClose);
      EXPECT_NEAR(pair.gap.eqopt[h], eqopt, kClose);
      EXPECT_NEAR(pair.gap.eqodds[h], eqodds, kClose);
      worst = {{std::max(worst.dp[0], dp)}, {std::max(worst.eqopt[0], eqopt)}, {std::max(worst.eqodds[0], eqodds)}};
    }
    EXPECT_NEAR(found.gap.dp[h], worst.dp[0], kClose);
    EXPECT_NEAR(found.gap.eqopt[h], worst.eqopt[0], kClose);
    EXPECT_NEAR(found.gap.eqodds[h], worst.eqodds[0], kClose);
  }
  EXPECT_EQ(found.pairs[1].first, 0u);
  EXPECT_EQ(found.pairs[1].second, 2u);
}

TEST(Certify, IntervalsNeverWidenWhatTheBallProves) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = random_model(seed, 2, 3, 3);
    const Policy policy = random_policy(seed, model);
    const Counts counts = unwrap(simulate_counts(model, policy, {{1000, true}, seed, 0, 1}));
    const auto estimated = unwrap(estimate(counts));
    Balls sets = confidence_sets(counts, estimated, *estimated.lost, split_delta({}, counts.shape()));
    const RobustRates with = unwrap(robust_rates(estimated.model, policy, sets));
    sets.boxes.reset();
    const RobustRates without = unwrap(robust_rates(estimated.model, policy, sets));
    for (std::size_t h = 0; h < 3; ++h) {
      EXPECT_LE(with.dp[h], without.dp[h] + kClose);
      EXPECT_LE(with.eqodds[h], without.eqodds[h] + kClose);
    }
  }
}

/// Two groups of 1000 people who start high and qualified, two steps, nobody's successor seen. `at_first` of them were
/// seen at step 0, all at step 1, all accepted.
Counts high_people(std::int64_t at_first) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"low", "high"};
  CountsSpec counts = CountsSpec::zeros(2, names);
  for (std::size_t g = 0; g < 2; ++g) {
    counts.first(g, 1, 1) = 1000;
    counts.visits(g, 0, 1, 1, 1) = at_first;
    counts.visits(g, 1, 1, 1, 1) = 1000;
  }
  return made(std::move(counts));
}

/// Accepts the low with probability `low` and the high with `high`, at both steps.
Policy by_feature(double low, double high) {
  Tensor<double, 2> accept({2, 2});
  for (std::size_t h = 0; h < 2; ++h) accept(h, 0) = low, accept(h, 1) = high;
  return unwrap(Policy::make_group_independent(accept));
}

// Nothing is known of where people go, so that at step 1 any rate is possible but for those who followed the policy;
// whoever joined late is there now and may not be like the others.
TEST(Certify, ThoseWhoFollowedSayLessWhereSomebodyJoinedLate) {
  CertifyOptions options;
  options.followed = true;
  const double tail = split_delta(options, {2, 2, 2}).tail;
  const Certificate all = unwrap(certify(high_people(1000), by_feature(0, 1), options));
  EXPECT_NEAR(all.accept->range(0, 1).low, proportion_once(1000, 1000, tail).low, kClose);
  const Certificate late = unwrap(certify(high_people(990), by_feature(0, 1), options));
  EXPECT_NEAR(late.accept->range(0, 1).low, proportion_once(990, 1000, tail).low, kClose);
  EXPECT_EQ(late.accept->range(0, 1).high, 1);
  EXPECT_EQ(unwrap(certify(high_people(0), by_feature(0, 1), options)).accept->range(0, 1).low, 0);
}

TEST(Certify, RefusesPeopleWhoAreSaidToHaveFollowedWhatTheyDidNot) {
  CertifyOptions options;
  options.followed = true;
  const auto found = certify(high_people(1000), by_feature(0.25, 0.5), options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "1000 of 1000 people of group a were accepted at step 0, which this policy does not do");
  options.followed = false;
  EXPECT_TRUE(certify(high_people(1000), by_feature(0.25, 0.5), options));
}

// The defaults, which documents name and certificates rest on.
TEST(Certify, AsksForAllNotionsWithFivePerCentUnlessToldOtherwise) {
  const CertifyOptions options;
  EXPECT_EQ(options.delta, 0.05);
  EXPECT_EQ(options.notions, (std::vector{Notion::dp, Notion::eqopt, Notion::eqodds}));
  EXPECT_FALSE(options.followed);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(options.value));
  EXPECT_EQ(KnownRewards{}.discount, 1);
  EXPECT_EQ(CountedRewards{}.discount, 1);
  EXPECT_EQ(CountedRewards{}.range.low, 0);
  EXPECT_EQ(CountedRewards{}.range.high, 1);
}

// The goal set for this room: a fair policy for the FICO population and 2^18 people of each group who followed it.
TEST(Certify, AFairFicoPolicyIsCertifiedToTwoPointFivePerCent) {
  const Model model = unwrap(make_fico());
  Fairness fairness;
  fairness.parity.push_back({Notion::dp, {0.0}, std::nullopt});
  const SolveResult solved = unwrap(solve(model, fairness));
  ASSERT_TRUE(solved.solution);
  const Counts counts = unwrap(simulate_counts(model, solved.solution->policy, {{1 << 18, true}, 1, 0, 1}));
  CertifyOptions options;
  options.notions = {Notion::dp};
  EXPECT_LT(worst_gap(unwrap(certify(counts, solved.solution->policy, options)).gap), 0.025);
  options.followed = true;
  EXPECT_LT(worst_gap(unwrap(certify(counts, solved.solution->policy, options)).gap), 0.008);
}

}  // namespace
}  // namespace fairstep
