#include <fairstep/learn/assumptions.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

TEST(Inside, IsTheLeastOfTheKernelAndOfEitherActionAndTheShareAtTheEnds) {
  const Model truth = testing::random_model(1, 2, 2, 3);
  Tensor<double, 3> accept({2, 3, 2}, 0.5);
  accept(0, 0, 0) = 0;
  accept(0, 0, 1) = accept(0, 2, 0) = 1;
  accept(0, 2, 1) = 1e-9;
  accept(1, 1, 1) = 1 - 1e-9;
  accept(1, 2, 0) = 0.3;
  const Policy policy = unwrap(Policy::make(accept, truth.names().groups));
  const Inside found = inside_of(truth, policy);
  double least = 1;
  for (const double p : truth.spec().transition.pooled_table().flat()) least = std::min(least, p);
  EXPECT_EQ(found.kernel_least, least);
  EXPECT_EQ(found.policy_least, 0);
  EXPECT_DOUBLE_EQ(found.policy_at_ends, 5.0 / 12);
  EXPECT_EQ(inside_of(truth, unwrap(uniform_policy(truth, 0.8))).policy_at_ends, 0);
  EXPECT_NEAR(inside_of(truth, unwrap(uniform_policy(truth, 0.8))).policy_least, 0.2, 1e-15);  // of refusing
}

/// S = 2, A = 2, H = 2 and two groups: 2 H^2 ln(4 S A k^2 / delta) = 8 ln(16 k^2 / delta).
AtEpisode at_episode(std::uint64_t k, double delta) { return {{2, 2, 1}, k, delta}; }

TEST(PromisedVisits, AreTheLemmas) {
  // k = 11, delta = 16 * 121 e^-8: 8 * 8 = 64. C eta n (H-1)(k-1) = 1/4 * 1/2 * 80 * 10 = 100: 100 - sqrt(6400) = 20.
  const AtEpisode at = at_episode(11, 16 * 121 * std::exp(-8));
  EXPECT_NEAR(promised_visits(at, 0.25, 0.5, 80), 20, 1e-9);
  // 1/4 * 1/2 * 8 * 10 = 10: less than nothing.
  EXPECT_NEAR(promised_visits(at, 0.25, 0.5, 8), 10 - std::sqrt(640), 1e-9);
}

TEST(FirstEpisode, IsWhereBothConditionsBegin) {
  const AtEpisode at = at_episode(1, 0.1);
  const Inside inside{0.25, 0.125, 0};
  const auto first = first_episode_of_theorems(at, inside, 1000);
  ASSERT_TRUE(first);
  // m >= 4 * 8 ln(160 k^2) with m = 250 k^(-1/3) (k - 1): at k = 3, 346.7 >= 32 * 7.27 = 232.7; at 2, 198.4 < 206.8.
  // But k^(-1/3) <= 1/8 only from 512 on.
  EXPECT_EQ(*first, 512);
  EXPECT_EQ(first_episode_of_theorems(at, {0.25, 1, 0}, 1000), 3);
  // With few people the visits decide: at T the condition holds, and one episode before it does not.
  const double later = *first_episode_of_theorems(at, {0.01, 0.125, 0}, 1);
  const auto holds = [&](double k) { return 0.01 / std::cbrt(k) * (k - 1) >= 32 * std::log(160 * k * k); };
  EXPECT_TRUE(holds(later));
  EXPECT_FALSE(holds(later - 1));
  EXPECT_GT(later, 512);
}

TEST(FirstEpisode, IsNoneWhereAnAssumptionFails) {
  const AtEpisode at = at_episode(1, 0.1);
  EXPECT_FALSE(first_episode_of_theorems(at, {0.25, 0, 0.9}, 1));
  EXPECT_FALSE(first_episode_of_theorems(at, {0, 0.25, 0}, 1));
  EXPECT_FALSE(first_episode_of_theorems({{2, 1, 1}, 1, 0.1}, {0.25, 0.25, 0}, 1));  // nobody goes anywhere
}

}  // namespace
}  // namespace fairstep
