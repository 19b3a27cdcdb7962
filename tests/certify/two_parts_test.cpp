// Bounds of people in two parts: what must be so for all of them, and what is refused.
#include <fairstep/certify/two_parts.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "split_log.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::two_parts_test {
namespace {

using testing::call_parts;
using testing::changed;
using testing::made;
using testing::Parts;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

/// A quarter of the people are in the design part.
Parts parts_of(const Model& model, std::uint64_t people) {
  const Policy met = random_policy(9, model);
  Parts parts{unwrap(simulate_counts(model, met, {{people / 4, true}, 1, 1, 1})),
              unwrap(simulate_counts(model, met, {{people - people / 4, true}, 1, 2, 1}))};
  call_parts(parts, 0.25);
  return parts;
}

Certificate certified(const Parts& parts, const Policy& policy, const CertifyOptions& options = {}) {
  return unwrap(certify(parts.audit, policy, options, {}, &parts.design));
}

Policy mirrored(const Policy& policy) {
  Tensor<double, 3> accept = policy.table();
  for (double& p : accept.flat()) p = 1 - p;
  return unwrap(Policy::make(std::move(accept)));
}

Counts mirrored(const Counts& counts) {
  CountsSpec other = counts.spec();
  const Shape n = counts.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          for (std::size_t h = 0; h < n.horizon; ++h) other.visits(g, h, x, y, a) = counts.visits()(g, h, x, y, 1 - a);
          other.reward_sum(g, x, y, a) = counts.reward_sum()(g, x, y, 1 - a);
          other.reward_squares(g, x, y, a) = counts.reward_squares()(g, x, y, 1 - a);
          const auto from = counts.transitions().block(g, x, y, 1 - a);
          std::copy(from.begin(), from.end(), other.transitions.block(g, x, y, a).begin());
        }
  return made(std::move(other));
}

// Whoever was accepted is refused and the other way round: gaps stay what they are.
TEST(TwoParts, RefusingInPlaceOfAcceptingLeavesGapsAsTheyAre) {
  const Model model = random_model(3, 2, 2, 3);
  const Policy policy = random_policy(3, model);
  const Parts parts = parts_of(model, 40000);
  Parts other{mirrored(parts.design), mirrored(parts.audit)};
  call_parts(other, 0.25);
  const Certificate one = certified(parts, policy);
  const Certificate mirror = certified(other, mirrored(policy));
  for (const Notion notion : one.asked.notions)
    for (std::size_t h = 0; h < 3; ++h)
      EXPECT_NEAR(of_notion(one.gap, notion)[h], of_notion(mirror.gap, notion)[h], 1e-9);
}

// Groups change places: the direction of a pair is the other one.
TEST(TwoParts, GroupsThatChangePlacesLeaveGapsAsTheyAre) {
  const Model model = random_model(4, 2, 2, 3);
  const Policy policy = random_policy(4, model);
  const Parts parts = parts_of(model, 40000);
  const auto swap_blocks = [](auto& tensor) {
    const auto one = tensor.block(0);
    std::swap_ranges(one.begin(), one.end(), tensor.block(1).begin());
  };
  Parts other = parts;
  for (Counts* part : {&other.design, &other.audit})
    *part = changed(*part, [&](CountsSpec& spec) {
      swap_blocks(spec.first);
      swap_blocks(spec.visits);
      swap_blocks(spec.transitions);
      swap_blocks(spec.reward_sum);
      swap_blocks(spec.reward_squares);
    });
  call_parts(other, 0.25);
  Tensor<double, 3> accept = policy.table();
  swap_blocks(accept);
  const Certificate one = certified(parts, policy);
  const Certificate swapped = certified(other, unwrap(Policy::make(std::move(accept))));
  for (const Notion notion : one.asked.notions)
    for (std::size_t h = 0; h < 3; ++h)
      EXPECT_NEAR(of_notion(one.gap, notion)[h], of_notion(swapped.gap, notion)[h], 1e-9);
}

// A fifth of delta goes to the worst case, so that no bound is wider than the one which that fifth gives alone.
TEST(TwoParts, NoBoundIsWiderThanTheWorstCaseForItsShareOfDelta) {
  for (const std::uint64_t people : {8u, 400u, 40000u}) {
    const Model model = random_model(5, 3, 2, 3);
    const Policy policy = random_policy(5, model);
    const Parts parts = parts_of(model, people);
    CertifyOptions options;
    const ModelSpec& spec = model.spec();
    options.value = KnownRewards{spec.reward, spec.share, spec.discount};
    const Certificate found = certified(parts, policy, options);
    options.delta /= 5;
    const Certificate alone = unwrap(certify(parts.audit, policy, options));
    ASSERT_EQ(found.pairs.size(), 3u);
    bool narrower = false;
    for (const Notion notion : options.notions)
      for (std::size_t h = 0; h < 3; ++h) {
        double widest = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const double gap = of_notion(found.pairs[i].gap, notion)[h];
          EXPECT_LE(gap, of_notion(alone.pairs[i].gap, notion)[h] + 1e-11);
          widest = std::max(widest, gap);
        }
        EXPECT_EQ(of_notion(found.gap, notion)[h], widest);
        const bool by_split = of_notion(*found.bound_by, notion)[h] == BoundBy::split;
        EXPECT_EQ(by_split, widest < of_notion(alone.gap, notion)[h]);
        narrower = narrower || by_split;
      }
    EXPECT_GE(*found.value, *alone.value - 1e-11);
    if (people == 40000u) {
      EXPECT_TRUE(narrower);
    }
  }
}

// All are accepted with the same chance: no rates can differ, and what is certified is nothing at all.
TEST(TwoParts, APolicyThatIsEqualForAllHasNoGap) {
  const Model model = random_model(6, 3, 2, 3);
  const Policy equal = unwrap(Policy::make_group_independent(Tensor<double, 2>({3, 2}, 0.3)));
  for (const std::uint64_t people : {8u, 40000u}) {
    const Certificate found = certified(parts_of(model, people), equal);
    for (const Notion notion : found.asked.notions)
      for (std::size_t h = 0; h < 3; ++h) EXPECT_LE(of_notion(found.gap, notion)[h], 1e-10);
  }
}

TEST(TwoParts, DeltaIsSharedByTheWorstCaseQuestionsAndPaths) {
  CertifyOptions options;
  options.delta = 0.5;
  options.value = CountedRewards{};
  const DeltaSplit split = split_delta(options, {3, 2, 2}, true);  // 4 states
  EXPECT_DOUBLE_EQ(split.rows + split.rewards, 0.1);
  EXPECT_DOUBLE_EQ(split.directions, 0.4);
  // Two directions of 2 steps, 3 pairs and 3 rates, and the value.
  EXPECT_DOUBLE_EQ(split.question * (2 * 2 * 3 * 3 + 1), 0.32);
  // Two ends of 2 steps and 3 groups: 4 states and P(y=1).
  EXPECT_DOUBLE_EQ(split.path * (2 * 2 * 3 * 5), 0.08);
  options.notions = {Notion::dp};
  options.value = std::monostate{};
  EXPECT_DOUBLE_EQ(split_delta(options, {3, 2, 2}, true).question * (2 * 2 * 3), 0.32);
  // Where people are at the last step only a reward that is counted asks.
  EXPECT_DOUBLE_EQ(split_delta(options, {3, 2, 2}, true).path * (2 * 1 * 3 * 4), 0.08);
  EXPECT_EQ(split_delta(options, {3, 1, 2}, true).path, 0);
  EXPECT_DOUBLE_EQ(split_delta(options, {3, 1, 2}, true).question * (2 * 1 * 3), 0.4);
}

/// What `check_parts` says, and where.
std::string said_of(const Counts& design, const Counts& audit) {
  const auto ok = check_parts(design, audit);
  return ok ? "fine" : ok.error().pointer + ": " + ok.error().message;
}

TEST(TwoParts, OnlyTheTwoPartsOfOneSplitAreAccepted) {
  const Model model = random_model(7, 2, 2, 2);
  const Parts parts = parts_of(model, 100);
  EXPECT_EQ(said_of(parts.design, parts.audit), "fine");
  const auto expect_error = [&](const Counts& design, const Counts& audit, const std::string& words) {
    const std::string said = said_of(design, audit);
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_FALSE(certify(audit, random_policy(1, model), {}, {}, &design));
  };
  expect_error(parts.audit, parts.audit,
               "these counts are the audit part of a split, expected the design part of a split");
  expect_error(parts.design, parts.design,
               "these counts are the design part of a split, expected the audit part of a split");
  const auto with = [](const Counts& counts, const auto& change) {
    return changed(counts, [&](CountsSpec& spec) { change(spec.part); });
  };
  const auto of_no_split = [](std::optional<Part>& part) { part.reset(); };
  expect_error(with(parts.design, of_no_split), parts.audit,
               "these counts are those of all people of a log, expected the design part of a split");
  expect_error(parts.design, with(parts.audit, of_no_split),
               "these counts are those of all people of a log, expected the audit part of a split");
  expect_error(
      with(parts.design, [](auto& part) { part->split.seed = 2; }), parts.audit,
      "/part/seed: part.seed is 1, expected 2 as in the design part: these are not the two parts of one split");
  expect_error(with(parts.design, [](auto& part) { part->split.share = 0.5; }), parts.audit,
               "/part/share: part.share is 0.25, expected 0.5 as in the design part");
  expect_error(with(parts.design, [](auto& part) { part->logs = {std::string(64, 'b')}; }), parts.audit,
               "/part/logs: part.logs is ");
  expect_error(changed(parts.design, [](CountsSpec& spec) { spec.reward_sum(0, 0, 0, 0) += 0.125; }), parts.audit,
               "/part/logs/0: part.logs[0] is ");
}

TEST(TwoParts, PartsOfOtherGroupsFeaturesOrStepsAreRefused) {
  // Sums of the same two logs, by what they say of themselves.
  const auto summed = [](const Counts& counts) {
    return changed(counts, [](CountsSpec& spec) { spec.part->logs = {std::string(64, 'a'), std::string(64, 'b')}; });
  };
  const Parts parts = parts_of(random_model(7, 2, 2, 2), 100);
  for (const auto& [shape, pointer] : std::vector<std::pair<Shape, std::string>>{
           {{3, 2, 2}, "/groups"}, {{2, 2, 3}, "/features"}, {{2, 3, 2}, "/features"}}) {
    const Parts others = parts_of(random_model(7, shape.groups, shape.features, shape.horizon), 100);
    const std::string said = said_of(summed(others.design), summed(parts.audit));
    EXPECT_NE(said.find(pointer + ": "), std::string::npos) << said;
    EXPECT_NE(said.find("are not those of the audit part"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace fairstep::two_parts_test
