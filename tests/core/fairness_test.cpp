// Which constraints make sense for a model. What documents say is tested in io, and what constraints do in optimise.
#include <fairstep/core/fairness.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Two groups, two features, two steps: a limit for each step, under doubt, and a moment constraint of one row.
Fairness sound_fairness() {
  Fairness fairness;
  Doubt doubt;
  doubt.start = {0.5, 0};
  doubt.cell = Tensor<double, 4>({2, 2, 2, 2}, 0.25);
  fairness.parity = {{Notion::dp, {0.125, 1}, doubt}, {Notion::eqopt, {0}, {}}};
  fairness.aggregate_dp = 0.25;
  fairness.aggregate_eqopt = 0.5;
  fairness.capacity = Capacity{{0.75}};
  MomentConstraint moment;
  moment.means = {{"accepted", Tensor<double, 4>({2, 2, 2, 2}, 1.0), Tensor<double, 3>({2, 2, 2}, 1.0)}};
  moment.matrix = Tensor<double, 2>({1, 1}, 1.0);
  moment.bound = {0.5};
  moment.names = {"at most half"};
  fairness.moments = {moment};
  fairness.ratios = {{RatioNotion::dp, {0.75, 1}, 1}};
  return fairness;
}

TEST(Fairness, ALimitIsThatOfTheStepOrOfAllSteps) {
  const Fairness fairness = sound_fairness();
  EXPECT_EQ(limit_at(fairness.parity[0], 1), 1);
  EXPECT_EQ(limit_at(fairness.parity[1], 1), 0);
}

TEST(Fairness, ThatMakesSenseIsAccepted) {
  const auto ok = check(sound_fairness(), hand_model());
  EXPECT_TRUE(ok) << ok.error().message;
  EXPECT_TRUE(check(Fairness{}, hand_model()));
}

TEST(Fairness, ThatMakesNoSenseIsRefusedWithItsPlace) {
  struct Wrong {
    std::function<void(Fairness&)> how;
    std::string message, pointer;
  };
  const std::string size = "the doubt about a model of 2 groups and 2 features has the wrong size";
  const std::string outside = "the doubt about a model has an entry outside [0,1]";
  const std::vector<Wrong> all{
      {[](Fairness& f) { f.ratios[0].limit = {0.5, 1.25}; }, "limit[h=1] is 1.25, expected between 0 and 1",
       "/ratios/0/limit/1"},
      {[](Fairness& f) { f.ratios[0].reference = 2; }, "reference is group 2, but there are 2", "/ratios/0/reference"},
      {[](Fairness& f) { f.parity[0].limit = {0, 0, 0}; }, "limit has 3 entries, expected 1 or 2 (one per step)",
       "/parity/0/limit"},
      {[](Fairness& f) { f.parity[0].limit = {}; }, "limit has 0 entries, expected 1 or 2 (one per step)",
       "/parity/0/limit"},
      {[](Fairness& f) { f.parity[0].limit[1] = 1.5; }, "limit[h=1] is 1.5, expected between 0 and 1",
       "/parity/0/limit/1"},
      {[](Fairness& f) { f.parity[1].limit[0] = -0.5; }, "limit is -0.5, expected between 0 and 1", "/parity/1/limit"},
      {[](Fairness& f) { f.parity[0].limit[0] = kNoNumber; }, "limit[h=0] is nan, expected between 0 and 1",
       "/parity/0/limit/0"},
      {[](Fairness& f) { f.parity[0].doubt->start.pop_back(); }, size, ""},
      {[](Fairness& f) { f.parity[0].doubt->cell = Tensor<double, 4>({2, 1, 2, 2}); }, size, ""},
      {[](Fairness& f) { f.parity[0].doubt->start[1] = -0.5; }, outside, ""},
      {[](Fairness& f) { f.parity[0].doubt->cell(1, 1, 0, 1) = 1.5; }, outside, ""},
      {[](Fairness& f) { f.aggregate_eqopt = 2; }, "aggregate_eqopt is 2, expected between 0 and 1",
       "/aggregate_eqopt"},
      {[](Fairness& f) { f.aggregate_dp = -1; }, "aggregate_dp is -1, expected between 0 and 1", "/aggregate_dp"},
      {[](Fairness& f) { f.capacity->share = {-1}; }, "capacity is -1, expected between 0 and 1", "/capacity"},
      {[](Fairness& f) { f.moments[0].means.clear(); }, "a moment constraint has no means, expected at least 1",
       "/moments/0/means"},
      {[](Fairness& f) { f.moments[0].bound.clear(); }, "a moment constraint has no rows, expected at least 1",
       "/moments/0/rows"},
      {[](Fairness& f) { f.moments[0].matrix = Tensor<double, 2>({1, 3}); },
       "the matrix is 1 x 3, expected 1 x 1 (rows x means)", "/moments/0/matrix"},
      {[](Fairness& f) { f.moments[0].matrix(0, 0) = kNoNumber; },
       "the matrix has an entry that is not a finite number", "/moments/0/matrix"},
      {[](Fairness& f) { f.moments[0].bound[0] = std::numeric_limits<double>::infinity(); },
       "a bound is not a finite number", "/moments/0/bound"},
      {[](Fairness& f) { f.moments[0].means[0].payoff = Tensor<double, 4>({2, 2, 2, 1}); },
       "payoff of \"accepted\" has the wrong size", "/moments/0/means/0/payoff"},
      {[](Fairness& f) { f.moments[0].means[0].event = Tensor<double, 3>({2, 3, 2}); },
       "event of \"accepted\" has the wrong size", "/moments/0/means/0/event"},
      {[](Fairness& f) { f.moments[0].means[0].payoff(0, 1, 0, 0) = kNoNumber; },
       "payoff of \"accepted\" is not finite", "/moments/0/means/0/payoff"},
      {[](Fairness& f) { f.moments[0].means[0].event(1, 1, 1) = 0.5; },
       "event of \"accepted\" has the entry 0.5, expected 0 or 1", "/moments/0/means/0/event"},
  };
  for (const Wrong& wrong : all) {
    Fairness fairness = sound_fairness();
    wrong.how(fairness);
    const auto ok = check(fairness, hand_model());
    ASSERT_FALSE(ok) << wrong.message;
    EXPECT_EQ(ok.error().message, wrong.message);
    EXPECT_EQ(ok.error().pointer, wrong.pointer);
  }
}

TEST(Fairness, ARowWithoutANameIsRefused) {
  Fairness fairness = sound_fairness();
  fairness.moments[0].names.clear();
  EXPECT_FALSE(check(fairness, hand_model()));
}

}  // namespace
}  // namespace fairstep
