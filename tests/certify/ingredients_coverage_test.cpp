// What certificates of two parts are made of, each against the truth of its own: Lemma H2 with all that is certain
// taken from the truth, so that nothing but chance is left; how often people are in a state; how many are qualified.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/direction.hpp>
#include <fairstep/certify/sets.hpp>
#include <fairstep/certify/two_parts.hpp>
#include <fairstep/certify/two_samples.hpp>
#include <fairstep/core/rng.hpp>
#include <fairstep/estimate/estimate.hpp>
#include <fairstep/evaluate/evaluate.hpp>

#include "lossy_log.hpp"
#include "split_log.hpp"
#include "support/models.hpp"

namespace fairstep::ingredients_coverage {
namespace {

using testing::call_parts;
using testing::LogRow;
using testing::Looks;
using testing::Loss;
using testing::nasty_model;
using testing::nasty_policy;
using testing::Parts;
using testing::unwrap;

constexpr double kRounding = 1e-11;

Loss keep_all(const LogRow& /*row*/, double /*chance*/) { return Loss::none; }

/// The same at all steps, or not.
enum class Kernel { one, changing };

/// Both parts of a log of people who come late and leave, and a policy that looks good in the design part.
struct Scene {
  Model model;
  Parts parts;
  Policy policy;
  Evaluation truth;
  Estimate estimated;  ///< of the audit part
  Lost lost;

  static Scene draw(std::uint64_t seed, std::size_t people, Kernel kernel) {
    Rng rng(seed, 61);
    const auto up_to = [&](std::size_t n) { return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)); };
    Shape shape{2, 1 + up_to(4), 2};
    if (kernel == Kernel::changing) {
      shape.horizon += 2;
      shape.periods = 2 + up_to(shape.horizon - 2);
    }
    Model model = nasty_model(seed, shape);
    const Policy met = nasty_policy(seed + 3, shape);
    const double share = 0.1 + 0.5 * rng.uniform();
    const std::vector<std::size_t> all(2, people);
    const auto design = testing::draw_design(all, share, rng);
    const auto counts_of = [&](const std::vector<std::size_t>& of_part) {
      return count(model, draw_crowd(model, met, of_part, testing::Presence::open, rng), keep_all, seed);
    };
    Parts parts{counts_of(design), counts_of({people - design[0], people - design[1]})};
    call_parts(parts, share);
    Policy policy = pick_policy(parts.design, model, static_cast<Looks>(up_to(3)), 20, rng);
    EstimateOptions how;
    how.share = {0.5, 0.5};
    Estimate estimated = unwrap(estimate(parts.audit, how));
    Evaluation truth = unwrap(evaluate(model, policy));
    return {std::move(model), std::move(parts),     std::move(policy),
            std::move(truth), std::move(estimated), Lost::none(shape)};
  }

  [[nodiscard]] double mass(std::size_t g, std::size_t t, std::size_t s) const {
    return truth.mass(g, t, s / kLabels, s % kLabels);
  }
};

/// The true rows, and nothing around them.
Balls the_truth(const Model& model) {
  const Shape& n = model.shape();
  const ModelSpec& spec = model.spec();
  return {ByPeriod<double, 4>({n.groups, n.features, kLabels, kActions}, n.periods, 0.0),
          std::vector<double>(n.groups, 0.0), Boxes{spec.transition, spec.transition, spec.initial, spec.initial}};
}

/// Sets that hold the truth but for one log in a billion.
Balls wide_sets(const Scene& scene, double path) {
  DeltaSplit split;
  split.ball = split.interval = 1e-12;
  split.path = path;
  return confidence_sets(scene.parts.audit, scene.estimated, scene.lost, split);
}

struct Misses {
  int asked = 0, low = 0, high = 0;
};

/// Of random questions to both groups at once, in one direction; the sets and the deviations are the truth's own.
Misses misses_of_questions(std::size_t people, Kernel kernel, double alpha, int logs) {
  Misses misses;
  for (std::uint64_t seed = 0; misses.asked < logs; ++seed) {
    Scene scene = Scene::draw(seed, people, kernel);
    const Balls sets = the_truth(scene.model);
    scene.estimated.model = scene.model;
    const Shape& n = scene.model.shape();
    Rng rng(seed, 62);
    double answer = 0;
    std::vector<Direction> directions;
    for (std::size_t g = 0; g < 2; ++g) {
      const TwoSamples samples(scene.parts.design, scene.parts.audit, scene.lost, scene.policy, scene.estimated, sets,
                               g);
      Deviations deviations(n.horizon);
      Payoff payoff(n.horizon, n.states());
      for (std::size_t t = 0; t < n.horizon; ++t)
        for (std::size_t s = 0; s < n.states(); ++s) {
          const double more = scene.mass(g, t, s) - samples.mass(t)[s];
          deviations[t].push_back({more, more});
          payoff(t, s) = 2 * rng.uniform() - 1;
          answer += (g == 0 ? 1 : -1) * scene.mass(g, t, s) * payoff(t, s);
        }
      directions.emplace_back(samples, payoff, deviations);
    }
    const Range range =
        answer_range(std::array{SignedDirection{directions[0]}, SignedDirection{directions[1], -1}}, alpha);
    ++misses.asked;
    misses.low += answer < range.low - kRounding ? 1 : 0;
    misses.high += answer > range.high + kRounding ? 1 : 0;
  }
  return misses;
}

std::string name_of(Kernel kernel) { return kernel == Kernel::one ? "" : ", a kernel for each period"; }

/// Either side is missed with probability at most alpha, and by less where bounds are not all they could be.
void expect_questions(Kernel kernel, double alpha, int logs, int most) {
  for (const std::size_t people : {10u, 100u, 2000u}) {
    const Misses misses = misses_of_questions(people, kernel, alpha, logs);
    EXPECT_LE(misses.low, most) << people;
    EXPECT_LE(misses.high, most) << people;
    if (people == 2000 && alpha == 0.5) {
      EXPECT_GT(misses.low + misses.high, 0);  // there is something to miss
    }
    ::testing::Test::RecordProperty(
        "questions, " + std::to_string(people) + " people, alpha " + std::to_string(alpha) + name_of(kernel),
        std::to_string(misses.low) + " + " + std::to_string(misses.high) + " of " + std::to_string(misses.asked));
  }
}

struct Paths {
  int logs = 0, ends = 0, deviations = 0, qualified = 0;  ///< logs in which one of these was missed
};

/// `delta` is shared evenly by all ends.
Paths misses_of_paths(std::size_t people, Kernel kernel, double delta, int logs) {
  Paths paths;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(logs); ++seed) {
    const Scene scene = Scene::draw(seed, people, kernel);
    const Shape& n = scene.model.shape();
    DeltaSplit split;
    split.path = delta / static_cast<double>(2 * n.groups * n.horizon * (n.states() + 1));
    const Balls sets = wide_sets(scene, split.path);
    TwoParts parts(scene.parts.design, scene.parts.audit, scene.lost, scene.policy, scene.estimated, sets, split, {});
    const auto is_in = [](double truth, const Range& range) {
      return truth >= range.low - kRounding && truth <= range.high + kRounding;
    };
    bool deviations = true;
    bool qualified = true;
    for (std::size_t g = 0; g < n.groups; ++g) {
      const TwoSamples samples(scene.parts.design, scene.parts.audit, scene.lost, scene.policy, scene.estimated, sets,
                               g);
      for (std::size_t h = 0; h < n.horizon; ++h) {
        for (std::size_t s = 0; s < n.states() && h + 1 < n.horizon; ++s) {
          const Range& range = parts.deviations(g)[h][s];
          deviations = deviations && is_in(scene.mass(g, h, s) - samples.mass(h)[s], range);
          EXPECT_GE(range.low, -samples.mass(h)[s] - kRounding);
          EXPECT_LE(range.high, 1 - samples.mass(h)[s] + kRounding);
        }
        qualified = qualified && is_in(scene.truth.rates.qualified(g, h), parts.qualified()[g * n.horizon + h]);
      }
    }
    ++paths.logs;
    paths.deviations += deviations ? 0 : 1;
    paths.qualified += qualified ? 0 : 1;
  }
  return paths;
}

void expect_paths(Kernel kernel, double delta, int logs, int most) {
  for (const std::size_t people : {10u, 100u, 2000u}) {
    const Paths paths = misses_of_paths(people, kernel, delta, logs);
    EXPECT_LE(paths.deviations, most) << people;
    EXPECT_LE(paths.qualified, most) << people;
    ::testing::Test::RecordProperty(
        "paths, " + std::to_string(people) + " people, delta " + std::to_string(delta) + name_of(kernel),
        std::to_string(paths.deviations) + " and " + std::to_string(paths.qualified) + " of " +
            std::to_string(paths.logs));
  }
}

// More than 74 of 100 miss by chance with probability below 1e-6 at a half, more than 42 at a fifth.
TEST(IngredientsCoverage, DirectionsAndPathsMissTheTruthNoMoreOftenThanTheySay) {
  expect_questions(Kernel::one, 0.5, 100, 74);
  expect_questions(Kernel::one, 0.2, 100, 42);
  expect_paths(Kernel::one, 0.5, 30, 28);
  expect_questions(Kernel::changing, 0.5, 100, 74);
  expect_paths(Kernel::changing, 0.5, 30, 28);
}

// The same of 1,000: 575 and 262.
TEST(IngredientsCoverage, InAThousandLogsDirectionsAndPathsMissTheTruthNoMoreOftenThanTheySay) {
  for (const Kernel kernel : {Kernel::one, Kernel::changing}) {
    expect_questions(kernel, 0.5, 1000, 575);
    expect_questions(kernel, 0.2, 1000, 262);
    expect_paths(kernel, 0.5, 1000, 575);
    expect_paths(kernel, 0.99, 1000, 999);
  }
}

}  // namespace
}  // namespace fairstep::ingredients_coverage
