// What a model and its limits become: blocks, boxes, means and rows.
#include <fairstep/optimise/program/compile.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

Model one_step() { return standing_still(1, kHighAndLow, -0.5, 1); }

/// The sums of a program's functionals where the high are accepted and the low are not.
std::vector<double> sums_for_the_high(const Program& program) {
  std::vector<double> table;
  for (std::size_t h = 0; h < program.shape().horizon; ++h) table.insert(table.end(), {0, 1});
  Workspace work(program.shape());
  std::vector<double> sums(program.functionals, 0.0);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Effect effect = effect_of(program, b, table, work);
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += effect.functional[j];
  }
  return sums;
}

TEST(Compile, GivesEachGroupATableOfItsOwn) {
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {}, {}));
  ASSERT_EQ(program.blocks.size(), 2U);
  EXPECT_EQ(program.blocks[1].groups, std::vector<std::size_t>{1});
  EXPECT_EQ(program.table_size(), 4U);  // two steps, two features
  EXPECT_EQ(program.functionals, 0U);
  EXPECT_EQ(program.boxes[0].lo, std::vector<double>(4, 0.0));
  EXPECT_EQ(program.boxes[0].hi, std::vector<double>(4, 1.0));
  EXPECT_FALSE(program.deterministic);
}

TEST(Compile, GivesAllGroupsOneTableIfThePolicyMayNotSeeThem) {
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {}, {.group_independent = true, .deterministic = true}));
  ASSERT_EQ(program.blocks.size(), 1U);
  EXPECT_EQ(program.blocks[0].groups, (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(program.deterministic);
}

TEST(Compile, AFloorIsTheEndOfABoxAndOnBothActionsOfBothEnds) {
  const Model model = hand_model();
  const Program both = unwrap(compile(model, {}, {.floor = 0.125}));
  EXPECT_EQ(both.boxes[1].lo[3], 0.125);
  EXPECT_EQ(both.boxes[1].hi[3], 0.875);
  const Program accept = unwrap(compile(model, {}, {.floor = 0.125, .floor_kind = FloorKind::accept_only}));
  EXPECT_EQ(accept.boxes[1].lo[3], 0.125);
  EXPECT_EQ(accept.boxes[1].hi[3], 1);
}

TEST(Compile, ParityOfAcceptanceNeedsNoQuotientAtAnyStep) {
  // Everybody is somewhere: the denominator is 1 whatever the policy.
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.25, 0.125}}}}, {}));
  ASSERT_EQ(program.parities.size(), 2U);
  EXPECT_EQ(program.functionals, 4U);
  for (std::size_t h = 0; h < 2; ++h) {
    const Parity& parity = program.parities[h];
    EXPECT_EQ(parity.notion, "dp");
    EXPECT_EQ(parity.step, h);
    EXPECT_EQ(parity.limit, h == 0 ? 0.25 : 0.125);
    EXPECT_FALSE(parity.two_sided());
    ASSERT_EQ(parity.means.size(), 2U);
    EXPECT_EQ(parity.means[0].name, "a");
    EXPECT_EQ(parity.means[1].name, "b");
    for (const Mean& mean : parity.means) EXPECT_FALSE(mean.denominator);
  }
}

TEST(Compile, OneLimitIsForAllSteps) {
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {.parity = {{Notion::dp, {0.25}}}}, {}));
  ASSERT_EQ(program.parities.size(), 2U);
  EXPECT_EQ(program.parities[1].limit, 0.25);
}

TEST(Compile, WhoIsQualifiedAtTheFirstStepIsKnownAndLaterUpToThePolicy) {
  // Half of either group is qualified at first; later as many as were accepted in time.
  const Model model = hand_model();
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqopt, {0.25}}}}, {}));
  ASSERT_EQ(program.parities.size(), 2U);
  for (const Mean& mean : program.parities[0].means) {
    EXPECT_FALSE(mean.denominator);
    EXPECT_EQ(mean.fixed_denominator, 0.5);
  }
  for (const Mean& mean : program.parities[1].means) {
    EXPECT_TRUE(mean.denominator);
    EXPECT_EQ(mean.fixed_denominator, 1);
  }
  EXPECT_EQ(program.functionals, 6U);  // two numerators, then two and two denominators
}

TEST(Compile, ARateWhoseDenominatorIsKnownIsDividedByItAlready) {
  // Of group b a quarter is qualified, all of it high: its rate is 1, as is a's.
  const Model model = one_step();
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqopt, {0.25}}}}, {}));
  const std::vector<double> sums = sums_for_the_high(program);
  ASSERT_EQ(program.parities.size(), 1U);
  EXPECT_EQ(program.parities[0].means[1].fixed_denominator, 0.25);
  EXPECT_EQ(mean_of(program.parities[0].means[0], sums), 1);
  EXPECT_EQ(mean_of(program.parities[0].means[1], sums), 1);
}

TEST(Compile, EqualOddsAreTwoParitiesAStep) {
  const Model model = one_step();
  const Program program = unwrap(compile(model, {.parity = {{Notion::eqodds, {0.25}}}}, {}));
  ASSERT_EQ(program.parities.size(), 2U);
  EXPECT_EQ(program.parities[0].notion, "eqodds, y=1");
  EXPECT_EQ(program.parities[1].notion, "eqodds, y=0");
  EXPECT_EQ(width_of(program.parities[1], sums_for_the_high(program)), 0);  // no low one is accepted
}

TEST(Compile, AGroupOfWhichNobodyCanBeQualifiedIsInNoPair) {
  constexpr double nobody_in_b[2][2][2] = {{{0.5, 0}, {0, 0.5}}, {{0.75, 0}, {0.25, 0}}};
  const Model model = standing_still(3, nobody_in_b, -0.5, 1);
  EXPECT_TRUE(unwrap(compile(model, {.parity = {{Notion::eqopt, {0}}}}, {})).parities.empty());
  const Program odds = unwrap(compile(model, {.parity = {{Notion::eqodds, {0}}}}, {}));
  ASSERT_EQ(odds.parities.size(), 3U);  // those of the unqualified are left, one a step
  EXPECT_EQ(odds.parities[2].notion, "eqodds, y=0");
}

TEST(Compile, AnAggregateIsAParityOfTheWholeEpisode) {
  // The same people at both steps: of a's qualified, 1/2 twice, none at step 0 and all at step 1 are accepted: 1/2.
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.aggregate_eqopt = 0.125}, {}));
  ASSERT_EQ(program.parities.size(), 1U);
  EXPECT_EQ(program.parities[0].step, 2U);
  EXPECT_EQ(program.parities[0].notion, "aggregate eqopt");
  EXPECT_EQ(program.parities[0].limit, 0.125);
  Workspace work(program.shape());
  const Effect a = effect_of(program, 0, std::vector<double>{0, 0, 0, 1}, work);
  EXPECT_EQ(mean_of(program.parities[0].means[0], a.functional), 0.5);
  // Of all of a, 1/2 are high: none at step 0, 1/2 at step 1. Everybody is there at both: no denominator to speak of.
  const Program everybody = unwrap(compile(model, {.aggregate_dp = 0.25}, {}));
  ASSERT_EQ(everybody.parities.size(), 1U);
  EXPECT_EQ(everybody.parities[0].step, 2U);
  EXPECT_EQ(everybody.parities[0].notion, "aggregate dp");
  EXPECT_EQ(everybody.parities[0].limit, 0.25);
  EXPECT_FALSE(everybody.parities[0].means[0].denominator);
  const Effect of_all = effect_of(everybody, 0, std::vector<double>{0, 0, 0, 1}, work);
  EXPECT_EQ(mean_of(everybody.parities[0].means[0], of_all.functional), 0.25);
}

TEST(Compile, ACapacityIsARowAboutEverybodyAtEachStep) {
  // 1/2 * 1/2 + 1/2 * 1/4 = 3/8 of all are high.
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  const Program program = unwrap(compile(model, {.capacity = Capacity{{0.5, 0.25}}}, {}));
  ASSERT_EQ(program.rows.size(), 2U);
  EXPECT_EQ(program.rows[0].name, "capacity");
  EXPECT_EQ(program.rows[0].upper, 0.5);
  EXPECT_EQ(program.rows[1].upper, 0.25);
  EXPECT_EQ(program.rows[1].step, 1U);
  const std::vector<double> sums = sums_for_the_high(program);
  EXPECT_EQ(height_of(program.rows[0], sums), 0.375);
  EXPECT_EQ(excess_of(program, sums), 0.125);
}

/// Two means, the acceptance of the qualified and of group b, and rows over these.
MomentConstraint two_means(const Model& model, const std::vector<std::vector<double>>& matrix) {
  const Shape& n = model.shape();
  MomentConstraint moment;
  ConditionalMean qualified{"qualified", Tensor<double, 4>({n.groups, n.features, kLabels, kActions}),
                            Tensor<double, 3>({n.groups, n.features, kLabels})};
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) qualified.payoff(g, x, y, 1) = 1;
  ConditionalMean of_b = qualified;
  of_b.name = "of b";
  for (std::size_t x = 0; x < n.features; ++x) {
    for (std::size_t g = 0; g < n.groups; ++g) qualified.event(g, x, 1) = 1;
    for (std::size_t y = 0; y < kLabels; ++y) of_b.event(1, x, y) = 1;
  }
  moment.means = {qualified, of_b};
  moment.matrix = Tensor<double, 2>({matrix.size(), 2});
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    moment.matrix(k, 0) = matrix[k][0];
    moment.matrix(k, 1) = matrix[k][1];
    moment.bound.push_back(0.5);
    moment.names.push_back("row " + std::to_string(k));
  }
  return moment;
}

TEST(Compile, MomentsAreRowsOverTheirMeans) {
  // All the qualified are high, 1; of b a quarter. 1 - 2 * 1/4 = 1/2.
  const Model model = one_step();
  const Program program = unwrap(compile(model, {.moments = {two_means(model, {{1, -2}, {0, 1}})}}, {}));
  ASSERT_EQ(program.rows.size(), 2U);
  const std::vector<double> sums = sums_for_the_high(program);
  EXPECT_EQ(height_of(program.rows[0], sums), 0.5);
  EXPECT_EQ(program.rows[0].name, "row 0");
  // A mean with a coefficient of 0 is not in the row.
  ASSERT_EQ(program.rows[1].means.size(), 1U);
  EXPECT_EQ(program.rows[1].means[0].name, "of b");
  EXPECT_EQ(height_of(program.rows[1], sums), 0.25);
}

TEST(Compile, ARowAboutNobodyHoldsByItself) {
  constexpr double nobody[2][2][2] = {{{0.5, 0}, {0.5, 0}}, {{0.75, 0}, {0.25, 0}}};
  const Model model = standing_still(1, nobody, -0.5, 1);
  const Program program = unwrap(compile(model, {.moments = {two_means(model, {{1, -2}, {0, 1}, {0, 0}})}}, {}));
  ASSERT_EQ(program.rows.size(), 1U);
  EXPECT_EQ(program.rows[0].name, "row 1");
}

/// At the first step rates may be off by 1/8 in group a and 1/16 in b.
Fairness doubtful(Doubt::Stance stance) {
  Doubt doubt{stance, {0.125, 0.0625}, Tensor<double, 4>({2, 2, 2, 2})};
  return {.parity = {{Notion::dp, {0.5}, doubt}}};
}

TEST(Compile, ADoubtThatIsHopefulNarrowsTheGap) {
  // Rates 1/2 and 1/4. At the least 3/8 and 3/16, at the most 5/8 and 5/16: the gap is at least 3/8 - 5/16 = 1/16.
  const Model model = one_step();
  const Program program = unwrap(compile(model, doubtful(Doubt::Stance::hopeful), {}));
  ASSERT_TRUE(program.parities.at(0).two_sided());
  EXPECT_EQ(width_of(program.parities[0], sums_for_the_high(program)), 0.0625);
}

TEST(Compile, ADoubtThatIsCautiousWidensIt) {
  // 5/8 - 3/16 = 7/16.
  const Model model = one_step();
  const Program program = unwrap(compile(model, doubtful(Doubt::Stance::cautious), {}));
  EXPECT_EQ(width_of(program.parities.at(0), sums_for_the_high(program)), 0.4375);
}

TEST(Compile, LaterStepsAreAsFarOffAsAllCellsOnTheWayThere) {
  // Two steps, and 1/32 more for each refusal of group a on the way. Its low half is refused at step 0, so at step 1
  // its rate is off by 1/8 + 1/2 * 1/32 = 9/64: at the most 41/64, and b's at the least 3/16 = 12/64.
  const Model model = standing_still(2, kHighAndLow, -0.5, 1);
  Fairness fairness = doubtful(Doubt::Stance::cautious);
  for (std::size_t x = 0; x < 2; ++x)
    for (std::size_t y = 0; y < kLabels; ++y) fairness.parity[0].doubt->cell(0, x, y, 0) = 1.0 / 32;
  const Program program = unwrap(compile(model, fairness, {}));
  EXPECT_EQ(width_of(program.parities.at(0), sums_for_the_high(program)), 28.0 / 64);
  EXPECT_EQ(width_of(program.parities.at(1), sums_for_the_high(program)), 29.0 / 64);
}

TEST(Compile, RefusesWhatIsNoLimitAndWhatIsNoFloor) {
  const Model model = hand_model();
  const auto limit = compile(model, {.parity = {{Notion::dp, {2}}}}, {});
  ASSERT_FALSE(limit);
  EXPECT_EQ(limit.error().message, "limit is 2, expected between 0 and 1");
  const auto floor = compile(model, {}, {.floor = 2});
  ASSERT_FALSE(floor);
  EXPECT_EQ(floor.error().message, "floor is 2, expected a probability between 0 and 1");
}

TEST(CompilePenalty, HasATermForEachPairOfGroupsAndNoLimit) {
  const Model model = testing::random_model(1, 3, 2, 2);
  const Program program = unwrap(compile_penalty(model, {.parity = {{Notion::dp, {0.5}}}}, {}, 4, PenaltyForm::rate));
  EXPECT_TRUE(program.parities.empty());
  ASSERT_EQ(program.penalties.size(), 6U);  // three pairs, two steps
  EXPECT_EQ(program.penalties[1].first.name, "g0");
  EXPECT_EQ(program.penalties[1].second.name, "g2");
  EXPECT_EQ(program.penalties[1].weight, 4);
  EXPECT_EQ(program.penalties[3].step, 1U);
}

TEST(CompilePenalty, OfZeroTakesNothing) {
  const Model model = hand_model();
  EXPECT_TRUE(
      unwrap(compile_penalty(model, {.parity = {{Notion::dp, {0.5}}}}, {}, 0, PenaltyForm::rate)).penalties.empty());
}

TEST(CompilePenalty, KeepsACapacityAsALimit) {
  const Model model = hand_model();
  const Fairness fairness{.parity = {{Notion::dp, {0.5}}}, .capacity = Capacity{{0.5}}};
  EXPECT_EQ(unwrap(compile_penalty(model, fairness, {}, 1, PenaltyForm::rate)).rows.size(), 2U);
}

TEST(CompilePenalty, CrossMultiplicationScalesByDenominatorsThatAreKnown) {
  // Qualified are 1/2 of a and 1/4 of b: (N_a 1/4 - N_b 1/2)^2 is (1/8)^2 times the squared difference of the rates.
  const Model model = one_step();
  const Fairness fairness{.parity = {{Notion::eqopt, {0.5}}}};
  const Program cross = unwrap(compile_penalty(model, fairness, {}, 64, PenaltyForm::cross));
  ASSERT_EQ(cross.penalties.size(), 1U);
  EXPECT_EQ(cross.penalties[0].weight, 1);  // 64 / 64
  EXPECT_FALSE(cross.penalties[0].multiplied_out);
  EXPECT_EQ(unwrap(compile_penalty(model, fairness, {}, 64, PenaltyForm::rate)).penalties[0].weight, 64);
}

TEST(CompilePenalty, CrossMultipliesWhereDenominatorsVary) {
  const Model model = hand_model();
  const Program cross =
      unwrap(compile_penalty(model, {.parity = {{Notion::eqopt, {0.5}}}}, {}, 64, PenaltyForm::cross));
  ASSERT_EQ(cross.penalties.size(), 2U);
  EXPECT_FALSE(cross.penalties[0].multiplied_out);
  EXPECT_TRUE(cross.penalties[1].multiplied_out);
  EXPECT_EQ(cross.penalties[1].weight, 64);
}

TEST(CompilePenalty, CrossMultipliesWhereOneDenominatorIsANumberAndAnotherVaries) {
  // Everybody in b is qualified, whatever was decided. With the high accepted 1/2 of 1/2 in a and 1/4 of 1 in b are
  // accepted and qualified: (1/2 * 1 - 1/4 * 1/2)^2 = 9/64 at either step. It was 36/64 at the second one.
  constexpr double kAllQualified[2][2][2] = {{{0.5, 0}, {0, 0.5}}, {{0, 0.75}, {0, 0.25}}};
  const Model model = standing_still(2, kAllQualified, -0.5, 1);
  const Program cross =
      unwrap(compile_penalty(model, {.parity = {{Notion::eqopt, {0.5}}}}, {}, 64, PenaltyForm::cross));
  ASSERT_EQ(cross.penalties.size(), 2U);
  EXPECT_EQ(penalty_of(cross, sums_for_the_high(cross)), 18);
}

TEST(CompilePenalty, IsAFiniteNumberOfZeroOrMore) {
  const Model model = hand_model();
  for (const double lambda : {-1.0, std::numeric_limits<double>::infinity()}) {
    const auto program = compile_penalty(model, {}, {}, lambda, PenaltyForm::rate);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().option, "penalty");
  }
  EXPECT_EQ(compile_penalty(model, {}, {}, -1, PenaltyForm::rate).error().message,
            "penalty is -1, expected a finite number of 0 or more");
}

}  // namespace
}  // namespace fairstep
