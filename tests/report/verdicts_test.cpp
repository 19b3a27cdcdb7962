#include <fairstep/report/internal/verdicts.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::run_with;
using test::setting_of;

ExperimentRecord plan() {
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
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.56}, {0.06, 0.56}})), plan()).ruling, Ruling::holds);
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.54}, {0.06, 0.54}})), plan()).ruling, Ruling::fails);
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.5503}, {0.06, 0.5503}})), plan()).ruling,
            Ruling::within_bands);
  // Far above and far below: the interval of the mean holds both.
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.06, 0.57}, {0.06, 0.54}})), plan()).ruling,
            Ruling::within_bands);
}

TEST(EqualViolation, IsUndecidedWhereNoPenaltyViolatesSoLittle) {
  EXPECT_EQ(verdicts::equal_violation(setting_of(beside({{0.001, 0.49}, {0.001, 0.49}})), plan()).ruling,
            Ruling::undecided);
  EXPECT_EQ(verdicts::equal_violation(setting_of({ending_at(Kind::ours, {{0.1, 0.5}})}), plan()).ruling,
            Ruling::undecided);
}

TEST(EqualReturn, ComparesViolations) {
  // On the line the return 0.55 is had at a violation of 0.06.
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.03, 0.55}, {0.03, 0.55}})), plan()).ruling, Ruling::holds);
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.09, 0.55}, {0.09, 0.55}})), plan()).ruling, Ruling::fails);
  // 0.1 % of 0.55 is 0.00055 of return, which is 0.00055 of violation on this line.
  EXPECT_EQ(verdicts::equal_return(setting_of(beside({{0.0596, 0.55}, {0.0596, 0.55}})), plan()).ruling,
            Ruling::within_bands);
}

TEST(EqualViolation, IsNotDecidedByWhatTheSolvesLeaveOpen) {
  // 0.56 against 0.55: 2 % of 0.56 are 0.0112, so that a baseline that is open to 2 % might be as good, and ours might
  // be as good where it is 0.54 and open to 2 %.
  std::vector<MethodRuns> methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  methods[1].repeats[0].updates.back().gap_to_bound = 0.02;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), plan()).ruling, Ruling::within_bands);
  methods = beside({{0.06, 0.56}, {0.06, 0.56}});
  methods[0].repeats[0].updates.back().gap_to_bound = 0.02;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), plan()).ruling, Ruling::holds);
  methods = beside({{0.06, 0.54}, {0.06, 0.54}});
  methods[0].repeats[1].updates.back().gap_to_bound = kUnknown;
  EXPECT_EQ(verdicts::equal_violation(setting_of(methods), plan()).ruling, Ruling::within_bands);
}

TEST(EqualWorstStep, LooksAtTheWidestGap) {
  // The line of averages has 0.55 at 0.06, where ours has 0.54; at its worst step ours has 0.03, where the line has
  // 0.52.
  Setting setting = setting_of(beside({{0.06, 0.54}, {0.06, 0.54}}));
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {0.03, 0.02};
  EXPECT_EQ(verdicts::equal_violation(setting, plan()).ruling, Ruling::fails);
  EXPECT_EQ(verdicts::equal_worst_step(setting, plan()).ruling, Ruling::holds);
}

TEST(NoBetterPenalty, IsRefutedByOne) {
  EXPECT_EQ(verdicts::no_better_penalty(setting_of(beside({{0.06, 0.55}, {0.06, 0.55}})), plan()).ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::no_better_penalty(setting_of(beside({{0.2, 0.5}, {0.2, 0.5}})), plan()).ruling, Ruling::fails);
}

Setting training(const std::vector<std::vector<double>>& violations) {
  MethodRuns ours = ending_at(Kind::ours, {});
  for (const auto& series : violations)
    ours.repeats.push_back(run_with(series, std::vector<double>(series.size(), 0.5)));
  return setting_of({ours});
}

TEST(Convergence, AsksForTheLastDoubling) {
  // Range 0.4: 5 % are 0.02.
  EXPECT_EQ(verdicts::convergence(training({{0.5, 0.3, 0.11, 0.1}, {0.5, 0.3, 0.11, 0.1}}), plan()).ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::convergence(training({{0.5, 0.3, 0.2, 0.1}, {0.5, 0.3, 0.2, 0.1}}), plan()).ruling,
            Ruling::fails);
  // Changes of -0.2 and +0.1: their mean moves by more than 5 %, and the interval contains zero.
  EXPECT_EQ(verdicts::convergence(training({{0.5, 0.3, 0.3, 0.1}, {0.5, 0.3, 0.1, 0.2}}), plan()).ruling,
            Ruling::within_bands);
}

TEST(WorstStep, MayUseWhatTheRelaxationAllows) {
  Setting setting = training({{0.1}, {0.1}});
  EXPECT_EQ(verdicts::worst_step(setting, plan()).ruling, Ruling::holds);
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {0.05, 0.15};  // 0.05 over at step 2
  EXPECT_EQ(verdicts::worst_step(setting, plan()).ruling, Ruling::fails);
}

TEST(NarrowBands, ComparesWithTheMedianBaseline) {
  const auto spread_by = [](Kind kind, double width) {
    return ending_at(kind, {{0.1 - width, 0.5}, {0.1 + width, 0.5}}, 1);
  };
  EXPECT_EQ(
      verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.01), spread_by(Kind::penalty, 0.03)}), plan()).ruling,
      Ruling::holds);
  EXPECT_EQ(
      verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.02), spread_by(Kind::penalty, 0.03)}), plan()).ruling,
      Ruling::within_bands);
  EXPECT_EQ(
      verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.04), spread_by(Kind::penalty, 0.03)}), plan()).ruling,
      Ruling::fails);
}

TEST(LiteralConstants, TakeEffectBelowOne) {
  MethodRuns literal = ending_at(Kind::literal, {{0.5, 0.3}, {0.5, 0.3}});
  for (RunRecord& run : literal.repeats) {
    run.updates[0].relaxation = {12, 12};
    run.updates[0].vacuous = {0, 1};
  }
  const MethodRuns ours = ending_at(Kind::ours, {{0.1, 0.5}});
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours, literal}), plan()).ruling, Ruling::fails);
  for (RunRecord& run : literal.repeats) {
    run.updates[0].relaxation = {0.5, 12};
    run.updates[0].vacuous = {1};
  }
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours, literal}), plan()).ruling, Ruling::holds);
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours}), plan()).ruling, Ruling::undecided);
}

TEST(Solved, CountsEverySolve) {
  Setting setting = setting_of({ending_at(Kind::ours, {{0.1, 0.5}, {0.1, 0.5}})});
  EXPECT_EQ(verdicts::solved(setting, plan()).ruling, Ruling::holds);
  setting.methods[0].repeats[1].updates[0].gap_to_bound = 0.002;
  EXPECT_EQ(verdicts::solved(setting, plan()).ruling, Ruling::fails);
  setting.methods[0].repeats[1].updates[0].gap_to_bound = kUnknown;
  EXPECT_EQ(verdicts::solved(setting, plan()).ruling, Ruling::fails);
}

TEST(Rates, AreFittedToTheLaterHalf) {
  // Updates at k = 8 .. 64; the later two fall like k^(-1): 0.2 at 32, 0.1 at 64. The theorem's like k^(-1/2).
  Setting setting = training({{0, 0.7, 0.2, 0.1}, {0, 0.7, 0.2, 0.1}});
  for (RunRecord& run : setting.methods[0].repeats)
    for (UpdateRecord& update : run.updates) update.reference_violation = 1 / std::sqrt(static_cast<double>(update.k));
  const Slopes slopes = violation_slopes(setting.methods[0]);
  EXPECT_NEAR(slopes.measured.mean, -1, 1e-12);
  EXPECT_NEAR(slopes.theorem, -0.5, 1e-12);
  EXPECT_EQ(verdicts::violation_rate(setting, plan()).ruling, Ruling::holds);
}

TEST(Verdict, SaysWhereAndHowOften) {
  Verdict verdict;
  verdict.findings = {{"a", "A", Ruling::holds, ""}, {"b", "B", Ruling::fails, ""}, {"c", "C", Ruling::holds, ""}};
  EXPECT_EQ(verdict.in_words(), "holds in 2, does not hold in 1 of 3 settings");
  EXPECT_EQ(verdict.overall(), Ruling::fails);
  verdict.findings[1].ruling = Ruling::holds;
  EXPECT_EQ(verdict.in_words(), "holds");
}

}  // namespace
}  // namespace fairstep::report
