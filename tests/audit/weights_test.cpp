// Decisions that count by weights.
#include <fairstep/audit/weights.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/decision_weights.hpp>
#include <fairstep/core/label_assumption.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/core/tensor.hpp>
#include <fairstep/estimate/proportion.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::unwrap;

/// A log of two groups, one feature and one step, decision by decision.
class WeighedLog {
 public:
  explicit WeighedLog(double largest) {
    Names names;
    names.groups = {"a", "b"};
    names.features = {"any"};
    spec_ = CountsSpec::zeros(1, names);
    weights_ = {"w", largest, Tensor<double, 4>({2, 1, kLabels + 1, kActions}), std::vector<double>(2)};
  }
  void decide(std::size_t g, std::size_t y, std::size_t a, double weight, std::int64_t times = 1) {
    spec_.first(g, 0, y) += times;
    spec_.visits(g, 0, 0, y, a) += times;
    weights_.sum(g, 0, y, a) += static_cast<double>(times) * weight;
    weights_.squares[g] += static_cast<double>(times) * weight * weight;
  }
  [[nodiscard]] Audit audited(std::vector<Notion> notions, double delta) const {
    AuditOptions options;
    options.notions = std::move(notions);
    options.delta = delta;
    options.weights = weights_;
    return unwrap(audit(made(CountsSpec(spec_)), options));
  }
  [[nodiscard]] const DecisionWeights& weights() const { return weights_; }
  [[nodiscard]] Counts counts() const { return made(CountsSpec(spec_)); }

 private:
  CountsSpec spec_{};
  DecisionWeights weights_{};
};

// Weights 2, 1 and 1 of at most 4 are one decision: K = 1, F = 0, and the density of Beta(2, 1) at t is 2t. Two
// intervals share 0.05, so the low end is where 2t = 0.025. In b the same were refused, and it is the other way round.
TEST(Weights, TheBandOfOneDecisionInPartsIsTheOneByHand) {
  WeighedLog log(4);
  for (const double weight : {2.0, 1.0, 1.0}) {
    log.decide(0, 1, 1, weight);
    log.decide(1, 1, 0, weight);
  }
  const Audit audited = log.audited({Notion::dp}, 0.05);
  const Observed& a = audited.rates[0].steps(0, 0);
  const Observed& b = audited.rates[0].steps(1, 0);
  EXPECT_EQ(a.rate, 1.0);
  EXPECT_EQ(a.decisions, 3);
  EXPECT_NEAR(a.band.low, 0.0125, 1e-6);
  EXPECT_EQ(a.band.high, 1.0);
  EXPECT_EQ(b.rate, 0.0);
  EXPECT_EQ(b.band.low, 0.0);
  EXPECT_NEAR(b.band.high, 0.9875, 1e-6);
}

// The same with one decision lost, which may have been refused with the largest weight: Beta(2, 2) has the density
// 6t(1 - t), which is 0.025 at t = (1 - sqrt(1 - 0.1/6)) / 2 = 0.0041842.
TEST(Weights, ADecisionThatWasLostMayHaveHadTheLargestWeight) {
  WeighedLog log(4);
  for (const double weight : {2.0, 1.0, 1.0}) log.decide(0, 1, 1, weight);
  Observed observed;
  weigh(observed, Rate::tpr, log.weights(), 0, 0, 1, 0.025);
  EXPECT_EQ(observed.rate, 1.0);
  EXPECT_NEAR(observed.band.low, 0.0041842, 1e-7);
  EXPECT_EQ(observed.band.high, 1.0);
}

TEST(Weights, OfOneAndAtMostOneAreNoWeightsAndTheBandIsThatOfRobbins) {
  WeighedLog log(1);
  log.decide(0, 1, 1, 1, 20);
  log.decide(0, 1, 0, 1, 30);
  log.decide(0, 0, 1, 1, 10);
  log.decide(0, 0, 0, 1, 40);
  log.decide(1, 1, 1, 1, 7);
  log.decide(1, 0, 0, 1, 5);
  const Audit weighed = log.audited({Notion::dp, Notion::eqodds}, 0.06);
  AuditOptions options;
  options.notions = {Notion::dp, Notion::eqodds};
  options.delta = 0.06;
  const Audit plain = unwrap(audit(log.counts(), options));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t g = 0; g < 2; ++g) {
      const Observed& with = weighed.rates[i].steps(g, 0);
      const Observed& without = plain.rates[i].steps(g, 0);
      EXPECT_EQ(with.rate, without.rate);
      const Range band = proportion_at_all_times(without.accepted, without.decisions, 0.01);  // six of them
      EXPECT_NEAR(with.band.low, band.low, 1e-6);
      EXPECT_NEAR(with.band.high, band.high, 1e-6);
    }
}

// (2 + 1 + 1)^2 / (4 + 1 + 1) = 16/6 in a, and 1 in b; (4 + 3)^2 / (6 + 9) = 49/15 of both.
TEST(Weights, KishsNumberDescribesEachGroupAndAll) {
  WeighedLog log(4);
  for (const double weight : {2.0, 1.0, 1.0}) log.decide(0, 1, 1, weight);
  log.decide(1, 0, 0, 3);
  const WeightAudit described = *log.audited({Notion::dp}, 0.05).weights;
  EXPECT_EQ(described.total, (std::vector<double>{4, 3}));
  EXPECT_NEAR(described.effective[0], 16.0 / 6, 1e-12);
  EXPECT_NEAR(described.effective[1], 1, 1e-12);
  EXPECT_NEAR(described.effective_of_all, 49.0 / 15, 1e-12);
}

TEST(Weights, OfNothingAtAllLeaveEverythingPossible) {
  WeighedLog log(4);
  log.decide(0, 1, 1, 0, 5);
  log.decide(1, 1, 0, 2);
  const Audit audited = log.audited({Notion::dp}, 0.05);
  EXPECT_NE(audited.rates[0].steps(0, 0).rate, audited.rates[0].steps(0, 0).rate);  // none
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.low, 0);
  EXPECT_EQ(audited.rates[0].steps(0, 0).band.high, 1);
}

TEST(Weights, AskNothingOfTheModelAndRefuseWhatDoes) {
  WeighedLog log(4);
  log.decide(0, 1, 1, 1);
  log.decide(1, 1, 0, 2);
  EXPECT_TRUE(log.audited({Notion::dp}, 0.05).diagnosis.answers.empty());
  AuditOptions options;
  options.weights = log.weights();
  const Counts counts = log.counts();
  EXPECT_NE(check_weights(log.weights(), counts, options, true).error().message.find("weight"), std::string::npos);
  options.labels = LabelAssumption{};
  EXPECT_NE(audit(counts, options).error().message.find("weight"), std::string::npos);
  options.labels.reset();
  options.weights->squares.pop_back();
  EXPECT_EQ(audit(counts, options).error().message, "the weights are not those of these counts");
}

// --- samples of a population that is known
// -----------------------------------------------------------------------------

/// Of the population 4/5 are of the first stratum and 1/5 of the second. Whoever is of the first comes into the sample
/// with chance 1/4 and counts 4 times.
struct Stratum {
  double share, kept, weight, qualified, accepted;
};
constexpr std::array<Stratum, 2> kStrata{{{0.8, 0.25, 4, 0.7, 0.3}, {0.2, 1, 1, 0.4, 0.9}}};
constexpr double kAccepted = 0.42;       // 0.8 0.3 + 0.2 0.9; in the sample there are as many of both, and it is 0.6
constexpr double kTruePositive = 0.375;  // (0.8 0.7 0.3 + 0.2 0.4 0.9) / (0.8 0.7 + 0.2 0.4) = 0.24 / 0.64
constexpr double kFalsePositive = 0.5;   // (0.8 0.3 0.3 + 0.2 0.6 0.9) / (0.8 0.3 + 0.2 0.6) = 0.18 / 0.36

void draw_person(WeighedLog& log, std::size_t g, const Stratum& stratum, Rng& rng) {
  const std::size_t y = rng.uniform() < stratum.qualified ? 1 : 0;
  const std::size_t a = rng.uniform() < stratum.accepted ? 1 : 0;
  log.decide(g, y, a, stratum.weight);
}

/// Either 2,000 people come by and are kept or not, or there are 400 of each stratum.
WeighedLog sampled(bool fixed_strata, Rng rng) {
  WeighedLog log(4);
  for (std::size_t g = 0; g < 2; ++g) {
    if (fixed_strata)
      for (const Stratum& stratum : kStrata)
        for (int i = 0; i < 400; ++i) draw_person(log, g, stratum, rng);
    else
      for (int i = 0; i < 2000; ++i) {
        const Stratum& stratum = kStrata.at(rng.uniform() < kStrata[0].share ? 0 : 1);
        if (rng.uniform() < stratum.kept) draw_person(log, g, stratum, rng);
      }
  }
  return log;
}

struct Missed {
  int weighed = 0;   ///< logs with any band that misses
  int counted = 0;   ///< the same of bands of people who each count once
  double width = 0;  ///< mean, of acceptance rates
};

bool misses(const Audit& audited) {
  bool any = false;
  for (const auto& [rate, truth] : {std::pair{0, kAccepted}, {1, kTruePositive}, {2, kFalsePositive}})
    for (std::size_t g = 0; g < 2; ++g) {
      const Range& band = audited.rates[static_cast<std::size_t>(rate)].steps(g, 0).band;
      any = any || band.low > truth || band.high < truth;
    }
  return any;
}

Missed missed(bool fixed_strata, double delta) {
  constexpr int logs = 400;
  Missed result;
  for (int i = 0; i < logs; ++i) {
    const WeighedLog log = sampled(fixed_strata, Rng(20, fixed_strata ? 1 : 2, static_cast<std::uint64_t>(i)));
    const Audit audited = log.audited({Notion::dp, Notion::eqodds}, delta);
    result.weighed += misses(audited) ? 1 : 0;
    result.width += (audited.rates[0].steps(0, 0).band.high - audited.rates[0].steps(0, 0).band.low) / logs;
    if (i >= 20) continue;
    AuditOptions options;
    options.delta = delta;
    options.notions = {Notion::dp, Notion::eqodds};
    result.counted += misses(unwrap(audit(log.counts(), options))) ? 1 : 0;
  }
  return result;
}

// Were logs missed exactly as often as delta allows, more than 247 or 44 of 400 would be missed by chance less than
// once in a million times (binomial tail).
TEST(Weights, BandsHoldThePopulationsRatesAsOftenAsTheySay) {
  for (const bool fixed_strata : {false, true})
    for (const auto& [delta, most] : {std::pair{0.5, 247}, {0.05, 44}}) {
      const Missed found = missed(fixed_strata, delta);
      EXPECT_LE(found.weighed, most) << fixed_strata << " " << delta;
      EXPECT_EQ(found.counted, 20) << "people who each count once are other people";
      EXPECT_LT(found.width, 0.25) << fixed_strata << " " << delta;
    }
}

}  // namespace
}  // namespace fairstep
