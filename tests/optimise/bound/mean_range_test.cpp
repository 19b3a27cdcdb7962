#include <fairstep/optimise/bound/mean_range.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/optimise/program/compile.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

TEST(MeanRange, HoldsTheRatesOfEveryTableInTheBoxes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Model model = testing::random_model(seed, 2, 3, 3);
    const Program program = testing::unwrap(compile(
        model, {.parity = {{Notion::eqopt, {0.1}}, {Notion::dp, {0.1}}}, .aggregate_dp = 0.1, .aggregate_eqopt = 0.1},
        {}));
    Rng rng(seed, 604);
    std::vector<Box> boxes = program.boxes;
    for (Box& box : boxes)
      for (std::size_t i = 0; i < box.lo.size(); ++i) {
        box.lo[i] = 0.4 * rng.uniform();
        box.hi[i] = box.lo[i] + 0.5 * rng.uniform();
      }
    Workspace work(program.shape());
    for (int draw = 0; draw < 20; ++draw) {
      std::vector<double> f(program.functionals, 0.0);
      for (std::size_t b = 0; b < boxes.size(); ++b) {
        std::vector<double> table(program.table_size());
        for (std::size_t i = 0; i < table.size(); ++i)
          table[i] = boxes[b].lo[i] + rng.uniform() * (boxes[b].hi[i] - boxes[b].lo[i]);
        const Effect effect = effect_of(program, b, table, work);
        for (std::size_t j = 0; j < f.size(); ++j) f[j] += effect.functional[j];
      }
      for (const Parity& parity : program.parities)
        for (const Mean& mean : parity.means) {
          const Range range = range_of(program, boxes, {&mean, 1});
          EXPECT_GE(mean_of(mean, f), range.low - 1e-12);
          EXPECT_LE(mean_of(mean, f), range.high + 1e-12);
        }
    }
  }
}

// Cause: a mean over several steps without a denominator was bounded as if it were one step's part of it, so that
// bounds on the value lay below policies.
TEST(MeanRange, OfAMeanOverTheEpisodeIsTheMeanOfTheStepsRanges) {
  const Model model = testing::hand_model();
  const Program program = testing::unwrap(compile(model, {.aggregate_dp = 0.1}, {}));
  std::vector<Box> boxes = program.boxes;
  boxes[1].lo = {0.1, 0.4, 0.2, 0.3};
  boxes[1].hi = {0.6, 0.8, 0.5, 0.9};
  const Mean& mean = program.parities[0].means[1];
  ASSERT_FALSE(mean.denominator);
  const Range range = range_of(program, boxes, {&mean, 1});
  EXPECT_NEAR(range.low, 0.15, 1e-15);   // (0.1 + 0.2) / 2
  EXPECT_NEAR(range.high, 0.85, 1e-15);  // (0.8 + 0.9) / 2
}

TEST(MeanRange, IsTheExtremesOfTheBoxesEntries) {
  // Group b at the second step of the hand model: P(a=1 | y=1) is between the least and the greatest chance of anybody.
  const Model model = testing::hand_model();
  const Program program = testing::unwrap(compile(model, {.parity = {{Notion::eqopt, {0.1}}}}, {}));
  std::vector<Box> boxes = program.boxes;
  boxes[1].lo = {0, 0, 0.2, 0.3};
  boxes[1].hi = {1, 1, 0.5, 0.9};
  const Mean& mean = program.parities[1].means[1];
  ASSERT_TRUE(mean.denominator);
  const Range range = range_of(program, boxes, {&mean, 1});
  EXPECT_NEAR(range.low, 0.2, 1e-15);
  EXPECT_NEAR(range.high, 0.9, 1e-15);
}

}  // namespace
}  // namespace fairstep
