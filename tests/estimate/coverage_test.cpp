// The radii hold as often as they say, at every number of draws along a path.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/policy.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/confidence.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::nobody;
using testing::unwrap;

std::size_t draw(const std::vector<double>& p, Rng& rng) {
  double u = rng.uniform();
  std::size_t s = 0;
  for (; s + 1 < p.size() && u >= p[s]; ++s) u -= p[s];
  return s;
}

double total_variation(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t s = 0; s < p.size(); ++s) sum += std::abs(p[s] - q[s]);
  return sum / 2;
}

/// Of 400 paths of 2000 draws, those on which the proportions leave factor * radius at any time.
int paths_that_leave(const std::vector<double>& p, double delta, double factor) {
  int left = 0;
  for (std::uint64_t path = 0; path < 400; ++path) {
    Rng rng(20240, 1, path);
    std::vector<double> seen(p.size());
    for (std::int64_t n = 1; n <= 2000; ++n) {
      ++seen[draw(p, rng)];
      std::vector<double> proportions(seen);
      for (double& share : proportions) share /= static_cast<double>(n);
      if (total_variation(proportions, p) <= factor * tv_radius(n, p.size(), delta)) continue;
      ++left;
      break;
    }
  }
  return left;
}

// A path leaves with probability at most 0.2, so that more than 120 of 400 do with probability below 1e-6 (80 are
// expected at most, with standard deviation 8): the false-alarm rate of each of the next three tests. The seeds are
// fixed.
constexpr int kMost = 120;

TEST(TvRadiusCoverage, AFairCoinStaysWithinForAllNumbersOfDrawsAtOnce) {
  EXPECT_LE(paths_that_leave({0.5, 0.5}, 0.2, 1), kMost);
  // Not because nothing could fail: with 0.45 of the radius most paths leave.
  EXPECT_GT(paths_that_leave({0.5, 0.5}, 0.2, 0.45), kMost);
}

TEST(TvRadiusCoverage, SeveralStatesStayWithinForAllNumbersOfDrawsAtOnce) {
  EXPECT_LE(paths_that_leave({0.4, 0.3, 0.2, 0.1}, 0.2, 1), kMost);
  EXPECT_GT(paths_that_leave({0.4, 0.3, 0.2, 0.1}, 0.2, 0.45), kMost);
}

TEST(RewardRadiusCoverage, AMeanStaysWithinForAllNumbersOfDrawsAtOnce) {
  // The mean of draws from {0, 1} is off by as much as its proportions are in total variation, and rewards of any
  // other distribution on a range of length 1 have the same radius (confidence_test.cpp has it by hand).
  int left = 0;
  for (std::uint64_t path = 0; path < 400; ++path) {
    Rng rng(20241, 1, path);
    double sum = 0;
    for (std::int64_t n = 1; n <= 2000; ++n) {
      sum += rng.uniform() < 0.3 ? 1 : rng.uniform() / 2;  // mean 0.3 + 0.7/4 = 0.475
      if (std::abs(sum / static_cast<double>(n) - 0.475) <= tv_radius(n, 2, 0.2)) continue;
      ++left;
      break;
    }
  }
  EXPECT_LE(left, kMost);
}

/// Whether every row of the estimate is within `factor` of its radius.
bool holds(const Model& truth, const Estimate& estimate, double delta, double factor) {
  const Radii r = *radii(estimate, delta);
  const Shape& n = truth.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    if (total_variation(truth.initial(g), estimate.model.initial(g)) > factor * r.initial[g]) return false;
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a)
          if (total_variation(truth.spec().transition.block(g, x, y, a),
                              estimate.model.spec().transition.block(g, x, y, a)) > factor * r.row(g, x, y, a))
            return false;
  }
  return true;
}

/// Accept a feature if fewer people were accepted there so far than refused: what is seen decides what is seen next.
Policy contrary(const Model& model, const Counts& so_far) {
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x) {
      std::int64_t balance = 0;
      for (std::size_t y = 0; y < kLabels; ++y) balance += so_far.visits_of(g, x, y, 1) - so_far.visits_of(g, x, y, 0);
      for (std::size_t h = 0; h < n.horizon; ++h) accept(g, h, x) = balance > 0 ? 0.05 : 0.95;
    }
  return unwrap(Policy::make(std::move(accept)));
}

/// Of 200 runs of 12 rounds, those in which a row leaves factor * radius after any round.
int runs_that_leave(double delta, double factor) {
  const Model truth = testing::random_model(3, 2, 2, 4);
  int left = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    Counts counts = nobody(truth.shape().horizon, truth.names());
    EstimateOptions given;
    given.share = truth.spec().share;
    for (std::uint64_t round = 0; round < 12; ++round) {
      SimulateOptions options;
      options.crowd = {std::uint64_t{1} << round, true};
      options.seed = 77;
      options.stream = run * 12 + round;
      const Counts more = unwrap(simulate_counts(truth, contrary(truth, counts), options));
      if (!counts.add(more)) throw std::runtime_error("counts do not add");
      if (holds(truth, unwrap(estimate(counts, given)), delta, factor)) continue;
      ++left;
      break;
    }
  }
  return left;
}

// Rows leave in a run with probability at most 0.2; more than 70 of 200 runs do with probability below 1e-6 (40 are
// expected at most, with standard deviation 5.7). The seeds are fixed.
TEST(RadiiCoverage, AllRowsHoldAfterEveryRoundHoweverTheDataCameAbout) {
  EXPECT_LE(runs_that_leave(0.2, 1), 70);
  EXPECT_GT(runs_that_leave(0.2, 0.4), 70);
}

}  // namespace
}  // namespace fairstep
