#include <fairstep/core/periods.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/counts.hpp>
#include <fairstep/core/model.hpp>

#include "support/changing.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changing_model;
using testing::unwrap;

const Periods kBeforeAndAfter{{{"before", 0}, {"after", 2}}};

TEST(PeriodsTest, EveryStepIsInThePeriodThatBeganLast) {
  EXPECT_EQ(kBeforeAndAfter.of(0), 0U);
  EXPECT_EQ(kBeforeAndAfter.of(1), 0U);
  EXPECT_EQ(kBeforeAndAfter.of(2), 1U);
  EXPECT_EQ(kBeforeAndAfter.of(100), 1U);
  EXPECT_EQ(Periods{}.of(7), 0U);
  EXPECT_EQ(kBeforeAndAfter.end(0, 5), 2U);
  EXPECT_EQ(kBeforeAndAfter.end(1, 5), 4U);  // the last step has no next
}

TEST(PeriodsTest, PerStepHasOneForEachStepThatHasANext) {
  EXPECT_EQ(Periods::per_step(4).list, (std::vector<Period>{{"step 0", 0}, {"step 1", 1}, {"step 2", 2}}));
  EXPECT_EQ(in_words(kBeforeAndAfter, 5), "before (steps 0 to 1), after (steps 2 to 3)");
  EXPECT_EQ(in_words(Periods::per_step(3), 3), "step 0 (step 0), step 1 (step 1)");
}

TEST(PeriodsTest, AKernelIsAskedForInWords) {
  EXPECT_EQ(unwrap(KernelChoice::parse("pooled")), KernelChoice{});
  EXPECT_TRUE(unwrap(KernelChoice::parse("per-step")).per_step);
  EXPECT_EQ(unwrap(KernelChoice::parse("before=0,after=2")).periods, kBeforeAndAfter);
  EXPECT_EQ(unwrap(KernelChoice::parse("a=b=0,c=1")).periods.list.front().name, "a=b");
  for (const char* text : {"", "before", "before=", "before=x", "before=-1", "before=0,", "before=0 ,after=2"}) {
    const auto wrong = KernelChoice::parse(text);
    ASSERT_FALSE(wrong) << text;
    EXPECT_EQ(wrong.error().option, "kernel");
  }
}

struct BadPeriods {
  std::vector<Period> list;
  std::size_t horizon;
  std::string says;
};

TEST(PeriodsTest, PeriodsThatDoNotCoverTheStepsAreRefused) {
  const BadPeriods all[] = {
      {{{"a", 1}}, 4, "kernel[0] begins at step 1, expected 0"},
      {{{"a", 0}, {"b", 0}}, 4, "kernel[1] begins at step 0, expected 1 to 2"},
      {{{"a", 0}, {"b", 3}}, 4, "kernel[1] begins at step 3, expected 1 to 2"},
      {{{"a", 0}, {"b", 2}, {"c", 3}}, 4, "kernel[2] begins at step 3, expected at most 2 periods"},
      {{{"a", 0}, {"a", 1}}, 4, "kernel[1] is \"a\" again, expected different names"},
      {{{"", 0}}, 4, "kernel[0] is empty, expected a name"},
      {{{"a", 0}}, 1, "kernel has periods for 1 step, expected 2 steps or more"},
  };
  for (const BadPeriods& bad : all) {
    const auto ok = check(Periods{bad.list}, {2, bad.horizon, 2}, "kernel");
    ASSERT_FALSE(ok) << bad.says;
    EXPECT_EQ(ok.error().message, bad.says);
  }
  EXPECT_TRUE(check(Periods{}, {2, 1, 2}));
}

TEST(ByPeriodTest, ATableOfSeveralPeriodsIsNeverTakenForOne) {
  ByPeriod<double, 2> table({2, 3}, 2, 0.5);
  table.of(1, 0)[2] = 7;
  EXPECT_EQ(table.with_periods()(1, 0, 2), 7);
  EXPECT_EQ((ByPeriod<double, 2>(table.with_periods())), table);
  EXPECT_EQ(table.of_group(1)[2], 7);
  EXPECT_THROW((void)table(1, 2), std::logic_error);
  EXPECT_THROW((void)table.flat(), std::logic_error);
  EXPECT_THROW((void)table.block(1), std::logic_error);
  EXPECT_THROW((void)table.extents(), std::logic_error);
  const ByPeriod<double, 2> one = Tensor<double, 2>({2, 3}, 4);
  EXPECT_EQ(one(1, 2), 4);
}

TEST(ModelPeriodsTest, EachStepHasTheKernelOfItsPeriod) {
  const Model model = changing_model(1, 2, 2, 5, kBeforeAndAfter);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < 4; ++h) {
      EXPECT_EQ(model.kernel(g, h).row(0), model.spec().transition.of(g, h < 2 ? 0 : 1).data());
      EXPECT_EQ(model.kernels(g).at(h).row(3), model.kernel(g, h).row(3));
    }
  EXPECT_EQ(model.shape().periods, 2U);
}

TEST(ModelPeriodsTest, ARowIsNamedWithItsPeriod) {
  ModelSpec spec = changing_model(1, 2, 2, 5, kBeforeAndAfter).spec();
  spec.transition.of(1, 1, 0, 1, 0)[0] += 0.5;
  const auto wrong = Model::make(spec);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("transition[g=g1,period=1,x=0,y=1,a=0] sums to"), std::string::npos);
  EXPECT_EQ(wrong.error().pointer, "/transition/1/1/0/1/0");
  spec.periods = {};  // a table by period without periods
  EXPECT_FALSE(Model::make(spec));
  spec.transition = Tensor<double, 6>({2, 2, 2, 2, 2, 2}, 0.25);
  EXPECT_TRUE(Model::make(spec));
  spec.periods = kBeforeAndAfter;  // and periods without one
  EXPECT_FALSE(Model::make(spec));
}

/// Three people of group a, who stay where they are: at steps 0, 1 and 2 of two features.
CountsSpec counts_of_three(const Periods& periods) {
  CountsSpec counts = CountsSpec::zeros(4, {{"a", "b"}, {"low", "high"}}, periods);
  counts.first(0, 0, 1) = 3;
  for (std::size_t h = 0; h < 4; ++h) counts.visits(0, h, 0, 1, 1) = 3;
  for (std::size_t h = 0; h < 3; ++h) counts.kernel(0, periods.of(h))[cell_of(0, 1, 1) * 4 + state_of(0, 1)] += 3;
  counts.sum_over_periods();
  return counts;
}

TEST(CountsPeriodsTest, PeriodsAddUpToAllSteps) {
  const Counts by_step = unwrap(Counts::make(counts_of_three(Periods::per_step(4))));
  EXPECT_EQ(by_step.transitions()(0, 0, 1, 1, 0, 1), 9);
  EXPECT_EQ(unwrap(by_step.by({})), unwrap(Counts::make(counts_of_three({}))));
  EXPECT_EQ(unwrap(by_step.by(kBeforeAndAfter)), unwrap(Counts::make(counts_of_three(kBeforeAndAfter))));
  const auto apart = unwrap(by_step.by(kBeforeAndAfter)).by(Periods::per_step(4));
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().message,
            "the counts have successors by period: before (steps 0 to 1), after (step 2), expected a period that "
            "begins at step 1");
  EXPECT_FALSE(unwrap(by_step.by({})).by(kBeforeAndAfter));
}

TEST(CountsPeriodsTest, CountsThatDoNotAddUpAreRefused) {
  CountsSpec counts = counts_of_three(kBeforeAndAfter);
  counts.transitions(0, 0, 1, 1, 0, 1) -= 1;
  EXPECT_FALSE(Counts::make(counts));
  counts = counts_of_three(kBeforeAndAfter);
  // As many in all, but four in a period of one step with three people.
  counts.by_period(0, 0, 0, 1, 1, 0, 1) -= 1;
  counts.by_period(0, 1, 0, 1, 1, 0, 1) += 1;
  const auto wrong = Counts::make(counts);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "transitions[g=a,period=1,x=0,y=1,a=1] adds up to 4, expected at most 3 (its visits at the steps of the "
            "period)");
}

TEST(CountsPeriodsTest, OnlyCountsOfTheSamePeriodsAreAdded) {
  Counts ours = unwrap(Counts::make(counts_of_three(kBeforeAndAfter)));
  const Counts theirs = ours;
  ASSERT_TRUE(ours.add(theirs));
  EXPECT_EQ(ours.spec().by_period(0, 0, 0, 1, 1, 0, 1), 12);
  EXPECT_EQ(ours.transitions()(0, 0, 1, 1, 0, 1), 18);
  const auto wrong = ours.add(unwrap(Counts::make(counts_of_three({}))));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().pointer, "/periods");
}

}  // namespace
}  // namespace fairstep
