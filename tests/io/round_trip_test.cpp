// Whatever is written reads back the same, to the last bit.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/io/files.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::made;
using testing::nobody;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

template <class T>
T reread(const T& original) {
  return std::get<T>(unwrap(parse_document(to_text(original))));
}

template <std::size_t Rank>
void expect_same_bits(const Tensor<double, Rank>& a, const Tensor<double, Rank>& b) {
  ASSERT_EQ(a.extents(), b.extents());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.flat()[i]), std::bit_cast<std::uint64_t>(b.flat()[i]));
}

void expect_same_bits(const Model& a, const Model& b) {
  EXPECT_EQ(a.spec(), b.spec());  // names, numbers up to the sign of zero
  expect_same_bits(a.spec().initial, b.spec().initial);
  expect_same_bits(a.spec().transition, b.spec().transition);
  expect_same_bits(a.spec().reward, b.spec().reward);
  expect_same_bits(a.spec().reward_noise, b.spec().reward_noise);
}

TEST(RoundTrip, RandomModelsComeBackToTheLastBit) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model =
        random_model(seed, 2 + seed % 4, 1 + seed % 6, 1 + seed % 5, 0.9 + 0.005 * static_cast<double>(seed));
    expect_same_bits(model, reread(model));
  }
}

TEST(RoundTrip, WhatAnEstimateRestsOnComesBack) {
  const Model model = unwrap(read_model(FAIRSTEP_SOURCE_DIR "/tests/io/good/model-estimated.json"));
  ASSERT_TRUE(model.spec().rests_on);
  const Grounds& grounds = *model.spec().rests_on;
  EXPECT_EQ(grounds.people, (std::vector<std::int64_t>{12, 11}));
  EXPECT_EQ(grounds.first, (std::vector<std::int64_t>{10, 11}));
  EXPECT_EQ(grounds.successors(0, 1, 0, 1), 5);
  EXPECT_EQ(grounds.rewards(1, 1, 1, 1), 1);
  EXPECT_EQ(grounds.unvisited, Unvisited::stay);
  EXPECT_EQ(grounds.log, (LogGrounds{120, 3, Censoring::drop, 0, 9, 4, 2}));
  expect_same_bits(model, reread(model));
  ModelSpec bare = model.spec();
  bare.rests_on->log.reset();
  bare.rests_on->shares_counted = false;
  const Model without = unwrap(Model::make(bare));
  expect_same_bits(without, reread(without));
}

TEST(RoundTrip, AwkwardNumbersComeBackToTheLastBit) {
  const double awkward[] = {0.1 + 0.2,
                            1.0 / 3,
                            1e-300,
                            -1e-300,
                            5e-324,
                            -5e-324,
                            2.2250738585072014e-308,
                            -0.0,
                            1e100,
                            -1e100,
                            1e16,
                            1e22,
                            123456789012345678.0,
                            std::nextafter(1.0, 2.0)};
  Model base = hand_model();
  ModelSpec spec = base.spec();
  ASSERT_LE(std::size(awkward), spec.reward.size());
  std::copy(std::begin(awkward), std::end(awkward), spec.reward.flat().begin());
  // A distribution with denormal and tiny entries: they are too small to change the sum.
  spec.initial(1, 1, 0) = 5e-324;
  spec.initial(1, 1, 1) = 1e-300;
  const Model model = unwrap(Model::make(spec));
  expect_same_bits(model, reread(model));
}

TEST(RoundTrip, EveryOptionalPartOfAModelComesBack) {
  ModelSpec spec = hand_model().spec();
  spec.description =
      "two lines,\na \"quote\", a back\\slash, \x01 and gr\xC3\xBC\xC3\x9F"
      "e";
  spec.names.groups = {"Ä/ö~1", "日本"};
  spec.names.labels = {"defaults", "repays"};
  spec.names.actions = {"no", "yes"};
  spec.discount = 0.95;
  spec.reward_noise = Tensor<double, 4>({2, 2, 2, 2}, 0.25);
  spec.participation = Participation{Tensor<double, 4>({2, 2, 2, 2}, 0.125), Tensor<double, 2>({2, 2}, 0.5)};
  const Model model = unwrap(Model::make(spec));
  expect_same_bits(model, reread(model));
}

TEST(RoundTrip, BothKindsOfPolicyComeBack) {
  const Model model = random_model(3, 3, 4, 5);
  const Policy named = random_policy(4, model);
  EXPECT_EQ(reread(named), named);

  Tensor<double, 3> by_position({2, 1, 2}, 0.1);
  const Policy nameless = unwrap(Policy::make(by_position));
  EXPECT_EQ(reread(nameless), nameless);

  Tensor<double, 2> shared({2, 3}, 1.0 / 3);
  const Policy independent = unwrap(Policy::make_group_independent(shared));
  EXPECT_TRUE(reread(independent).group_independent());
  EXPECT_EQ(reread(independent), independent);
}

TEST(RoundTrip, CountsComeBackExactlyUpToTheGreatest) {
  CountsSpec spec = CountsSpec::zeros(2, hand_model().names());
  spec.names.labels = {"bad", "good"};
  // Odd, and beyond 2^53: a detour over doubles would lose the last digits.
  spec.first(0, 1, 1) = 9007199254740993;
  spec.visits(0, 0, 1, 1, 0) = 9007199254740993;
  spec.first(1, 0, 0) = spec.visits(1, 0, 0, 0, 1) = 1;
  spec.transitions(1, 0, 0, 1, 1, 0) = spec.visits(1, 1, 1, 0, 0) = 1;
  spec.visits(0, 1, 0, 0, 0) = std::numeric_limits<std::int64_t>::max() - 9007199254740993 - 2;
  spec.reward_sum(1, 0, 0, 1) = -0.1;
  spec.reward_squares(1, 0, 0, 1) = 0.1 * 0.1;
  const Counts counts = made(std::move(spec));
  EXPECT_EQ(reread(counts), counts);
}

TEST(RoundTrip, WritingWhatWasReadChangesNoByte) {
  const Model model = random_model(9, 3, 3, 4);
  EXPECT_EQ(to_text(reread(model)), to_text(model));
  const Policy policy = random_policy(9, model);
  EXPECT_EQ(to_text(reread(policy)), to_text(policy));
  const Counts counts = nobody(3, model.names());
  EXPECT_EQ(to_text(reread(counts)), to_text(counts));
}

TEST(Text, KeepsARowOfNumbersOnALine) {
  Tensor<double, 3> accept({2, 2, 3}, 0.5);
  accept(1, 1, 2) = 1;
  EXPECT_EQ(to_text(unwrap(Policy::make(accept, {"a", "b"}))), R"({
  "schema": "fairstep/policy/1",
  "groups": ["a", "b"],
  "accept": [
    [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 0.5]
    ],
    [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 1]
    ]
  ]
}
)");
}

}  // namespace
}  // namespace fairstep
