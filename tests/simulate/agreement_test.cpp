// Both simulators against exact evaluation, and against each other.
//
// Seeds are fixed and every comparison is a chi-square score against kAlarm, a false-alarm rate below 1e-6; about 3,000
// comparisons in this file, so that a change of seed would raise a false alarm once in 300 times at most.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/evaluate/evaluate.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "simulate/chi_square.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::chi_square_score;
using testing::kAlarm;
using testing::random_policy;
using testing::two_sample_score;
using testing::unwrap;

struct Simulator {
  const char* name;
  Expected<Counts> (*run)(const Model&, const Policy&, const SimulateOptions&);
};
constexpr Simulator kSimulators[] = {{"simulate_counts", simulate_counts}, {"simulate_people", simulate_people}};

/// [h,x,y] P(somebody of group g takes part at step h and is in this state). Entrants start from the initial
/// distribution, and whoever leaves after a step is gone. Without participation this is evaluate's mass.
Tensor<double, 3> present(const Model& model, const Policy& policy, std::size_t g) {
  const Shape& n = model.shape();
  const auto& participation = model.spec().participation;
  Tensor<double, 3> mass({n.horizon, n.features, kLabels});
  for (std::size_t h = 0; h < n.horizon; ++h) {
    const double enters = participation ? participation->first_step(g, h) : (h == 0 ? 1 : 0);
    for (std::size_t s = 0; s < n.states(); ++s) mass.block(h)[s] += enters * model.initial(g)[s];
    if (h + 1 == n.horizon) break;
    for (std::size_t cell = 0; cell < n.cells(); ++cell) {
      const std::size_t s = cell / kActions;
      const double accept = policy.accept(g, h, s / kLabels);
      const double stays = participation ? 1 - participation->leave.block(g)[cell] : 1;
      const double moves = mass.block(h)[s] * (cell % kActions == 1 ? accept : 1 - accept) * stays;
      model.kernel(g, h).push(cell, moves, mass.block(h + 1).data());
    }
  }
  return mass;
}

void expect_visits_as_evaluated(const Model& model, const Policy& policy, const Counts& counts) {
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    const Tensor<double, 3> mass = present(model, policy, g);
    const std::int64_t people = counts.people(g);
    EXPECT_LT(chi_square_score(counts.first().block(g), model.initial(g)), kAlarm) << "first, g=" << g;
    for (std::size_t h = 0; h < n.horizon; ++h) {
      // Every person is in one cell at this step or takes no part in it: independent people, so one multinomial.
      std::vector<std::int64_t> seen(n.cells() + 1, 0);
      std::vector<double> probability(n.cells() + 1, 0.0);
      seen.back() = people;
      probability.back() = 1;
      for (std::size_t cell = 0; cell < n.cells(); ++cell) {
        const double accept = policy.accept(g, h, cell / (kLabels * kActions));
        seen[cell] = counts.visits().block(g, h)[cell];
        probability[cell] = mass.block(h)[cell / kActions] * (cell % kActions == 1 ? accept : 1 - accept);
        seen.back() -= seen[cell];
        probability.back() -= probability[cell];
      }
      if (!model.spec().participation) {
        EXPECT_EQ(seen.back(), 0) << "everybody takes part at every step";
        probability.back() = 0;
      }
      EXPECT_LT(chi_square_score(seen, probability), kAlarm) << "visits, g=" << g << " h=" << h;
    }
  }
}

void expect_transitions_as_in_the_kernel(const Model& model, const Counts& counts) {
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      EXPECT_LT(chi_square_score(counts.transitions().block(g).subspan(cell * n.states(), n.states()),
                                 {model.kernel(g, 0).row(cell), n.states()}),
                kAlarm)
          << "transitions, g=" << g << " cell=" << cell;
}

/// Rewards are mean - w or mean + w, evenly: the sum is visits * mean + w * (a sum of visits signs).
void expect_rewards_as_in_the_model(const Model& model, const Counts& counts) {
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y)
        for (std::size_t a = 0; a < kActions; ++a) {
          const double mean = model.spec().reward(g, x, y, a);
          const double noise = model.spec().reward_noise.empty() ? 0 : model.spec().reward_noise(g, x, y, a);
          const auto visits = static_cast<double>(counts.visits_of(g, x, y, a));
          const double size = visits * (std::abs(mean) + noise);
          // 5 standard deviations, P = 5.7e-7, and the rounding of a few operations.
          EXPECT_NEAR(counts.reward_sum()(g, x, y, a), visits * mean, 5 * noise * std::sqrt(visits) + 1e-14 * size);
          // (mean +- w)^2 = mean^2 + w^2 +- 2 mean w.
          EXPECT_NEAR(counts.reward_squares()(g, x, y, a), visits * (mean * mean + noise * noise),
                      10 * std::abs(mean) * noise * std::sqrt(visits) + 1e-14 * size * (std::abs(mean) + noise));
        }
}

struct Scenario {
  const char* name;
  RandomOptions model;
  std::uint64_t people;
  bool per_group;
};

class BothSimulators : public ::testing::TestWithParam<Scenario> {};

TEST_P(BothSimulators, AgreeWithExactEvaluation) {
  const Scenario& scenario = GetParam();
  const Model model = unwrap(make_random(scenario.model));
  const Policy policy = random_policy(50, model);
  for (const Simulator& simulator : kSimulators) {
    SCOPED_TRACE(simulator.name);
    SimulateOptions options;
    options.crowd = {scenario.people, scenario.per_group};
    options.seed = 51;
    const Counts counts = unwrap(simulator.run(model, policy, options));
    std::vector<std::int64_t> people;
    for (std::size_t g = 0; g < model.shape().groups; ++g) people.push_back(counts.people(g));
    if (scenario.per_group) {
      for (const std::int64_t n : people) EXPECT_EQ(n, static_cast<std::int64_t>(scenario.people));
    } else {
      EXPECT_LT(chi_square_score(people, model.spec().share), kAlarm) << "people";
    }
    expect_visits_as_evaluated(model, policy, counts);
    expect_transitions_as_in_the_kernel(model, counts);
    expect_rewards_as_in_the_model(model, counts);
  }
}

TEST_P(BothSimulators, AgreeWithEachOther) {
  const Scenario& scenario = GetParam();
  const Model model = unwrap(make_random(scenario.model));
  const Policy policy = random_policy(52, model);
  SimulateOptions options;
  options.crowd = {scenario.people, scenario.per_group};
  options.seed = 53;
  const Counts crowd = unwrap(simulate_counts(model, policy, options));
  const Counts walked = unwrap(simulate_people(model, policy, options));
  const Shape& n = model.shape();
  for (std::size_t g = 0; g < n.groups; ++g) {
    EXPECT_LT(two_sample_score(crowd.first().block(g), walked.first().block(g)), kAlarm);
    for (std::size_t h = 0; h < n.horizon; ++h)
      EXPECT_LT(two_sample_score(crowd.visits().block(g, h), walked.visits().block(g, h)), kAlarm);
    for (std::size_t cell = 0; cell < n.cells(); ++cell)
      EXPECT_LT(two_sample_score(crowd.transitions().block(g).subspan(cell * n.states(), n.states()),
                                 walked.transitions().block(g).subspan(cell * n.states(), n.states())),
                kAlarm);
  }
}

RandomOptions random_options(std::uint64_t seed, std::size_t groups, std::size_t features, std::size_t horizon,
                             double noise = 0, bool participation = false, std::size_t successors = 0) {
  RandomOptions options;
  options.seed = seed;
  options.groups = groups;
  options.features = features;
  options.horizon = horizon;
  options.reward_noise = noise;
  options.participation = participation;
  options.successors = successors;
  return options;
}

INSTANTIATE_TEST_SUITE_P(
    Models, BothSimulators,
    ::testing::Values(Scenario{"PaperSize", random_options(1, 2, 5, 8), 200'000, false},
                      Scenario{"PerGroup", random_options(2, 2, 5, 8), 100'000, true},
                      Scenario{"Noise", random_options(3, 3, 2, 5, 0.7), 200'000, false},
                      Scenario{"Participation", random_options(4, 2, 3, 6, 0, true), 200'000, false},
                      Scenario{"ParticipationNoisePerGroup", random_options(5, 4, 2, 4, 0.3, true), 100'000, true},
                      Scenario{"SparseKernel", random_options(6, 2, 12, 5, 0, false, 3), 200'000, false},
                      Scenario{"OneFeature", random_options(7, 2, 1, 7), 100'000, false},
                      Scenario{"OneStep", random_options(8, 2, 4, 1, 0.2, true), 100'000, false}),
    [](const auto& scenario) { return std::string(scenario.param.name); });

// Crowds so large that noise is below 1e-6: shares of people are then the exact probabilities to six digits.
// 10^15 people, at least 10^13 in a group: a share is off by 1.6e-7 at most in 1 standard deviation, so 1e-6 is more
// than 6 of them, P < 2e-9.
TEST(SimulateCounts, MeetsTheExactProbabilitiesWithAThousandTrillionPeople) {
  const Model model = unwrap(make_fico());
  const Policy policy = random_policy(54, model);
  const Evaluation exact = unwrap(evaluate(model, policy));
  SimulateOptions options;
  options.crowd.people = 1'000'000'000'000'000;
  const Counts counts = unwrap(simulate_counts(model, policy, options));
  const Shape& n = model.shape();
  std::int64_t everybody = 0;
  for (std::size_t g = 0; g < n.groups; ++g) {
    const auto people = static_cast<double>(counts.people(g));
    everybody += counts.people(g);
    ASSERT_GT(people, 1e13);
    for (std::size_t h = 0; h < n.horizon; ++h)
      for (std::size_t x = 0; x < n.features; ++x)
        for (std::size_t y = 0; y < kLabels; ++y) {
          const std::int64_t here = counts.visits()(g, h, x, y, 0) + counts.visits()(g, h, x, y, 1);
          EXPECT_NEAR(static_cast<double>(here) / people, exact.mass(g, h, x, y), 1e-6);
        }
  }
  EXPECT_EQ(everybody, 1'000'000'000'000'000);
}

TEST(Simulate, IsIndependentBetweenStreamsAndBetweenSeeds) {
  const Model model = unwrap(make_fico());
  const Policy policy = random_policy(55, model);
  SimulateOptions options;
  options.crowd.people = 100'000;
  for (const Simulator& simulator : kSimulators) {
    SCOPED_TRACE(simulator.name);
    const Counts base = unwrap(simulator.run(model, policy, options));
    SimulateOptions other_stream = options;
    other_stream.stream = 1;
    SimulateOptions other_seed = options;
    other_seed.seed = 2;
    const Counts by_stream = unwrap(simulator.run(model, policy, other_stream));
    const Counts by_seed = unwrap(simulator.run(model, policy, other_seed));
    EXPECT_NE(base, by_stream);
    EXPECT_NE(base, by_seed);
    EXPECT_NE(by_stream, by_seed);
    EXPECT_EQ(base, unwrap(simulator.run(model, policy, options)));
  }
}

}  // namespace
}  // namespace fairstep
