// Claims about the way there, on series made up for it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/report/internal/verdicts.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::run_with;
using test::setting_of;

ExperimentRecord a_thousandth_asked() {
  ExperimentRecord made;
  made.certificate_gap = 1e-3;
  return made;
}

/// Runs of ours with these violations, update by update.
Setting training(const std::vector<std::vector<double>>& violations) {
  MethodRuns ours = ending_at(Kind::ours, {});
  for (const auto& series : violations)
    ours.repeats.push_back(run_with(series, std::vector<double>(series.size(), 0.5)));
  return setting_of({ours});
}

TEST(Convergence, AsksForTheLastDoubling) {
  const auto ruling = [](const std::vector<std::vector<double>>& violations) {
    return verdicts::convergence(training(violations), a_thousandth_asked()).ruling;
  };
  // The level is 0.1, and 5 % of it are 0.005.
  EXPECT_EQ(ruling({{0.5, 0.3, 0.104, 0.1}, {0.5, 0.3, 0.104, 0.1}}), Ruling::holds);
  // However large the range that was run through, a tenth of the level is no stable level.
  EXPECT_EQ(ruling({{0.9, 0.3, 0.11, 0.1}, {0.9, 0.3, 0.11, 0.1}}), Ruling::fails);
  EXPECT_EQ(ruling({{0.9, 0.3, 0.09, 0.1}, {0.9, 0.3, 0.09, 0.1}}), Ruling::fails);
  // Changes of -0.2 and +0.1: the interval of their mean contains zero and more.
  EXPECT_EQ(ruling({{0.5, 0.3, 0.3, 0.1}, {0.5, 0.3, 0.1, 0.2}}), Ruling::undecided);
}

TEST(WorstStep, MayUseWhatTheRelaxationAllows) {
  Setting setting = training({{0.1}, {0.1}});
  EXPECT_EQ(verdicts::worst_step(setting, a_thousandth_asked()).ruling, Ruling::holds);
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {0.05, 0.15};  // 0.05 over at step 2
  EXPECT_EQ(verdicts::worst_step(setting, a_thousandth_asked()).ruling, Ruling::fails);
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {0.05, 0.1005};  // 0.0005 over
  EXPECT_EQ(verdicts::worst_step(setting, a_thousandth_asked()).ruling, Ruling::tie);
  setting.methods[0].repeats[0].updates[0].dp = {0.05, 0.05};  // 0.05 to spare, and 0.0005 over
  EXPECT_EQ(verdicts::worst_step(setting, a_thousandth_asked()).ruling, Ruling::undecided);
}

TEST(NarrowBands, ComparesWithTheMedianBaseline) {
  const auto spread_by = [](Kind kind, double width) {
    return ending_at(kind, {{0.1 - width, 0.5}, {0.1 + width, 0.5}}, 1);
  };
  EXPECT_EQ(verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.01), spread_by(Kind::penalty, 0.03)}),
                                   a_thousandth_asked())
                .ruling,
            Ruling::holds);
  EXPECT_EQ(verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.02), spread_by(Kind::penalty, 0.03)}),
                                   a_thousandth_asked())
                .ruling,
            Ruling::fails);
  EXPECT_EQ(verdicts::narrow_bands(setting_of({spread_by(Kind::ours, 0.04), spread_by(Kind::penalty, 0.03)}),
                                   a_thousandth_asked())
                .ruling,
            Ruling::fails);
}

TEST(LiteralConstants, TakeEffectBelowOne) {
  MethodRuns literal = ending_at(Kind::literal, {{0.5, 0.3}, {0.5, 0.3}});
  for (RunRecord& run : literal.repeats) {
    run.updates[0].relaxation = {12, 12};
    run.updates[0].vacuous = {0, 1};
  }
  const MethodRuns ours = ending_at(Kind::ours, {{0.1, 0.5}});
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours, literal}), a_thousandth_asked()).ruling, Ruling::fails);
  for (RunRecord& run : literal.repeats) {
    run.updates[0].relaxation = {0.5, 12};
    run.updates[0].vacuous = {1};
  }
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours, literal}), a_thousandth_asked()).ruling, Ruling::holds);
  EXPECT_EQ(verdicts::literal_constants(setting_of({ours}), a_thousandth_asked()).ruling, Ruling::undecided);
}

TEST(Solved, CountsEverySolve) {
  Setting setting = setting_of({ending_at(Kind::ours, {{0.1, 0.5}, {0.1, 0.5}})});
  EXPECT_EQ(verdicts::solved(setting, a_thousandth_asked()).ruling, Ruling::holds);
  setting.methods[0].repeats[1].updates[0].gap_to_bound = 0.002;
  EXPECT_EQ(verdicts::solved(setting, a_thousandth_asked()).ruling, Ruling::undecided);
  setting.methods[0].repeats[1].updates[0].gap_to_bound = kUnknown;
  EXPECT_EQ(verdicts::solved(setting, a_thousandth_asked()).ruling, Ruling::undecided);
}

TEST(Rates, AreFittedToTheLaterHalf) {
  // Updates at k = 8 .. 64; the later two fall like k^(-1): 0.2 at 32, 0.1 at 64. The theorem's like k^(-1/2).
  Setting setting = training({{0, 0.7, 0.2, 0.1}, {0, 0.7, 0.2, 0.1}});
  for (RunRecord& run : setting.methods[0].repeats)
    for (UpdateRecord& update : run.updates) {
      update.reference_violation = 1 / std::sqrt(static_cast<double>(update.k));
      update.relaxation = {1, 1};
    }
  const Slopes slopes = violation_slopes(setting.methods[0]);
  EXPECT_NEAR(slopes.measured.mean, -1, 1e-12);
  EXPECT_NEAR(slopes.theorem, -0.5, 1e-12);
  EXPECT_EQ(verdicts::violation_rate(setting, a_thousandth_asked()).ruling, Ruling::holds);
}

TEST(Rates, OfAViolationThatTheRelaxationDecidesAreCircular) {
  // Runs made for tests violate by just what their relaxation allows.
  Setting setting = training({{0, 0.7, 0.2, 0.1}, {0, 0.7, 0.2, 0.1}});
  for (RunRecord& run : setting.methods[0].repeats)
    for (UpdateRecord& update : run.updates) update.reference_violation = 1 / std::sqrt(static_cast<double>(update.k));
  const Finding found = verdicts::violation_rate(setting, a_thousandth_asked());
  EXPECT_EQ(found.ruling, Ruling::undecided);
  EXPECT_NE(found.evidence.find("this is circular: at 2 of these 2 updates"), std::string::npos) << found.evidence;
}

TEST(Inside, SaysWhereTheTheoremsBegin) {
  // Two groups, S = 2, H = 2, one person of each in an episode, delta 0.1; the last update is at k = 8.
  Setting setting = training({{0.1}});
  ExperimentRecord plan;
  plan.people_per_episode = 1;
  plan.delta = 0.1;
  EXPECT_EQ(verdicts::inside(setting, plan).ruling, Ruling::undecided);
  setting.oracle = OracleRecord{"town", "dp", 0.5, 0, 0.9};
  const Finding at_ends = verdicts::inside(setting, plan);
  EXPECT_EQ(at_ends.ruling, Ruling::fails);
  EXPECT_TRUE(at_ends.evidence.starts_with(
      "90.0 % of the entries of the best fair policy are at 0 or 1, and C~ is 0.0000: there is no T."))
      << at_ends.evidence;
  // Far inside, and 10,000 people: 5000 k^(-1/3) (k - 1) >= 32 ln(160 k^2) from k = 2 on.
  setting.oracle = OracleRecord{"town", "dp", 0.5, 0.5, 0};
  plan.people_per_episode = 10000;
  EXPECT_EQ(verdicts::inside(setting, plan).ruling, Ruling::holds);
}

TEST(Rates, OfARegretThatIsNegativeAreBetterThanAny) {
  Setting setting = training({{0.2, 0.1}, {0.2, 0.1}});
  for (RunRecord& run : setting.methods[0].repeats) run.updates.back().regret = -0.125;
  const Finding found = verdicts::regret_rate(setting, a_thousandth_asked());
  EXPECT_EQ(found.ruling, Ruling::holds);
  EXPECT_EQ(
      found.evidence,
      "The regret is \u22120.1250 \u00b1 0 at the last update: negative, the violation that is left buys return.");
}

TEST(Rates, OfARegretThatNobodyKnowsAreUndecided) {
  // No best fair policy was found: regret is no number.
  EXPECT_EQ(verdicts::regret_rate(training({{0.2, 0.1}}), a_thousandth_asked()).ruling, Ruling::undecided);
}

TEST(Rates, OfNothingPositiveAreUndecided) {
  const Finding found = verdicts::violation_rate(training({{0, 0, 0, 0}}), a_thousandth_asked());
  EXPECT_EQ(found.ruling, Ruling::undecided);
  EXPECT_EQ(found.evidence, "The violation has no logarithm at two later updates of any repeat.");
}

TEST(Convergence, AsksForThreeUpdates) {
  const Finding found = verdicts::convergence(training({{0.5, 0.1}, {0.5, 0.1}}), a_thousandth_asked());
  EXPECT_EQ(found.ruling, Ruling::undecided);
  EXPECT_EQ(found.evidence, "There are fewer than three updates.");
}

TEST(NarrowBands, OfASingleRepeatAreUndecided) {
  const MethodRuns once = ending_at(Kind::ours, {{0.1, 0.5}});
  EXPECT_EQ(verdicts::narrow_bands(setting_of({once, ending_at(Kind::penalty, {{0.1, 0.5}}, 1)}), a_thousandth_asked())
                .ruling,
            Ruling::undecided);
}

TEST(WorstStep, IsUndecidedWhereNoStepHasTwoGroups) {
  Setting setting = training({{0.1}, {0.1}});
  for (RunRecord& run : setting.methods[0].repeats) run.updates[0].dp = {kUnknown, kUnknown};
  EXPECT_EQ(verdicts::worst_step(setting, a_thousandth_asked()).ruling, Ruling::undecided);
}

TEST(Solved, SaysHowManyAreNotAndHowFarOff) {
  Setting setting = setting_of({ending_at(Kind::ours, {{0.1, 0.5}, {0.1, 0.5}, {0.1, 0.5}})});
  setting.methods[0].repeats[1].updates[0].gap_to_bound = 0x1p-6;  // 1.5625 %, and bounds are rounded up
  setting.methods[0].repeats[2].updates[0].gap_to_bound = kUnknown;
  EXPECT_EQ(verdicts::solved(setting, a_thousandth_asked()).evidence,
            "1 of 3 solves are proven to 0.1 %; the widest of the others is 1.6 %, and 1 have no bound within the time "
            "allowed.");
}

}  // namespace
}  // namespace fairstep::report
