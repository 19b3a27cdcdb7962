// The extreme rates over balls around a model: numbers worked out by hand, and what must hold for every model.
#include <fairstep/evaluate/robust.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/core/simple_policies.hpp>
#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "low_and_high.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kHigh;
using testing::kLow;
using testing::LowAndHigh;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

constexpr double kRobustClose = 1e-12;

Balls balls_of(const Model& model, double row, double initial) {
  const Shape& n = model.shape();
  return {Tensor<double, 4>({n.groups, n.features, kLabels, kActions}, row), std::vector<double>(n.groups, initial)};
}

Balls random_balls(std::uint64_t seed, const Model& model, double largest) {
  Rng rng(seed, 55);
  Balls balls = balls_of(model, 0, 0);
  for (double& r : balls.row.flat()) r = largest * rng.uniform();
  for (double& r : balls.initial) r = largest * rng.uniform();
  return balls;
}

/// 50 random models of 2-4 groups, 1-6 features and 1-7 steps.
template <class Body>
void for_every_robust_seed(const Body& body) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(seed, random_model(seed, 2 + seed % 3, 1 + seed % 6, 1 + seed % 7));
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_range(const Range& found, double low, double high) {
  EXPECT_NEAR(found.low, low, kRobustClose);
  EXPECT_NEAR(found.high, high, kRobustClose);
}

// Step 0: 1/8 of the people may be high instead of low, or the reverse: 1/2 -+ 1/8.
// Step 1, at most. From low (refused): 1/4 + 1/4 * (3/4 - 1/4) = 3/8. From high (accepted): 5/8 + 1/8 * 1/2 = 11/16.
//   First state: (3/8 + 11/16) / 2 + 1/8 * (11/16 - 3/8) = 68/128 + 5/128 = 73/128.
// Step 1, at least. From low: nobody can be lower than low: 1/4. From high: 5/8 - 1/16 = 9/16.
//   First state: (1/4 + 9/16) / 2 - 1/8 * (9/16 - 1/4) = 52/128 - 5/128 = 47/128.
// The rows that the policy never takes have radius 1 and do not matter.
TEST(RobustRates, AcceptanceIsAsWorkedOutByHand) {
  const LowAndHigh at;
  const RobustRates rates = unwrap(robust_rates(at.model, at.policy, at.balls));
  for (std::size_t g = 0; g < 2; ++g) expect_range(rates.accept(g, 0), 3 / 8., 5 / 8.);
  expect_range(rates.accept(0, 1), 47 / 128., 73 / 128.);
  EXPECT_EQ(rates.accept(1, 1).low, 0.5);  // everybody is accepted with 1/2, wherever they are
  EXPECT_EQ(rates.accept(1, 1).high, 0.5);
  EXPECT_NEAR(rates.dp[0], 1 / 4., kRobustClose);     // 5/8 - 3/8
  EXPECT_NEAR(rates.dp[1], 17 / 128., kRobustClose);  // 64/128 - 47/128; 73/128 - 64/128 is less
}

// P(accept | y) at step 0, where each of the four states has 1/4. At most: 1/8 from (low,y) to (high,y), which is
// (3/8) / (1/2) = 3/4; taken from the other label it would be (3/8) / (5/8).
// At least, likewise, 1/4.
TEST(RobustRates, ConditionalRatesAreAsWorkedOutByHand) {
  const LowAndHigh at;
  const RobustRates rates = unwrap(robust_rates(at.model, at.policy, at.balls));
  for (std::size_t g = 0; g < 2; ++g) {
    expect_range(rates.tpr(g, 0), 1 / 4., 3 / 4.);
    expect_range(rates.fpr(g, 0), 1 / 4., 3 / 4.);
  }
  EXPECT_NEAR(rates.eqopt[0], 1 / 2., kRobustClose);
  EXPECT_NEAR(rates.eqodds[0], 1 / 2., kRobustClose);
}

// P(y=1) = 1/8, all low, and a radius of 1/16. At most, of P(accept | y=1): 1/16 from low to high, 1/2. Moved from the
// unqualified instead it would be (1/16) / (3/16). With a radius of 1/8 or more nobody may be qualified, and any mean
// of 0 and 1 can be the rate of the few that are.
TEST(RobustRates, AreTheHullOfThePolicyWhereNobodyMayHaveTheLabel) {
  const LowAndHigh at;
  ModelSpec spec = at.model.spec();
  for (std::size_t g = 0; g < 2; ++g) {
    spec.initial(g, kLow, 0) = spec.initial(g, kHigh, 0) = 7 / 16.;
    spec.initial(g, kLow, 1) = 1 / 8.;
    spec.initial(g, kHigh, 1) = 0;
  }
  const Model model = unwrap(Model::make(std::move(spec)));
  const RobustRates rates = unwrap(robust_rates(model, at.policy, {at.balls.row, {1 / 16., 1 / 8.}}));
  expect_range(rates.tpr(0, 0), 0, 1 / 2.);
  expect_range(rates.tpr(1, 0), 0, 1);
  EXPECT_GT(rates.fpr(1, 0).low, 0.3);
  EXPECT_EQ(rates.tpr(1, 1).low, 0.5);  // step 1 of group b accepts all alike
  EXPECT_EQ(rates.tpr(1, 1).high, 0.5);

  // Nobody at all, under the model itself: no rate to start from, and nothing breaks.
  ModelSpec nobody = model.spec();
  nobody.initial = Tensor<double, 3>({2, 2, kLabels});
  for (std::size_t g = 0; g < 2; ++g) nobody.initial(g, kLow, 0) = 1;
  const Model unqualified = unwrap(Model::make(std::move(nobody)));
  const RobustRates none = unwrap(robust_rates(unqualified, at.policy, balls_of(unqualified, 0, 0)));
  EXPECT_EQ(none.tpr(0, 0).low, 0);
  EXPECT_EQ(none.tpr(0, 0).high, 1);
  expect_range(none.fpr(0, 0), 0, 0);
}

// Drift at step 1: 1/8 for the first state, then half of the people are low (1/4) and half are high (1/8): 5/16.
TEST(Drift, IsAsWorkedOutByHand) {
  const LowAndHigh at;
  const Tensor<double, 2> found = drift(at.model, at.policy, at.balls);
  EXPECT_EQ(found(0, 0), 1 / 8.);
  EXPECT_EQ(found(0, 1), 5 / 16.);
}

// Three steps, so that the second has a policy of its own: radius 1/4 for whoever is refused and 1/2 for whoever is
// accepted. At step 0 all are refused, at step 1 all are accepted: 1/8, then 1/4 and 1/2 more.
TEST(Drift, AddsUpStepByStepByWhatIsDecidedThere) {
  const Model m = random_model(2, 2, 2, 3);
  Balls balls = balls_of(m, 0.25, 0.125);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t s = 0; s < 4; ++s) balls.row(g, s / 2, s % 2, 1) = 0.5;
  Tensor<double, 3> accept({2, 3, 2});
  for (std::size_t g = 0; g < 2; ++g) accept(g, 1, kLow) = accept(g, 1, kHigh) = 1;
  const Tensor<double, 2> found = drift(m, unwrap(Policy::make(accept)), balls);
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_EQ(found(g, 0), 1 / 8.);
    EXPECT_NEAR(found(g, 1), 3 / 8., kRobustClose);
    EXPECT_NEAR(found(g, 2), 7 / 8., kRobustClose);
  }
}

// docs/guarantees.md, corollary B: the drift, times the span of the policy's entries, over the model's denominator.
TEST(Drift, IsAtLeastHowFarTheExtremesAreFromTheModel) {
  std::size_t nearly = 0;
  for_every_robust_seed([&](std::uint64_t seed, const Model& m) {
    const Policy policy = random_policy(seed, m);
    const Balls balls = random_balls(seed, m, seed % 2 == 0 ? 0.02 : 0.3);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls));
    const Evaluation nominal = unwrap(evaluate(m, policy));
    const Tensor<double, 2> far = drift(m, policy, balls);
    for (std::size_t g = 0; g < m.shape().groups; ++g)
      for (std::size_t h = 0; h < m.shape().horizon; ++h) {
        const auto accept = policy.group(g).subspan(h * m.shape().features, m.shape().features);
        const auto [least, most] = std::minmax_element(accept.begin(), accept.end());
        const double bound = far(g, h) * (*most - *least);
        const auto expect_within_bound = [&](const Range& range, double rate, double people) {
          EXPECT_LE(range.high - rate, bound / people + kRobustClose);
          EXPECT_LE(rate - range.low, bound / people + kRobustClose);
          nearly += bound > 0 && range.high - rate > 0.9 * bound / people ? 1 : 0;
        };
        const double qualified = nominal.rates.qualified(g, h);
        expect_within_bound(rates.accept(g, h), nominal.rates.accept(g, h), 1);
        expect_within_bound(rates.tpr(g, h), nominal.rates.tpr(g, h), qualified);
        expect_within_bound(rates.fpr(g, h), nominal.rates.fpr(g, h), 1 - qualified);
      }
  });
  EXPECT_GT(nearly, 100u);  // at step 0 it is exact, unless the least accepted are fewer than the radius
}

/// A distribution within the radius of p: towards a random one, or mass moved from states in random order to another.
void draw_within(std::span<double> p, double radius, Rng& rng) {
  if (rng() % 2 == 0) {
    std::vector<double> other(p.size());
    double sum = 0;
    for (double& q : other) sum += q = -std::log(1 - rng.uniform());
    double distance = 0;
    for (std::size_t i = 0; i < p.size(); ++i) distance += std::abs(other[i] / sum - p[i]) / 2;
    const double part = std::min(1.0, radius / distance) * (rng() % 2 == 0 ? 1 : rng.uniform());
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += part * (other[i] / sum - p[i]);
  } else {
    const std::size_t to = rng() % p.size();
    for (int i = 0; i < 20; ++i) {
      const std::size_t from = rng() % p.size();
      const double taken = std::min(p[from], radius);
      p[from] -= taken;
      p[to] += taken;
      radius -= from == to ? 0 : taken;
    }
  }
}

Model draw_within(const Model& model, const Balls& balls, Rng& rng) {
  ModelSpec spec = model.spec();
  for (std::size_t g = 0; g < model.shape().groups; ++g) {
    draw_within(spec.initial.block(g), balls.initial[g], rng);
    for (std::size_t x = 0; x < model.shape().features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a)
          draw_within(spec.transition.block(g, x, y, a), balls.row(g, x, y, a), rng);
  }
  return unwrap(Model::make(std::move(spec)));
}

/// Nothing to say of a rate that nobody has, or of a gap that no pair has. evaluate() itself is rounded, hence
/// kRobustClose.
void expect_within(double rate, const Range& range) {
  if (std::isnan(rate)) return;
  EXPECT_GE(rate, range.low - kRobustClose);
  EXPECT_LE(rate, range.high + kRobustClose);
}

// 10,000 kernels, the same at every step, each of which is in the balls for certain.
TEST(RobustRates, HoldForEveryKernelDrawnFromTheBalls) {
  for_every_robust_seed([](std::uint64_t seed, const Model& m) {
    const Policy policy = random_policy(seed, m);
    const Balls balls = random_balls(seed, m, seed % 3 == 0 ? 0.5 : 0.1);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls));
    Rng rng(seed, 56);
    for (int draw = 0; draw < 200; ++draw) {
      const Evaluation drawn = unwrap(evaluate(draw_within(m, balls, rng), policy));
      for (std::size_t h = 0; h < m.shape().horizon; ++h) {
        for (std::size_t g = 0; g < m.shape().groups; ++g) {
          expect_within(drawn.rates.accept(g, h), rates.accept(g, h));
          expect_within(drawn.rates.tpr(g, h), rates.tpr(g, h));
          expect_within(drawn.rates.fpr(g, h), rates.fpr(g, h));
        }
        expect_within(drawn.gap.dp[h].gap, {0, rates.dp[h]});
        expect_within(drawn.gap.eqopt[h].gap, {0, rates.eqopt[h]});
        expect_within(drawn.gap.eqodds[h].gap, {0, rates.eqodds[h]});
      }
    }
  });
}

TEST(RobustRates, AreTheModelsOwnAtRadiusZero) {
  for_every_robust_seed([](std::uint64_t seed, const Model& m) {
    const Policy policy = random_policy(seed, m);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls_of(m, 0, 0)));
    const Evaluation nominal = unwrap(evaluate(m, policy));
    for (std::size_t h = 0; h < m.shape().horizon; ++h) {
      for (std::size_t g = 0; g < m.shape().groups; ++g) {
        expect_range(rates.accept(g, h), nominal.rates.accept(g, h), nominal.rates.accept(g, h));
        expect_range(rates.tpr(g, h), nominal.rates.tpr(g, h), nominal.rates.tpr(g, h));
        expect_range(rates.fpr(g, h), nominal.rates.fpr(g, h), nominal.rates.fpr(g, h));
      }
      EXPECT_NEAR(rates.dp[h], nominal.gap.dp[h].gap, kRobustClose);
      EXPECT_NEAR(rates.eqopt[h], nominal.gap.eqopt[h].gap, kRobustClose);
      EXPECT_NEAR(rates.eqodds[h], nominal.gap.eqodds[h].gap, kRobustClose);
    }
  });
}

TEST(RobustRates, AreTheHullOfThePolicyAtRadiusOne) {
  for_every_robust_seed([](std::uint64_t seed, const Model& m) {
    const Policy policy = random_policy(seed, m);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls_of(m, 1, 1)));
    for (std::size_t g = 0; g < m.shape().groups; ++g)
      for (std::size_t h = 0; h < m.shape().horizon; ++h) {
        const auto accept = policy.group(g).subspan(h * m.shape().features, m.shape().features);
        const auto [least, most] = std::minmax_element(accept.begin(), accept.end());
        for (const Range& range : {rates.accept(g, h), rates.tpr(g, h), rates.fpr(g, h)}) {
          EXPECT_EQ(range.low, *least);
          EXPECT_EQ(range.high, *most);
        }
      }
  });
}

// One rounded up from 1 would be more than rates can be apart.
TEST(RobustRates, AreNeverMoreThanOneApart) {
  const Model m = random_model(5, 2, 2, 2);
  Tensor<double, 3> accept({2, 2, 2});
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < 2; ++h) accept(g, h, kHigh) = 1;
  const RobustRates rates = unwrap(robust_rates(m, unwrap(Policy::make(accept)), balls_of(m, 1, 1)));
  EXPECT_EQ(rates.dp, (std::vector<double>{1, 1}));
  EXPECT_EQ(rates.eqodds, (std::vector<double>{1, 1}));
}

TEST(RobustRates, SeeNoGapWhereEverybodyIsTreatedAlikeWhateverTheKernel) {
  const Model m = random_model(7, 3, 4, 5);
  const RobustRates rates = unwrap(robust_rates(m, unwrap(uniform_policy(m, 0.3)), balls_of(m, 1, 1)));
  EXPECT_EQ(rates.dp, std::vector<double>(5));
  EXPECT_EQ(rates.eqopt, std::vector<double>(5));
  EXPECT_EQ(rates.eqodds, std::vector<double>(5));
}

TEST(RobustRates, WidenWithTheRadius) {
  for_every_robust_seed([](std::uint64_t seed, const Model& m) {
    const Policy policy = random_policy(seed, m);
    const Balls wide = random_balls(seed, m, 0.4);
    Balls narrow = wide;
    for (double& r : narrow.row.flat()) r *= 0.7;
    for (double& r : narrow.initial) r *= 0.7;
    const RobustRates inner = unwrap(robust_rates(m, policy, narrow));
    const RobustRates outer = unwrap(robust_rates(m, policy, wide));
    for (const auto rate : {&RobustRates::accept, &RobustRates::tpr, &RobustRates::fpr})
      for (std::size_t i = 0; i < (inner.*rate).size(); ++i) {
        EXPECT_GE((inner.*rate).flat()[i].low, (outer.*rate).flat()[i].low - kRobustClose);
        EXPECT_LE((inner.*rate).flat()[i].high, (outer.*rate).flat()[i].high + kRobustClose);
      }
    for (std::size_t h = 0; h < m.shape().horizon; ++h) EXPECT_LE(inner.dp[h], outer.dp[h] + kRobustClose);
  });
}

// Groups 0, 1, ..., n - 1 in the order n - 1, ..., 0.
TEST(RobustRates, DoNotDependOnTheOrderOfGroups) {
  for_every_robust_seed([](std::uint64_t seed, const Model& m) {
    const std::size_t groups = m.shape().groups;
    const auto turned = [groups](const auto& tensor) {
      auto result = tensor;
      for (std::size_t g = 0; g < groups; ++g)
        std::copy(tensor.block(g).begin(), tensor.block(g).end(), result.block(groups - 1 - g).begin());
      return result;
    };
    const Balls balls = random_balls(seed, m, 0.2);
    Tensor<double, 3> accept({groups, m.shape().horizon, m.shape().features});
    Rng rng(seed);
    for (double& p : accept.flat()) p = rng.uniform();
    ModelSpec spec = m.spec();
    spec.initial = turned(spec.initial);
    spec.transition = turned(spec.transition);
    const RobustRates rates = unwrap(robust_rates(m, unwrap(Policy::make(accept)), balls));
    const RobustRates other =
        unwrap(robust_rates(unwrap(Model::make(std::move(spec))), unwrap(Policy::make(turned(accept))),
                            {turned(balls.row), {balls.initial.rbegin(), balls.initial.rend()}}));
    EXPECT_EQ(rates.dp, other.dp);
    EXPECT_EQ(rates.eqopt, other.eqopt);
    EXPECT_EQ(rates.eqodds, other.eqodds);
    for (std::size_t h = 0; h < m.shape().horizon; ++h) EXPECT_EQ(rates.tpr(0, h).high, other.tpr(groups - 1, h).high);
  });
}

// Rows may sum to 1 within 1e-9 only. With radius 0 there is then no distribution that is the row, and the one meant is
// the row rescaled: the ranges have it, though it is a million times further off than rounding.
TEST(RobustRates, HoldForARowThatSumsToOneOnlyNearly) {
  for (const double sum : {1 - 9e-10, 1 + 9e-10}) {
    const Model exact = random_model(3, 2, 3, 6);
    const Policy policy = random_policy(3, exact);
    const Evaluation meant = unwrap(evaluate(exact, policy));
    ModelSpec spec = exact.spec();
    for (double& p : spec.transition.flat()) p *= sum;
    for (double& p : spec.initial.flat()) p *= sum;
    const Model written = unwrap(Model::make(std::move(spec)));
    const RobustRates rates = unwrap(robust_rates(written, policy, balls_of(written, 0, 0)));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 6; ++h) {
        EXPECT_LE(rates.accept(g, h).low, meant.rates.accept(g, h));
        EXPECT_GE(rates.accept(g, h).high, meant.rates.accept(g, h));
        EXPECT_LE(rates.tpr(g, h).low, meant.rates.tpr(g, h));
        EXPECT_GE(rates.tpr(g, h).high, meant.rates.tpr(g, h));
        EXPECT_LE(rates.accept(g, h).high - rates.accept(g, h).low, 2e-8);
      }
  }
}

// The same within boxes that end at the row as written: the row that is meant is inside, as all of it is a little less.
TEST(RobustRates, HoldWithinABoxForARowThatSumsToMoreThanOne) {
  const Model exact = random_model(3, 2, 3, 6);
  const Policy policy = random_policy(3, exact);
  const Evaluation meant = unwrap(evaluate(exact, policy));
  ModelSpec spec = exact.spec();
  for (double& p : spec.transition.flat()) p *= 1 + 9e-10;
  for (double& p : spec.initial.flat()) p *= 1 + 9e-10;
  const Model written = unwrap(Model::make(std::move(spec)));
  Balls balls = balls_of(written, 0, 0);
  balls.boxes =
      Boxes{written.spec().transition, written.spec().transition, written.spec().initial, written.spec().initial};
  for (double& low : balls.boxes->low.flat()) low *= 1 - 1e-8;
  for (double& low : balls.boxes->initial_low.flat()) low *= 1 - 1e-8;
  const RobustRates rates = unwrap(robust_rates(written, policy, balls));
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t h = 0; h < 6; ++h) {
      EXPECT_LE(rates.accept(g, h).low, meant.rates.accept(g, h));
      EXPECT_GE(rates.accept(g, h).high, meant.rates.accept(g, h));
      EXPECT_LE(rates.accept(g, h).high - rates.accept(g, h).low, 2e-8);
    }
}

TEST(RobustRates, AreTheSameForSparseRows) {
  const Model sparse = unwrap(make_random({.features = 20, .horizon = 4, .successors = 3}));
  ModelSpec spec = sparse.spec();
  for (double& p : spec.transition.flat()) p += 1e-300;  // now full, and no number changes that is not zero
  const Model full = unwrap(Model::make(std::move(spec)));
  const Policy policy = random_policy(1, sparse);
  const Balls balls = random_balls(1, sparse, 0.1);
  const RobustRates rates = unwrap(robust_rates(sparse, policy, balls));
  const RobustRates same = unwrap(robust_rates(full, policy, balls));
  for (std::size_t h = 0; h < 4; ++h) {
    EXPECT_NEAR(rates.dp[h], same.dp[h], kRobustClose);
    EXPECT_NEAR(rates.eqodds[h], same.eqodds[h], kRobustClose);
  }
}

TEST(RobustRates, RefuseBallsOfAnotherSize) {
  const Model m = random_model(1, 2, 3, 2);
  const auto wrong = robust_rates(m, random_policy(1, m), {Tensor<double, 4>({2, 2, 2, 2}), {0, 0}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "row has size 2 x 2 x 2 x 2, expected 2 x 3 x 2 x 2");
  const auto short_of_one = robust_rates(m, random_policy(1, m), {balls_of(m, 0, 0).row, {0}});
  ASSERT_FALSE(short_of_one);
  EXPECT_EQ(short_of_one.error().message, "initial has 1 radii, expected 2");
}

TEST(RobustRates, RefuseARadiusOutsideOfZeroToOne) {
  const Model m = random_model(1, 2, 3, 2);
  for (const double radius : {-1e-9, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    Balls balls = balls_of(m, 0, 0);
    balls.row(1, 2, 0, 1) = radius;
    const auto wrong = robust_rates(m, random_policy(1, m), balls);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().pointer, "/row/1/2/0/1");
    const auto wrong_first = robust_rates(m, random_policy(1, m), {balls_of(m, 0, 0).row, {0, radius}});
    ASSERT_FALSE(wrong_first);
    EXPECT_EQ(wrong_first.error().pointer, "/initial/1");
  }
}

TEST(RobustRates, RefuseAPolicyForAnotherModel) {
  const Model m = random_model(1, 2, 3, 2);
  EXPECT_FALSE(robust_rates(m, random_policy(1, random_model(1, 2, 3, 4)), balls_of(m, 0, 0)));
}

}  // namespace
}  // namespace fairstep
