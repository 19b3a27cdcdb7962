// What is solved at an update, number by number.
#include <fairstep/learn/internal/update_program.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/estimate/bonus.hpp>
#include <fairstep/estimate/literal_relaxation.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;
using testing::unwrap;

/// Two groups, one feature, H = 2: S = 2, A = 2. Rewards lie within [-1, 2].
Known small_known() {
  Known known;
  known.horizon = 2;
  known.names.groups = {"a", "b"};
  known.names.features = {"x"};
  known.share = {0.5, 0.5};
  known.reward = {-1, 2};
  return known;
}

/// Every cell was seen 100 times, half of them at the first step and with a successor; half of the successors are
/// qualified. But group a, refused and unqualified: 400 times, and an eighth. The reward of a cell is its number over
/// 8: 0, 1/8, 2/8, ...
Counts small_counts() {
  CountsSpec counts = CountsSpec::zeros(2, small_known().names);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        const std::int64_t half = g == 0 && y == 0 && a == 0 ? 200 : 50;
        counts.first(g, 0, y) += half;
        for (std::size_t h = 0; h < 2; ++h) counts.visits(g, h, 0, y, a) = half;
        counts.transitions(g, 0, y, a, 0, 1) = 25;
        counts.transitions(g, 0, y, a, 0, 0) = half - 25;
        const double reward = static_cast<double>(4 * g + 2 * y + a) / 8, visits = 2 * static_cast<double>(half);
        counts.reward_sum(g, 0, y, a) = visits * reward;
        counts.reward_squares(g, 0, y, a) = visits * reward * reward;
      }
  return made(std::move(counts));
}

/// 16 S A H k^2 = 128 * 64 at k = 8: with this delta, 0.0305, the bonus' logarithm is 12.5.
const double kDelta = 8192 * std::exp(-12.5);
/// The relaxation's is then 16.
const double kEpsilon = std::exp(-3.5);

LearnOptions options_for(RelaxationMode mode) {
  LearnOptions options;
  options.fairness.limit = {0.05};
  options.relaxation = mode;
  options.bonus_scale = 1;
  options.relaxation_scale = 1;
  options.delta = kDelta;
  options.epsilon = kEpsilon;
  return options;
}

UpdateProgram program_of(const LearnOptions& options, std::uint64_t k = 8, const Known& known = small_known()) {
  return unwrap(update_program(small_counts(), known, options, k));
}

TEST(UpdateProgram, RaisesEveryRewardByTheLemmasBonus) {
  // b_hat = 2 H sqrt(2 * 12.5 / N) = 4 * 5 / 10 = 2 for N = 100, and 1 for N = 400. Rewards span 3: 6 and 3.
  const UpdateProgram program = program_of(options_for(RelaxationMode::scaled_width));
  const ModelSpec& spec = program.optimistic.spec();
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a) {
        const double seen = static_cast<double>(4 * g + 2 * y + a) / 8;
        EXPECT_EQ(program.estimate.model.spec().reward(g, 0, y, a), seen);
        EXPECT_NEAR(spec.reward(g, 0, y, a), seen + (g + y + a == 0 ? 3 : 6), 1e-12);
      }
  EXPECT_NEAR(program.bonus_max, 6, 1e-12);
  // All else is the estimate's.
  ModelSpec without = spec;
  without.reward = program.estimate.model.spec().reward;
  EXPECT_EQ(without, program.estimate.model.spec());
  EXPECT_EQ(spec.share, small_known().share);
}

TEST(UpdateProgram, CountsSuccessorsWhereLemmasAreAsPrinted) {
  // Half of the visits: N = 50 and 200, so that everything is sqrt(2) times as wide.
  const UpdateProgram visits = program_of(options_for(RelaxationMode::scaled_width));
  for (const RelaxationMode mode : {RelaxationMode::literal, RelaxationMode::scaled}) {
    const UpdateProgram successors = program_of(options_for(mode));
    EXPECT_NEAR(successors.bonus_max, std::min(4 * 3.0, std::sqrt(2) * visits.bonus_max), 1e-12);
    EXPECT_NEAR(successors.relaxation[0] - 8 * kEpsilon, std::sqrt(2) * (visits.relaxation[0] - 8 * kEpsilon), 1e-12);
  }
}

TEST(UpdateProgram, RewardsAreEstimatePlusBonusToTheLastBit) {
  const Model truth = testing::random_model(1, 3, 2, 3);
  const Counts counts = unwrap(simulate_counts(truth, testing::random_policy(1, truth), {.crowd = {50, true}}));
  Known known{.horizon = 3, .names = truth.names(), .share = truth.spec().share, .reward = {-1, 1}};
  LearnOptions options = options_for(RelaxationMode::scaled_width);
  options.bonus_scale = 0.37;
  const UpdateProgram program = unwrap(update_program(counts, known, options, 50));
  const Tensor<double, 4> raise =
      bonus(program.estimate.visits, {known.shape(), 50, kDelta}, {.reward = {-1, 1}, .scale = 0.37});
  for (std::size_t i = 0; i < raise.size(); ++i)
    EXPECT_EQ(program.optimistic.spec().reward.flat()[i],
              program.estimate.model.spec().reward.flat()[i] + raise.flat()[i]);
  EXPECT_EQ(program.bonus_max, *std::max_element(raise.flat().begin(), raise.flat().end()));
}

TEST(UpdateProgram, WidensLimitsByTheLemmasRelaxation) {
  // c_hat: 2 sqrt(2 * 2 * 16 / 100) = 1.6 for each group, and 2 eps H S = 8 eps. Limits stop at 1.
  const UpdateProgram whole = program_of(options_for(RelaxationMode::scaled_width));
  ASSERT_EQ(whole.relaxation.size(), 2u);
  for (const double wider : whole.relaxation) EXPECT_NEAR(wider, 3.2 + 8 * kEpsilon, 1e-12);
  EXPECT_EQ(whole.parity.limit, (std::vector<double>{1, 1}));
  EXPECT_FALSE(whole.parity.doubt);
  EXPECT_FALSE(whole.radii);

  LearnOptions options = options_for(RelaxationMode::scaled_width);
  options.relaxation_scale = 0.1;
  options.fairness.limit = {0.05, 0.8};
  const UpdateProgram scaled = program_of(options);
  for (const double wider : scaled.relaxation) EXPECT_NEAR(wider, 0.32 + 0.8 * kEpsilon, 1e-12);
  EXPECT_NEAR(scaled.parity.limit[0], 0.05 + 0.32 + 0.8 * kEpsilon, 1e-12);
  EXPECT_EQ(scaled.parity.limit[1], 1);
}

TEST(UpdateProgram, RelaxesEqualOpportunityByDHat) {
  LearnOptions options = options_for(RelaxationMode::scaled_width);
  options.fairness.notion = Notion::eqopt;
  options.relaxation_scale = 0.001;
  const UpdateProgram program = program_of(options);
  const AtEpisode at{small_known().shape(), 8, kDelta};
  const double wider = d_hat({{100, 100}, {0.125, 0.5}}, at, kEpsilon, 0.001, Scaled::widths);
  ASSERT_GT(wider, 0.1);
  ASSERT_LT(wider, 1);
  EXPECT_EQ(program.relaxation, (std::vector<double>{wider, wider}));
  EXPECT_EQ(program.parity.limit[1], std::min(1.0, 0.05 + wider));
  // As printed the branch is decided by the whole of w, which is above 1/8: nothing is known.
  options.relaxation = RelaxationMode::scaled;
  EXPECT_EQ(program_of(options).relaxation, (std::vector<double>{1, 1}));
}

TEST(UpdateProgram, DiscountedLimitsGrowWithTheStep) {
  // gamma = 1/2: gamma^h is 1/2 at the first step and 1/4 at the second, for the limit and for what is added to it.
  LearnOptions options = options_for(RelaxationMode::scaled_width);
  options.relaxation_scale = 0.05;
  options.discounted_limits = true;
  Known known = small_known();
  known.discount = 0.5;
  const double wider = 0.05 * (3.2 + 8 * kEpsilon);
  const UpdateProgram program = program_of(options, 8, known);
  EXPECT_NEAR(program.relaxation[0], 2 * wider, 1e-12);
  EXPECT_NEAR(program.relaxation[1], 4 * wider, 1e-12);
  EXPECT_NEAR(program.parity.limit[0], 2 * (0.05 + wider), 1e-12);
  EXPECT_NEAR(program.parity.limit[1], 4 * (0.05 + wider), 1e-12);
  EXPECT_EQ(limits_in_force(options, 0.5, 6), (std::vector<double>{0.1, 0.2, 0.4, 0.8, 1, 1}));
  // Doubt is about rates themselves.
  options.relaxation = RelaxationMode::tight;
  const UpdateProgram tight = program_of(options, 8, known);
  EXPECT_EQ(tight.parity.limit, (std::vector<double>{0.1, 0.2}));
  // Where nothing is discounted, nothing changes.
  options.relaxation = RelaxationMode::scaled_width;
  EXPECT_NEAR(program_of(options).parity.limit[1], 0.05 + wider, 1e-12);
}

TEST(UpdateProgram, ScalesBonusAndRelaxationApart) {
  LearnOptions options = options_for(RelaxationMode::scaled);
  const UpdateProgram whole = program_of(options);
  options.bonus_scale = 0.25;
  options.relaxation_scale = 0.5;
  const UpdateProgram part = program_of(options);
  EXPECT_NEAR(part.bonus_max, whole.bonus_max / 4, 1e-12);
  EXPECT_NEAR(part.relaxation[0], whole.relaxation[0] / 2, 1e-12);
}

struct FloorCase {
  std::uint64_t k;
  FloorKind kind;
  double floor, span;
};

class Floors : public ::testing::TestWithParam<FloorCase> {};

TEST_P(Floors, AreThePapersAndTightDoubtIsRadiusTimesWhatTheyLeave) {
  const auto& [k, kind, floor, span] = GetParam();
  LearnOptions options = options_for(RelaxationMode::tight);
  options.floor_kind = kind;
  const UpdateProgram program = program_of(options, k);
  EXPECT_NEAR(program.floor, floor, 1e-15);
  const Range left = accept_range(program.floor, kind);
  EXPECT_NEAR(left.high - left.low, span, 1e-15);

  ASSERT_TRUE(program.parity.doubt);
  const Doubt& doubt = *program.parity.doubt;
  EXPECT_EQ(doubt.stance, Doubt::Stance::hopeful);
  EXPECT_EQ(program.parity.limit, (std::vector<double>{0.05}));
  EXPECT_TRUE(program.relaxation.empty());
  // Noisy rewards get half of delta; 2 groups with 4 cells and a first state each share the other half.
  const double delta = kDelta / 2 / 10;
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_NEAR(doubt.start[g], span * tv_radius(g == 0 ? 350 : 200, 2, delta), 1e-15);
    for (std::size_t y = 0; y < kLabels; ++y)
      for (std::size_t a = 0; a < kActions; ++a)
        EXPECT_NEAR(doubt.cell(g, 0, y, a), span * tv_radius(g + y + a == 0 ? 200 : 50, 2, delta), 1e-15);
  }
}

// k^(-1/3) is 1, 1/2 and 1/3; a floor under both actions is at most 1/2, and leaves 1 - 2 floor.
INSTANTIATE_TEST_SUITE_P(UpdateProgram, Floors,
                         ::testing::Values(FloorCase{1, FloorKind::two_sided, 0.5, 0},
                                           FloorCase{8, FloorKind::two_sided, 0.5, 0},
                                           FloorCase{27, FloorKind::two_sided, 1.0 / 3, 1.0 / 3},
                                           FloorCase{1, FloorKind::accept_only, 1, 0},
                                           FloorCase{8, FloorKind::accept_only, 0.5, 0.5},
                                           FloorCase{27, FloorKind::accept_only, 1.0 / 3, 2.0 / 3}));

TEST(UpdateProgram, TakesFloorAndEpsilonFromTheUser) {
  LearnOptions options = options_for(RelaxationMode::tight);
  options.floor = 0.125;
  options.epsilon = 0.25;
  const UpdateProgram program = program_of(options, 27);
  EXPECT_EQ(program.floor, 0.125);
  EXPECT_EQ(program.epsilon, 0.25);
  EXPECT_EQ(program.parity.doubt->start[1], 0.75 * program.radii->initial[1]);
  options.epsilon.reset();
  EXPECT_EQ(program_of(options, 27).epsilon, 1.0 / (27 * 2 * 2));
}

TEST(UpdateProgram, ScalesTheTightDoubt) {
  LearnOptions options = options_for(RelaxationMode::tight);
  options.floor = 0;
  options.relaxation_scale = 0.5;
  const UpdateProgram half = program_of(options);
  EXPECT_EQ(half.parity.doubt->cell(0, 0, 1, 1), 0.5 * half.radii->row(0, 0, 1, 1));
  // However large the factor, a share of people is off by at most 1.
  options.relaxation_scale = 1000;
  const UpdateProgram large = program_of(options);
  EXPECT_EQ(large.parity.doubt->cell(0, 0, 1, 1), 1);
  EXPECT_EQ(large.parity.doubt->start[0], 1);
}

TEST(UpdateProgram, TightBonusIsRewardRadiusPlusRowRadiusTimesTheSpanOfLaterRewards) {
  LearnOptions options = options_for(RelaxationMode::tight);
  options.bonus_scale = 0.5;
  Known known = small_known();
  // One later step, discount 1/2: span 3/2 of values to go. Rewards: half of delta, 2 groups with 4 cells.
  known.discount = 0.5;
  const UpdateProgram program = program_of(options, 27, known);
  EXPECT_EQ(program.optimistic.discount(), 0.5);
  const double reward = 3 * one_sided_mean_radius(100, kDelta / 2 / 8 / 2), row = tv_radius(50, 2, kDelta / 2 / 10);
  EXPECT_NEAR(program.optimistic.spec().reward(1, 0, 0, 0), 0.5 + 0.5 * (reward + 1.5 * row), 1e-14);
  EXPECT_NEAR(program.bonus_max, 0.5 * (reward + 1.5 * row), 1e-14);

  // Where one visit tells the reward, nothing is added for it, and rows keep all of delta.
  known.noisy_rewards = false;
  const UpdateProgram told = program_of(options, 27, known);
  EXPECT_NEAR(told.bonus_max, 0.5 * 1.5 * tv_radius(50, 2, kDelta / 10), 1e-14);
}

TEST(UpdateProgram, OfSafeModeHasTheLimitsThemselves) {
  for (const RelaxationMode mode : {RelaxationMode::literal, RelaxationMode::scaled, RelaxationMode::tight}) {
    LearnOptions options = options_for(mode);
    options.safe = true;
    const UpdateProgram program = program_of(options, 27);
    EXPECT_EQ(program.parity, options.fairness);
    EXPECT_TRUE(program.relaxation.empty());
    ASSERT_TRUE(program.radii);
    EXPECT_EQ(program.radii->row(1, 0, 0, 0), tv_radius(50, 2, kDelta / 2 / 10));
  }
}

TEST(UpdateProgram, OtherMethodsHaveNothingToRelax) {
  for (const Method method : {Method::unconstrained, Method::penalty})
    for (const RelaxationMode mode : {RelaxationMode::literal, RelaxationMode::scaled, RelaxationMode::tight}) {
      LearnOptions options = options_for(mode);
      options.method = method;
      const UpdateProgram program = program_of(options, 27);
      EXPECT_EQ(program.parity, options.fairness);
      EXPECT_TRUE(program.relaxation.empty());
    }
}

TEST(UpdateProgram, FillsWhatWasNeverSeenByTheRule) {
  const Counts counts = changed(small_counts(), [](CountsSpec& spec) {
    spec.transitions(1, 0, 1, 0, 0, 0) = spec.transitions(1, 0, 1, 0, 0, 1) = 0;
  });
  LearnOptions options = options_for(RelaxationMode::tight);
  options.unvisited = Unvisited::stay;
  const UpdateProgram program = unwrap(update_program(counts, small_known(), options, 27));
  EXPECT_EQ(program.estimate.unvisited, 1u);
  EXPECT_EQ(program.optimistic.spec().transition(1, 0, 1, 0, 0, 1), 1);
  EXPECT_EQ(program.radii->row(1, 0, 1, 0), 1);
  options.unvisited = Unvisited::error;
  const auto refused = update_program(counts, small_known(), options, 27);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("[g=b,x=0,y=1,a=0]"), std::string::npos) << refused.error().message;
}

TEST(DoubtOf, IsRadiiTimesSpanAndScaleAndAtMostOne) {
  Radii radii;
  radii.row = Tensor<double, 4>({2, 1, 2, 2}, 0.5);
  radii.row(1, 0, 1, 1) = 1;
  radii.initial = {0.25, 1};
  const Doubt doubt = doubt_of(radii, Doubt::Stance::cautious, 0.5, 0.25);
  EXPECT_EQ(doubt.stance, Doubt::Stance::cautious);
  EXPECT_EQ(doubt.start, (std::vector<double>{0.03125, 0.125}));
  EXPECT_EQ(doubt.cell(0, 0, 0, 0), 0.0625);
  EXPECT_EQ(doubt.cell(1, 0, 1, 1), 0.125);
  EXPECT_EQ(doubt_of(radii, Doubt::Stance::hopeful, 0.5, 8).start, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace fairstep
