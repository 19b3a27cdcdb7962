// Who comes when and who leaves after what: by hand, with gaps, and against the rates that a log of such people shows.
#include <fairstep/estimate/participation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/history.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/present.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;
using testing::unwrap;

/// A decision of somebody with one feature only.
struct Seen {
  std::size_t h, y, a;
};

/// Each person of group a, in the order of steps; group b has two people who stay. With a history by step.
Counts log_of(const std::vector<std::vector<Seen>>& people_of_a) {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"any"};
  CountsSpec counts = CountsSpec::zeros(3, names);
  HistoryCounter history(counts.shape());
  const auto walk = [&](std::size_t g, const std::vector<Seen>& person) {
    for (std::size_t i = 0; i < person.size(); ++i) {
      const auto [h, y, a] = person[i];
      const bool goes_on = i > 0 && person[i - 1].h + 1 == h;
      if (i == 0) ++counts.first(g, 0, y);
      if (goes_on) ++counts.transitions(g, 0, person[i - 1].y, person[i - 1].a, 0, y);
      ++counts.visits(g, h, 0, y, a);
      history.add({g, h, 0, y, a}, goes_on);
    }
  };
  for (const auto& person : people_of_a) walk(0, person);
  for (int i = 0; i < 2; ++i) walk(1, {{0, 0, 1}, {1, 1, 1}, {2, 1, 0}});
  counts.history = history.finish();
  return made(std::move(counts));
}

/// One stays, two leave, one comes at the second step, one at the third.
std::vector<std::vector<Seen>> five_people() {
  return {{{0, 1, 1}, {1, 1, 1}, {2, 0, 0}}, {{0, 1, 1}, {1, 1, 0}}, {{1, 0, 0}, {2, 1, 1}}, {{2, 0, 1}}, {{0, 1, 1}}};
}

TEST(TakingPart, IsCountedWhoLeavesAfterWhatAndWhoComesWhen) {
  const TakingPart found = taking_part(log_of(five_people()));
  ASSERT_TRUE(found.participation);
  EXPECT_EQ(found.why_not, "");
  EXPECT_EQ(found.gaps, 0);
  const auto& leave = found.participation->leave;
  EXPECT_EQ(leave(0, 0, 1, 1), 0.25);           // four before the last step, after one of which nothing came
  EXPECT_EQ(leave(0, 0, 1, 0), 1);              // one, and nothing came
  EXPECT_EQ(leave(0, 0, 0, 0), 0);              // one before the last step; that at the last says nothing
  EXPECT_DOUBLE_EQ(leave(0, 0, 0, 1), 1 / 3.);  // at the last step only: two of a's six before it were the last ones
  const auto& first = found.participation->first_step;
  EXPECT_EQ(first(0, 0), 3 / 5.);
  EXPECT_EQ(first(0, 1), 1 / 5.);
  EXPECT_EQ(first(0, 2), 1 / 5.);
  // All of b stay.
  for (const double p : leave.block(1)) EXPECT_EQ(p, 0);
  EXPECT_EQ(first(1, 0), 1);
}

TEST(TakingPart, IsNoPartOfAModelWhereEverybodyStays) {
  const TakingPart found = taking_part(log_of({{{0, 1, 1}, {1, 1, 1}, {2, 0, 0}}}));
  EXPECT_FALSE(found.participation);
  EXPECT_EQ(found.why_not, "");
  EstimateOptions options;
  options.participation = true;
  EXPECT_TRUE(unwrap(estimate(log_of(five_people()), options)).model.spec().participation);
  EXPECT_FALSE(unwrap(estimate(log_of({{{0, 1, 1}, {1, 1, 1}, {2, 0, 0}}}), options)).model.spec().participation);
  EXPECT_FALSE(unwrap(estimate(log_of(five_people()))).model.spec().participation);  // not asked for
  // In a single step nobody leaves.
  CountsSpec single = CountsSpec::zeros(1, log_of({}).names());
  single.first(0, 0, 1) = single.visits(0, 0, 0, 1, 1) = 7;
  EXPECT_FALSE(taking_part(made(single)).participation);
}

TEST(TakingPart, NeedsToKnowAtWhichStepPeopleCame) {
  const auto forget = [](const Counts& counts) {
    return changed(counts, [](CountsSpec& spec) { spec.history.reset(); });
  };
  const TakingPart late = taking_part(forget(log_of(five_people())));
  EXPECT_FALSE(late.participation);
  EXPECT_NE(late.why_not.find("the counts do not say at which step"), std::string::npos);
  // Whoever is there from the start on came at the first step.
  const std::vector<std::vector<Seen>> leavers{{{0, 1, 1}, {1, 1, 1}, {2, 0, 0}}, {{0, 1, 1}, {1, 1, 0}}};
  const TakingPart early = taking_part(forget(log_of(leavers)));
  ASSERT_TRUE(early.participation);
  EXPECT_EQ(*early.participation, *taking_part(log_of(leavers)).participation);
  EXPECT_EQ(early.participation->first_step(0, 0), 1);
}

TEST(TakingPart, TakesFewGapsForPeopleWhoLeaveAndOthersWhoJoin) {
  // 300 who stay, 5 who leave at once, and one who misses the second step: one of 912 decisions comes after a gap.
  std::vector<std::vector<Seen>> people(300, {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}});
  people.insert(people.end(), 5, {{0, 1, 1}});
  people.push_back({{0, 1, 1}, {2, 1, 1}});
  const TakingPart found = taking_part(log_of(people));
  ASSERT_TRUE(found.participation);
  EXPECT_EQ(found.gaps, 1);
  EXPECT_DOUBLE_EQ(found.participation->leave(0, 0, 1, 1), 6 / 606.);
  EXPECT_DOUBLE_EQ(found.participation->first_step(0, 0), 306 / 307.);
  EXPECT_DOUBLE_EQ(found.participation->first_step(0, 2), 1 / 307.);
  EstimateOptions options;
  options.participation = true;
  const Estimate estimated = unwrap(estimate(log_of(people), options));
  EXPECT_EQ(estimated.model.spec().rests_on->gaps, 1);
  EXPECT_EQ(caveats(*estimated.model.spec().rests_on, {"a", "b"}).front(),
            "who takes part is estimated as if 1 decision after a gap were of somebody who joins there");
  // Nine more of these are too many.
  people.insert(people.end(), 9, {{0, 1, 1}, {2, 1, 1}});
  const TakingPart many = taking_part(log_of(people));
  EXPECT_FALSE(many.participation);
  EXPECT_EQ(many.why_not,
            "people join late or leave early, but who does is not estimated: 10 decisions come after a gap and 0 rows "
            "were left out, together more than 1 % of 931 decisions");
  EXPECT_EQ(unwrap(estimate(log_of(people), options)).not_taking_part, many.why_not);
  // If nobody but those with gaps seems to leave, everybody stays.
  people.resize(300);
  people.push_back({{0, 1, 1}, {2, 1, 1}});
  EXPECT_FALSE(taking_part(log_of(people)).participation);
  EXPECT_EQ(taking_part(log_of(people)).why_not, "");
}

TEST(TakingPart, IsNotReadOutOfRowsThatWereLeftOut) {
  // Two of a's leave and two come late, if it is not that five rows were left out.
  const auto lose = [](std::int64_t rows) {
    return changed(log_of(five_people()), [&](CountsSpec& spec) {
      spec.log.emplace().censoring = Censoring::drop;
      spec.log->unlabelled = Tensor<std::int64_t, 4>({2, 3, 1, 2});
      spec.log->unlabelled(0, 0, 0, 0) = rows;
    });
  };
  EXPECT_FALSE(taking_part(lose(5)).participation);
  EXPECT_EQ(taking_part(lose(5)).why_not, "");
  EXPECT_FALSE(taking_part(lose(3)).participation);
  EXPECT_NE(taking_part(lose(3)).why_not.find("3 rows were left out"), std::string::npos);
}

// P(y=1 and there), and so on: what is observed of those who are there.
double observed_rate(const Counts& counts, std::size_t g, std::size_t h, bool given_qualified, double& people) {
  double accepted = 0;
  people = 0;
  for (std::size_t x = 0; x < counts.shape().features; ++x)
    for (std::size_t y = given_qualified ? 1 : 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        const auto n = static_cast<double>(counts.visits()(g, h, x, y, a));
        people += n;
        accepted += a == 1 ? n : 0;
      }
  return accepted / people;
}

// 40,000 people of each of 12 populations. An observed rate of n people is off the truth by more than r =
// sqrt(ln(2e9) / 2n) with probability 1e-9 (Hoeffding), and there are 12 x 2 x 5 x 2 = 240 of them: false alarm 2.4e-7.
// The estimated model, which pools steps, is closer to the truth than one step's people are: twice r for both.
TEST(TakingPart, RatesOfThosePresentByTheEstimatedModelAreThoseObserved) {
  double widest_of_stayers = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Model model = unwrap(make_random(
        {.groups = 2, .features = 3, .horizon = 5, .reward_noise = 0.1, .participation = true, .seed = 40 + seed}));
    const Policy policy = testing::random_policy(seed, model);
    SimulateOptions options;
    options.crowd = {40000, true};
    options.seed = seed;
    options.history = true;
    const Counts counts = unwrap(simulate_people(model, policy, options));
    EstimateOptions estimating;
    estimating.participation = true;
    const Model estimated = unwrap(estimate(counts, estimating)).model;
    ASSERT_TRUE(estimated.spec().participation);
    const Evaluation predicted = unwrap(evaluate(estimated, policy));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 5; ++h) {
        double people = 0;
        const double accepted = observed_rate(counts, g, h, false, people);
        const double radius = std::sqrt(std::log(2e9) / (2 * people));
        EXPECT_NEAR(predicted.present->rates.accept(g, h), accepted, 2 * radius) << seed << " " << g << " " << h;
        EXPECT_NEAR(predicted.present->share(g, h), people / 40000, 2 * std::sqrt(std::log(2e9) / 80000));
        const double tpr = observed_rate(counts, g, h, true, people);
        EXPECT_NEAR(predicted.present->rates.tpr(g, h), tpr, 2 * std::sqrt(std::log(2e9) / (2 * people)));
        widest_of_stayers =
            std::max(widest_of_stayers, std::abs(predicted.rates.accept(g, h) - accepted) / (2 * radius));
      }
    // And the estimate is near what people were drawn from, where there are enough of them.
    const Participation& truth = *model.spec().participation;
    const Participation& found = *estimated.spec().participation;
    for (std::size_t i = 0; i < truth.first_step.size(); ++i)
      EXPECT_NEAR(found.first_step.flat()[i], truth.first_step.flat()[i], std::sqrt(std::log(2e9) / 80000));
    for (std::size_t i = 0; i < truth.leave.size(); ++i) {
      const std::size_t cells = model.shape().cells();
      double people = 0;
      for (std::size_t h = 0; h + 1 < 5; ++h)
        people += static_cast<double>(counts.visits().block(i / cells, h)[i % cells]);
      if (people == 0) continue;
      EXPECT_NEAR(found.leave.flat()[i], truth.leave.flat()[i], std::sqrt(std::log(2e9) / (2 * people)));
    }
  }
  EXPECT_GT(widest_of_stayers, 1);  // rates of people who stay would not have agreed
}

}  // namespace
}  // namespace fairstep
