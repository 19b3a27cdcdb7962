// Learning at the edges of arithmetic: every update has numbers that the referee finds too.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/learn/environment.hpp>
#include <fairstep/learn/learn.hpp>

#include "support/edges.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::describe;
using testing::draw_edges;
using testing::edge_model;
using testing::Edges;
using testing::unwrap;

LearnOptions options_of(const Edges& edges, std::uint64_t seed) {
  LearnOptions options;
  options.fairness = {edges.notion, {edges.limit}, {}};
  options.schedule = {1, 8, std::uint64_t{1} << 20};
  options.relaxation = seed % 3 == 0   ? RelaxationMode::literal
                       : seed % 3 == 1 ? RelaxationMode::scaled
                                       : RelaxationMode::tight;
  if (edges.notion == Notion::eqodds) options.relaxation = RelaxationMode::tight;  // the paper has none for it
  options.safe = options.relaxation == RelaxationMode::tight && seed % 2 == 0;
  if (seed % 4 == 0) options.floor = edges.floor;
  options.proof.effort = 300;
  options.proof.time_limit = 600;  // never the reason to stop
  options.trial_episodes = 20;
  options.seed = seed;
  return options;
}

void expect_honest(const Update& update, const Model& model, const Edges& edges) {
  const Evaluation again = unwrap(evaluate(model, update.policy));
  ASSERT_TRUE(update.truth);
  ASSERT_EQ(update.truth->evaluation.value, again.value);
  double sum = 0;
  for (const StepGap& gap : of_notion(again.gap, edges.notion)) sum += std::isnan(gap.gap) ? 0 : gap.gap;
  ASSERT_NEAR(update.truth->violation, sum / static_cast<double>(edges.horizon), 1e-12);
  ASSERT_TRUE(std::isfinite(update.truth->reward_regret));
  ASSERT_FALSE(std::isnan(update.truth->regret_bound));
  ASSERT_FALSE(std::isnan(update.bounds.lower) || std::isnan(update.bounds.upper));
  ASSERT_LE(update.bounds.lower, update.bounds.upper);
  ASSERT_TRUE(std::isfinite(update.bonus_max));
  for (const double extra : update.relaxation) ASSERT_FALSE(std::isnan(extra));
  for (const double p : update.policy.table().flat()) {
    ASSERT_GE(p, update.floor);
    ASSERT_LE(p, 1 - update.floor);
  }
  if (update.safety)
    for (std::size_t h = 0; h < edges.horizon; ++h) {
      const double gap = of_notion(again.gap, edges.notion)[h].gap;
      // Confidence 0.9 for each run, and far more in fact; the seeds are fixed and no run fails.
      ASSERT_TRUE(std::isnan(gap) || gap <= edges.limit + 2 * kLimitTolerance) << gap;
    }
}

TEST(LearnAdversaries, EveryUpdateIsHonestWhateverIsUnusual) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Edges edges = draw_edges(seed + 300, 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(edges));
    const Model model = edge_model(edges, seed);
    SimulatedEnvironment environment(model, seed);
    const std::vector<Update> updates = unwrap(learn(environment, options_of(edges, seed), &model));
    ASSERT_EQ(updates.size(), 3U);
    for (const Update& update : updates) expect_honest(update, model, edges);
    if (HasFailure()) return;
  }
}

TEST(LearnAdversaries, TwoHundredStepsAreLearned) {
  Edges edges;
  edges.horizon = 200, edges.features = 1, edges.limit = 0.1;
  const Model model = edge_model(edges, 1);
  SimulatedEnvironment environment(model, 1);
  LearnOptions options = options_of(edges, 1);
  options.schedule = {std::uint64_t{1} << 20};
  options.proof.effort = 20;
  for (const Update& update : unwrap(learn(environment, options, &model))) expect_honest(update, model, edges);
}

}  // namespace
}  // namespace fairstep
