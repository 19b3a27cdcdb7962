// Claims about where the last policies lie beside the baseline's, on families of points made up for it.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/verdicts.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::setting_of;

ExperimentRecord to_a_thousandth() {
  ExperimentRecord made;
  made.certificate_gap = 1e-3;
  return made;
}

/// A penalty family on the line from (0.01, 0.50) to (0.11, 0.60), two repeats alike, solved to the last digit.
std::vector<MethodRuns> beside(const std::vector<Point>& ours) {
  return {ending_at(Kind::ours, ours), ending_at(Kind::penalty, {{0.01, 0.5}, {0.01, 0.5}}, 10),
          ending_at(Kind::penalty, {{0.11, 0.6}, {0.11, 0.6}}, 0.1)};
}

Ruling at_equal_violation(const std::vector<MethodRuns>& methods) {
  return verdicts::equal_violation(setting_of(methods), to_a_thousandth()).ruling;
}

TEST(RulingOn, IsATieWithinTheMarginAndOtherwiseByTheSign) {
  EXPECT_EQ(ruling_on(-0.1, 0.1, 0.1), Ruling::tie);
  EXPECT_EQ(ruling_on(0.05, 0.06, 0.1), Ruling::tie);  // all on one side, and all of it small
  EXPECT_EQ(ruling_on(0.05, 0.11, 0.1), Ruling::holds);
  EXPECT_EQ(ruling_on(-0.11, -0.05, 0.1), Ruling::fails);
  EXPECT_EQ(ruling_on(-0.01, 0.11, 0.1), Ruling::undecided);
  EXPECT_EQ(ruling_on(kUnknown, 0.11, 0.1), Ruling::undecided);
}

TEST(EqualViolation, HoldsAboveTheLineAndFailsBelow) {
  // On the line at 0.06 is 0.55.
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.56}, {0.06, 0.56}})), Ruling::holds);
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.54}, {0.06, 0.54}})), Ruling::fails);
  // 0.05 % of 0.55 are 0.000275: on either side of that.
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.5502}, {0.06, 0.5502}})), Ruling::tie);
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.5498}, {0.06, 0.5498}})), Ruling::tie);
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.5503}, {0.06, 0.5503}})), Ruling::holds);
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.5497}, {0.06, 0.5497}})), Ruling::fails);
  // Far above and far below: the interval of the mean holds both.
  EXPECT_EQ(at_equal_violation(beside({{0.06, 0.57}, {0.06, 0.54}})), Ruling::undecided);
}

TEST(EqualViolation, IsUndecidedWhereNoPenaltyViolatesSoLittle) {
  EXPECT_EQ(at_equal_violation(beside({{0.001, 0.49}, {0.001, 0.49}})), Ruling::undecided);
  EXPECT_EQ(at_equal_violation({ending_at(Kind::ours, {{0.1, 0.5}})}), Ruling::undecided);
}

TEST(EqualReturn, ComparesViolations) {
  const auto ruling = [](const std::vector<Point>& ours) {
    return verdicts::equal_return(setting_of(beside(ours)), to_a_thousandth()).ruling;
  };
  // On the line the return 0.55 is had at a violation of 0.06.
  EXPECT_EQ(ruling({{0.03, 0.55}, {0.03, 0.55}}), Ruling::holds);
  EXPECT_EQ(ruling({{0.09, 0.55}, {0.09, 0.55}}), Ruling::fails);
  EXPECT_EQ(ruling({{0.0596, 0.55}, {0.0596, 0.55}}), Ruling::tie);
}

TEST(EqualViolation, CountsOpenProofsAgainstBothSidesAlike) {
  // 0.56 and 0.54 against 0.55, halfway between 0.50 and 0.60: 5 % of either, of which the line gets half, are more
  // than 0.01 and undo both, whichever side it is open on.
  for (const double ours : {0.56, 0.54})
    for (const std::size_t method : {0U, 1U, 2U})
      for (const double gap : {0.05, kUnknown}) {
        std::vector<MethodRuns> methods = beside({{0.06, ours}, {0.06, ours}});
        methods[method].repeats[1].updates.back().gap_to_bound = gap;
        EXPECT_EQ(at_equal_violation(methods), Ruling::undecided) << ours << " " << method << " " << gap;
      }
  // Less than the difference changes nothing; and what is no tie by far does not become one.
  std::vector<MethodRuns> methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  methods[1].repeats[0].updates.back().gap_to_bound = 0.01;
  EXPECT_EQ(at_equal_violation(methods), Ruling::holds);
  methods = beside({{0.06, 0.55}, {0.06, 0.55}});
  EXPECT_EQ(at_equal_violation(methods), Ruling::tie);
  methods[0].repeats[0].updates.back().gap_to_bound = 0.01;
  EXPECT_EQ(at_equal_violation(methods), Ruling::undecided);
}

TEST(EqualViolation, SaysWhatTheOtherFormOfThePenaltyGives) {
  std::vector<MethodRuns> methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  for (const auto& [point, lambda] : {std::pair{Point{0.01, 0.53}, 10.0}, {Point{0.11, 0.63}, 0.1}}) {
    methods.push_back(ending_at(Kind::other_form, {point, point}, lambda));
    methods.back().about.penalty_form = "rate";
  }
  const Finding found = verdicts::equal_violation(setting_of(methods), to_a_thousandth());
  EXPECT_EQ(found.ruling, Ruling::holds);  // by the baseline alone
  EXPECT_NE(found.evidence.find("Against the penalty's other form (rate) the difference is \u22120.02000 ("),
            std::string::npos)
      << found.evidence;
  EXPECT_TRUE(found.evidence.ends_with(": does not hold.")) << found.evidence;
}

TEST(EqualWorstStep, LooksAtTheWidestGap) {
  // The line of averages has 0.55 at 0.06, where ours has 0.54; at its worst step ours has 0.03, where the line has
  // 0.52.
  Setting setting = setting_of(beside({{0.06, 0.54}, {0.06, 0.54}}));
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {0.03, 0.02};
  EXPECT_EQ(verdicts::equal_violation(setting, to_a_thousandth()).ruling, Ruling::fails);
  EXPECT_EQ(verdicts::equal_worst_step(setting, to_a_thousandth()).ruling, Ruling::holds);
}

TEST(NoBetterPenalty, IsRefutedByOne) {
  EXPECT_EQ(verdicts::no_better_penalty(setting_of(beside({{0.06, 0.55}, {0.06, 0.55}})), to_a_thousandth()).ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::no_better_penalty(setting_of(beside({{0.2, 0.5}, {0.2, 0.5}})), to_a_thousandth()).ruling,
            Ruling::fails);
}

TEST(EqualViolation, SaysItsNumbers) {
  // On the line from (0, 1/4) to (1/2, 3/4) is 1/2 at 1/4; ours has 9/16. Two repeats alike have an interval of no
  // width, and everything is proven.
  ExperimentRecord plan;
  plan.certificate_gap = 0x1p-10;
  const Finding found =
      verdicts::equal_violation(setting_of({ending_at(Kind::ours, {{0.25, 0.5625}, {0.25, 0.5625}}),
                                            ending_at(Kind::penalty, {{0, 0.25}, {0, 0.25}}, 10),
                                            ending_at(Kind::penalty, {{0.5, 0.75}, {0.5, 0.75}}, 0.1)}),
                                plan);
  EXPECT_EQ(found.evidence,
            "At a violation of 0.2500 \u00b1 0 the method returns 0.5625 \u00b1 0, the penalty baseline 0.5000 \u00b1 "
            "0: a difference of 0.06250 (0.06250 to 0.06250). The last solves leave up to 0.00 % of a value open for "
            "the method and 0.00 % for the baseline.");
}

TEST(EqualViolation, SaysWhatIsMissing) {
  const Finding alone = verdicts::equal_violation(setting_of({ending_at(Kind::ours, {{0.1, 0.5}})}), to_a_thousandth());
  EXPECT_EQ(alone.evidence, "There is no penalty baseline to compare with.");
  const Finding below =
      verdicts::equal_violation(setting_of(beside({{0.001, 0.49}, {0.001, 0.49}})), to_a_thousandth());
  EXPECT_TRUE(below.evidence.starts_with("No penalty weight has a violation as small as the method's (0.001"))
      << below.evidence;
}

TEST(EqualReturn, IsUndecidedWhereNoPenaltyReturnsSoMuch) {
  const Finding found = verdicts::equal_return(setting_of(beside({{0.06, 0.7}, {0.06, 0.7}})), to_a_thousandth());
  EXPECT_EQ(found.ruling, Ruling::undecided);
  EXPECT_TRUE(found.evidence.starts_with("No penalty weight returns as much as the method (0.7")) << found.evidence;
}

TEST(NoBetterPenalty, IsNotDecidedByWhatIsNotProven) {
  std::vector<MethodRuns> methods = beside({{0.2, 0.5}, {0.2, 0.5}});
  methods[0].repeats[0].updates.back().gap_to_bound = 0.002;
  const Finding found = verdicts::no_better_penalty(setting_of(methods), to_a_thousandth());
  EXPECT_EQ(found.ruling, Ruling::undecided);
  EXPECT_TRUE(found.evidence.ends_with("Not proven as closely as was asked, on either side: lambda 10, 0.1."))
      << found.evidence;
}

TEST(NoBetterPenalty, NamesTheWeights) {
  // Ours at (0.06, 0.5): 0.1 violates more for more, 10 returns as much and violates less.
  const Finding found = verdicts::no_better_penalty(setting_of(beside({{0.06, 0.5}, {0.06, 0.5}})), to_a_thousandth());
  EXPECT_EQ(found.ruling, Ruling::fails);
  EXPECT_EQ(found.evidence,
            "Better than the method on one count and not worse on the other: lambda 10. The reverse: none. No "
            "difference: none. A trade-off: 1 of 2 weights.");
}

}  // namespace
}  // namespace fairstep::report
