// Models as documents: what is written of one, what may be left out, and that it comes back to the last bit.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::random_model;
using testing::unwrap;

Model reread_model(const Model& original) { return std::get<Model>(unwrap(parse_document(to_text(original)))); }

template <std::size_t Rank>
void expect_same_bits(const Tensor<double, Rank>& a, const Tensor<double, Rank>& b) {
  ASSERT_EQ(a.extents(), b.extents());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.flat()[i]), std::bit_cast<std::uint64_t>(b.flat()[i]));
}

void expect_same_bits(const Model& a, const Model& b) {
  EXPECT_EQ(a.spec(), b.spec());  // names, numbers up to the sign of zero
  expect_same_bits(a.spec().initial, b.spec().initial);
  expect_same_bits(a.spec().transition.pooled_table(), b.spec().transition.pooled_table());
  expect_same_bits(a.spec().reward, b.spec().reward);
  expect_same_bits(a.spec().reward_noise, b.spec().reward_noise);
}

/// Two groups of one feature and one step; whoever is accepted and qualified earns 1.
const std::string kSmallModel = R"({
  "schema": "fairstep/model/1",
  "horizon": 1,
  "groups": ["a", "b"],
  "features": ["x"],
  "labels": ["unqualified", "qualified"],
  "actions": ["refuse", "accept"],
  "share": [0.75, 0.25],
  "initial": [
    [[0.5, 0.5]],
    [[1, 0]]
  ],
  "transition": [
    [
      [
        [
          [[1, 0]],
          [[0.5, 0.5]]
        ],
        [
          [[0, 1]],
          [[0, 1]]
        ]
      ]
    ],
    [
      [
        [
          [[1, 0]],
          [[1, 0]]
        ],
        [
          [[0, 1]],
          [[0, 1]]
        ]
      ]
    ]
  ],
  "reward": [
    [
      [[0, -0.5], [0, 1]]
    ],
    [
      [[0, -0.5], [0, 1]]
    ]
  ],
  "discount": 1
}
)";

Expected<Model> model_in(const std::string& text) {
  return parse_document(text).map([](const auto& document) { return std::get<Model>(document); });
}

/// The small model with these keys besides its own.
std::string small_model_with(const std::string& keys) {
  std::string text = kSmallModel;
  return text.insert(text.find("\"horizon\""), keys + ",\n  ");
}

TEST(ModelDocument, HasEveryNumberInItsPlace) {
  const Model model = unwrap(model_in(kSmallModel));
  EXPECT_EQ(model.shape(), (Shape{2, 1, 1}));
  EXPECT_EQ(model.share(0), 0.75);
  EXPECT_EQ(model.initial(1)[0], 1);
  EXPECT_EQ(model.spec().transition(0, 0, 0, 1, 0, 1), 0.5);
  EXPECT_EQ(model.spec().reward(1, 0, 1, 1), 1);
  EXPECT_EQ(model.spec().reward(1, 0, 0, 1), -0.5);
}

TEST(ModelDocument, IsWrittenAsItIsReadToTheLastByte) {
  EXPECT_EQ(to_text(unwrap(model_in(kSmallModel))), kSmallModel);
}

TEST(ModelDocument, WhatIsNotThereIsNotWritten) {
  const std::string text = to_text(unwrap(model_in(kSmallModel)));
  for (const char* key : {"description", "reward_noise", "participation", "rests_on"})
    EXPECT_EQ(text.find(key), std::string::npos) << key;
}

TEST(ModelDocument, WithoutADiscountCountsAllStepsAlike) {
  std::string text = kSmallModel;
  const std::string discount = ",\n  \"discount\": 1";
  text.erase(text.find(discount), discount.size());
  EXPECT_EQ(unwrap(model_in(text)).discount(), 1);
}

TEST(ModelDocument, EveryOptionalPartComesBack) {
  ModelSpec spec = hand_model().spec();
  spec.description =
      "two lines,\na \"quote\", a back\\slash, \x01 and gr\xC3\xBC\xC3\x9F"
      "e";
  spec.names.groups = {"\xC3\x84/\xC3\xB6~1", "\xE6\x97\xA5\xE6\x9C\xAC"};
  spec.names.labels = {"defaults", "repays"};
  spec.names.actions = {"no", "yes"};
  spec.discount = 0.95;
  spec.reward_noise = Tensor<double, 4>({2, 2, 2, 2}, 0.25);
  spec.participation = Participation{Tensor<double, 4>({2, 2, 2, 2}, 0.125), Tensor<double, 2>({2, 2}, 0.5)};
  const Model model = unwrap(Model::make(spec));
  expect_same_bits(model, reread_model(model));
}

TEST(ModelDocument, RandomOnesComeBackToTheLastBit) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model =
        random_model(seed, 2 + seed % 4, 1 + seed % 6, 1 + seed % 5, 0.9 + 0.005 * static_cast<double>(seed));
    expect_same_bits(model, reread_model(model));
  }
}

TEST(ModelDocument, AwkwardNumbersComeBackToTheLastBit) {
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
  ModelSpec spec = hand_model().spec();
  ASSERT_LE(std::size(awkward), spec.reward.size());
  std::copy(std::begin(awkward), std::end(awkward), spec.reward.flat().begin());
  // A distribution with denormal and tiny entries: they are too small to change the sum.
  spec.initial(1, 1, 0) = 5e-324;
  spec.initial(1, 1, 1) = 1e-300;
  const Model model = unwrap(Model::make(spec));
  expect_same_bits(model, reread_model(model));
}

TEST(ModelDocument, NamesArePutRightBeforeArraysAreMeasured) {
  // With "b" left out every array has a group too many; but the list of groups is what is wrong.
  std::string text = kSmallModel;
  text.replace(text.find(R"(["a", "b"])"), 10, R"(["a"])");
  const auto model = model_in(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "groups has 1 name, expected at least 2");
  EXPECT_EQ(model.error().pointer, "/groups");
}

TEST(ModelDocument, WhatIsWrongInsideParticipationIsNamedThere) {
  const auto missing = model_in(small_model_with(R"("participation": {"leave": []})"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "missing key \"first_step\" in participation");
  EXPECT_EQ(missing.error().pointer, "/participation");

  const auto short_row = model_in(small_model_with(
      R"("participation": {"leave": [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]], "first_step": [[1], []]})"));
  ASSERT_FALSE(short_row);
  EXPECT_EQ(short_row.error().message, "participation.first_step[g=b] has 0 entries, expected 1 (steps)");
  EXPECT_EQ(short_row.error().pointer, "/participation/first_step/1");
}

TEST(ModelDocument, ARowThatIsNoDistributionIsRefusedByName) {
  std::string text = kSmallModel;
  text.replace(text.find("[[0.5, 0.5]]"), 12, "[[0.5, 0.25]]");  // initial of a: 3/4
  const auto model = model_in(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "initial[g=a] sums to 0.75, expected 1 (within 1e-9)");
  EXPECT_EQ(model.error().pointer, "/initial/0");
}

}  // namespace
}  // namespace fairstep
