// Ranges are narrowed to what policies that are worth the cutoff can have, and never past these.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/optimise/bound/relaxation.hpp>
#include <fairstep/optimise/local/local.hpp>
#include <fairstep/optimise/program/compile.hpp>
#include <fairstep/optimise/program/tables.hpp>

#include "optimise/standing_still.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::kMixed;
using testing::standing_still;
using testing::unwrap;

struct Tightened {
  explicit Tightened(Program asked) : program(std::move(asked)) {}
  Program program;
  Pricing pricing{program};
  Relaxation relaxation{program, pricing, 0, {}};
};

TEST(Tightening, NarrowsRangesAndCutsOffNothingThatIsWorthTheCutoff) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 3);
    Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.05}}}}, {})));
    const Candidate known = look_around(here.program, middle_of(here.program));
    ASSERT_LE(known.excess, 1e-8);
    const std::vector<Range> before = here.relaxation.ranges();
    const double shrinkage = here.relaxation.tighten(known.objective, Tightening::both, {});
    EXPECT_GT(shrinkage, 0) << "seed " << seed;
    EXPECT_LE(shrinkage, 1) << "seed " << seed;
    const std::vector<Range> after = here.relaxation.ranges();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_GE(after[i].low, before[i].low);
      EXPECT_LE(after[i].high, before[i].high);
    }
    // The policy that set the cutoff is in them: the bound over what is left is still above it.
    EXPECT_FALSE(here.relaxation.empty());
    EXPECT_GE(here.relaxation.maximise(1e-6, -kInfinity, {}).bound, known.objective - 1e-7) << "seed " << seed;
  }
}

TEST(Tightening, TheHigherTheCutoffTheLessIsLeft) {
  // Of what is worth 1/24, the optimum (solve_test.cpp), the rate of the qualified is known at either step: a third of
  // a's high are accepted, 1/5, and none of b, so the common rate is 1/10.
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  ASSERT_TRUE(here.relaxation.has_products());
  here.relaxation.tighten(1.0 / 24, Tightening::rates, {});
  const std::vector<Range> ranges = here.relaxation.ranges();
  const Range rate = ranges[here.relaxation.place_of_rate(0)];
  EXPECT_LE(rate.low, 0.1 + 1e-6);
  EXPECT_GE(rate.high, 0.1 - 1e-6);
  EXPECT_LT(rate.high - rate.low, 0.1);
}

TEST(Tightening, AboveWhatTheLimitAllowsNothingIsLeft) {
  // 1/16 is more than 1/24 and less than 1/8, which is what no limit at all would give: a master that exceeds its
  // limits reaches it, and pays for that with more than any range is wide.
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const std::vector<Range> before = here.relaxation.ranges();
  here.relaxation.tighten(1.0 / 16, Tightening::everything, {});
  EXPECT_TRUE(here.relaxation.empty());
  here.relaxation.set_ranges(before);
  EXPECT_FALSE(here.relaxation.empty());
}

TEST(Tightening, WhereTheMasterHasNoSolutionNothingIsProven) {
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  EXPECT_EQ(here.relaxation.tighten(1, Tightening::everything, {}), 0);  // no column is worth so much
  EXPECT_FALSE(here.relaxation.empty());
}

TEST(Tightening, WithoutTimeNothingMoves) {
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  EXPECT_EQ(here.relaxation.tighten(1.0 / 24, Tightening::everything, over), 0);
}

TEST(Tightening, WithoutProductsThereIsNothingToNarrow) {
  const Model model = standing_still(1, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::dp, {0.2}}}}, {})));
  EXPECT_EQ(here.relaxation.tighten(0, Tightening::everything, {}), 0);
}

}  // namespace
}  // namespace fairstep
