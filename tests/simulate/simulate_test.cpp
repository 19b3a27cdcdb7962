#include <fairstep/simulate/simulate.hpp>

#include <map>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/environments/environments.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::made;
using testing::nobody;
using testing::random_policy;
using testing::unwrap;

Model rich_model() {
  RandomOptions options;
  options.groups = 3;
  options.features = 3;
  options.horizon = 6;
  options.reward_noise = 0.5;
  options.participation = true;
  return unwrap(make_random(options));
}

std::vector<Decision> log_of(const Model& model, const Policy& policy, const SimulateOptions& options) {
  std::vector<Decision> rows;
  const auto done = simulate_log(model, policy, options, [&](std::span<const Decision> block) {
    rows.insert(rows.end(), block.begin(), block.end());
    return true;
  });
  if (!done) throw std::runtime_error(done.error().message);
  return rows;
}

/// Counts out of rows by another road: maps of what was seen. Rewards are counted by value and multiplied at the end,
/// which is how simulate_people gets its sums; adding them row by row would round at every row.
Counts recount(const Model& model, const std::vector<Decision>& rows) {
  CountsSpec counts = CountsSpec::zeros(model.shape().horizon, model.names());
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>, std::map<double, std::int64_t>> rewards;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Decision& row = rows[i];
    if (i == 0 || rows[i - 1].person != row.person) ++counts.first(row.group, row.x, row.y);
    ++counts.visits(row.group, row.step, row.x, row.y, row.a);
    ++rewards[{row.group, row.x, row.y, row.a}][row.reward];
    if (i + 1 < rows.size() && rows[i + 1].person == row.person)
      ++counts.transitions(row.group, row.x, row.y, row.a, rows[i + 1].x, rows[i + 1].y);
  }
  for (const auto& [cell, by_value] : rewards) {
    const auto [g, x, y, a] = cell;
    EXPECT_LE(by_value.size(), 2U);
    // The higher reward's term first, as in the sums' definition; with one value there is one term.
    for (const auto& [reward, times] : by_value | std::views::reverse) {
      counts.reward_sum(g, x, y, a) += static_cast<double>(times) * reward;
      counts.reward_squares(g, x, y, a) += static_cast<double>(times) * (reward * reward);
    }
  }
  return made(std::move(counts));
}

TEST(SimulateLog, TellsOfTheVeryPeopleThatSimulatePeopleCounts) {
  const Model model = rich_model();
  const Policy policy = random_policy(60, model);
  for (const bool per_group : {false, true}) {
    SimulateOptions options;
    options.crowd = {5'003, per_group};  // several blocks, the last not full, borders of groups inside blocks
    options.seed = 61;
    options.stream = 9;
    EXPECT_EQ(recount(model, log_of(model, policy, options)), unwrap(simulate_people(model, policy, options)));
  }
}

TEST(SimulateLog, ListsPersonsInOrderAndTheirStepsWithoutGaps) {
  const Model model = rich_model();
  SimulateOptions options;
  options.crowd = {2'000, true};
  const std::vector<Decision> rows = log_of(model, random_policy(62, model), options);
  std::uint64_t people = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool same_person = i > 0 && rows[i - 1].person == rows[i].person;
    if (same_person) {
      EXPECT_EQ(rows[i].step, rows[i - 1].step + 1);
      EXPECT_EQ(rows[i].group, rows[i - 1].group);
    } else {
      EXPECT_EQ(rows[i].person, people);  // everybody takes part for one step at least
      ++people;
    }
    EXPECT_EQ(rows[i].group, rows[i].person / 2'000);
    ASSERT_LT(rows[i].step, 6U);
  }
  EXPECT_EQ(people, 6'000U);
}

// Whether two rewards of one person lie on the same side of their means is a fair coin: 20,000 people, so 10,000 times,
// with a standard deviation of 71. Steps 0 and 64 take their bits from different words. P(|Z| > 5) = 5.7e-7 per pair.
TEST(SimulateLog, DrawsTheNoiseOfEveryStepAnew) {
  RandomOptions random;
  random.features = 1;
  random.horizon = 70;
  random.reward_noise = 0.5;
  const Model model = unwrap(make_random(random));
  SimulateOptions options;
  options.crowd.people = 20'000;
  std::vector<std::vector<bool>> high(20'000);  // [person][step]
  for (const Decision& row : log_of(model, random_policy(71, model), options))
    high[row.person].push_back(row.reward > model.spec().reward(row.group, row.x, row.y, row.a));
  for (const auto& [one, other] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 3U}, {0U, 32U}, {0U, 63U}, {0U, 64U}, {5U, 69U}}) {
    int same = 0;
    for (const auto& steps : high) same += steps.at(one) == steps.at(other) ? 1 : 0;
    EXPECT_NEAR(same, 10'000, 5 * 71) << one << " and " << other;
  }
}

TEST(SimulateLog, StopsWhenTheSinkHasHadEnough) {
  const Model model = hand_model();
  int calls = 0;
  SimulateOptions options;
  options.crowd.people = 100'000;
  EXPECT_TRUE(simulate_log(model, random_policy(63, model), options, [&](std::span<const Decision> rows) {
    EXPECT_FALSE(rows.empty());
    return ++calls < 3;
  }));
  EXPECT_EQ(calls, 3);
}

TEST(SimulateLog, KeepsAPersonTheSameWhateverTheCrowd) {
  const Model model = rich_model();
  const Policy policy = random_policy(64, model);
  SimulateOptions options;
  options.crowd.people = 100;
  const std::vector<Decision> few = log_of(model, policy, options);
  options.crowd.people = 1'500;
  const std::vector<Decision> many = log_of(model, policy, options);
  ASSERT_LT(few.size(), many.size());
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].person, many[i].person);
    EXPECT_EQ(few[i].x, many[i].x);
    EXPECT_EQ(few[i].a, many[i].a);
    EXPECT_EQ(few[i].reward, many[i].reward);
  }
}

TEST(SimulatePeople, AnswersTheSameForAnyNumberOfThreads) {
  const Model model = rich_model();
  const Policy policy = random_policy(65, model);
  for (const std::uint64_t people : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{513}, std::uint64_t{20'011}}) {
    SimulateOptions options;
    options.crowd.people = people;
    const Counts one = unwrap(simulate_people(model, policy, options));
    for (const unsigned threads : {0U, 2U, 3U, 16U}) {
      options.threads = threads;
      EXPECT_EQ(unwrap(simulate_people(model, policy, options)), one) << threads << " threads, " << people;
    }
  }
}

// The algorithms are fixed: a change of these numbers is a change of every simulation ever recorded.
TEST(Simulate, DrawsWhatItAlwaysDrew) {
  const Model model = hand_model();
  Tensor<double, 2> half({2, 2}, 0.5);
  const Policy policy = unwrap(Policy::make_group_independent(half));
  SimulateOptions options;
  options.crowd.people = 1'000'000;
  const Counts crowd = unwrap(simulate_counts(model, policy, options));
  EXPECT_EQ(crowd.people(0), 749'298);
  EXPECT_EQ(crowd.visits()(0, 1, 1, 1, 1), 163'640);
  const Counts walked = unwrap(simulate_people(model, policy, options));
  EXPECT_EQ(walked.people(0), 749'865);
  EXPECT_EQ(walked.visits()(0, 1, 1, 1, 1), 164'442);
}

TEST(Simulate, OfNobodyIsAllZero) {
  const Model model = rich_model();
  const Policy policy = random_policy(66, model);
  const Counts zeros = nobody(model.shape().horizon, model.names());
  for (const bool per_group : {false, true}) {
    SimulateOptions options;
    options.crowd.per_group = per_group;
    EXPECT_EQ(unwrap(simulate_counts(model, policy, options)), zeros);
    EXPECT_EQ(unwrap(simulate_people(model, policy, options)), zeros);
    EXPECT_TRUE(log_of(model, policy, options).empty());
  }
}

TEST(Simulate, NeverGoesAgainstACertainPolicy) {
  const Model model = rich_model();
  const Shape& n = model.shape();
  for (const double accept : {0.0, 1.0}) {
    const Policy policy = unwrap(Policy::make_group_independent(Tensor<double, 2>({n.horizon, n.features}, accept)));
    SimulateOptions options;
    options.crowd.people = 100'000;
    for (const Counts& counts :
         {unwrap(simulate_counts(model, policy, options)), unwrap(simulate_people(model, policy, options))}) {
      for (std::size_t g = 0; g < n.groups; ++g)
        for (std::size_t x = 0; x < n.features; ++x)
          for (std::size_t y = 0; y < kLabels; ++y) {
            EXPECT_EQ(counts.visits_of(g, x, y, accept == 1 ? 0 : 1), 0);
            EXPECT_GT(counts.visits_of(g, x, y, accept == 1 ? 1 : 0), 0);
          }
    }
  }
}

TEST(Simulate, NeverTakesAnImpossibleStep) {
  const Model model = hand_model();
  const Policy policy = random_policy(67, model);
  SimulateOptions options;
  options.crowd.people = 100'000;
  for (const Counts& counts :
       {unwrap(simulate_counts(model, policy, options)), unwrap(simulate_people(model, policy, options))}) {
    for (std::size_t i = 0; i < counts.first().size(); ++i)
      EXPECT_EQ(counts.first().flat()[i] > 0, model.spec().initial.flat()[i] > 0) << i;
    for (std::size_t i = 0; i < counts.transitions().size(); ++i)
      EXPECT_TRUE(counts.transitions().flat()[i] == 0 || model.spec().transition.flat()[i] > 0) << i;
  }
}

TEST(Simulate, SeesNoSuccessorOfThoseWhoAllLeaveAtOnce) {
  ModelSpec spec = hand_model().spec();
  spec.participation = Participation{Tensor<double, 4>({2, 2, kLabels, kActions}, 1.0), Tensor<double, 2>({2, 2})};
  spec.participation->first_step(0, 0) = 1;  // group a at the first step, group b at the second
  spec.participation->first_step(1, 1) = 1;
  const Model model = unwrap(Model::make(spec));
  SimulateOptions options;
  options.crowd = {10'000, true};
  const Policy policy = random_policy(68, model);
  for (const Counts& counts :
       {unwrap(simulate_counts(model, policy, options)), unwrap(simulate_people(model, policy, options))}) {
    for (const std::int64_t n : counts.transitions().flat()) EXPECT_EQ(n, 0);
    const auto decisions = [&](std::size_t g, std::size_t h) {
      std::int64_t total = 0;
      for (const std::int64_t n : counts.visits().block(g, h)) total += n;
      return total;
    };
    EXPECT_EQ(decisions(0, 0), 10'000);
    EXPECT_EQ(decisions(0, 1), 0);
    EXPECT_EQ(decisions(1, 0), 0);
    EXPECT_EQ(decisions(1, 1), 10'000);
  }
}

TEST(Simulate, TakesTheLargestCrowdAndRefusesOneMore) {
  const Model model = hand_model();  // horizon 2
  const Policy policy = random_policy(69, model);
  SimulateOptions options;
  options.crowd.people = std::uint64_t{1} << 61;
  const Counts counts = unwrap(simulate_counts(model, policy, options));
  EXPECT_EQ(counts.people(0) + counts.people(1), std::int64_t{1} << 61);
  ++options.crowd.people;
  const std::string message =
      "people is 2305843009213693953, expected at most 2305843009213693952 with horizon 2 (counts hold 2^62 decisions)";
  EXPECT_EQ(simulate_counts(model, policy, options).error().message, message);
  EXPECT_EQ(simulate_people(model, policy, options).error().message, message);
  EXPECT_EQ(simulate_log(model, policy, options, [](auto) { return true; }).error().message, message);
  options.crowd = {(std::uint64_t{1} << 60) + 1, true};
  EXPECT_EQ(simulate_counts(model, policy, options).error().message,
            "people_per_group is 1152921504606846977, expected at most 1152921504606846976 per group with horizon 2 "
            "(counts hold "
            "2^62 decisions)");
}

TEST(Simulate, RefusesAPolicyThatDoesNotFit) {
  const Model model = hand_model();
  const Policy policy = unwrap(Policy::make_group_independent(Tensor<double, 2>({3, 2}, 0.5)));
  SimulateOptions options;
  options.crowd.people = 10;
  const std::string message = "the policy has 3 steps, the model has horizon 2";
  EXPECT_EQ(simulate_counts(model, policy, options).error().message, message);
  EXPECT_EQ(simulate_people(model, policy, options).error().message, message);
  EXPECT_EQ(simulate_log(model, policy, options, [](auto) { return true; }).error().message, message);
}

TEST(Simulate, AddsUpTheLargestRewardsOfTheLargestCrowd) {
  ModelSpec spec = hand_model().spec();
  spec.reward = Tensor<double, 4>(spec.reward.extents(), -1e100);
  spec.reward_noise = Tensor<double, 4>(spec.reward.extents(), 1e100);
  const Model model = unwrap(Model::make(spec));
  SimulateOptions options;
  options.crowd.people = std::uint64_t{1} << 61;
  const Counts counts = unwrap(simulate_counts(model, random_policy(70, model), options));
}

// The published known answers of Philox 4x64-10 (Random123, kat_vectors): all zero, and all ones.
TEST(Rng, GivesThePublishedAnswersOfPhilox) {
  const Rng::Block zeros = Rng(0).block(0);
  EXPECT_EQ(zeros[0], 0x16554d9eca36314cU);
  EXPECT_EQ(zeros[1], 0xdb20fe9d672d0fdcU);
  EXPECT_EQ(zeros[2], 0xd7e772cee186176bU);
  EXPECT_EQ(zeros[3], 0x7e68b68aec7ba23bU);
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  const Rng::Block all = Rng(ones, ones, ones, ones, ones).block(ones);
  EXPECT_EQ(all[0], 0x87b092c3013fe90bU);
  EXPECT_EQ(all[1], 0x438c3c67be8d0224U);
  EXPECT_EQ(all[2], 0x9cc7d7c69cd777b6U);
  EXPECT_EQ(all[3], 0xa09caebf594f0ba0U);
}

TEST(Rng, CanBeReadAtAnyPlace) {
  Rng rng(3, 1, 4, 1, 5);
  const Rng untouched = rng;
  for (std::uint64_t i = 0; i < 40; ++i) EXPECT_EQ(rng(), untouched.block(i / 4)[i % 4]);
}

}  // namespace
}  // namespace fairstep
