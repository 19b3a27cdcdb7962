// How many more people: what the plan says is what a certificate of so many people then shows.
#include <fairstep/certify/plan.hpp>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "split_log.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::made;
using testing::nobody;
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

/// The same frequencies of so many times as many people.
Counts times(const Counts& counts, std::int64_t factor) {
  CountsSpec more = counts.spec();
  for (std::int64_t& n : more.first.flat()) n *= factor;
  for (std::int64_t& n : more.visits.flat()) n *= factor;
  for (std::int64_t& n : more.transitions.flat()) n *= factor;
  return made(std::move(more));
}

// As the gap is now, and as the estimate has it, are the two goals in between which people can be planned for.
TEST_F(PlanTest, TheOutcomeChangesJustAtTheGapOfNowAndAtTheEstimate) {
  const Certificate now = unwrap(certify(counts, policy, options));
  const double gap = worst_gap(now.gap);
  const double estimated = worst_gap(now.estimated_gap);
  const Plan reached = unwrap(plan(counts, policy, options, gap));
  EXPECT_EQ(reached.outcome, Plan::Outcome::reached);
  EXPECT_EQ(reached.target, gap);
  EXPECT_EQ(reached.scale, 1);
  EXPECT_EQ(unwrap(plan(counts, policy, options, 0.999 * gap)).outcome, Plan::Outcome::possible);
  EXPECT_EQ(unwrap(plan(counts, policy, options, estimated)).outcome, Plan::Outcome::too_far);
}

// With the frequencies unchanged the plan is exact: so many times the people reach the goal, and one time less does
// not. In between the doubt is taken to fall with the root of the number of people.
TEST_F(PlanTest, TheFactorIsTheLeastThatReachesTheGoal) {
  const auto gap_at = [&](std::int64_t factor) {
    return worst_gap(unwrap(certify(times(counts, factor), policy, options)).gap);
  };
  for (const std::int64_t least : {2, 5, 9}) {
    const double before = gap_at(least - 1);
    const double goal = gap_at(least) + (before - gap_at(least)) / 4;
    const Plan found = unwrap(plan(counts, policy, options, goal));
    ASSERT_EQ(found.outcome, Plan::Outcome::possible);
    const double root_high = 1 / std::sqrt(static_cast<double>(least));
    const double root_low = 1 / std::sqrt(static_cast<double>(least - 1));
    const double root = root_high + (root_low - root_high) / 4;
    EXPECT_NEAR(found.scale, 1 / (root * root), 1e-9);
    for (const RowPlan& row : found.rows)
      EXPECT_EQ(row.more, static_cast<std::int64_t>(std::ceil(static_cast<double>(row.seen) * (found.scale - 1))));
    EXPECT_EQ(found.people[1], static_cast<std::int64_t>(std::ceil(300 * (found.scale - 1))));
  }
}

// Cause: parts that have grown were no longer those of which the fingerprint was, and every such plan was an error.
TEST_F(PlanTest, OfTwoPartsGrowsBoth) {
  testing::Parts parts{counts, unwrap(simulate_counts(model, policy, {{700, true}, 2, 0, 1}))};
  testing::call_parts(parts, 0.3);
  const auto grown = [&](std::int64_t factor) {
    testing::Parts more{times(parts.design, factor), times(parts.audit, factor)};
    testing::call_parts(more, 0.3);
    return worst_gap(unwrap(certify(more.audit, policy, options, {}, &more.design)).gap);
  };
  const double goal = grown(40);
  const Plan found = unwrap(plan(parts.audit, policy, options, goal, {}, nullptr, &parts.design));
  ASSERT_EQ(found.outcome, Plan::Outcome::possible);
  EXPECT_NEAR(found.scale, 40, 1);
  EXPECT_EQ(found.people[0], static_cast<std::int64_t>(std::ceil(1000 * (found.scale - 1))));  // of both
  EXPECT_TRUE(found.splits.empty());
}

TEST_F(PlanTest, ALargeFactorIsFoundToLessThanAPercent) {
  const Certificate now = unwrap(certify(counts, policy, options));
  const double goal = worst_gap(now.estimated_gap) + worst_gap(now.gap) / 100;
  const Plan found = unwrap(plan(counts, policy, options, goal));
  ASSERT_EQ(found.outcome, Plan::Outcome::possible);
  ASSERT_GT(found.scale, 1000);
  const auto gap_at = [&](double factor) {
    return worst_gap(unwrap(certify(times(counts, static_cast<std::int64_t>(factor)), policy, options)).gap);
  };
  EXPECT_LE(gap_at(1.005 * found.scale), goal);
  EXPECT_GT(gap_at(0.995 * found.scale), goal);
}

// Everybody is refused, two steps: what is met is the first state and, at step 0, being refused. At the last step
// nothing follows. Doubt is the radius times how often a row is met, over the sum of the group.
TEST(PlanRows, AreThoseThatAreMetWithTheirPartOfTheDoubt) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"only"};
  CountsSpec counts = CountsSpec::zeros(2, names);
  for (std::size_t g = 0; g < 2; ++g) {
    counts.first(g, 0, 0) = 300, counts.first(g, 0, 1) = 100;
    for (std::size_t h = 0; h < 2; ++h) counts.visits(g, h, 0, 0, 0) = 300, counts.visits(g, h, 0, 1, 0) = 100;
    counts.transitions(g, 0, 0, 0, 0, 0) = 225, counts.transitions(g, 0, 0, 0, 0, 1) = 75;
    counts.transitions(g, 0, 1, 0, 0, 0) = 75, counts.transitions(g, 0, 1, 0, 0, 1) = 25;
  }
  const Policy refuse = unwrap(Policy::make_group_independent(Tensor<double, 2>({2, 1}, 0)));
  const Plan found = unwrap(plan(made(counts), refuse, {}, 0.5));
  ASSERT_EQ(found.rows.size(), 6u);
  const DeltaSplit split = split_delta({}, counts.shape());
  // Met by 3/4 of the people with 300 successors, by 1/4 with 100, and once by all 400.
  const double first = std::min(1.0, tv_radius(400, 2, split.ball));
  const double unqualified = 0.75 * std::min(1.0, tv_radius(300, 2, split.ball));
  const double qualified = 0.25 * std::min(1.0, tv_radius(100, 2, split.ball));
  const double all = first + unqualified + qualified;
  const auto expect = [&](std::size_t i, std::size_t group, std::int64_t seen, double doubt) {
    EXPECT_EQ(found.rows[i].group, group) << i;
    EXPECT_EQ(found.rows[i].seen, seen) << i;
    EXPECT_EQ(found.rows[i].more, 0) << i;
    EXPECT_NEAR(found.rows[i].doubt, doubt / all, 1e-9) << i;
  };
  // Both groups are alike: the same doubt, and the first group first.
  expect(0, 0, 400, first);
  expect(1, 1, 400, first);
  expect(2, 0, 300, unqualified);
  expect(3, 1, 300, unqualified);
  expect(4, 0, 100, qualified);
  expect(5, 1, 100, qualified);
  EXPECT_FALSE(found.rows[0].cell);
  ASSERT_TRUE(found.rows[2].cell);
  EXPECT_EQ(found.rows[2].cell->y, 0u);
  EXPECT_EQ(found.rows[4].cell->y, 1u);
  EXPECT_EQ(found.rows[4].cell->a, 0u);
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

/// Stops after so many certificates.
struct StopAfter {
  explicit StopAfter(int certificates) : left(certificates) {}

  Watch watch() {
    return {source.get_token(), [this](double share) {
              if (share == 1 && --left == 0) source.request_stop();
            }};
  }
  std::stop_source source{};
  int left;
};

// A plan that was stopped was lost, with all that it had found out.
TEST_F(PlanTest, OneThatIsStoppedSaysWhatItHasSettled) {
  const double gap = worst_gap(unwrap(certify(counts, policy, options)).gap);
  const double estimated = unwrap(certify(counts, policy, options)).estimated_gap.dp.back();
  const double goal = estimated + 0.1 * (gap - estimated);
  StopAfter never(1000);
  const Plan whole = unwrap(plan(counts, policy, options, goal, never.watch()));
  ASSERT_EQ(whole.outcome, Plan::Outcome::possible);
  EXPECT_LE(static_cast<double>(whole.not_enough), whole.scale);
  EXPECT_GE(static_cast<double>(whole.enough), whole.scale);
  bool bracketed = false;
  for (int certificates = 1; certificates < 1000 - never.left; ++certificates) {
    StopAfter stop(certificates);
    const Plan found = unwrap(plan(counts, policy, options, goal, stop.watch()));
    ASSERT_EQ(found.outcome, Plan::Outcome::unfinished) << certificates;
    EXPECT_EQ(found.target, goal);
    EXPECT_LE(found.not_enough, whole.not_enough);
    if (found.not_enough > 0) {
      EXPECT_GT(worst_gap(unwrap(certify(times(counts, found.not_enough), policy, options)).gap), goal);
    }
    if (found.enough == 0) continue;
    bracketed = true;
    EXPECT_GE(found.enough, whole.enough);
    EXPECT_LE(worst_gap(unwrap(certify(times(counts, found.enough), policy, options)).gap), goal);
  }
  EXPECT_TRUE(bracketed);
}

// Bounds on P(y=1) and values, and the sets themselves, were not told to stop.
TEST_F(PlanTest, EveryPartOfACertificateStops) {
  options.notions = {Notion::dp, Notion::eqopt, Notion::eqodds};
  options.value = CountedRewards{{-1, 1}, 1};
  StopAfter stop(1);  // the rates are done, the rest is not
  const auto stopped = certify(counts, policy, options, stop.watch());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "stopped before the end");
  const Estimate found = unwrap(estimate(counts));
  const Balls sets =
      confidence_sets(counts, found, *found.lost, split_delta(options, counts.shape()), stop.source.get_token());
  for (const double radius : sets.row.flat()) EXPECT_EQ(radius, 1);
  for (const double low : sets.boxes->low.flat()) EXPECT_EQ(low, 0);
  for (const double high : sets.boxes->high.flat()) EXPECT_EQ(high, 1);
}

// Pairs of groups grow with the square of groups: a small file could ask for gigabytes.
TEST(Certify, SoManyPairsOfGroupsAndNoMore) {
  Names names;
  for (int g = 0; g < 420; ++g) names.groups.push_back("g" + std::to_string(g));
  names.features = {"x"};
  const Counts counts = nobody(1, names);
  const Policy policy = unwrap(Policy::make(Tensor<double, 3>({420, 1, 1}, 0.5)));
  CertifyOptions options;
  const auto refused = certify(counts, policy, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "a certificate for 420 groups, 1 steps and 3 notions bounds 2.64e+05 gaps, expected at most 262144");
  options.notions = {Notion::dp};
  EXPECT_TRUE(certify(counts, policy, options));
}

}  // namespace
}  // namespace fairstep
