// Ranges are narrowed to what policies that are worth the cutoff can have, and never past these.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
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
    const double shrinkage = here.relaxation.tighten({known.objective, -kInfinity}, Tightening::both, {});
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
  here.relaxation.tighten({1.0 / 24, -kInfinity}, Tightening::rates, {});
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
  here.relaxation.tighten({1.0 / 16, -kInfinity}, Tightening::everything, {});
  EXPECT_TRUE(here.relaxation.empty());
  here.relaxation.set_ranges(before);
  EXPECT_FALSE(here.relaxation.empty());
}

TEST(Tightening, WhereTheMasterHasNoSolutionNothingIsProven) {
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  EXPECT_EQ(here.relaxation.tighten({1, -kInfinity}, Tightening::everything, {}), 0);  // no column is worth so much
  EXPECT_FALSE(here.relaxation.empty());
}

TEST(Tightening, WithoutTimeNothingMoves) {
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const Deadline over{.at = std::chrono::steady_clock::time_point::min()};
  EXPECT_EQ(here.relaxation.tighten({1.0 / 24, -kInfinity}, Tightening::everything, over), 0);
}

TEST(Tightening, WithoutProductsThereIsNothingToNarrow) {
  const Model model = standing_still(1, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::dp, {0.2}}}}, {})));
  EXPECT_EQ(here.relaxation.tighten({0, -kInfinity}, Tightening::everything, {}), 0);
}

/// A policy at random and what it does: its value, and for each quotient parity where the common rate may be and what
/// the denominators are.
struct Sampled {
  double value = 0;
  std::vector<Range> rate{};
  std::vector<std::vector<double>> denominator{};
};

std::vector<Sampled> sample_policies(const Program& program, std::size_t number) {
  Rng rng(11, 78);
  Workspace work(program.shape());
  std::vector<Sampled> found;
  for (std::size_t i = 0; i < number; ++i) {
    Tables tables(program.blocks.size(), std::vector<double>(program.table_size()));
    std::vector<double> f(program.functionals, 0.0);
    Sampled sampled;
    for (std::size_t b = 0; b < tables.size(); ++b) {
      for (double& p : tables[b]) p = rng.uniform() < 0.3 ? rng.uniform() : rng.uniform() < 0.5 ? 0.0 : 1.0;
      const Effect effect = effect_of(program, b, tables[b], work);
      sampled.value += effect.value;
      for (std::size_t j = 0; j < f.size(); ++j) f[j] += effect.functional[j];
    }
    if (excess_of(program, f) > 0) continue;
    for (const Parity& parity : program.parities) {
      if (!parity.means[0].denominator) continue;
      double least = 1, most = 0;
      sampled.denominator.emplace_back();
      for (const Mean& mean : parity.means) {
        least = std::min(least, mean_of(mean, f));
        most = std::max(most, mean_of(mean, f));
        sampled.denominator.back().push_back(f[*mean.denominator]);
      }
      sampled.rate.push_back({most - parity.limit / 2, least + parity.limit / 2});
    }
    found.push_back(std::move(sampled));
  }
  return found;
}

// At the first step denominators are numbers. The ranges of the other two parities of two groups are, in their order,
// those of all denominators, and then for each parity those of the common rate and of what its denominators differ by.
constexpr std::size_t place_of_denominator(std::size_t parity, std::size_t group) { return 2 * parity + group; }
constexpr std::size_t place_of_rate(std::size_t parity) { return 4 + 2 * parity; }

// Prices that proved ends over the whole program are used in a part of it, where one rate is narrowed by hand: no
// policy with such a rate that is worth the cutoff may be lost.
TEST(Tightening, KnownPricesCutOffNothingInAPartOfTheRanges) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Model model = testing::random_model(seed, 2, 2, 3);
    Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.4}}}}, {})));
    std::vector<Sampled> policies = sample_policies(here.program, 4000);
    ASSERT_GT(policies.size(), 100U);
    std::sort(policies.begin(), policies.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    policies.resize(100);
    const double cutoff = policies.back().value;
    const std::vector<Range> whole = here.relaxation.ranges();
    ASSERT_EQ(whole.size(), place_of_rate(2));
    const Range all = whole[place_of_rate(0)];
    std::size_t looked_at = 0;
    for (const bool upper : {false, true, false}) {
      std::vector<Range> half = whole;
      Range& rate = half[place_of_rate(0)];
      (upper ? rate.low : rate.high) = 0.5 * (all.low + all.high);
      here.relaxation.set_ranges(half);
      EXPECT_GT(here.relaxation.tighten({cutoff, -kInfinity}, Tightening::everything, {}), 0);
      const std::vector<Range> left = here.relaxation.ranges();
      for (const Sampled& policy : policies) {
        if (policy.rate[0].low > rate.high || policy.rate[0].high < rate.low) continue;
        ++looked_at;
        ASSERT_FALSE(here.relaxation.empty());
        for (std::size_t k = 0; k < policy.rate.size(); ++k) {
          const Range& common = left[place_of_rate(k)];
          EXPECT_LE(policy.rate[k].low, common.high + 1e-9);
          EXPECT_GE(policy.rate[k].high, common.low - 1e-9);
          for (std::size_t g = 0; g < 2; ++g) {
            const Range& denominator = left[place_of_denominator(k, g)];
            EXPECT_LE(policy.denominator[k][g], denominator.high + 1e-9);
            EXPECT_GE(policy.denominator[k][g], denominator.low - 1e-9);
          }
        }
      }
    }
    EXPECT_GE(looked_at, 100U) << "seed " << seed;  // each policy is in one of the halves, or in both
  }
}

TEST(Tightening, EndsOnceNothingIsWorthEnough) {
  // Of what is worth 1/24, the optimum; the first look at known prices says that nothing is worth 1.
  const Model model = standing_still(2, kMixed, -2, 1);
  Tightened here(unwrap(compile(model, {.parity = {{Notion::eqopt, {0.2}}}}, {})));
  const std::vector<Range> before = here.relaxation.ranges();
  (void)here.relaxation.maximise(1e-6, -kInfinity, {});
  here.relaxation.tighten({1.0 / 24, 1}, Tightening::everything, {});
  std::size_t narrowed = 0;
  const std::vector<Range> after = here.relaxation.ranges();
  for (std::size_t i = 0; i < before.size(); ++i)
    if (after[i].low > before[i].low || after[i].high < before[i].high) ++narrowed;
  EXPECT_EQ(narrowed, 1U);  // the first variable, and no other
}

}  // namespace
}  // namespace fairstep
