#include <fairstep/simulate/alias.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/simulate/walk.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

/// What each outcome's probability is by the table: every slot weighs the same, its threshold splits it.
std::vector<long double> probabilities(const std::vector<AliasSlot>& slots, std::size_t outcomes) {
  std::vector<long double> result(outcomes);
  for (const AliasSlot& slot : slots) {
    const long double first = ldexpl(static_cast<long double>(slot.threshold), -64);
    result[slot.outcome[0]] += first / static_cast<long double>(slots.size());
    result[slot.outcome[1]] += (1 - first) / static_cast<long double>(slots.size());
  }
  return result;
}

TEST(Alias, MeetsItsProbabilitiesToTheRoundingOfADouble) {
  Rng rng(40);
  for (const std::size_t outcomes : {1U, 2U, 3U, 10U, 257U})
    for (const std::size_t spare : {0U, 1U, 5U}) {
      std::vector<double> weight(outcomes);
      for (double& w : weight) w = std::pow(rng.uniform(), 8);  // from very rare to common
      std::vector<std::uint32_t> outcome(outcomes);
      std::iota(outcome.begin(), outcome.end(), 0U);
      std::vector<AliasSlot> slots;
      append_alias(weight, outcome, outcomes + spare, slots);
      ASSERT_EQ(slots.size(), outcomes + spare);
      const std::vector<long double> found = probabilities(slots, outcomes);
      const long double sum = std::accumulate(weight.begin(), weight.end(), 0.0L);
      for (std::size_t i = 0; i < outcomes; ++i) {
        const long double right = weight[i] / sum;
        // The largest weight takes what rounding left over of all the others.
        EXPECT_NEAR(static_cast<double>(found[i]), static_cast<double>(right), 0x1p-50) << outcomes << " " << i;
        if (right < 0.5L / outcomes) {
          EXPECT_NEAR(static_cast<double>(found[i] / right), 1, 0x1p-50 + static_cast<double>(0x1p-63L / right));
        }
      }
    }
}

TEST(Alias, NeverNamesAnOutcomeOfWeightZero) {
  std::vector<AliasSlot> slots;
  append_alias(std::vector<double>{0, 0.5, 0, 0.5}, std::vector<std::uint32_t>{7, 8, 9, 10}, 4, slots);
  for (const AliasSlot& slot : slots)
    for (const std::uint32_t outcome : slot.outcome) EXPECT_TRUE(outcome == 8 || outcome == 10);
}

TEST(Alias, CutsADrawIntoASlotAndAFraction) {
  // 3/4 of 2^64 times 3 slots is 9/4: slot 2, fraction 1/4.
  const SlotAndFraction at = cut(std::uint64_t{3} << 62, 3);
  EXPECT_EQ(at.slot, 2U);
  EXPECT_EQ(at.fraction, std::uint64_t{1} << 62);
  EXPECT_EQ(cut(~std::uint64_t{0}, 3).slot, 2U);
  EXPECT_EQ(part_of(std::uint64_t{1} << 63, std::uint64_t{1} << 62), std::uint64_t{1} << 61);
}

// No chance in this one: an even grid of 2^20 words meets each joint probability P(a) p(s1 | s,a) to within a grid step
// for each time that the outcome's share of the words begins or ends.
TEST(Move, CutsTheWordsInTheRatioOfDecisionTimesSuccessor) {
  const Model model = random_model(41, 2, 3, 4);
  const Policy policy = random_policy(42, model);
  const WalkTables tables = unwrap(WalkTables::make(model, policy, {.crowd = {100, false}}));
  const Shape& n = model.shape();
  constexpr int kBits = 20;
  for (const std::size_t h : {0U, 2U})
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t s = 0; s < n.states(); ++s) {
        const StepTables step = tables.at(h);
        std::vector<double> seen(kActions * n.states());
        for (std::uint64_t i = 0; i < std::uint64_t{1} << kBits; ++i) {
          const Move move = step.move(g * n.states() + s, i << (64 - kBits));
          const std::size_t s1 = step.slots[move.slot].outcome[move.side] - g * n.states();
          seen[move.action * n.states() + s1] += 1;
        }
        const double accept = policy.accept(g, h, s / kLabels);
        for (std::size_t a = 0; a < kActions; ++a)
          for (std::size_t s1 = 0; s1 < n.states(); ++s1) {
            const double right = (a == 1 ? accept : 1 - accept) * model.kernel(g, 0).row(s * kActions + a)[s1];
            const double grid_step = std::ldexp(1.0, -kBits);
            EXPECT_NEAR(seen[a * n.states() + s1] * grid_step, right, 2 * static_cast<double>(n.states()) * grid_step);
          }
      }
}

}  // namespace
}  // namespace fairstep
