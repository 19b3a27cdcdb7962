// Safe mode: what is deployed keeps the limits under the true population, from the first person on.
#include <fairstep/learn/internal/safe_choice.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/robust.hpp>
#include <fairstep/learn/internal/update_program.hpp>
#include <fairstep/learn/learn.hpp>

#include "learn/near_truth.hpp"
#include "learn/watched.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace fairstep {
namespace {

using testing::learned;
using testing::quick;
using testing::unwrap;

LearnOptions safely(Notion notion, std::vector<double> limit, std::vector<std::uint64_t> schedule) {
  LearnOptions options = quick(std::move(schedule));
  options.safe = true;
  options.fairness = {notion, std::move(limit), {}};
  options.floor = 0.05;
  return options;
}

/// What a policy is over the limit by at its worst step, in truth; rounding is forgiven.
double excess(const Model& truth, const Policy& policy, const StepwiseParity& parity) {
  const Evaluation exact = unwrap(evaluate(truth, policy));
  double worst = -1;
  for (std::size_t h = 0; h < truth.shape().horizon; ++h) {
    const double gap = of_notion(exact.gap, parity.notion)[h].gap;
    if (!std::isnan(gap)) worst = std::max(worst, gap - parity.limit[parity.limit.size() == 1 ? 0 : h]);
  }
  return worst - 1e-12;
}

struct Seen {
  bool balls_held = true, violated = false;
  int updates = 0, fallbacks = 0;
};

Seen run(const Model& truth, const LearnOptions& options, std::uint64_t seed) {
  SimulatedEnvironment environment(truth, seed);
  Learner learner = unwrap(Learner::make(environment, options));
  Seen seen;
  while (!learner.finished()) {
    const Update update = unwrap(learner.next());
    ++seen.updates;
    seen.violated = seen.violated || excess(truth, update.policy, options.fairness) > 0;
    if (!options.safe) continue;
    seen.fallbacks += update.safety->fallback ? 1 : 0;
    const UpdateProgram program =
        unwrap(update_program(learner.counts(), environment.known(), learner.options(), update.k));
    seen.balls_held =
        seen.balls_held && testing::within(testing::distances(truth, program.estimate.model), *program.radii);
    // What is claimed is what the robust referee says, and it keeps the limits.
    const RobustRates robust =
        unwrap(robust_rates(program.estimate.model, update.policy, {program.radii->row, program.radii->initial}));
    const Notion notion = options.fairness.notion;
    const auto& worst = notion == Notion::dp ? robust.dp : notion == Notion::eqopt ? robust.eqopt : robust.eqodds;
    EXPECT_EQ(update.safety->worst_gap, worst);
    for (std::size_t h = 0; h < worst.size(); ++h) EXPECT_LE(worst[h], update.limit[h]);
    EXPECT_EQ(update.bounds.lower, unwrap(evaluate(program.optimistic, update.policy)).value);
  }
  return seen;
}

// A run breaks a limit with probability at most delta; if it were delta, more runs than allowed here would have a
// probability below 1e-6. Where the balls hold it breaks none, without chance. The seeds are fixed.
TEST(Safe, NoPolicyThatIsDeployedBreaksALimit) {
  const Model two = testing::random_model(1, 2, 1, 2), more = testing::random_model(7, 2, 2, 2),
              three = testing::random_model(2, 3, 1, 2);
  int runs = 0, violated = 0, updates = 0, fallbacks = 0;
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds})
    for (const Model* truth : {&two, &more, &three})
      for (std::uint64_t seed = 0; seed < testing::cases(23, 3); ++seed, ++runs) {
        LearnOptions options = safely(notion, {0.15}, {300});
        if (seed % 8 == 0) options.schedule = {30, 300};
        options.people_per_episode = std::vector<std::uint64_t>{1, 20, 1000}[seed % 3];
        options.floor.reset();
        const Seen seen = run(*truth, options, 500 + seed);
        EXPECT_FALSE(seen.violated && seen.balls_held) << "seed " << seed;
        violated += seen.violated ? 1 : 0;
        updates += seen.updates;
        fallbacks += seen.fallbacks;
      }
  EXPECT_GE(runs, testing::kSmallSamples ? 27 : 200);
  EXPECT_LE(violated, testing::most_failures(runs, 0.1, 1e-6));
  // Nor was there nothing to break: many policies are of its own finding.
  EXPECT_LT(fallbacks, updates / 2);
}

TEST(Safe, OtherLearnersBreakTheSameLimitsOnTheSameData) {
  const Model truth = testing::random_model(7, 2, 2, 2);
  LearnOptions options = safely(Notion::dp, {0.15}, {10, 300});
  options.people_per_episode = 20;
  options.safe = false;
  options.relaxation_scale = 0;  // limits taken at their word under the estimate
  int violated = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) violated += run(truth, options, 500 + seed).violated ? 1 : 0;
  EXPECT_GE(violated, 5);
}

TEST(Safe, HoldsOnTheFicoPopulation) {
  const Model fico = unwrap(make_fico());
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    LearnOptions options = safely(notion, {0.1}, {4096});
    options.people_per_episode = 100;
    const Seen seen = run(fico, options, 9);
    EXPECT_TRUE(seen.balls_held);
    EXPECT_FALSE(seen.violated);
    EXPECT_EQ(seen.fallbacks, 0);
  }
}

/// The greatest difference between two entries at a step.
double spread(const Policy& policy, std::size_t h) {
  double low = 1, high = 0;
  for (std::size_t g = 0; g < policy.groups(); ++g)
    for (std::size_t x = 0; x < policy.features(); ++x) {
      low = std::min(low, policy.accept(g, h, x));
      high = std::max(high, policy.accept(g, h, x));
    }
  return high - low;
}

/// Whether everybody is accepted alike at each step.
bool treats_all_alike(const Policy& policy) {
  for (std::size_t h = 0; h < policy.horizon(); ++h)
    if (spread(policy, h) != 0) return false;
  return true;
}

TEST(Safe, TreatsEverybodyAlikeOrNearlySoUntilTheDataSuffice) {
  const Model& truth = testing::population();
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
    const std::vector<Update> updates = learned(truth, safely(notion, {0.1}, {1, 5, 1'000'000}));
    // Nobody was seen: nothing speaks for anything else.
    EXPECT_TRUE(updates[0].safety->fallback);
    EXPECT_EQ(updates[0].safety->mixed, 0);
    EXPECT_TRUE(treats_all_alike(updates[0].policy));
    EXPECT_EQ(updates[0].safety->worst_gap, (std::vector<double>{0, 0, 0}));
    EXPECT_NEAR(updates[0].truth->violation, 0, 1e-15);
    // Of four people one learns next to nothing, so that any population is possible; entries that are within the limit
    // of each other are fair to all of them.
    for (std::size_t h = 0; h < 3; ++h) EXPECT_LE(spread(updates[1].policy, h), 0.1 + 1e-9);
    EXPECT_FALSE(updates[2].safety->fallback);
    EXPECT_GT(updates[2].safety->mixed, 0);
    EXPECT_GT(spread(updates[2].policy, 0), 0.2);
    EXPECT_GT(updates[2].truth->evaluation.value, updates[1].truth->evaluation.value);
    EXPECT_LE(updates[2].truth->violation, 0.1);
  }
}

TEST(Safe, TheFallbackIsTheBestOfItsKind) {
  // 8 ways to accept with 0.05 or 0.95 at three steps.
  testing::Watched environment(testing::population());
  Learner learner = unwrap(Learner::make(environment, safely(Notion::dp, {0}, {6})));
  const Update update = unwrap(learner.next());
  ASSERT_TRUE(update.safety->fallback);
  const UpdateProgram program =
      unwrap(update_program(learner.counts(), environment.known(), learner.options(), update.k));
  double best = -HUGE_VAL;
  for (unsigned bits = 0; bits < 8; ++bits) {
    Tensor<double, 3> accept({2, 3, 2});
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < 3; ++h)
        for (std::size_t x = 0; x < 2; ++x) accept(g, h, x) = (bits >> h & 1) != 0 ? 0.95 : 0.05;
    best = std::max(best, unwrap(evaluate(program.optimistic, unwrap(Policy::make(std::move(accept))))).value);
  }
  EXPECT_EQ(update.bounds.lower, best);
}

TEST(Safe, ALimitOfZeroLeavesTheFallback) {
  for (const Update& update : learned(testing::population(), safely(Notion::eqopt, {0}, {100, 1'000'000'000}))) {
    EXPECT_TRUE(update.safety->fallback);
    EXPECT_TRUE(treats_all_alike(update.policy));
    EXPECT_NEAR(update.truth->violation, 0, 1e-15);
  }
}

TEST(Safe, ALimitOfOneIsNone) {
  LearnOptions options = safely(Notion::dp, {1}, {100});
  const std::vector<Update> updates = learned(testing::population(), options);
  options.safe = false;
  options.method = Method::unconstrained;
  EXPECT_NEAR(updates[0].bounds.lower, learned(testing::population(), options)[0].bounds.lower, 1e-6);
  EXPECT_EQ(updates[0].safety->mixed, 1);
}

TEST(Safe, KeepsALimitPerStep) {
  const std::vector<double> limit{0.3, 0.05, 0.1};
  for (const Notion notion : {Notion::dp, Notion::eqopt}) {
    const std::vector<Update> updates = learned(testing::population(), safely(notion, limit, {3000, 100'000'000}));
    for (const Update& update : updates) {
      EXPECT_EQ(update.limit, limit);
      EXPECT_LE(excess(testing::population(), update.policy, {notion, limit, {}}), 0);
    }
    // What a step allows is made use of, whatever the others do.
    double used = 0;
    for (std::size_t h = 0; h < 3; ++h)
      used = std::max(used, of_notion(updates[1].truth->evaluation.gap, notion)[h].gap / limit[h]);
    EXPECT_GT(used, 0.9);
  }
}

TEST(Safe, WithPlentyOfDataCostsAFewPerCent) {
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
    LearnOptions options = safely(notion, {0.1}, {1'000'000, 1'000'000'000'000});
    options.floor = 0;
    options.relaxation = RelaxationMode::tight;
    const std::vector<Update> updates = learned(testing::population(), options);
    const SolveResult best = unwrap(solve(testing::population(), {.parity = {options.fairness}}));
    EXPECT_GE(updates[0].truth->evaluation.value, 0.95 * best.bounds.lower);
    EXPECT_GE(updates[1].truth->evaluation.value, 0.995 * best.bounds.lower);
    EXPECT_LE(updates[1].truth->evaluation.value, best.bounds.upper + 1e-9);
  }
}

TEST(Safe, KeepsTheFloor) {
  LearnOptions options = safely(Notion::dp, {0.1}, {100, 10'000'000});
  options.floor.reset();
  for (const FloorKind kind : {FloorKind::two_sided, FloorKind::accept_only}) {
    options.floor_kind = kind;
    for (const Update& update : learned(testing::population(), options)) {
      const Range accept = accept_range(update.floor, kind);
      for (std::size_t g = 0; g < 2; ++g)
        for (const double p : update.policy.group(g)) {
          EXPECT_GE(p, accept.low);
          EXPECT_LE(p, accept.high);
        }
    }
  }
}

TEST(Safe, BoundsWhatASafePolicyCanBeWorth) {
  LearnOptions options = safely(Notion::dp, {0.1}, {1000, 100'000});
  options.proof.wanted = true;
  for (const Update& update : learned(testing::population(), options)) {
    EXPECT_TRUE(std::isfinite(update.bounds.upper));
    EXPECT_LE(update.bounds.lower, update.bounds.upper);
    EXPECT_NEAR(update.gap_to_bound, (update.bounds.upper - update.bounds.lower) / std::abs(update.bounds.lower),
                1e-12);
  }
}

TEST(Safe, ThePolicyInForceStaysACandidate) {
  // With a policy that is best by far in force and a solver that is told to stop at once, it is kept.
  testing::Watched environment(testing::population());
  Learner learner = unwrap(Learner::make(environment, safely(Notion::dp, {0.1}, {100'000, 200'000})));
  const Update first = unwrap(learner.next());
  ASSERT_FALSE(first.safety->fallback);
  const UpdateProgram program =
      unwrap(update_program(learner.counts(), environment.known(), learner.options(), first.k));
  std::stop_source source;
  source.request_stop();
  SolveOptions stopped;
  stopped.policies.floor = 0.05;
  stopped.proof.wanted = false;
  stopped.stop = source.get_token();
  const SafeChoice kept = unwrap(choose_safely(program, learner.options(), stopped, first.policy));
  EXPECT_FALSE(kept.safety.fallback);
  EXPECT_GE(kept.bounds.lower, first.bounds.lower);
}

}  // namespace
}  // namespace fairstep
