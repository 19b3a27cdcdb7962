// The bound by how far tables can move people, against all 2^(H |X|) tables: what they earn, and where they lead.
#include <fairstep/optimise/pricing/affine_bound.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/passes.hpp>

#include "optimise/pricing/random_prices.hpp"

namespace fairstep {
namespace {

using testing::best_of_all;
using testing::for_each_table;
using testing::for_random_prices;
using testing::worth;

constexpr double kNone = -std::numeric_limits<double>::infinity();

std::vector<std::vector<double>> rewards_at(const Program& program, const std::vector<double>& price, double weight) {
  const Shape& n = program.shape();
  std::vector<std::vector<double>> reward(n.groups, std::vector<double>(n.horizon * n.cells()));
  for (std::size_t g = 0; g < n.groups; ++g) price_rewards(program, g, price, weight, reward[g]);
  return reward;
}

/// Where the table leads lies within the reach, looked at from some random sides.
void expect_within(const Reach& reach, const Program& program, const std::vector<double>& accept, Rng& rng,
                   const std::string& what) {
  const Shape& n = program.shape();
  const std::vector<std::size_t>& groups = program.blocks[0].groups;
  std::vector<double> mass(n.horizon * n.states());
  for (std::size_t k = 0; k < groups.size(); ++k) {
    forward(program.model->kernels(groups[k]), program.model->initial(groups[k]), accept, mass, {});
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x) {
        const double d0 = 2 * rng.uniform() - 1, d1 = 2 * rng.uniform() - 1;
        const double* here = mass.data() + h * n.states() + state_of(x, 0);
        const Reach::Ends ends = reach.ends(reach.place(h, k, x), d0, d1);
        EXPECT_LE(d0 * here[0] + d1 * here[1], ends.high + 1e-12) << what;
        EXPECT_GE(d0 * here[0] + d1 * here[1], ends.low - 1e-12) << what;
      }
  }
}

TEST(AffineBound, NoTableIsWorthMoreAndNoneThatIsWorthTheCutoffIsLost) {
  for_random_prices(150, [](const Program& program, const Box& whole, const std::vector<double>& price, double weight,
                            const std::string& what) {
    const double best = best_of_all(program, 0, whole, price, weight);
    const std::vector<std::vector<double>> reward = rewards_at(program, price, weight);
    const Deadline deadline;
    Rng rng(7, 602);
    // Far below the best, near it, at it, and above all tables.
    for (const double cutoff : {best - 2, best - 0.05, best - 1e-6, best, best + 0.01, best + 1}) {
      AffineBound affine(program, 0, reward, deadline);
      Box box = whole;
      Reach reach = affine.first_reach();
      const AffineBound::Result result = affine.bound({.cutoff = cutoff, .enough = kNone}, box, reach);
      EXPECT_GE(std::max(result.bound, cutoff), best - 1e-12) << what << ", cutoff " << cutoff - best;
      for_each_table(whole, [&](const std::vector<double>& accept) {
        if (worth(program, 0, accept, price, weight) <= cutoff + 1e-9) return;
        for (std::size_t i = 0; i < accept.size(); ++i) {
          EXPECT_LE(box.lo[i], accept[i]) << what;
          EXPECT_GE(box.hi[i], accept[i]) << what;
        }
        if (rng.uniform() < 0.2) expect_within(reach, program, accept, rng, what);
      });
    }
  });
}

TEST(AffineBound, WithoutACutoffTheReachHoldsWhatAnyTableLeadsTo) {
  for_random_prices(60, [](const Program& program, const Box& whole, const std::vector<double>& price, double weight,
                           const std::string& what) {
    const std::vector<std::vector<double>> reward = rewards_at(program, price, weight);
    const Deadline deadline;
    AffineBound affine(program, 0, reward, deadline);
    Box box = whole;
    Reach reach = affine.first_reach();
    (void)affine.bound({.cutoff = -1e6, .enough = kNone}, box, reach);
    Rng rng(8, 603);
    std::vector<double> accept(whole.lo.size());
    for (int i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < accept.size(); ++j)
        accept[j] = whole.lo[j] + rng.uniform() * (whole.hi[j] - whole.lo[j]);
      expect_within(reach, program, accept, rng, what);
    }
  });
}

TEST(AffineBound, ATableWithoutChoiceIsWorthTheBound) {
  for_random_prices(60, [](const Program& program, const Box& whole, const std::vector<double>& price, double weight,
                           const std::string& what) {
    const std::vector<std::vector<double>> reward = rewards_at(program, price, weight);
    const Deadline deadline;
    AffineBound affine(program, 0, reward, deadline);
    Box box{whole.lo, whole.lo};
    Reach reach = affine.first_reach();
    const AffineBound::Result result = affine.bound({.cutoff = -1e3, .enough = kNone}, box, reach);
    EXPECT_NEAR(result.bound, worth(program, 0, whole.lo, price, weight), 1e-9) << what;
    EXPECT_EQ(result.given_away, 0) << what;
  });
}

/// One step, one feature: nobody has been moved yet, so that the bound is what the better end earns.
TEST(AffineBound, AtTheFirstStepNothingIsGivenAway) {
  for_random_prices(150, [](const Program& program, const Box& whole, const std::vector<double>& price, double weight,
                            const std::string& what) {
    if (program.shape().horizon > 1) return;
    const std::vector<std::vector<double>> reward = rewards_at(program, price, weight);
    const Deadline deadline;
    AffineBound affine(program, 0, reward, deadline);
    Box box = whole;
    Reach reach = affine.first_reach();
    const double bound = affine.bound({.cutoff = -1e3, .enough = kNone}, box, reach).bound;
    EXPECT_NEAR(bound, best_of_all(program, 0, whole, price, weight), 1e-9) << what;
  });
}

TEST(AffineBound, EndsWhenTheTimeIsUp) {
  const Model model = testing::random_model(1, 2, 3, 4);
  const Program program = testing::unwrap(compile(model, {}, {}));
  const std::vector<std::vector<double>> reward = rewards_at(program, std::vector<double>(program.functionals), 1);
  const Deadline over{.at = {}, .between_asks = 0};
  AffineBound affine(program, 0, reward, over);
  Box box = program.boxes[0];
  Reach reach = affine.first_reach();
  EXPECT_THROW((void)affine.bound({.cutoff = 0, .enough = kNone}, box, reach), OutOfTime);
}

}  // namespace
}  // namespace fairstep
