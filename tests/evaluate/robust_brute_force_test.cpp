// The extreme rates against two judges that share nothing with the recursion: every choice of corners of the balls, one
// for each row and step, on tiny models; and a bound from the other side (the dual) on larger ones.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/evaluate/robust.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::random_model;
using testing::random_policy;
using testing::unwrap;

constexpr double kPathsClose = 1e-12;

using Row = std::vector<double>;

/// The corners of a ball: for each order of the states, the radius's mass taken from the first ones and given to the
/// last. For any payoff the best distribution is among these (sort by payoff), so they include every corner.
std::vector<Row> corners(std::span<const double> p, double radius) {
  std::vector<Row> found;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0u);
  do {
    Row q(p.begin(), p.end());
    double left = radius;
    for (const std::size_t s : order) {
      const double taken = std::min(q[s], left);
      q[s] -= taken;
      q[order.back()] += taken;
      left -= taken;
    }
    if (std::find(found.begin(), found.end(), q) == found.end()) found.push_back(q);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

struct Extremes {
  std::vector<Range> accept, tpr, fpr;  // [h]
};

void take_in(Range& range, double rate) {
  range.low = std::min(range.low, rate);
  range.high = std::max(range.high, rate);
}

/// Mass of group g forwards, trying each corner in turn for every row that somebody may need.
class EveryChoice {
 public:
  EveryChoice(const Model& model, const Policy& policy, const Balls& balls, std::size_t g)
      : n_(model.shape()), accept_(policy.group(g)) {
    const Range nothing{2, -1};
    found_ = {std::vector(n_.horizon, nothing), std::vector(n_.horizon, nothing), std::vector(n_.horizon, nothing)};
    for (std::size_t cell = 0; cell < n_.cells(); ++cell)
      rows_.push_back(corners({model.kernel(g, 0).row(cell), n_.states()}, balls.row.block(g)[cell]));
    for (const Row& first : corners(model.initial(g), balls.initial[g])) at_step(0, first);
  }

  [[nodiscard]] const Extremes& found() const { return found_; }

 private:
  void at_step(std::size_t h, const Row& mass) {
    double people[2] = {0, 0}, accepted[2] = {0, 0};
    for (std::size_t s = 0; s < mass.size(); ++s) {
      people[s % 2] += mass[s];
      accepted[s % 2] += mass[s] * accept_[h * n_.features + s / 2];
    }
    take_in(found_.accept[h], (accepted[0] + accepted[1]) / (people[0] + people[1]));
    if (people[1] > 0) take_in(found_.tpr[h], accepted[1] / people[1]);
    if (people[0] > 0) take_in(found_.fpr[h], accepted[0] / people[0]);
    if (h + 1 < n_.horizon) from_cell(h, 0, mass, Row(mass.size()));
  }

  void from_cell(std::size_t h, std::size_t cell, const Row& mass, const Row& next) {
    if (cell == n_.cells()) return at_step(h + 1, next);
    const std::size_t s = cell / 2;
    const double p = accept_[h * n_.features + s / 2];
    const double here = mass[s] * (cell % 2 == 1 ? p : 1 - p);
    if (here == 0) return from_cell(h, cell + 1, mass, next);
    for (const Row& q : rows_[cell]) {
      Row with = next;
      for (std::size_t s1 = 0; s1 < q.size(); ++s1) with[s1] += here * q[s1];
      from_cell(h, cell + 1, mass, with);
    }
  }

  Shape n_;
  std::span<const double> accept_;
  std::vector<std::vector<Row>> rows_;
  Extremes found_;
};

void expect_range(const Range& found, const Range& expected) {
  EXPECT_NEAR(found.low, expected.low, kPathsClose);
  EXPECT_NEAR(found.high, expected.high, kPathsClose);
}

void expect_agreement(const Model& model, const Policy& policy, const Balls& balls) {
  const RobustRates rates = unwrap(robust_rates(model, policy, balls));
  for (std::size_t g = 0; g < model.shape().groups; ++g) {
    const Extremes every = EveryChoice(model, policy, balls, g).found();
    for (std::size_t h = 0; h < model.shape().horizon; ++h) {
      expect_range(rates.accept(g, h), every.accept[h]);
      expect_range(rates.tpr(g, h), every.tpr[h]);
      expect_range(rates.fpr(g, h), every.fpr[h]);
    }
  }
}

Balls balls_up_to(double largest, const Model& model, Rng& rng) {
  const Shape& n = model.shape();
  Balls balls{Tensor<double, 4>({n.groups, n.features, kLabels, kActions}), std::vector<double>(n.groups)};
  for (double& r : balls.row.flat()) r = largest * rng.uniform();
  for (double& r : balls.initial) r = largest * rng.uniform();
  return balls;
}

/// Entries of the policy at the steps before the last are 0 or 1, which leaves one row a state to choose.
Policy coins_at_the_last_step_only(const Model& model, Rng& rng) {
  const Shape& n = model.shape();
  Tensor<double, 3> accept({n.groups, n.horizon, n.features});
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        accept(g, h, x) = h + 1 < n.horizon ? static_cast<double>(rng() % 2) : rng.uniform();
  return unwrap(Policy::make(std::move(accept)));
}

// Two steps, two features: four rows with up to twelve corners each and as many for the first state, a quarter of a
// million populations a group.
TEST(RobustBruteForce, TwoFeaturesAgree) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 57);
    const Model model = random_model(seed, 2, 2, 2);
    expect_agreement(model, coins_at_the_last_step_only(model, rng), balls_up_to(0.1, model, rng));
  }
}

// Every action is taken with some probability, so that all eight rows count; six of them are known exactly. Wide balls:
// whole states can be emptied.
TEST(RobustBruteForce, RandomisedPoliciesAgree) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 58);
    const Model model = random_model(seed, 2, 2, 2);
    Balls balls = balls_up_to(0.4, model, rng);
    for (std::size_t i = 0; i < balls.row.size(); ++i)
      if ((i + seed) % 4 != 0) balls.row.flat()[i] = 0;
    expect_agreement(model, random_policy(seed, model), balls);
  }
}

// Three steps: the same two rows may differ between the first transition and the second, and the extremes use that.
TEST(RobustBruteForce, ThreeStepsAgreeWhenKernelsMayChangeBetweenThem) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 59);
    const Model model = random_model(seed, 2, 2, 3);
    Balls balls = balls_up_to(0.2, model, rng);
    for (std::size_t i = 0; i < balls.row.size(); ++i)
      if ((i + seed) % 4 != 0) balls.row.flat()[i] = 0;
    expect_agreement(model, coins_at_the_last_step_only(model, rng), balls);
  }
}

// One feature: the rates are the policy's entries whatever happens, and the search is over every choice there is.
TEST(RobustBruteForce, OneFeatureAgrees) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 60);
    const Model model = random_model(seed, 2, 1, 2 + seed % 2);
    expect_agreement(model, random_policy(seed, model), balls_up_to(0.9, model, rng));
  }
}

using Payoff = std::vector<long double>;

/// At least max q.f over the ball of p, rescaled to sum to 1, and equal to it for the best level b: whatever b is,
/// q.f <= q.max(f, b) <= p.max(f, b) + radius * (max f - b). No sorting, no moving of mass.
long double dual_bound(std::span<const double> p, double radius, const Payoff& f) {
  const long double sum_of_p = std::accumulate(p.begin(), p.end(), 0.0L);
  const long double best = *std::max_element(f.begin(), f.end());
  long double least = std::numeric_limits<long double>::infinity();
  for (const long double level : f) {
    long double sum = 0;
    for (std::size_t s = 0; s < f.size(); ++s) sum += p[s] * std::max(f[s], level);
    least = std::min(least, sum / sum_of_p + radius * (best - level));
  }
  return least;
}

/// The greatest E[payoff(s_h)] by dual bounds.
long double greatest_by_duals(const Model& m, const Policy& policy, const Balls& balls, std::size_t g, std::size_t h,
                              Payoff f) {
  const std::size_t states = m.shape().states();
  for (std::size_t t = h; t-- > 0;) {
    Payoff before(states);
    for (std::size_t s = 0; s < states; ++s)
      for (std::size_t a = 0; a < 2; ++a) {
        const long double p = policy.accept(g, t, s / 2);
        before[s] += (a == 1 ? p : 1 - p) *
                     dual_bound({m.kernel(g, 0).row(2 * s + a), states}, balls.row.block(g)[2 * s + a], f);
      }
    f = before;
  }
  return dual_bound(m.initial(g), balls.initial[g], f);
}

// In numbers of 64 bits, the exact ends to some 1e-18. Doubles that are not rounded outwards are inside of these about
// every other time.
TEST(RobustBruteForce, EndsAreRoundedOutwards) {
  if (std::numeric_limits<long double>::digits <= std::numeric_limits<double>::digits)
    GTEST_SKIP() << "this machine has no numbers that are more precise than doubles";
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 62);
    const Model m = random_model(seed, 2, 2 + seed % 5, 1 + seed % 7);
    const Policy policy = random_policy(seed, m);
    const Balls balls = balls_up_to(seed % 3 == 0 ? 0 : 0.05, m, rng);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls));
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t h = 0; h < m.shape().horizon; ++h) {
        const auto greatest = [&](long double sign, long double t, auto counts) {
          Payoff f(m.shape().states());
          for (std::size_t s = 0; s < f.size(); ++s)
            f[s] = counts(s % 2) ? sign * policy.accept(g, h, s / 2) - t : 0.0L;
          return greatest_by_duals(m, policy, balls, g, h, f);
        };
        const auto everybody = [](std::size_t) { return true; };
        const auto qualified = [](std::size_t y) { return y == 1; };
        EXPECT_GE(rates.accept(g, h).high, greatest(1, 0, everybody));
        EXPECT_LE(rates.accept(g, h).low, -greatest(-1, 0, everybody));
        EXPECT_LE(greatest(1, rates.tpr(g, h).high, qualified), 0);
        EXPECT_LE(greatest(-1, -rates.tpr(g, h).low, qualified), 0);
      }
    if (HasFailure()) return;
  }
}

// Conditional rates: E[(accept - t) 1(y)] can be brought above 0 for t a little less than the end found, and cannot for
// t a little more.
TEST(RobustBruteForce, DualBoundsAgreeOnLargerModels) {
  std::size_t inside = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed, 61);
    const Model m = random_model(seed, 2, 1 + seed % 6, 1 + seed % 7);
    const Policy policy = random_policy(seed, m);
    const Balls balls = balls_up_to(seed % 3 == 0 ? 0.5 : 0.03, m, rng);
    const RobustRates rates = unwrap(robust_rates(m, policy, balls));
    const Shape& n = m.shape();
    for (std::size_t g = 0; g < n.groups; ++g)
      for (std::size_t h = 0; h < n.horizon; ++h) {
        const auto greatest = [&](const std::function<double(std::size_t, std::size_t)>& payoff) {
          Payoff f(n.states());
          for (std::size_t s = 0; s < f.size(); ++s) f[s] = payoff(s / 2, s % 2);
          return static_cast<double>(greatest_by_duals(m, policy, balls, g, h, f));
        };
        const auto accept = [&](std::size_t x) { return policy.accept(g, h, x); };
        EXPECT_NEAR(rates.accept(g, h).high, greatest([&](auto x, auto) { return accept(x); }), kPathsClose);
        EXPECT_NEAR(rates.accept(g, h).low, -greatest([&](auto x, auto) { return -accept(x); }), kPathsClose);
        for (const std::size_t label : {0u, 1u}) {
          const Range range = label == 1 ? rates.tpr(g, h) : rates.fpr(g, h);
          for (const double sign : {1.0, -1.0}) {
            const double end = sign > 0 ? range.high : -range.low;
            const auto excess = [&](double t) {
              return greatest([&](auto x, auto y) { return y == label ? sign * accept(x) - t : 0.0; });
            };
            EXPECT_GT(excess(end - 1e-11), 0);
            EXPECT_LE(excess(end + 1e-11), 1e-16);
            inside += excess(end + 1e-3) < -1e-6 ? 1 : 0;
          }
        }
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(inside, 500u);  // ends that are set by the balls, and not only by the hull of the policy
}

}  // namespace
}  // namespace fairstep
