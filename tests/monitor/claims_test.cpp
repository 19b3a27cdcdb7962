#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/monitor/monitor.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::unwrap;

MonitorQuestion question() {
  MonitorQuestion question;
  question.groups = {"a", "b", "c"};
  question.labels = {"bad", "good"};
  question.actions = {"no", "yes"};
  question.horizon = 2;
  question.limit = 0.1;
  return question;
}

// 2 steps, 3 * 2 ordered pairs: 12 claims of a rate; eqodds has two rates. ln(12/0.05) = ln 240.
TEST(Claims, EveryStepAndOrderedPairHasItsShareOfDelta) {
  MonitorQuestion asked = question();
  const std::vector<Claim> claims = unwrap(claims_of(asked, nullptr));
  ASSERT_EQ(claims.size(), 12U);
  for (const Claim& claim : claims) {
    EXPECT_NEAR(claim.alarm_at, std::log(240), 1e-12);
    EXPECT_EQ(claim.bound, 0.1);
    EXPECT_NE(claim.first, claim.second);
  }
  asked.notions = {Notion::eqopt, Notion::eqodds};
  EXPECT_EQ(unwrap(claims_of(asked, nullptr)).size(), 24U);
}

TEST(Claims, WhatCannotBeAskedIsAnErrorThatNamesIt) {
  MonitorQuestion asked = question();
  asked.limit = 1;
  EXPECT_EQ(claims_of(asked, nullptr).error().message, "limit is 1, expected at least 0 and less than 1");
  asked.limit.reset();
  EXPECT_EQ(claims_of(asked, nullptr).error().message, "there is nothing that days could refute");
  asked = question();
  asked.delta = 0;
  EXPECT_EQ(claims_of(asked, nullptr).error().message, "delta is 0, expected more than 0 and less than 1");
  asked = question();
  asked.horizon = 20'000;
  EXPECT_NE(claims_of(asked, nullptr).error().message.find("120000 claims"), std::string::npos);
}

/// Of a policy by which "b" is never accepted at step 1 with the first feature.
Certified certified() {
  const Model model = hand_model();
  Tensor<double, 3> accept({2, 2, 2}, 0.5);
  accept(1, 1, 0) = 0;
  const Policy policy = unwrap(Policy::make(accept, {"a", "b"}));
  SimulateOptions simulated;
  simulated.crowd = {100'000, true};
  const Counts counts = unwrap(simulate_counts(model, policy, simulated));
  const Certificate certificate = unwrap(certify(counts, policy, {}, {}));
  return unwrap(read_certified(to_text(
      certificate, counts, CertificateInputs{{"c.json", to_text(counts)}, {"p.json", to_text(policy)}, {}, {}})));
}

/// What so many people of each group show under a policy.
MonitorDay day_under(const Policy& policy, std::uint64_t seed, const MonitorQuestion& asked,
                     const std::vector<Claim>& claims, const Certified& watched) {
  SimulateOptions simulated;
  simulated.crowd = {500, true};
  simulated.seed = seed;
  return unwrap(day_of(unwrap(simulate_counts(hand_model(), policy, simulated)), 0, asked, claims, &watched));
}

MonitorQuestion of_hand_model() {
  MonitorQuestion asked;
  asked.groups = {"a", "b"};
  asked.labels = hand_model().names().labels;
  asked.actions = hand_model().names().actions;
  asked.horizon = 2;
  return asked;
}

TEST(Claims, OfACertificateAreItsGapsItsRatesAndItsPolicy) {
  const Certified watched = certified();
  const std::vector<Claim> claims = unwrap(claims_of(of_hand_model(), &watched));
  const auto number_of = [&](ClaimKind kind) {
    return std::count_if(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.kind == kind; });
  };
  EXPECT_EQ(number_of(ClaimKind::limit), 0);
  EXPECT_EQ(number_of(ClaimKind::certified_gap), 12);   // 3 rates, 2 steps, 2 ordered pairs
  EXPECT_EQ(number_of(ClaimKind::certified_rate), 24);  // 3 rates, 2 groups, 2 steps, 2 ends
  // 2 groups, 2 steps, 2 features, 2 ends, but that fewer than none of "b" be accepted nobody can show.
  EXPECT_EQ(number_of(ClaimKind::certified_policy), 15);
  // Beside a limit either has half of delta: 4 claims of the limit, 51 of the certificate.
  MonitorQuestion both = of_hand_model();
  both.limit = 0.1;
  const std::vector<Claim> more = unwrap(claims_of(both, &watched));
  ASSERT_EQ(more.size(), 55U);
  EXPECT_NEAR(more.front().alarm_at, std::log(4 / 0.025), 1e-12);
  EXPECT_NEAR(more.back().alarm_at, std::log(51 / 0.025), 1e-12);
}

TEST(Claims, ThePolicyInUseIsToldFromTheCertifiedOneAndIsNotWhereItIsTheSame) {
  const Certified watched = certified();
  const MonitorQuestion asked = of_hand_model();
  const std::vector<Claim> claims = unwrap(claims_of(asked, &watched));
  Ledger ledger(claims);
  for (std::uint64_t day = 1; day <= 20; ++day) {
    MonitorDay seen = day_under(watched.policy, day, asked, claims, watched);
    seen.number = day;
    EXPECT_TRUE(ledger.play(seen).empty()) << day;
  }
  Tensor<double, 3> accept = watched.policy.table();
  accept(1, 1, 0) = 0.1;
  MonitorDay seen = day_under(unwrap(Policy::make(accept, {"a", "b"})), 21, asked, claims, watched);
  seen.number = 21;
  const std::vector<std::size_t> refuted = ledger.play(seen);
  ASSERT_FALSE(refuted.empty());
  const auto of_policy = std::find_if(refuted.begin(), refuted.end(), [&](std::size_t claim) {
    return claims[claim].kind == ClaimKind::certified_policy;
  });
  ASSERT_NE(of_policy, refuted.end());
  EXPECT_EQ(in_words(claims[*of_policy], asked, &watched),
            "step 1: b with x=" + watched.counts.names().features[0] +
                " was accepted more often than with probability 0, as the certified policy has it");
  // Once it is refuted it is not refuted again.
  seen.number = 22;
  for (const std::size_t claim : ledger.play(seen)) EXPECT_NE(claim, *of_policy);
  EXPECT_EQ(ledger.standings()[*of_policy].alarm, 21U);
}

}  // namespace
}  // namespace fairstep
