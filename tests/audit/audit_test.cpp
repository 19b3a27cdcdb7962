#include <fairstep/audit/audit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/audit/binomial_interval.hpp>
#include <fairstep/audit/two_proportions.hpp>
#include <fairstep/core/simple_policies.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::nobody;
using testing::unwrap;

/// Two groups, one feature, one step: 30 of 100 accepted in the first, 60 of 100 in the second.
Counts plain_counts() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"any"};
  CountsSpec counts = CountsSpec::zeros(1, names);
  const std::int64_t accepted[2][2] = {{10, 20}, {20, 40}};  // [g][y]
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < 2; ++y) {
      counts.first(g, 0, y) = 50;
      counts.visits(g, 0, 0, y, 1) = accepted[g][y];
      counts.visits(g, 0, 0, y, 0) = 50 - accepted[g][y];
    }
  return made(std::move(counts));
}

TEST(Audit, RatesAndGapsAreTheObservedOnes) {
  const Audit audited = unwrap(audit(plain_counts()));
  ASSERT_EQ(audited.rates.size(), 3U);
  EXPECT_EQ(audited.intervals, 6U);  // three rates, two groups, one step
  EXPECT_EQ(audited.rates[0].steps(0, 0).rate, 0.3);
  EXPECT_EQ(audited.rates[1].steps(1, 0).rate, 0.8);
  const Range band = binomial_interval(30, 100, 0.05 / 6);
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.low, band.low);
  ASSERT_EQ(audited.gaps.size(), 3U);
  EXPECT_NEAR(audited.gaps[0].gap, 0.3, 1e-15);  // 3/10 - 6/10
  EXPECT_NEAR(audited.gaps[1].gap, 0.4, 1e-15);  // 20/50 - 40/50
  EXPECT_NEAR(audited.gaps[2].gap, 0.4, 1e-15);  // the wider of that and 10/50 - 20/50
  EXPECT_GT(audited.gaps[0].band.low, 0.0);
  EXPECT_EQ(audited.pair_tests, 3U);                                                  // three rates, one pair, one step
  const Compared compared = compare({30, 100, 0}, {60, 100, 0}, 0.05 / 3, 0.05 / 2);  // ratios: not of the unqualified
  EXPECT_EQ(audited.gaps[0].band.low, -compared.difference.high);
  EXPECT_EQ(audited.gaps[0].band.high, -compared.difference.low);
  EXPECT_TRUE(audited.gaps[0].differ);
  EXPECT_EQ(audited.gaps[0].above, 1U);
  EXPECT_EQ(audited.gaps[0].below, 0U);
  EXPECT_EQ(audited.pairs[0].p, 3 * compared.p);
  EXPECT_EQ(audited.pairs[0].ratio, 0.5);
  EXPECT_EQ(audited.pairs[0].ratio_band.high, compared.ratio.high);
  ASSERT_EQ(audited.ratios.size(), 2U);
  EXPECT_EQ(audited.ratios[0].ratio, 0.5);  // 3/10 over 6/10
  EXPECT_EQ(audited.ratios[0].group, 0U);
  EXPECT_EQ(audited.ratios[0].beside, 1U);
}

TEST(Audit, DoesNotSpeakOfLabelsThatWereDropped) {
  CountsSpec counts = plain_counts().spec();
  counts.log.emplace();
  counts.log->censoring = Censoring::drop;
  counts.log->unlabelled = Tensor<std::int64_t, 4>({2, 1, 1, 2});
  counts.log->unlabelled(0, 0, 0, 0) = 100;
  const Audit audited = unwrap(audit(made(counts)));
  EXPECT_EQ(audited.rates[0].steps(0, 0).rate, 0.15);  // 30 of 200: refusals without a label count
  EXPECT_FALSE(audited.rates[1].known);
  EXPECT_FALSE(audited.rates[2].known);
  ASSERT_EQ(audited.gaps.size(), 1U);
  EXPECT_EQ(audited.gaps[0].notion, Notion::dp);
  EXPECT_EQ(audited.intervals, 2U);
  EXPECT_NE(to_markdown(audited, {"counts.json", "", "1", {}}).find("cannot be known from this log"),
            std::string::npos);
}

/// Two steps: at the first 20 and 60 of 100 accepted, at the second 40 and 70 of the 80 who are left.
Counts two_steps() {
  CountsSpec counts = CountsSpec::zeros(2, plain_counts().names());
  const std::int64_t accepted[2][2] = {{20, 40}, {60, 70}};  // [g][h]
  const std::int64_t all[2] = {100, 80};
  for (std::size_t g = 0; g < 2; ++g) {
    counts.first(g, 0, 1) = 100;
    for (std::size_t h = 0; h < 2; ++h) {
      counts.visits(g, h, 0, 1, 1) = accepted[g][h];
      counts.visits(g, h, 0, 1, 0) = all[h] - accepted[g][h];
    }
  }
  return made(std::move(counts));
}

TEST(Audit, OverTheEpisodeEveryStepCountsAlikeAndBandsAreMeansOfBands) {
  AuditOptions options;
  options.notions = {Notion::dp};
  const Audit audited = unwrap(audit(two_steps(), options));
  ASSERT_TRUE(audited.episode);
  const EpisodeAudit& episode = *audited.episode;
  // a: (2/10 + 4/8) / 2 = 28/80, not 60/180. b: (6/10 + 7/8) / 2 = 59/80.
  EXPECT_NEAR(episode.accept[0].rate, 28 / 80., 1e-15);
  EXPECT_NEAR(episode.accept[1].rate, 59 / 80., 1e-15);
  EXPECT_EQ(episode.accept[0].accepted, 60);
  EXPECT_EQ(episode.accept[0].decisions, 180);
  const auto band = [](std::int64_t first, std::int64_t second) {  // four intervals: two groups, two steps
    const Range one = binomial_interval(first, 100, 0.05 / 4), two = binomial_interval(second, 80, 0.05 / 4);
    return Range{(one.low + two.low) / 2, (one.high + two.high) / 2};
  };
  const Range a = band(20, 40), b = band(60, 70);
  EXPECT_NEAR(episode.accept[0].band.low, a.low, 1e-14);
  EXPECT_LT(episode.accept[0].band.low, a.low);  // never the other way by rounding
  EXPECT_NEAR(episode.accept[1].band.high, b.high, 1e-14);
  ASSERT_EQ(episode.pairs.size(), 1U);
  EXPECT_NEAR(episode.pairs[0].difference, -31 / 80., 1e-15);
  EXPECT_NEAR(episode.gap.gap, 31 / 80., 1e-15);
  EXPECT_NEAR(episode.gap.band.low, b.low - a.high, 1e-14);
  EXPECT_NEAR(episode.gap.band.high, b.high - a.low, 1e-14);
  EXPECT_EQ(episode.gap.step, 2U);
  const std::string page = to_markdown(audited, {"counts.json", "", "1", {}});
  EXPECT_NE(page.find("demographic parity over the whole episode: the widest gap between two groups was 0.3875"),
            std::string::npos);
  EXPECT_NE(page.find("Difference over the whole episode"), std::string::npos);
  // A single step is its own episode, and nothing more is said of it; without dp there is none.
  const Audit single = unwrap(audit(plain_counts()));
  EXPECT_EQ(single.episode->gap.gap, single.gaps[0].gap);
  EXPECT_EQ(to_markdown(single, {"counts.json", "", "1", {}}).find("episode"), std::string::npos);
  options.notions = {Notion::eqopt};
  EXPECT_FALSE(unwrap(audit(two_steps(), options)).episode);
}

TEST(Audit, OverTheEpisodeAGroupWithoutDecisionsAtAStepHasNoRate) {
  CountsSpec counts = two_steps().spec();
  for (std::size_t a = 0; a < 2; ++a) counts.visits(1, 1, 0, 1, a) = 0;
  const Audit audited = unwrap(audit(made(counts)));
  EXPECT_TRUE(std::isnan(audited.episode->accept[1].rate));
  EXPECT_TRUE(std::isnan(audited.episode->gap.gap));
  EXPECT_NEAR(audited.episode->accept[1].band.high, (binomial_interval(60, 100, 0.05 / 12).high + 1) / 2,
              1e-14);  // anything at the second step
}

// A policy's gap over the episode is within the bound for every model that the data allow: so for the true one.
TEST(Audit, APolicysGapOverTheEpisodeIsBoundedInTheTrueModel) {
  const Model model = testing::random_model(11, 2, 2, 3);
  const Policy policy = unwrap(Policy::make(Tensor<double, 3>({2, 3, 2}, 0.5), model.names().groups));
  Tensor<double, 3> accept({2, 3, 2}, 0.2);
  for (double& p : accept.block(1)) p = 0.7;
  const Policy wanted = unwrap(Policy::make(std::move(accept), model.names().groups));
  const Counts counts = unwrap(simulate_counts(model, policy, {{20000, false}, 4, 0, 1}));
  const Audit audited = unwrap(audit(counts, {}, &wanted));
  ASSERT_TRUE(audited.policy->episode);
  const double truth = unwrap(evaluate(model, wanted)).aggregate_dp_gap.gap;
  EXPECT_NEAR(truth, 0.5, 1e-12);  // whatever the state, 0.2 and 0.7 are accepted
  EXPECT_NEAR(audited.policy->episode->gap, 0.5, 1e-9);
  EXPECT_GE(audited.policy->episode->at_most, truth);
  EXPECT_LE(audited.policy->episode->at_most, truth + 1e-9);
}

// Lost decisions widen the bands; those without a label are lost for rates that need one only.
TEST(Audit, BandsHoldWhateverTheRowsLeftOutWouldHaveSaid) {
  CountsSpec counts = plain_counts().spec();
  counts.log.emplace().censoring = Censoring::drop;
  counts.log->unlabelled = Tensor<std::int64_t, 4>({2, 1, 1, 2});
  counts.log->unlabelled(0, 0, 0, 0) = 20;
  counts.log->lost = Lost::none(counts.shape());
  counts.log->lost->decisions(0, 0) = 25;
  const Audit audited = unwrap(audit(made(counts)));
  const double each = 0.05 / 6;
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.low, binomial_interval(30, 125, each).low);
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.high, binomial_interval(35, 125, each).high);
  EXPECT_TRUE(audited.rates[1].known);
  EXPECT_EQ(audited.rates[1].steps(0, 0).band.low, binomial_interval(20, 75, each).low);
  EXPECT_EQ(audited.rates[1].steps(0, 0).band.high, binomial_interval(45, 75, each).high);
  EXPECT_EQ(audited.rates[1].steps(1, 0).band.low, binomial_interval(40, 50, each).low);
}

TEST(Audit, GivesNoBandForLabelsThatWereDrawnAndNoRangeForAPolicy) {
  CountsSpec counts = plain_counts().spec();
  counts.log.emplace().censoring = Censoring::ignorable;
  counts.log->imputed = 7;
  const Audit audited = unwrap(audit(made(counts)));
  EXPECT_EQ(audited.rates[0].without_bands, "");
  EXPECT_NE(audited.rates[1].without_bands, "");
  EXPECT_EQ(audited.rates[1].steps(0, 0).rate, 0.4);
  EXPECT_EQ(audited.rates[1].steps(0, 0).band.low, 0);
  EXPECT_EQ(audited.rates[1].steps(0, 0).band.high, 1);
  const auto policy = unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 1}, 0.5)));
  EXPECT_EQ(audit(made(counts), {}, &policy).error().pointer, "/log/censored");
}

// Cause: steps, windows and policy each spent a delta, under a header that named one.
TEST(Audit, SaysWhatHoldsTogetherWithWhat) {
  const auto policy = unwrap(Policy::make_group_independent(Tensor<double, 2>({1, 1}, 0.5)));
  CountsSpec counts = plain_counts().spec();
  EXPECT_EQ(
      assumptions_of(unwrap(audit(made(counts)))).back(),
      "Together: all bands of rates at steps hold at once with probability 0.95, those of differences with the "
      "same probability among themselves, those of ratios with the same probability among themselves; all of them "
      "together with 0.85.");
  counts.log.emplace().window = "month";
  counts.log->windows = {{"2024-01-01", Tensor<std::int64_t, 3>({2, 2, 2}, 5), Tensor<std::int64_t, 2>({2, 2})}};
  EXPECT_EQ(assumptions_of(unwrap(audit(made(counts), {}, &policy))).back(),
            "Together: all bands of rates at steps hold at once with probability 0.95, those of differences with the "
            "same probability among themselves, those of ratios with the same probability among themselves, those of "
            "calendar windows with the same probability among themselves, the ranges of the policy with the same "
            "probability among themselves; all of them together with 0.75.");
}

TEST(Audit, BandsHoldAllTogetherAsOftenAsTheySay) {
  const Model model = testing::hand_model();
  const Policy policy = random_policy(model, 3);
  const Evaluation truth = unwrap(evaluate(model, policy));
  AuditOptions options;
  options.delta = 0.2;
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Counts counts = unwrap(simulate_counts(model, policy, {{200, true}, seed, 0, 1}));
    const Audit audited = unwrap(audit(counts, options));
    bool all = true;
    for (const AuditedRate& rate : audited.rates) {
      const Tensor<double, 2>& exact = rate.rate == Rate::accept ? truth.rates.accept
                                       : rate.rate == Rate::tpr  ? truth.rates.tpr
                                                                 : truth.rates.fpr;
      for (std::size_t g = 0; g < 2; ++g)
        for (std::size_t h = 0; h < audited.horizon; ++h) {
          const Range band = rate.steps(g, h).band;
          EXPECT_LT(band.high - band.low, 0.6);  // bands that say nothing hold always
          all = all && (std::isnan(exact(g, h)) || (band.low <= exact(g, h) && exact(g, h) <= band.high));
        }
    }
    for (const NotionGap& gap : audited.gaps) {
      const double exact = of_notion(truth.gap, gap.notion)[gap.step].gap;
      all = all && (std::isnan(exact) || (gap.band.low <= exact && exact <= gap.band.high));
    }
    wrong += all ? 0 : 1;
  }
  // Each run fails with probability at most 0.4, bands of rates and of gaps with 0.2 each; 300 of them fail more than
  // 163 times (5 standard deviations above 120) with probability below 1e-6.
  EXPECT_LE(wrong, 163);
}

TEST(Audit, WhatAPolicyWouldHaveDoneIsWithinItsRange) {
  const Model model = testing::random_model(4, 2, 2, 3);
  const Policy behaviour = unwrap(uniform_policy(model, 0.5));
  const Policy policy = random_policy(model, 5);
  const Counts counts = unwrap(simulate_counts(model, behaviour, {{200000, false}, 1, 0, 1}));
  const Audit audited = unwrap(audit(counts, {}, &policy));
  ASSERT_TRUE(audited.policy);
  const Evaluation truth = unwrap(evaluate(model, policy));
  EXPECT_NEAR(audited.policy->value, truth.value, 0.02);
  for (const PolicyAudit::Step& step : audited.policy->gaps) {
    const double exact = of_notion(truth.gap, step.notion)[step.step].gap;
    if (std::isnan(exact)) continue;
    EXPECT_LE(exact, step.at_most);
    EXPECT_LE(step.gap, step.at_most);
  }
}

TEST(AuditReport, NamesOfGroupsAreNoMarkup) {
  CountsSpec counts = plain_counts().spec();
  counts.names.groups = {"<b>&\"", "a|b *c*"};
  const Audit audited = unwrap(audit(made(counts)));
  const std::string html = to_html(audited, {"x.csv", "", "1", {}});
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("&lt;b&gt;&amp;&quot;"), std::string::npos);
  const std::string markdown = to_markdown(audited, {"x.csv", "", "1", {}});
  EXPECT_NE(markdown.find("a\\|b \\*c\\*"), std::string::npos);
  EXPECT_NE(markdown.find("\\<b\\>"), std::string::npos);
}

/// Three groups at one step: 60 of 100, 30 of 100 and 1 of 10 accepted, all qualified.
Counts three_groups() {
  CountsSpec counts = CountsSpec::zeros(1, {{"a", "b", "c"}, {"any"}, {"no", "yes"}, {"refuse", "accept"}});
  const std::int64_t accepted[3] = {60, 30, 1}, all[3] = {100, 100, 10};
  for (std::size_t g = 0; g < 3; ++g) {
    counts.first(g, 0, 1) = all[g];
    counts.visits(g, 0, 0, 1, 1) = accepted[g];
    counts.visits(g, 0, 0, 1, 0) = all[g] - accepted[g];
  }
  return made(std::move(counts));
}

TEST(Audit, SetsGroupsOfFewPeopleApartUnlessFewerThanTwoWereLeft) {
  AuditOptions options;
  options.notions = {Notion::dp};
  const Audit audited = unwrap(audit(three_groups(), options));
  EXPECT_EQ(audited.set_apart, std::vector<std::size_t>{2});
  EXPECT_EQ(audited.pair_tests, 1U);
  EXPECT_NEAR(audited.gaps[0].gap, 0.3, 1e-15);
  EXPECT_EQ(audited.rates[0].steps(2, 0).rate, 0.1);  // it is shown all the same
  options.small = 0;
  const Audit all = unwrap(audit(three_groups(), options));
  EXPECT_TRUE(all.set_apart.empty());
  EXPECT_EQ(all.pair_tests, 3U);
  EXPECT_NEAR(all.gaps[0].gap, 0.5, 1e-15);
  options.small = 101;
  EXPECT_TRUE(unwrap(audit(three_groups(), options)).set_apart.empty());
}

TEST(Audit, RatiosAreToTheReferenceWhichIsNeverSetApart) {
  AuditOptions options;
  options.notions = {Notion::dp};
  options.reference = 2;
  const Audit audited = unwrap(audit(three_groups(), options));
  EXPECT_TRUE(audited.set_apart.empty());
  EXPECT_EQ(audited.ratio_tests, 2U);              // of the two others, not of all pairs
  EXPECT_NEAR(audited.ratios[0].ratio, 3, 1e-12);  // 30/100 over 1/10, less than 60/100 over it
  EXPECT_EQ(audited.ratios[0].group, 1U);
  EXPECT_EQ(audited.ratios[0].beside, 2U);
  options.reference = 3;
  EXPECT_EQ(audit(three_groups(), options).error().message, "reference is group 3, but there are 3");
}

TEST(Audit, JudgesLimitsByWholeBands) {
  AuditOptions options;
  options.notions = {Notion::dp};
  options.limits.parity = {{Notion::dp, {0.1}, {}}};
  options.limits.ratios = {{RatioNotion::dp, {0.8}, {}}};
  options.limits.aggregate_dp = 0.9;
  const Audit audited = unwrap(audit(three_groups(), options));
  ASSERT_EQ(audited.judged.size(), 3U);
  EXPECT_EQ(audited.judged[0].ruling, Ruling::beyond);  // 0.3 of 100 each is 4.3 standard errors, and 0.1 is 1.4
  EXPECT_EQ(audited.judged[1].ruling, Ruling::beyond);
  EXPECT_EQ(audited.judged[2].ruling, Ruling::within);
  EXPECT_EQ(ruling_of(audited), Ruling::beyond);
  options.limits = {};
  options.limits.parity = {{Notion::dp, {0.3}, {}}};
  EXPECT_EQ(ruling_of(unwrap(audit(three_groups(), options))), Ruling::open);
  options.limits.parity = {{Notion::dp, {0.6}, {}}};
  EXPECT_EQ(ruling_of(unwrap(audit(three_groups(), options))), Ruling::within);
  options.limits = {};
  EXPECT_FALSE(ruling_of(unwrap(audit(three_groups(), options))));
  options.limits.capacity = Capacity{{0.5}};
  EXPECT_EQ(audit(three_groups(), options).error().pointer, "/capacity");
  options.limits = {};
  options.limits.parity = {{Notion::eqopt, {0.1}, {}}};
  EXPECT_EQ(audit(three_groups(), options).error().pointer, "/parity/0/notion");
}

TEST(Audit, RefusesOptionsThatMakeNoSense) {
  AuditOptions options;
  options.delta = 1;
  EXPECT_FALSE(audit(plain_counts(), options));
  options.delta = 0.1;
  options.notions.clear();
  EXPECT_FALSE(audit(plain_counts(), options));
}

// Each step looked through the pairs of all steps, and all pairs of groups at all steps were kept: a file of half a
// megabyte took gigabytes.
TEST(Audit, RefusesToCompareMorePairsThanAnybodyCouldRead) {
  Names names;
  for (int g = 0; g < 2000; ++g) names.groups.push_back("g" + std::to_string(g));
  names.features = {"s"};
  AuditOptions options;
  const auto refused = audit(nobody(1, names), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "an audit of 2000 groups, 1 steps and 3 rates compares 6e+06 pairs, expected at most 262144");
}

TEST(Audit, TheWidestGapOfAStepIsThatOfItsOwnPairs) {
  CountsSpec counts = CountsSpec::zeros(3, {{"a", "b", "c"}, {"s"}, {"no", "yes"}, {"refuse", "accept"}});
  const std::int64_t accepted[3][3] = {{50, 40, 30}, {10, 80, 20}, {5, 5, 6}};
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t y = 0; y < 2; ++y) counts.first(g, 0, y) = 100;
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t h = 0; h < 3; ++h) {
        counts.visits(g, h, 0, y, 1) = accepted[h][g] + static_cast<std::int64_t>(y);
        counts.visits(g, h, 0, y, 0) = 100 - accepted[h][g] - static_cast<std::int64_t>(y);
      }
    }
  const Audit audited = unwrap(audit(made(counts)));
  ASSERT_EQ(audited.gaps.size(), 9U);
  for (const NotionGap& gap : audited.gaps) {
    double widest = 0;
    Range band{0, 0};
    for (const PairGap& pair : audited.pairs) {
      const auto rates = rates_of(gap.notion);
      if (pair.step != gap.step || std::find(rates.begin(), rates.end(), pair.rate) == rates.end()) continue;
      widest = std::max(widest, std::abs(pair.difference));
      band.low = std::max({band.low, pair.band.low, -pair.band.high});
      band.high = std::max({band.high, pair.band.high, -pair.band.low});
    }
    EXPECT_EQ(gap.gap, widest);
    EXPECT_EQ(gap.band.low, band.low);
    EXPECT_EQ(gap.band.high, band.high);
  }
}

}  // namespace
}  // namespace fairstep
