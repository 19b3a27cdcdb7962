// Proofs of what `solve` answers hold, no policy that keeps the limits is worth more, and what is forged is refused.
#include <fairstep/prove/check.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/optimise/proof_file.hpp>
#include <fairstep/optimise/solve.hpp>

#include "support/models.hpp"
#include "tables.hpp"

namespace fairstep::prove {
namespace {

struct Solved {
  SolveResult result;
  Proof proof;
};

Solved solve_and_prove(const Model& model, const Fairness& fairness, SolveOptions options = {}) {
  Trace trace;
  options.trace = &trace;
  SolveResult result = testing::unwrap(solve(model, fairness, options));
  Proof proof = testing::unwrap(proof_of(trace, result, model, fairness, options, sha256(to_text(model))));
  return {std::move(result), std::move(proof)};
}

/// The greatest value of all pairs of deterministic tables whose gaps keep the limit.
double best_of_all(const Model& model, Notion notion, double limit) {
  const auto tables = testing::all_tables(model.shape());
  double best = -1e9;
  Tensor<double, 3> accept({2, model.shape().horizon, model.shape().features});
  for (const auto& first : tables)
    for (const auto& second : tables) {
      std::copy(first.begin(), first.end(), accept.block(0).begin());
      std::copy(second.begin(), second.end(), accept.block(1).begin());
      const Evaluation found = testing::unwrap(evaluate(model, testing::unwrap(Policy::make(accept))));
      const auto& gaps = of_notion(found.gap, notion);
      if (std::all_of(gaps.begin(), gaps.end(), [&](const StepGap& one) { return !(one.gap > limit); }))
        best = std::max(best, found.value);
    }
  return best;
}

class Proofs : public ::testing::TestWithParam<std::tuple<Notion, std::uint64_t>> {};

TEST_P(Proofs, HoldAndNoTableIsWorthMore) {
  const auto [notion, seed] = GetParam();
  const Model model = testing::random_model(seed, 2, 2, 2);
  constexpr double kLimit = 0.2;
  const Solved solved = solve_and_prove(model, {.parity = {{notion, {kLimit}, {}}}});
  const std::string text = to_text(solved.proof);
  const Proven proven = testing::unwrap(check_proof(text, model, to_text(model)));
  ASSERT_TRUE(proven.bound.has_value());
  EXPECT_GE(*proven.bound, solved.result.bounds.lower);
  EXPECT_LE(*proven.bound, solved.result.bounds.lower + 2.1e-3 * std::abs(solved.result.bounds.lower));
  EXPECT_GE(*proven.bound, best_of_all(model, notion, kLimit));
  const std::string again = to_text(testing::unwrap(proof_from(text)));  // with prices in the order of their names
  EXPECT_EQ(to_text(testing::unwrap(proof_from(again))), again);
}

INSTANTIATE_TEST_SUITE_P(RandomModels, Proofs,
                         ::testing::Combine(::testing::Values(Notion::dp, Notion::eqopt, Notion::eqodds),
                                            ::testing::Range<std::uint64_t>(1, 9)));

class ForgedProof : public ::testing::Test {
 protected:
  Model model = testing::random_model(3, 2, 2, 2);
  Proof proof = solve_and_prove(model, {.parity = {{Notion::eqopt, {0.1}, {}}}}).proof;

  [[nodiscard]] bool holds(Proof changed) const {
    changed.statement = statement_of(changed, model);
    return check_proof(changed, model, sha256(to_text(model))).has_value();
  }
};

TEST_F(ForgedProof, TheTrueOneHolds) { EXPECT_TRUE(holds(proof)); }

TEST_F(ForgedProof, ABoundBelowThePolicysValueIsRefused) {
  proof.bound = *proof.value - 1e-6;
  EXPECT_FALSE(holds(proof));
  proof.value.reset();  // nor without the policy
  proof.policy.reset();
  EXPECT_FALSE(holds(proof));
}

TEST_F(ForgedProof, AValueAboveThePolicysIsRefused) {
  proof.value = proof.bound;
  EXPECT_FALSE(holds(proof));
}

TEST_F(ForgedProof, ATighterLimitIsRefused) {
  std::fill(proof.asked.parity[0].limit.begin(), proof.asked.parity[0].limit.end(), 0.01);
  EXPECT_FALSE(holds(proof));  // the policy misses it
}

TEST_F(ForgedProof, PartsThatAreMissingUnusedOrOnesOwnAncestorsAreRefused) {
  Proof forged = proof;
  forged.parts.emplace_back();
  EXPECT_FALSE(holds(forged));
  forged.parts = {proof.parts[0]};
  forged.parts[0].claims.clear();
  EXPECT_FALSE(holds(forged));
  forged.parts[0].split = Part::Split{.limit = {}, .at = 0.5, .at_most = 0, .at_least = 1};
  EXPECT_FALSE(holds(forged));
}

TEST_F(ForgedProof, AnotherModelIsRefused) {
  const Model other = testing::random_model(4, 2, 2, 2);
  EXPECT_FALSE(check_proof(to_text(proof), other, to_text(other)).has_value());
  proof.model_sha256 = sha256(to_text(other));  // nor does it follow there
  proof.statement = statement_of(proof, other);
  EXPECT_FALSE(check_proof(proof, other, sha256(to_text(other))).has_value());
}

TEST_F(ForgedProof, NothingIsProvenInfeasibleThatIsNot) {
  proof.bound.reset();
  proof.value.reset();
  proof.policy.reset();
  EXPECT_FALSE(holds(proof));
  for (Part& part : proof.parts)
    for (Claim& claim : part.claims)
      if (claim.about == Claim::About::value) claim.about = Claim::About::nothing;
  EXPECT_FALSE(holds(proof));
}

TEST(ProofFiles, ThatNobodyKeepsTheLimitsIsProven) {
  // Everybody is accepted with a probability of 0.3 or more, and no more than 0.2 of all may be.
  const Model model = testing::random_model(1, 2, 2, 2);
  SolveOptions options;
  options.policies.floor = 0.3;
  const Solved solved =
      solve_and_prove(model, {.parity = {{Notion::dp, {0.1}, {}}}, .capacity = Capacity{{0.2}}}, options);
  EXPECT_EQ(solved.result.outcome, Outcome::infeasible);
  const Proven proven = testing::unwrap(check_proof(to_text(solved.proof), model, to_text(model)));
  EXPECT_FALSE(proven.bound.has_value());
  EXPECT_NE(proven.statement.find("accepts no more than 0.2 of all people at every step"), std::string::npos);
  Proof forged = solved.proof;  // 0.4 would do
  forged.asked.capacity.assign(2, 0.4);
  forged.statement = statement_of(forged, model);
  EXPECT_FALSE(check_proof(forged, model, sha256(to_text(model))).has_value());
}

TEST(ProofFiles, QuestionsThatAreNotCoveredAreRefusedAtOnce) {
  const Fairness dp{.parity = {{Notion::dp, {0.1}, {}}}};
  EXPECT_TRUE(check_can_be_written(dp, {}).has_value());
  SolveOptions options;
  options.policies.monotone = true;
  EXPECT_FALSE(check_can_be_written(dp, options).has_value());
  options = {};
  options.policies.deterministic = true;
  EXPECT_FALSE(check_can_be_written(dp, options).has_value());
  options = {.method = Method::penalty};
  EXPECT_FALSE(check_can_be_written(dp, options).has_value());
  options = {};
  options.proof.wanted = false;
  EXPECT_FALSE(check_can_be_written(dp, options).has_value());
  Fairness more = dp;
  more.aggregate_dp = 0.1;
  EXPECT_FALSE(check_can_be_written(more, {}).has_value());
  EXPECT_FALSE(check_can_be_written({.ratios = {{RatioNotion::dp, {0.8}, {}}}}, {}).has_value());
}

}  // namespace
}  // namespace fairstep::prove
