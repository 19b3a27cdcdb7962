// Rates given the label where labels follow features and the refused have none.
#include <fairstep/audit/label_rates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/feature_counts.hpp>
#include <fairstep/core/log_record.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::unwrap;

TEST(LabelRates, DecisionsThatCountInFullHaveRobbinsInterval) {
  for (const auto& [k, n] : {std::pair{3, 10}, {0, 25}, {40, 41}, {700, 1000}}) {
    const Range whole = proportion_at_all_times(k, n, 0.01);
    std::vector<Weighed> none;
    EXPECT_NEAR(highest_share(none, k, n - k, 0.01), whole.high, 1e-6) << k;
    EXPECT_NEAR(lowest_share(none, k, n - k, 0.01), whole.low, 1e-6) << k;
    // The same as decisions at two features where everybody has the label.
    const double a = k, b = n - k;
    const std::vector<Weighed> two{{a / 2, b / 4, 1, 1}, {a / 2, 3 * b / 4, 1, 1}};
    EXPECT_NEAR(highest_share(two, 0, 0, 0.01), whole.high, 1e-6) << k;
  }
}

TEST(LabelRates, TheWidestOfAllWeightsIsFoundAndNotMuchMore) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<Weighed> box(3);
    for (Weighed& each : box) {
      each = {std::floor(200 * rng.uniform()), std::floor(200 * rng.uniform()), rng.uniform(), rng.uniform()};
      if (each.least > each.most) std::swap(each.least, each.most);
    }
    const double high = highest_share(box, 2, 3, 0.05);
    const double low = lowest_share(box, 2, 3, 0.05);
    double greatest = 0, least = 1;
    constexpr int grid = 12;
    for (int i = 0; i < grid * grid * grid; ++i) {
      double accepted = 2, refused = 3;
      int digits = i;
      for (const Weighed& each : box) {
        const double weight = each.least + (each.most - each.least) * (digits % grid) / (grid - 1.0);
        digits /= grid;
        accepted += weight * each.accepted;
        refused += weight * each.refused;
      }
      greatest = std::max(greatest, highest_share({}, accepted, refused, 0.05));
      least = std::min(least, lowest_share({}, accepted, refused, 0.05));
    }
    EXPECT_GE(high, greatest - 1e-9);
    EXPECT_LE(low, least + 1e-9);
    EXPECT_LE(high, greatest + 0.06);  // a thirty-second of a weight's range at a time
    EXPECT_GE(low, least - 0.06);
  }
}

// --- logs of which the refused have no label
// ---------------------------------------------------------------------------

constexpr std::size_t kFourFeatures = 4, kTwoSteps = 2;
constexpr std::array<double, kFourFeatures> kShares{0.4, 0.3, 0.2, 0.1};        // share of people
constexpr std::array<double, kFourFeatures> kQualifiedAt{0.1, 0.4, 0.7, 0.95};  // q
constexpr std::array<double, kFourFeatures> kAcceptedAt{0.05, 0.4, 0.8, 0.95};  // P(a=1 | x), so that the label is seen

/// What whoever decides knows beyond the feature: the odds of the refused are `odds` times those of the accepted, which
/// are such that q comes out.
struct World {
  double odds = 1;
  std::array<double, kFourFeatures> seen{}, unseen{};  ///< s and v

  explicit World(double odds_of_refused) : odds(odds_of_refused) {
    for (std::size_t x = 0; x < kFourFeatures; ++x) {
      double low = 0, high = 1;
      for (int i = 0; i < 60; ++i) {
        seen[x] = (low + high) / 2;
        unseen[x] = odds * seen[x] / (1 - seen[x] + odds * seen[x]);
        const double q = kAcceptedAt[x] * seen[x] + (1 - kAcceptedAt[x]) * unseen[x];
        (q < kQualifiedAt[x] ? low : high) = seen[x];
      }
    }
  }
  [[nodiscard]] double tpr() const {
    double accepted = 0, all = 0;
    for (std::size_t x = 0; x < kFourFeatures; ++x) {
      accepted += kShares[x] * kAcceptedAt[x] * seen[x];
      all += kShares[x] * kQualifiedAt[x];
    }
    return accepted / all;
  }
};

/// Two groups of so many people at each of two steps; whoever is refused has no label.
Counts log_of(const World& world, std::int64_t people, Rng rng) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"0", "1", "2", "3"};
  CountsSpec counts = CountsSpec::zeros(kTwoSteps, names);
  LogRecord log;
  log.files = {"log.csv"};
  log.censoring = Censoring::drop;
  log.unlabelled = Tensor<std::int64_t, 4>({2, kTwoSteps, kFourFeatures, kActions});
  log.unlabelled_rows = UnlabelledRows::zeros(counts.shape());
  log.lost = Lost::none(counts.shape());
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < kTwoSteps; ++h)
      for (std::int64_t person = 0; person < people; ++person) {
        double left = rng.uniform();
        std::size_t x = 0;
        while (x + 1 < kFourFeatures && left >= kShares[x]) left -= kShares[x++];
        if (rng.uniform() < kAcceptedAt[x])
          ++counts.visits(g, h, x, rng.uniform() < world.seen[x] ? 1 : 0, 1);
        else
          ++log.unlabelled(g, h, x, 0);
      }
  counts.log = std::move(log);
  return made(std::move(counts));
}

struct Tried {
  int wrong = 0;     ///< logs with any band that misses
  double width = 0;  ///< mean
  double point = 0;  ///< mean
};

/// Four true-positive rates in each of 500 logs, delta 0.2.
Tried tried(const World& world, const RefusedRule& rule, std::int64_t people) {
  constexpr int logs = 500;
  Tried result;
  for (int i = 0; i < logs; ++i) {
    const Counts counts = log_of(world, people, Rng(7, 1, static_cast<std::uint64_t>(i)));
    const FeatureCounts features = unwrap(feature_counts(counts));
    // Half of delta for 2 x 4 shares of the qualified, half for 4 rates.
    const LabelRates rates(counts, features, rule, {0.1 / 8, 0.1 / 4});
    bool wrong = false;
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < kTwoSteps; ++h) {
        const Observed observed = rates.observe(Rate::tpr, g, h);
        wrong = wrong || observed.band.low > world.tpr() || observed.band.high < world.tpr();
        result.width += (observed.band.high - observed.band.low) / (4 * logs);
        result.point += observed.rate / (4 * logs);
      }
    result.wrong += wrong ? 1 : 0;
  }
  return result;
}

// Were logs wrong exactly as often as delta allows, there would be more than 145 of 500 by chance once in a million.
constexpr int kMostWrongLogs = 145;

TEST(LabelRates, ByDesignBandsHoldInLogsOfWhichTheRefusedHaveNoLabel) {
  const Tried by_design = tried(World(1), {}, 2000);
  EXPECT_LE(by_design.wrong, kMostWrongLogs);
  EXPECT_LT(by_design.width, 0.35);
  EXPECT_NEAR(by_design.point, World(1).tpr(), 0.005);
}

TEST(LabelRates, BandsOfOddsHoldWhereTheRefusedDifferByThem) {
  for (const double odds : {1.0 / 3, 3.0}) {
    const Tried within = tried(World(odds), {Refused::odds, 3}, 1000);
    EXPECT_LE(within.wrong, kMostWrongLogs) << odds;
    EXPECT_LT(within.width, 0.75);
  }
}

TEST(LabelRates, BandsOfAnythingHoldWhateverTheRefusedAre) {
  for (const double odds : {1.0, 1.0 / 3, 30.0, 1e-6, 1e6}) {
    const Tried any = tried(World(odds), {Refused::anything, 1}, 400);
    EXPECT_LE(any.wrong, kMostWrongLogs) << odds;
  }
}

TEST(LabelRates, ByDesignBandsAreWrongWhereTheRefusedDiffer) {
  // Decisions looked at more than the feature: the truth is 0.88, and 0.71 is what by design comes out.
  const World world(1.0 / 3);
  const Tried by_design = tried(world, {}, 2000);
  EXPECT_GT(world.tpr(), by_design.point + 0.05);
  EXPECT_GT(by_design.wrong, 450);
}

TEST(LabelRates, AnAuditSaysAllRulesAndWhatItAssumes) {
  const Counts counts = log_of(World(1), 500, Rng(3));
  AuditOptions options;
  options.notions = {Notion::dp, Notion::eqopt};
  options.labels = LabelAssumption{{Refused::odds, 2}};
  const Audit audited = unwrap(audit(counts, options));
  ASSERT_TRUE(audited.labels);
  ASSERT_EQ(audited.labels->rules.size(), 3U);
  EXPECT_EQ(text_of(audited.labels->rules[0].refused), "like-accepted");
  EXPECT_EQ(text_of(audited.labels->rules[1].refused), "odds=2");
  EXPECT_EQ(text_of(audited.labels->rules[2].refused), "anything");
  for (std::size_t h = 0; h < kTwoSteps; ++h) {
    const auto& [like, odds, any] =
        std::tie(audited.labels->rules[0].gaps[h], audited.labels->rules[1].gaps[h], audited.labels->rules[2].gaps[h]);
    EXPECT_LE(like.band.high, odds.band.high);
    EXPECT_LE(odds.band.high, any.band.high);
    EXPECT_EQ(like.gap, any.gap);
    EXPECT_EQ(odds.band.high, audited.gaps[kTwoSteps + h].band.high);  // those of the rule that was chosen
  }
  // Acceptance rates need no label, and are those of an audit that assumes nothing.
  AuditOptions plain = options;
  plain.labels.reset();
  const Audit without = unwrap(audit(counts, plain));
  EXPECT_EQ(audited.rates[0].steps(0, 0).rate, without.rates[0].steps(0, 0).rate);
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.low, without.rates[0].steps(0, 0).band.low);
  const std::string page = to_markdown(audited, {});
  EXPECT_NE(page.find("## Labels follow features"), std::string::npos);
  EXPECT_NE(page.find("odds=2"), std::string::npos);
}

}  // namespace
}  // namespace fairstep
