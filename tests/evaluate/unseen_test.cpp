// How much of a policy rests on rows that nobody saw, against a sum over all paths.
#include <fairstep/evaluate/unseen.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/simple_policies.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

/// Seen or not, in a pattern that differs by group and cell.
Grounds patchy_grounds(const Shape& n) {
  Grounds grounds;
  grounds.people.assign(n.groups, 100);
  grounds.first = grounds.people;
  grounds.successors = Tensor<std::int64_t, 4>({n.groups, n.features, kLabels, kActions});
  grounds.rewards = grounds.successors.pooled_table();
  for (std::size_t i = 0; i < grounds.rewards.size(); ++i) {
    grounds.rewards.flat()[i] = i % 5 == 0 ? 0 : 7;
    grounds.successors.flat()[i] = i % 5 == 0 || i % 3 == 0 ? 0 : 6;
  }
  return grounds;
}

/// Follows every path of a person, one after another.
struct PathSum {
  const Model& model;
  const Policy& policy;
  const Grounds& grounds;
  double rows = 0;
  double rewards = 0;

  void walk(std::size_t g, std::size_t h, std::size_t x, std::size_t y, double weight) {
    if (weight == 0 || h == model.shape().horizon) return;
    for (std::size_t a = 0; a < kActions; ++a) {
      const double p = policy.group(g)[h * model.shape().features + x];
      const double here = weight * (a == 1 ? p : 1 - p);
      if (grounds.rewards(g, x, y, a) == 0) rewards += here;
      if (h + 1 == model.shape().horizon) continue;
      if (grounds.successors(g, x, y, a) == 0) rows += here;
      for (std::size_t x1 = 0; x1 < model.shape().features; ++x1)
        for (std::size_t y1 = 0; y1 < kLabels; ++y1)
          walk(g, h + 1, x1, y1, here * model.spec().transition(g, x, y, a, x1, y1));
    }
  }
};

TEST(Unseen, IsTheShareOfVisitsOverAllPaths) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ModelSpec spec = testing::random_model(seed, 2, 2, 4).spec();
    spec.rests_on = patchy_grounds({2, 4, 2});
    const auto model = Model::make(spec);
    ASSERT_TRUE(model) << model.error().message;
    const Policy policy = testing::random_policy(seed, *model);
    PathSum sum{*model, policy, *spec.rests_on};
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t x = 0; x < 2; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) sum.walk(g, 0, x, y, model->share(g) * spec.initial(g, x, y));
    const auto evaluated = evaluate(*model, policy);
    ASSERT_TRUE(evaluated);
    ASSERT_TRUE(evaluated->unseen);
    EXPECT_NEAR(evaluated->unseen->rows, sum.rows / 3, 1e-12);
    EXPECT_NEAR(evaluated->unseen->rewards, sum.rewards / 4, 1e-12);
    EXPECT_GT(evaluated->unseen->rows, 0);
  }
}

TEST(Unseen, IsNotAskedOfAModelThatIsNoEstimate) {
  const Model model = testing::random_model(1, 2, 2, 3);
  const auto evaluated = evaluate(model, testing::random_policy(1, model));
  ASSERT_TRUE(evaluated);
  EXPECT_FALSE(evaluated->unseen);
}

TEST(Unseen, InWordsIsRoundedUp) {
  const Grounds grounds = patchy_grounds({2, 4, 2});
  EXPECT_EQ(in_words(grounds, {0, 0}),
            "rests on 200 people and 84 decisions: 0 % of this policy's visits rest on rows that nobody saw");
  EXPECT_EQ(
      in_words(grounds, {0.1231, 0.00001}),
      "rests on 200 people and 84 decisions: 12.4 % of this policy's visits rest on rows that nobody saw (guessed: "
      "uniform), 0.1 % on rewards that nobody saw (taken as 0)");
}

}  // namespace
}  // namespace fairstep
