// How many more people: what the plan says is what a certificate of so many people then shows.
#include <fairstep/certify/plan.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// Accepts from the middle score on, a little less readily in the first group: nearly alike.
Policy nearly_alike(const Model& model) {
  Tensor<double, 3> accept({2, model.shape().horizon, model.shape().features}, 0.5);
  for (std::size_t h = 0; h < model.shape().horizon; ++h) accept(0, h, 0) = 0.49;
  return unwrap(Policy::make(accept));
}

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() { options.notions = {Notion::dp}; }

  const Model model = unwrap(make_fico());
  const Policy policy = nearly_alike(model);
  const Counts counts = unwrap(simulate_counts(model, policy, {{300, true}, 1, 0, 1}));
  CertifyOptions options{};
};

TEST_F(PlanTest, AGoalThatIsReachedTakesNobodyMore) {
  const Plan found = unwrap(plan(counts, policy, options, 0.5));
  EXPECT_EQ(found.outcome, Plan::Outcome::reached);
  EXPECT_EQ(found.people, (std::vector<std::int64_t>{0, 0}));
}

TEST_F(PlanTest, AGoalBelowTheEstimatedGapIsTooFar) {
  EXPECT_EQ(unwrap(plan(counts, policy, options, 1e-6)).outcome, Plan::Outcome::too_far);
}

TEST_F(PlanTest, SoManyPeopleMoreReachTheGoal) {
  const Certificate now = unwrap(certify(counts, policy, options));
  const double goal = (worst_gap(now.gap) + worst_gap(now.estimated_gap)) / 2;
  const Plan found = unwrap(plan(counts, policy, options, goal));
  ASSERT_EQ(found.outcome, Plan::Outcome::possible);
  EXPECT_GT(found.scale, 1.5);
  EXPECT_EQ(found.people[0], static_cast<std::int64_t>(std::ceil(300 * (found.scale - 1))));
  // New people, drawn anew: about the goal, as frequencies are only about the same.
  const auto people = static_cast<std::uint64_t>(300 + found.people[0]);
  const Counts more = unwrap(simulate_counts(model, policy, {{people, true}, 2, 0, 1}));
  EXPECT_NEAR(worst_gap(unwrap(certify(more, policy, options)).gap), goal, 0.3 * goal);
}

TEST_F(PlanTest, RowsAreOrderedByTheirPartOfTheDoubt) {
  const Plan found = unwrap(plan(counts, policy, options, 0.005));
  ASSERT_GT(found.rows.size(), 2u);
  double of_first_group = 0;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    if (i > 0) {
      EXPECT_LE(found.rows[i].doubt, found.rows[i - 1].doubt);
    }
    if (found.rows[i].group == 0) of_first_group += found.rows[i].doubt;
  }
  EXPECT_NEAR(of_first_group, 1, 1e-9);
}

// Everybody was refused, and the policy accepts: no more of such data says what becomes of the accepted.
TEST_F(PlanTest, CellsThatWereNeverSeenCannotBeScaled) {
  const Shape& n = model.shape();
  const Policy refuse = unwrap(Policy::make(Tensor<double, 3>({2, n.horizon, n.features}, 0.0)));
  const Counts refused = unwrap(simulate_counts(model, refuse, {{1000, true}, 1, 0, 1}));
  Tensor<double, 3> accept({2, n.horizon, n.features}, 1.0);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h) accept(g, h, 0) = 0.9;
  const Plan found = unwrap(plan(refused, unwrap(Policy::make(accept)), options, 0.05));
  EXPECT_EQ(found.outcome, Plan::Outcome::unseen);
}

}  // namespace
}  // namespace fairstep
