// How far the truth can be from the design part's population in a direction: a world of two states by hand, the three
// terms against all paths, and lost rows against all that they may have said.
#include <fairstep/certify/direction.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/two_samples.hpp>
#include <fairstep/core/lost.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "split_log.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::direction_test {
namespace {

using testing::call_parts;
using testing::changed;
using testing::made;
using testing::nasty_model;
using testing::nasty_policy;
using testing::Parts;
using testing::unwrap;

constexpr double kClose = 1e-11;

/// What TwoSamples looks at; it has to stay where it is.
struct Scene {
  Parts parts;
  Lost lost;
  Policy policy;
  Estimate estimated;  ///< of the audit part
  Balls sets{};

  [[nodiscard]] TwoSamples samples() const { return {parts.design, parts.audit, lost, policy, estimated, sets, 0}; }
};

Balls sets_around(const Model& model, double reach) {
  const Shape& n = model.shape();
  const ModelSpec& spec = model.spec();
  Balls sets{ByPeriod<double, 4>({n.groups, n.features, kLabels, kActions}, n.periods, reach),
             std::vector<double>(n.groups, reach), Boxes{spec.transition, spec.transition, spec.initial, spec.initial}};
  const auto widen = [&](std::span<double> low, std::span<double> high) {
    for (double& p : low) p = std::max(0.0, p - reach);
    for (double& p : high) p = std::min(1.0, p + reach);
  };
  widen(sets.boxes->low.all(), sets.boxes->high.all());
  widen(sets.boxes->initial_low.flat(), sets.boxes->initial_high.flat());
  return sets;
}

Scene scene_of(Parts parts, Policy policy, double reach) {
  EstimateOptions how;
  how.share.assign(parts.audit.shape().groups, 1 / static_cast<double>(parts.audit.shape().groups));
  Estimate estimated = unwrap(estimate(parts.audit, how));
  Balls sets = sets_around(estimated.model, reach);
  Lost lost = Lost::none(parts.audit.shape());
  return {std::move(parts), std::move(lost), std::move(policy), std::move(estimated), std::move(sets)};
}

/// Group a of a world with one feature, so that states are labels, and two steps. Group b has nobody.
Parts two_states() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"all"};
  CountsSpec design = CountsSpec::zeros(2, names), audit = design;
  const auto put = [](CountsSpec& counts, std::array<std::int64_t, 2> first,
                      const std::array<std::array<std::int64_t, 2>, 4>& next) {
    for (std::size_t y = 0; y < 2; ++y) counts.first(0, 0, y) = first[y];
    for (std::size_t cell = 0; cell < 4; ++cell)
      for (std::size_t y1 = 0; y1 < 2; ++y1) {
        counts.transitions(0, 0, cell / 2, cell % 2, 0, y1) = next[cell][y1];
        counts.visits(0, 0, 0, cell / 2, cell % 2) += next[cell][y1];
        counts.visits(0, 1, 0, cell / 2, cell % 2) += 20;  // whatever is decided last has no successor
      }
  };
  put(design, {6, 2}, {{{3, 1}, {1, 1}, {0, 0}, {0, 1}}});
  put(audit, {5, 3}, {{{6, 2}, {1, 1}, {0, 2}, {1, 1}}});
  Parts parts{made(std::move(design)), made(std::move(audit))};
  call_parts(parts, 0.5);
  return parts;
}

Policy coin(std::size_t horizon, std::size_t features) {
  return unwrap(Policy::make_group_independent(Tensor<double, 2>({horizon, features}, 0.5)));
}

// The question: P(y_1 = 1), for people whom a coin decides about. U_1 = (0, 1). With a share of 1/2, m is what the
// design part has.
//
//   row      p-bar        m    F            mean   x             v        (v + w^2/m)/m
//   first    (3/4, 1/4)   8    (3/8, 3/4)   15/32  (-3/32, 9/32) 27/1024  45/8192
//   y=0,a=0  (3/4, 1/4)   4    (0, 3/8)     3/32   (-3/32, 9/32) 27/1024  63/4096
//   y=0,a=1  (1/2, 1/2)   2    (0, 3/8)     3/16   (-3/16, 3/16) 9/256    27/512
//   y=1,a=0  (1/2, 1/2)   0    (0, 1/8)     1/16   (-1/16, 1/16)          not seen
//   y=1,a=1  (0, 1)       1    (0, 1/8)     1/8    (-1/8, 0)     0        1/64
//
// U_0(0) = 1/2 1/4 + 1/2 1/2 = 3/8 and U_0(1) = 1/2 1/2 + 1/2 1 = 3/4; the answer is 3/4 3/8 + 1/4 3/4 = 15/32. F of a
// cell is d-bar_0 1/2 U_1. V = (45 + 126 + 432 + 128)/8192 = 731/8192, so that ln(1/alpha) = 731/1024 makes lambda 4.
// c = min(1/m, 1/(8w)), u = 4 c w:
//
// A draw of x counts -ln(1 - 4 c x)/4, which is ln(1/(1 - 4 c x))/4:
//
//   row      c    4 c w  audit   4 c x         4 times the sum          of -F
//   first    1/8  3/16   (5, 3)  -3/64, 9/64   5 ln 64/67 + 3 ln 64/55  5 ln 64/61 + 3 ln 64/73
//   y=0,a=0  1/4  3/8    (6, 2)  -3/32, 9/32   6 ln 32/35 + 2 ln 32/23  6 ln 32/29 + 2 ln 32/41
//   y=0,a=1  1/3  1/2    (1, 1)  -1/4, 1/4     ln 4/5 + ln 4/3          the same
//   y=1,a=0  0
//   y=1,a=1  1    1/2    (1, 1)  -1/2, 0       ln 2/3                   ln 2
//
//   row      1 - cN  (q - p-bar).F    product
//   first    0                        0
//   y=0,a=0  -1      -3/64 to 3/64    -3/64 to 3/64
//   y=0,a=1  1/3     -3/64 to 3/64    -1/64 to 1/64
//   y=1,a=0  1       3/64 to 4/64     3/64 to 4/64
//   y=1,a=1  -1      -5/64 to -3/64   3/64 to 5/64
//
// As many first states came as were planned for, so that the only scale is 1.
//
// Every entry of an audit row may be 1/8 off: 3/4 1/4 and 1/2 1/2 for y=0, 0 1 and 1/2 1/2 for y=1. D_0(0) in [-1/8,
// 1/16] and D_0(1) in [-1/16, 1/8] are given. e_0(0) = 1/2 (-1/8 to 1/8) + 1/2 (-1/8 to 1/8), e_0(1) = 1/2 (3/8 to 1/2)
// + 1/2 (-5/8 to -3/8) = -1/8 to 1/16. So the remainder is (-1/64 to 1/64) + (-1/64 to 1/128) = -1/32 to 3/128.
TEST(Direction, OfTwoStatesIsAsWorkedOutByHand) {
  const Scene scene = scene_of(two_states(), coin(2, 1), 0.125);
  const TwoSamples samples = scene.samples();
  const std::array<double, 2> labels{0, 1};
  const Deviations given{{{-1. / 8, 1. / 16}, {-1. / 16, 1. / 8}}};
  const Direction direction(samples, Payoff::at(1, labels), given);
  EXPECT_NEAR(direction.design_answer(), 15. / 32, kClose);
  EXPECT_NEAR(direction.remainder().low, -1. / 32, kClose);
  EXPECT_NEAR(direction.remainder().high, 3. / 128, kClose);
  ASSERT_EQ(direction.rows().size(), 5u);
  const std::array<double, 5> noise{45. / 8192, 63. / 4096, 27. / 512, 0, 1. / 64};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(direction.rows()[i].noise, noise[i], kClose) << i;
  ASSERT_EQ(direction.drawn(direction.rows()[0]).size(), 2u);
  EXPECT_NEAR(direction.drawn(direction.rows()[0])[1].x, 9. / 32, kClose);
  EXPECT_EQ(direction.drawn(direction.rows()[0])[1].times, 3);

  const Range range = answer_range(std::array{SignedDirection{direction}}, std::exp(-731. / 1024));
  const auto ln = [](double p, double q) { return std::log(p / q); };
  const double even = ln(4, 5) + ln(4, 3);
  const double above = 5 * ln(64, 67) + 3 * ln(64, 55) + 6 * ln(32, 35) + 2 * ln(32, 23) + even + ln(2, 3);
  const double below = 5 * ln(64, 61) + 3 * ln(64, 73) + 6 * ln(32, 29) + 2 * ln(32, 41) + even + ln(2, 1);
  EXPECT_NEAR(range.high, 15. / 32 + 3. / 128 + (731. / 1024 + above) / 4 + (3 + 1 + 4 + 5) / 64., kClose);
  EXPECT_NEAR(range.low, 15. / 32 - 1. / 32 - (731. / 1024 + below) / 4 + (-3 - 1 + 3 + 3) / 64., kClose);

  const Range mirrored = answer_range(std::array{SignedDirection{direction, -1}}, std::exp(-731. / 1024));
  EXPECT_EQ(mirrored.low, -range.high);
  EXPECT_EQ(mirrored.high, -range.low);
}

// P(y_0 = 1), with twice as many first states as were planned for: (10, 6). x is -1/4 and 3/4, v = 3/16 and V = (3/16 +
// 1/8)/8 = 5/128, so that ln(1/alpha) = 5/16 makes lambda 4 and c 1/8. With 1 for a scale -1 times what the row is off
// would be left, 0 to 1/4 by its set. With 1/2 nothing is left, and both sums count half: 4 c x is -1/8 and 3/8.
TEST(Direction, CountsDrawsByHowManyThereAreWhereThatIsNarrower) {
  Parts parts = two_states();
  parts.audit = changed(parts.audit, [](CountsSpec& spec) {
    spec.first(0, 0, 0) = 10, spec.first(0, 0, 1) = 6;
    spec.visits(0, 0, 0, 0, 0) += 8;
  });
  const Scene scene = scene_of(parts, coin(2, 1), 0.125);
  const std::array<double, 2> labels{0, 1};
  const Direction direction(scene.samples(), Payoff::at(0, labels), {});
  const Range range = answer_range(std::array{SignedDirection{direction}}, std::exp(-5. / 16));
  EXPECT_NEAR(range.high, 0.25 + (5. / 64 + (10 * std::log(8. / 9) + 6 * std::log(8. / 5)) / 4) / 2, kClose);
  EXPECT_NEAR(range.low, 0.25 - (5. / 64 + (10 * std::log(8. / 7) + 6 * std::log(8. / 11)) / 4) / 2, kClose);
}

// Two questions, the one with the other sign: noise adds, and so do answers. The same question twice: V is twice that
// of one, so that with twice the logarithm lambda is as above.
TEST(Direction, OfTwoGroupsShareOneBoundForChance) {
  const Scene scene = scene_of(two_states(), coin(2, 1), 0.125);
  const TwoSamples samples = scene.samples();
  const std::array<double, 2> labels{0, 1};
  const Direction direction(samples, Payoff::at(1, labels), {{{0, 0}, {0, 0}}});
  const double alpha = std::exp(-731. / 1024);
  const Range one = answer_range(std::array{SignedDirection{direction}}, alpha);
  const Range apart =
      answer_range(std::array{SignedDirection{direction}, SignedDirection{direction, -1}}, alpha * alpha);
  EXPECT_NEAR(apart.high, one.high - one.low, kClose);
  EXPECT_NEAR(apart.low, one.low - one.high, kClose);
}

// V = 0: there is no direction, and the audit part's sets say all that is known. Here P(y_0 = 1) is 3/8, 1/8 off.
TEST(Direction, WhereTheDesignPartSawNobodyIsWhatTheSetsSay) {
  Parts parts = two_states();
  parts.design = testing::nobody(2, parts.design.names());
  call_parts(parts, 0.5);
  const Scene scene = scene_of(parts, coin(2, 1), 0.125);
  const std::array<double, 2> labels{0, 1};
  const Direction direction(scene.samples(), Payoff::at(0, labels), {});
  EXPECT_NEAR(direction.design_answer(), 0.5, kClose);
  const Range range = answer_range(std::array{SignedDirection{direction}}, 0.01);
  EXPECT_NEAR(range.low, 0.25, kClose);
  EXPECT_NEAR(range.high, 0.5, kClose);
}

// ... and where neither part saw anybody nothing is known.
TEST(Direction, WhereNobodyWasSeenIsAnything) {
  Parts parts = two_states();
  for (Counts* part : {&parts.design, &parts.audit}) *part = testing::nobody(2, part->names());
  call_parts(parts, 0.5);
  const Scene scene = scene_of(parts, coin(2, 1), 1);
  const std::array<double, 2> labels{0, 1};
  const Direction direction(scene.samples(), Payoff::at(0, labels), {});
  const Range range = answer_range(std::array{SignedDirection{direction}}, 0.01);
  EXPECT_NEAR(range.low, 0, kClose);
  EXPECT_NEAR(range.high, 1, kClose);
}

// What pays all the same needs no bound: exactly.
TEST(Direction, OfAConstantPayoffIsTheConstant) {
  const Scene scene = scene_of(two_states(), coin(2, 1), 0.125);
  const std::array<double, 2> all{0.25, 0.25};
  const Direction direction(scene.samples(), Payoff::at(1, all), {{{-1, 1}, {-1, 1}}});
  ASSERT_EQ(direction.rows().size(), 1u);  // the first states
  EXPECT_EQ(direction.rows()[0].width, 0);
  EXPECT_EQ(direction.design_answer(), 0.25);
  EXPECT_EQ(direction.remainder().low, 0);
  EXPECT_EQ(direction.remainder().high, 0);
  const Range apart = answer_range(std::array{SignedDirection{direction}, SignedDirection{direction, -1}}, 0.01);
  EXPECT_NEAR(apart.low, 0, 1e-12);
  EXPECT_NEAR(apart.high, 0, 1e-12);
}

/// All that is paid on all paths from here on.
double paid_on_paths(const Model& model, const Policy& policy, const Payoff& payoff, std::size_t t, std::size_t s) {
  double sum = payoff.of_step(t)[s];
  if (t + 1 == payoff.steps()) return sum;
  const std::size_t x = s / kLabels;
  for (std::size_t a = 0; a < kActions; ++a) {
    const double share = a == 1 ? policy.accept(0, t, x) : 1 - policy.accept(0, t, x);
    const auto row = model.spec().transition.of(0, model.periods().of(t), x, s % kLabels, a);
    for (std::size_t s1 = 0; s1 < row.size(); ++s1)
      if (row[s1] > 0) sum += share * row[s1] * paid_on_paths(model, policy, payoff, t + 1, s1);
  }
  return sum;
}

// Lemma H1: with the true rows for sets, the true deviations, and nobody in the audit part's tables, all that is left
// of the range is the answer and what Ville's inequality takes on either side. In half of the worlds with three steps
// or more the kernel changes.
TEST(Direction, ItsThreeTermsAreTheAnswerOfAllPaths) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    Rng rng(seed, 51);
    Shape shape{2, 1 + seed % 4, 2};
    if (seed % 8 > 5) shape.periods = shape.horizon - 1;
    const Model model = nasty_model(seed, shape);
    const Policy policy = nasty_policy(seed + 1000, shape);
    Parts parts{testing::count(
                    model, testing::draw_crowd(model, nasty_policy(seed, shape), {40, 2}, testing::Presence::open, rng),
                    [](const testing::LogRow&, double) { return testing::Loss::none; }, seed),
                made(CountsSpec::zeros(shape.horizon, model.names(), model.periods()))};
    call_parts(parts, 0.3);
    Scene scene = scene_of(parts, policy, 1);
    scene.estimated.model = model;
    scene.sets = sets_around(model, 0);
    const TwoSamples samples = scene.samples();
    const Evaluation truth = unwrap(evaluate(model, policy));
    Deviations deviations(shape.horizon);
    Payoff payoff(shape.horizon, shape.states());
    for (std::size_t t = 0; t < shape.horizon; ++t)
      for (std::size_t s = 0; s < shape.states(); ++s) {
        const double more = truth.mass(0, t, s / kLabels, s % kLabels) - samples.mass(t)[s];
        deviations[t].push_back({more, more});
        payoff(t, s) = 2 * rng.uniform() - 1;
      }
    double answer = 0;
    for (std::size_t s = 0; s < shape.states(); ++s)
      answer += model.initial(0)[s] * paid_on_paths(model, policy, payoff, 0, s);
    const Direction direction(samples, payoff, deviations);
    const Range range = answer_range(std::array{SignedDirection{direction}}, 0.1);
    EXPECT_NEAR((range.low + range.high) / 2, answer, 1e-10) << seed;
    double drift = 0;
    for (const Direction::Row& row : direction.rows()) drift += row.drift.high;
    EXPECT_NEAR(direction.design_answer() + direction.remainder().high + drift, answer, 1e-10) << seed;
  }
}

/// Calls `each` with every way to spread at most `left` over the places from `at` on.
template <class Each>
void spread(std::vector<std::int64_t>& over, std::size_t at, std::int64_t left, const Each& each) {
  if (at == over.size()) {
    each();
    return;
  }
  for (std::int64_t here = 0; here <= left; ++here) {
    over[at] = here;
    spread(over, at + 1, left - here, each);
  }
  over[at] = 0;
}

// Whatever the rows that were left out would have said: at most two first states are missing, at most one is in doubt,
// and of two cells at most two successors and one.
TEST(Direction, HoldsAllThatEveryCompleteTableWouldGive) {
  Scene scene = scene_of(two_states(), coin(2, 1), 0.25);
  scene.lost.first(0) = 2;
  scene.lost.first_in_doubt(0) = 1;
  scene.lost.transitions(0, 0, 0, 1) = 2;
  scene.lost.transitions(0, 0, 1, 1) = 1;
  const Deviations given{{{-0.1, 0.1}, {-0.1, 0.1}}};
  int tables = 0;
  for (const std::array<double, 2>& paid : {std::array{0., 1.}, std::array{-3., 0.5}}) {
    const Direction direction(scene.samples(), Payoff::at(1, paid), given);
    for (const double alpha : {0.5, 0.01}) {
      const Range range = answer_range(std::array{SignedDirection{direction}}, alpha);
      std::vector<std::int64_t> more(2), fewer(2), after(2), other(2);
      const auto check_one = [&] {
        Scene complete = scene;
        complete.lost = Lost::none(scene.parts.audit.shape());
        complete.parts.audit = changed(scene.parts.audit, [&](CountsSpec& spec) {
          for (std::size_t y = 0; y < 2; ++y) {
            spec.first(0, 0, y) += more[y] - fewer[y];
            spec.transitions(0, 0, 0, 1, 0, y) += after[y];
            spec.transitions(0, 0, 1, 1, 0, y) += other[y];
            spec.visits(0, 0, 0, 0, 1) += after[y];
            spec.visits(0, 0, 0, 1, 1) += other[y];
          }
        });
        const Direction of_complete(complete.samples(), Payoff::at(1, paid), given);
        const Range within = answer_range(std::array{SignedDirection{of_complete}}, alpha);
        EXPECT_GE(within.low, range.low - 1e-11);
        EXPECT_LE(within.high, range.high + 1e-11);
        ++tables;
      };
      spread(more, 0, 2,
             [&] { spread(fewer, 0, 1, [&] { spread(after, 0, 2, [&] { spread(other, 0, 1, check_one); }); }); });
    }
  }
  EXPECT_EQ(tables, 4 * 6 * 3 * 6 * 3);
}

TEST(Direction, ProductsOfRangesHoldAllProducts) {
  const auto is = [](const Range& found, double low, double high) { return found.low == low && found.high == high; };
  EXPECT_TRUE(is(times({-1, 2}, {-3, 4}), -6, 8));
  EXPECT_TRUE(is(times({1, 2}, {-3, -1}), -6, -1));
  EXPECT_TRUE(is(times({-2, -1}, {-3, -1}), 1, 6));
  EXPECT_TRUE(is(times({0, 0}, {-3, -1}), 0, 0));
}

}  // namespace
}  // namespace fairstep::direction_test
