// Less discriminatory alternatives: by hand, by enumeration, and beside policies found without the optimiser.
#include <fairstep/optimise/alternative.hpp>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "optimise/reference.hpp"
#include "optimise/standing_still.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace fairstep {
namespace {

using testing::kHighAndLow;
using testing::standing_still;
using testing::unwrap;

/// accept[g][x] at the one step of two groups: low and high.
Policy one_step(double low_a, double high_a, double low_b, double high_b) {
  Tensor<double, 3> accept({2, 1, 2});
  accept(0, 0, 0) = low_a;
  accept(0, 0, 1) = high_a;
  accept(1, 0, 0) = low_b;
  accept(1, 0, 1) = high_b;
  return unwrap(Policy::make(std::move(accept)));
}

TEST(Alternative, IsAsNearAsItsWorthAllows) {
  // Left alone 3/8 at a gap of 1/4, and a unit of gap less costs 1/4 (solve_test.cpp). Refusing an eighth of the high
  // of a costs 1/2 * 1/16 = 1/32: worth 11/32 with a gap of 3/16. The same worth is had at a gap of 1/8.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Policy clumsy = one_step(0, 0.875, 0, 1);
  const Alternative found = unwrap(alternative(model, clumsy, 11.0 / 32));
  EXPECT_EQ(found.found, Found::found);
  EXPECT_TRUE(found.in_class);
  EXPECT_NEAR(found.value, 11.0 / 32, 1e-12);
  EXPECT_NEAR(found.disparity, 3.0 / 16, 1e-12);
  EXPECT_LE(found.least.lower, 0.125);
  EXPECT_GE(found.least.upper, 0.125 - 1e-7);
  EXPECT_LE(found.least.upper - found.least.lower, 1e-3);
  EXPECT_GE(found.best->evaluation.value, 11.0 / 32);
  EXPECT_EQ(worst_step(Notion::dp, found.best->evaluation), found.least.upper);
}

TEST(Alternative, ToTheBestPolicyThereIsNone) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Alternative none = unwrap(alternative(model, one_step(0, 1, 0, 1), 3.0 / 8));
  EXPECT_EQ(none.found, Found::none);
  EXPECT_FALSE(none.none_worth);
  EXPECT_GE(none.least.lower, 0.25 - 1e-3);
  EXPECT_LE(none.least.lower, 0.25);
  // And nobody is worth more than the best.
  const Alternative too_much = unwrap(alternative(model, one_step(0, 1, 0, 1), 0.4));
  EXPECT_EQ(too_much.found, Found::none);
  EXPECT_TRUE(too_much.none_worth);
  EXPECT_FALSE(too_much.best);
}

TEST(Alternative, ByRatioIsWhatTheRatioLacks) {
  // Worth 27/80 is had at a ratio of 4/5 and not above (ratios_test.cpp): a shortfall of 1/5. Refusing 3/20 of the high
  // of a is worth 3/8 - 3/80 = 27/80 as well, at a ratio of 1/4 over 17/40, a shortfall of 7/17.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Alternative found =
      unwrap(alternative(model, one_step(0, 0.85, 0, 1), 27.0 / 80 - 1e-12, {.disparity = RatioNotion::dp}));
  EXPECT_EQ(found.found, Found::found);
  EXPECT_NEAR(found.disparity, 7.0 / 17, 1e-12);
  EXPECT_LE(found.least.lower, 0.2);
  EXPECT_GE(found.least.upper, 0.2 - 1e-7);
  EXPECT_LE(found.least.upper - found.least.lower, 1e-3);
}

TEST(Alternative, ToAPolicyOutsideTheClassMayBeWorseAndThenThereIsNone) {
  // Accepting a quarter of the low of b closes 3/16 of the gap for 3/64. With one table for both, p of the low costs
  // (1/2 + 3/4) p / 4 = 5 p / 16 and leaves a gap of (1 - p) / 4: for 3/64 it is p = 3/20, a gap of 17/80, and to
  // refuse the high costs more for the same.
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Policy by_group = one_step(0, 1, 0.25, 1);
  const double value = unwrap(evaluate(model, by_group)).value;
  const Alternative none = unwrap(alternative(model, by_group, value, {.policies = {.group_independent = true}}));
  EXPECT_FALSE(none.in_class);
  EXPECT_EQ(none.found, Found::none);
  EXPECT_NEAR(none.disparity, 1.0 / 16, 1e-12);
  ASSERT_TRUE(none.best);
  EXPECT_NEAR(none.least.upper, 17.0 / 80, 1e-3);
}

TEST(Alternative, QuestionsThatMakeNoSenseAreRefused) {
  const Model model = standing_still(1, kHighAndLow, -0.5, 1);
  const Policy policy = one_step(0, 1, 0, 1);
  const auto message = [&](double at_least, const AlternativeOptions& options) {
    const auto refused = alternative(model, policy, at_least, options);
    return refused ? std::string() : std::string(refused.error().message);
  };
  EXPECT_EQ(message(std::nan(""), {}), "at_least is nan, expected a number");
  EXPECT_EQ(message(0, {.precision = 0}), "precision is 0, expected between 0 and 1");
  EXPECT_EQ(message(0, {.others = {.parity = {{Notion::eqopt, {0.1}, {}}}}}),
            "an alternative is looked for under other limits on gaps or ratios");
  EXPECT_EQ(message(0, {.time_limit = 0}), "time_limit is 0, expected more than 0 seconds");
}

TEST(Alternative, ThatIsStoppedSaysSo) {
  std::stop_source source;
  source.request_stop();
  const Alternative stopped = unwrap(alternative(standing_still(1, kHighAndLow, -0.5, 1), one_step(0, 0.875, 0, 1),
                                                 11.0 / 32, {.stop = source.get_token()}));
  EXPECT_EQ(stopped.found, Found::undecided);
  EXPECT_EQ(stopped.stopped_by, StopReason::requested);
  EXPECT_EQ(stopped.least.lower, 0);
  EXPECT_NEAR(stopped.least.upper, 3.0 / 16, 1e-12);
}

/// The disparity at the worst step, from the referee's rates alone.
double disparity_of(const Disparity& disparity, const Evaluation& evaluation) {
  double worst = std::nan("");
  const auto compare = [&](const Tensor<double, 2>& rate, bool by_ratio) {
    for (std::size_t h = 0; h < rate.extents()[1]; ++h)
      for (std::size_t i = 0; i < rate.extents()[0]; ++i)
        for (std::size_t j = 0; j < rate.extents()[0]; ++j)
          if (i != j && (!by_ratio || rate(j, h) > 0))
            worst = std::fmax(worst, by_ratio ? 1 - rate(i, h) / rate(j, h) : rate(i, h) - rate(j, h));
  };
  if (const auto* ratio = std::get_if<RatioNotion>(&disparity)) {
    compare(*ratio == RatioNotion::dp ? evaluation.rates.accept : evaluation.rates.tpr, true);
    return std::fmax(worst, 0.0);
  }
  const Notion notion = std::get<Notion>(disparity);
  compare(notion == Notion::dp ? evaluation.rates.accept : evaluation.rates.tpr, false);
  if (notion == Notion::eqodds) compare(evaluation.rates.fpr, false);
  return worst;
}

const std::vector<Disparity>& disparities() {
  static const std::vector<Disparity> all{Notion::dp, Notion::eqopt, Notion::eqodds, RatioNotion::dp,
                                          RatioNotion::eqopt};
  return all;
}

/// What is asked of the best of a random search, by walks under the limit: nothing below `lower` is worth enough.
double best_within(const Model& model, const Disparity& disparity, double limit, const PolicyClass& policies,
                   std::uint64_t seed) {
  testing::Question question{model, {}, {.policies = policies}};
  if (const auto* ratio = std::get_if<RatioNotion>(&disparity))
    question.fairness.ratios = {{*ratio, {1 - limit}, {}}};
  else
    question.fairness.parity = {{std::get<Notion>(disparity), {limit}, {}}};
  return testing::best_on_walks(question, {}, 250, 0, seed);
}

TEST(Alternative, NoPolicyIsLessDisparateThanTheBoundAndWorthAsMuch) {
  // 200 questions: every disparity, with and without looking at the group.
  std::size_t decided = 0;
  constexpr std::uint64_t kQuestions = testing::cases(200, 20);
  for (std::uint64_t seed = 0; seed < kQuestions; ++seed) {
    const Model model = testing::random_model(seed, 2 + seed % 2, 1 + seed % 3, 1 + seed / 3 % 3);
    const Shape& n = model.shape();
    Rng rng(seed, 7);
    Tensor<double, 3> accept({n.groups, n.horizon, n.features});
    for (double& p : accept.flat()) p = rng.uniform();
    const Policy policy = unwrap(Policy::make(std::move(accept)));
    const Evaluation given = unwrap(evaluate(model, policy));
    AlternativeOptions options{.disparity = disparities()[seed % 5], .effort = 2000, .time_limit = 600};
    options.policies.group_independent = seed % 4 == 3;
    const double at_least = seed % 3 == 0 ? given.value : given.value + 0.1 * std::abs(given.value);
    const Alternative answer = unwrap(alternative(model, policy, at_least, options));
    const std::string what = "seed " + std::to_string(seed);
    decided += answer.found == Found::undecided ? 0 : 1;
    EXPECT_NEAR(answer.disparity, disparity_of(options.disparity, given), 1e-12) << what;
    EXPECT_LE(answer.least.lower, answer.least.upper) << what;
    if (answer.best) {
      const Evaluation again = unwrap(evaluate(model, answer.best->policy));
      EXPECT_GE(again.value, at_least) << what;
      EXPECT_NEAR(disparity_of(options.disparity, again), answer.least.upper, 1e-12) << what;
    }
    if (answer.found == Found::found) {
      EXPECT_LE(answer.least.upper, answer.disparity - options.precision + 1e-7) << what;
      EXPECT_LE(answer.least.upper - answer.least.lower, options.precision) << what;
    }
    if (answer.none_worth) {
      EXPECT_LT(best_within(model, options.disparity, 1, options.policies, seed), at_least) << what;
    } else if (answer.least.lower > 0) {
      EXPECT_LT(best_within(model, options.disparity, answer.least.lower, options.policies, seed), at_least) << what;
    }
  }
  if (!testing::kSmallSamples) {
    EXPECT_GE(decided, 190U);
  }
}

TEST(Alternative, OfAllTablesWithoutCoinsTheLeastLiesBetweenTheBounds) {
  std::size_t decided = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 1 + seed % 2);
    const Shape& n = model.shape();
    const std::size_t entries = n.groups * n.horizon * n.features;
    const auto table = [&](std::size_t bits) {
      Tensor<double, 3> accept({n.groups, n.horizon, n.features});
      for (std::size_t i = 0; i < entries; ++i) accept.flat()[i] = static_cast<double>(bits >> i & 1);
      return unwrap(Policy::make(std::move(accept)));
    };
    const Disparity disparity = disparities()[seed % 5];
    const Policy given = table(seed * 37 % (std::size_t{1} << entries));
    const double at_least = unwrap(evaluate(model, given)).value;
    if (std::isnan(disparity_of(disparity, unwrap(evaluate(model, given))))) continue;  // nobody is accepted
    double exact = std::numeric_limits<double>::infinity();
    for (std::size_t bits = 0; bits < std::size_t{1} << entries; ++bits) {
      const Evaluation evaluation = unwrap(evaluate(model, table(bits)));
      const double here = disparity_of(disparity, evaluation);
      if (evaluation.value >= at_least && here < exact) exact = here;
    }
    const Alternative answer = unwrap(
        alternative(model, given, at_least,
                    {.disparity = disparity, .policies = {.deterministic = true}, .effort = 20000, .time_limit = 600}));
    EXPECT_LE(answer.least.lower, exact + 1e-9) << seed;
    EXPECT_GE(answer.least.upper, exact - 1e-9) << seed;
    decided += answer.found == Found::undecided ? 0 : 1;
  }
  EXPECT_GE(decided, 15U);
}

}  // namespace
}  // namespace fairstep
