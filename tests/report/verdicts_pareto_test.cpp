// Claims about where the last policies lie beside the baseline's, on families of points made up for it.
#include <string>

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

/// A penalty family on the line from (0.01, 0.50) to (0.11, 0.60), two repeats alike.
std::vector<MethodRuns> beside(const std::vector<Point>& ours) {
  return {ending_at(Kind::ours, ours), ending_at(Kind::penalty, {{0.01, 0.5}, {0.01, 0.5}}, 10),
          ending_at(Kind::penalty, {{0.11, 0.6}, {0.11, 0.6}}, 0.1)};
}

TEST(EqualViolation, HoldsAboveTheLineOnlyBeyondTheBands) {
  // On the line at 0.06 is 0.55; proofs leave 0.1 % of about 0.55 open.
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.56}, {0.06, 0.56}})), to_a_thousandth()).ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.54}, {0.06, 0.54}})), to_a_thousandth()).ruling,
            Ruling::fails);
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.5503}, {0.06, 0.5503}})), to_a_thousandth()).ruling,
            Ruling::within_bands);
  // Far above and far below: the interval of the mean holds both.
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.57}, {0.06, 0.54}})), to_a_thousandth()).ruling,
            Ruling::within_bands);
}

TEST(EqualViolation, IsUndecidedWhereNoPenaltyViolatesSoLittle) {
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.001, 0.49}, {0.001, 0.49}})), to_a_thousandth()).ruling,
            Ruling::undecided);
  EXPECT_EQ(verdicts::equal_violation(setting_of({ending_at(Kind::ours, {{0.1, 0.5}})}), to_a_thousandth()).ruling,
            Ruling::undecided);
}

TEST(EqualReturn, ComparesViolations) {
  // On the line the return 0.55 is had at a violation of 0.06.
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.03, 0.55}, {0.03, 0.55}})), to_a_thousandth()).ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.09, 0.55}, {0.09, 0.55}})), to_a_thousandth()).ruling,
            Ruling::fails);
  // 0.1 % of 0.55 is 0.00055 of return, which is 0.00055 of violation on this line.
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.0596, 0.55}, {0.0596, 0.55}})), to_a_thousandth()).ruling,
            Ruling::within_bands);
}

TEST(EqualViolation, IsNotDecidedByWhatTheSolvesLeaveOpen) {
  // 0.56 against 0.55: 2 % of 0.56 are 0.0112, so that a baseline that is open to 2 % might be as good, and ours might
  // be as good where it is 0.54 and open to 2 %.
  std::vector<MethodRuns> methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  methods[1].repeats[0].updates.back().gap_to_bound = 0.02;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), to_a_thousandth()).ruling, Ruling::within_bands);
  methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  methods[0].repeats[0].updates.back().gap_to_bound = 0.02;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), to_a_thousandth()).ruling, Ruling::holds);
  methods = beside({{0.06, 0.54}, {0.06, 0.54}});
  methods[0].repeats[1].updates.back().gap_to_bound = kUnknown;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), to_a_thousandth()).ruling, Ruling::within_bands);
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
  // width, and 1/1024 is less than 0.10 %.
  ExperimentRecord plan;
  plan.certificate_gap = 0x1p-10;
  const Finding found =
      verdicts::equal_violation(setting_of({ending_at(Kind::ours, {{0.25, 0.5625}, {0.25, 0.5625}}),
                                            ending_at(Kind::penalty, {{0, 0.25}, {0, 0.25}}, 10),
                                            ending_at(Kind::penalty, {{0.5, 0.75}, {0.5, 0.75}}, 0.1)}),
                                plan);
  EXPECT_EQ(found.evidence,
            "At a violation of 0.2500 \u00b1 0 the method returns 0.5625 \u00b1 0, the penalty baseline 0.5000 \u00b1 "
            "0: a difference of 0.06250 (0.06250 to 0.06250). The last solves leave up to 0.10 % of a value open for "
            "ours and 0.10 % for the baseline.");
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
