#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

/// FNV-1a over the bit patterns: any last bit that differs shows.
std::uint64_t hash(std::initializer_list<std::span<const double>> tables) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const auto& table : tables)
    for (const double value : table)
      for (unsigned shift = 0; shift < 64; shift += 8) {
        sum ^= std::bit_cast<std::uint64_t>(value) >> shift & 0xff;
        sum *= 0x100000001b3;
      }
  return sum;
}

std::uint64_t hash(const ModelSpec& spec) {
  const Participation none;
  const Participation& participation = spec.participation ? *spec.participation : none;
  return hash({spec.share, spec.initial.flat(), spec.transition.flat(), spec.reward.flat(), spec.reward_noise.flat(),
               participation.leave.flat(), participation.first_step.flat()});
}

// Files and reports name a seed and rely on it, so these must never change, on any platform. The recipe of
// docs/environments.md, written out in another language, gave the same numbers.
TEST(Random, TheSameSeedGivesTheSameBitsForEver) {
  EXPECT_EQ(hash(unwrap(make_random()).spec()), 1959516874127491137u);
  EXPECT_EQ(hash(unwrap(make_random({.groups = 3, .features = 20, .successors = 4, .seed = 42})).spec()),
            133582757329792967u);
  EXPECT_EQ(hash(unwrap(make_random({.reward_noise = 0.5, .participation = true, .seed = 7})).spec()),
            7279502097813936135u);
}

TEST(Random, AnotherSeedGivesAnotherModel) {
  EXPECT_NE(hash(unwrap(make_random({.seed = 1})).spec()), hash(unwrap(make_random({.seed = 2})).spec()));
}

TEST(Random, AskingForMoreLeavesTheRestAsItWas) {
  const ModelSpec plain = unwrap(make_random({.seed = 3})).spec();
  const ModelSpec noisy = unwrap(make_random({.reward_noise = 0.1, .participation = true, .seed = 3})).spec();
  EXPECT_EQ(plain.transition, noisy.transition);
  EXPECT_EQ(plain.initial, noisy.initial);
  EXPECT_EQ(plain.reward, noisy.reward);
  EXPECT_TRUE(plain.reward_noise.empty());
  EXPECT_FALSE(plain.participation);

  const ModelSpec wider = unwrap(make_random({.groups = 3, .seed = 3})).spec();
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_TRUE(std::ranges::equal(plain.transition.block(g), wider.transition.block(g)));
    EXPECT_TRUE(std::ranges::equal(plain.reward.block(g), wider.reward.block(g)));
  }
  const ModelSpec longer = unwrap(make_random({.horizon = 50, .seed = 3})).spec();
  EXPECT_EQ(plain.transition, longer.transition);
}

TEST(Random, GroupsDiffer) {
  const ModelSpec spec = unwrap(make_random()).spec();
  EXPECT_FALSE(std::ranges::equal(spec.transition.block(0), spec.transition.block(1)));
  EXPECT_FALSE(std::ranges::equal(spec.initial.block(0), spec.initial.block(1)));
}

TEST(Random, EveryRowHasAsManySuccessorsAsAsked) {
  for (std::size_t successors = 1; successors <= 8; ++successors) {
    const ModelSpec spec = unwrap(make_random({.features = 4, .successors = successors, .seed = successors})).spec();
    for (std::size_t row = 0; row < spec.transition.size() / 8; ++row) {
      const auto entries = spec.transition.flat().subspan(row * 8, 8);
      EXPECT_EQ(std::ranges::count_if(entries, [](double p) { return p > 0; }),
                static_cast<std::ptrdiff_t>(successors));
    }
  }
  EXPECT_EQ(unwrap(make_random({.successors = 10})).spec().transition, unwrap(make_random()).spec().transition);
}

// 400 rows of 10 successors among 100 states: a state is in a row with probability 1/10, so it is met 40 times on
// average with variance 36; scaled by 99/100 for the fixed row sums, the squares add up to a chi-square with 99 degrees
// of freedom, which is above 186 with probability 3e-7. The seed is fixed: were the draw fair, only a change of the
// generator could fail.
TEST(Random, SuccessorsAreDrawnEvenly) {
  const ModelSpec spec = unwrap(make_random({.features = 50, .successors = 10, .seed = 11})).spec();
  std::vector<int> met(100);
  for (std::size_t i = 0; i < spec.transition.size(); ++i) met[i % 100] += spec.transition.flat()[i] > 0 ? 1 : 0;
  double squares = 0;
  for (const int n : met) squares += (n - 40.0) * (n - 40.0) / 36 * 0.99;
  EXPECT_LT(squares, 186);
  EXPECT_GT(squares, 44);  // below with probability 3e-7: too even is as suspect
}

TEST(Random, NoiseAndLeavingStayWithinTheirLimits) {
  const ModelSpec spec = unwrap(make_random({.features = 50, .reward_noise = 0.2, .participation = true})).spec();
  const auto [least, most] = std::ranges::minmax(spec.reward_noise.flat());
  EXPECT_GE(least, 0);
  EXPECT_LE(most, 0.2);
  EXPECT_GT(most, 0.19);
  for (const double r : spec.reward.flat()) EXPECT_LE(std::abs(r), 1);
  for (const double p : spec.participation->leave.flat()) EXPECT_LT(p, 0.25);
}

TEST(Random, NoGroupIsNextToNothing) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<double> share = unwrap(make_random({.groups = 4, .features = 1, .seed = seed})).spec().share;
    EXPECT_LE(*std::ranges::max_element(share), 3 * *std::ranges::min_element(share));
  }
}

TEST(Random, SizesFromOneUp) {
  EXPECT_EQ(unwrap(make_random({.groups = 2, .features = 1, .horizon = 1})).shape(), (Shape{2, 1, 1}));
  EXPECT_EQ(unwrap(make_random({.groups = 9, .features = 30, .horizon = 100})).shape(), (Shape{9, 100, 30}));
}

TEST(Random, OptionsThatMakeNoSenseAreNamed) {
  const auto message = [](const RandomOptions& options) {
    const auto model = make_random(options);
    return model ? Text("taken") : model.error().message;
  };
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(message({.groups = 1}), "groups: there is 1, expected at least 2");
  EXPECT_EQ(message({.features = 0}), "features is 0, expected at least 1");
  EXPECT_EQ(message({.horizon = 0}), "horizon is 0, expected at least 1");
  EXPECT_EQ(message({.discount = 0}), "discount is 0, expected more than 0 and at most 1");
  EXPECT_EQ(message({.successors = 11}), "successors is 11, expected at most 10 (features times labels), or 0 for all");
  EXPECT_EQ(message({.reward_noise = -1}), "reward_noise is -1, expected a number from 0 to 1e100");
  EXPECT_EQ(message({.features = 100000}),
            "features is 100000 with 2 groups: 160000000000 transition probabilities, expected at most 1073741824");
  EXPECT_EQ(message({.groups = huge}).substr(0, 9), "groups is");
  EXPECT_EQ(message({.features = huge}).substr(0, 11), "features is");
  EXPECT_EQ(message({.horizon = huge, .participation = true}).substr(0, 10), "horizon is");
}

}  // namespace
}  // namespace fairstep
