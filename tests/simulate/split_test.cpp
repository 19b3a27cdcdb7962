// People who are drawn and split: one by one by their numbers, or whole crowds as if by coins.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/core/split.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "chi_square.hpp"
#include "exact_pmf.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

constexpr Split kSplit{0.3, 5};

Model random_crowd() {
  RandomOptions options;
  options.groups = 3;
  options.features = 3;
  options.horizon = 6;
  options.reward_noise = 0.5;
  options.participation = true;
  return unwrap(make_random(options));
}

TEST(SimulateSplitPeople, ArePeopleWhoAreSplitByTheirNumbers) {
  const Model model = random_crowd();
  const Policy policy = testing::random_policy(1, model);
  SimulateOptions options{.crowd = {3000, false}, .seed = 4, .threads = 2};
  options.history = true;
  const SplitCounts parts = unwrap(simulate_split_people(model, policy, options, kSplit));

  // By hand, out of the rows: first states and decisions of the design part.
  const Splitter splitter(kSplit);
  Counts design = Counts::zeros(model.shape().horizon, model.names());
  std::uint64_t last = ~std::uint64_t{0};
  ASSERT_TRUE(simulate_log(model, policy, options, [&](std::span<const Decision> rows) {
    for (const Decision& row : rows) {
      if (splitter.role_of(std::string_view(std::to_string(row.person))) == PartRole::audit) continue;
      if (row.person != last) ++design.first(row.group, row.x, row.y);
      ++design.visits(row.group, row.step, row.x, row.y, row.a);
      last = row.person;
    }
    return true;
  }));
  EXPECT_EQ(parts.design.first, design.first);
  EXPECT_EQ(parts.design.visits, design.visits);
  EXPECT_TRUE(check(parts.design));
  EXPECT_TRUE(check(parts.audit));
  EXPECT_TRUE(check_counterparts(parts.design, parts.audit));

  // Together they are the people of simulate_people.
  const Counts all = unwrap(simulate_people(model, policy, options));
  Counts sum = parts.design, audit = parts.audit;
  sum.part.reset();
  audit.part.reset();
  ASSERT_TRUE(sum.add(audit));
  EXPECT_EQ(sum.visits, all.visits);
  EXPECT_EQ(sum.transitions, all.transitions);
  EXPECT_EQ(sum.history, all.history);

  options.threads = 1;
  const SplitCounts alone = unwrap(simulate_split_people(model, policy, options, kSplit));
  EXPECT_EQ(alone.design, parts.design);
  EXPECT_EQ(alone.audit, parts.audit);
}

// Were everybody drawn and then split by coins of 0.3, the accepted of the design part would be binomial with 0.3 * 0.5,
// those of the audit part with 0.7 * 0.5, and both together with 0.5: independent numbers would spread wider.
// 10,000 crowds, four scores; each fails by chance once in two million seeds.
TEST(SimulateSplitCounts, HasTheDistributionOfPeopleWhoTossCoins) {
  const Model model = testing::hand_model();
  const Policy policy = unwrap(uniform_policy(model));
  constexpr std::int64_t n = 40;
  std::vector<std::int64_t> of_design(n + 1), of_audit(n + 1), of_both(n + 1), people(n + 1);
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const SplitCounts parts =
        unwrap(simulate_split_counts(model, policy, {.crowd = {n, true}, .seed = seed}, {0.3, seed}));
    const auto accepted = [&](const Counts& counts) {
      std::size_t number = 0;
      for (std::size_t s = 0; s < model.shape().states(); ++s)
        number += static_cast<std::size_t>(counts.visits.block(0, 0)[kActions * s + 1]);
      return number;
    };
    ++of_design[accepted(parts.design)];
    ++of_audit[accepted(parts.audit)];
    ++of_both[accepted(parts.design) + accepted(parts.audit)];
    ++people[static_cast<std::size_t>(parts.design.people(0))];
    ASSERT_EQ(parts.design.people(0) + parts.audit.people(0), n);
  }
  EXPECT_LT(testing::chi_square_score(people, testing::exact_pmf(n, 0.3)), testing::kAlarm);
  EXPECT_LT(testing::chi_square_score(of_design, testing::exact_pmf(n, 0.15)), testing::kAlarm);
  EXPECT_LT(testing::chi_square_score(of_audit, testing::exact_pmf(n, 0.35)), testing::kAlarm);
  EXPECT_LT(testing::chi_square_score(of_both, testing::exact_pmf(n, 0.5)), testing::kAlarm);
}

TEST(SimulateSplitCounts, TheCrowdIsThatWithoutASplit) {
  const Model model = random_crowd();
  const Policy policy = testing::random_policy(1, model);
  const SimulateOptions options{.crowd = {1'000'000'000'000, false}, .seed = 8};
  const SplitCounts parts = unwrap(simulate_split_counts(model, policy, options, kSplit));
  const Counts all = unwrap(simulate_counts(model, policy, options));
  for (std::size_t g = 0; g < 3; ++g)
    EXPECT_EQ(parts.design.people(g) + parts.audit.people(g), all.people(g)) << g;
  EXPECT_TRUE(check_counterparts(parts.design, parts.audit));
  EXPECT_EQ(parts.audit.part->split, kSplit);
  // Parts live on their own: the shares of their accepted are near, and not the same.
  EXPECT_NE(parts.design.transitions, parts.audit.transitions);
}

TEST(SimulateSplit, RefusesWhatCannotBeSplit) {
  const Model model = testing::hand_model();
  const Policy policy = unwrap(uniform_policy(model));
  for (const auto& simulate : {simulate_split_counts, simulate_split_people}) {
    EXPECT_EQ(simulate(model, policy, {.crowd = {100, false}}, {1, 0}).error().option, "split");
    EXPECT_EQ(simulate(model, policy, {.crowd = {3, false}}, {1e-9, 0}).error().message,
              "nobody is in the design part of the split");
  }
}

}  // namespace
}  // namespace fairstep
