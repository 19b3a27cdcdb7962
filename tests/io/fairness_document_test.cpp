// Fairness documents: what they mean for a model. Malformed ones are among the bad files.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::TemporaryFolder;

Expected<Fairness> read_fairness_text(const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder / "fairness.json";
  std::ofstream(path) << text;
  auto fairness = read_fairness(path, hand_model());
  if (!fairness) {
    EXPECT_EQ(fairness.error().file, path.string());
  }
  return fairness;
}

/// A document with these further keys.
std::string with(const std::string& keys) { return R"({"schema": "fairstep/fairness/1", )" + keys + "}"; }

TEST(FairnessDocument, WithoutConstraintsAsksForNothing) {
  const auto fairness = read_fairness_text(R"({"schema": "fairstep/fairness/1"})");
  ASSERT_TRUE(fairness);
  EXPECT_EQ(*fairness, Fairness{});
}

TEST(FairnessDocument, HasLimitsForAllStepsOrForEach) {
  const auto fairness = read_fairness_text(with(R"("parity": [{"notion": "dp", "limit": 0.25},
      {"notion": "eqodds", "limit": [0.5, 1]}], "aggregate_dp": 0.25, "aggregate_eqopt": 0.125, "capacity": [0.5, 0.75])"));
  ASSERT_TRUE(fairness) << fairness.error().message;
  Fairness expected;
  expected.parity = {{Notion::dp, {0.25}}, {Notion::eqodds, {0.5, 1}}};
  expected.aggregate_dp = 0.25;
  expected.aggregate_eqopt = 0.125;
  expected.capacity = Capacity{{0.5, 0.75}};
  EXPECT_EQ(*fairness, expected);
}

TEST(FairnessDocument, ARatioIsToTheBestOrToAReference) {
  const auto fairness = read_fairness_text(with(R"("ratios": [{"notion": "dp-ratio", "limit": 0.75},
      {"notion": "eqopt-ratio", "limit": [0.5, 1], "reference": "b"}])"));
  ASSERT_TRUE(fairness) << fairness.error().message;
  const Fairness expected{.ratios = {{RatioNotion::dp, {0.75}, {}}, {RatioNotion::eqopt, {0.5, 1}, 1}}};
  EXPECT_EQ(*fairness, expected);
}

TEST(FairnessDocument, AReferenceIsAGroupOfTheModel) {
  const auto wrong = read_fairness_text(with(R"("ratios": [{"notion": "dp-ratio", "limit": 0.8, "reference": "c"}])"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "ratios[0].reference is \"c\", which the model does not have");
  EXPECT_EQ(wrong.error().pointer, "/ratios/0/reference");
  const auto no_ratio = read_fairness_text(with(R"("ratios": [{"notion": "dp", "limit": 0.8}])"));
  ASSERT_FALSE(no_ratio);
  EXPECT_EQ(no_ratio.error().message, "ratios[0].notion is \"dp\", expected \"dp-ratio\" or \"eqopt-ratio\"");
}

TEST(FairnessDocument, AnEventIsWhoeverItNames) {
  const auto fairness = read_fairness_text(with(R"("moments": [{"means": [
      {"name": "all", "payoff": "accept"},
      {"name": "qualified of b", "payoff": "accept", "event": {"groups": ["b"], "labels": [1]}}],
      "rows": [{"name": "r", "coefficients": [1, -2], "at_most": 0.5}]}])"));
  ASSERT_TRUE(fairness) << fairness.error().message;
  const MomentConstraint& moment = fairness->moments.at(0);
  const Shape n = hand_model().shape();
  for (std::size_t g = 0; g < n.groups; ++g)
    for (std::size_t x = 0; x < n.features; ++x)
      for (std::size_t y = 0; y < kLabels; ++y) {
        EXPECT_EQ(moment.means[0].event(g, x, y), 1);
        EXPECT_EQ(moment.means[1].event(g, x, y), g == 1 && y == 1 ? 1 : 0);
        EXPECT_EQ(moment.means[0].payoff(g, x, y, 0), 0);
        EXPECT_EQ(moment.means[0].payoff(g, x, y, 1), 1);
      }
  EXPECT_EQ(moment.matrix(0, 1), -2);
  EXPECT_EQ(moment.bound, std::vector<double>{0.5});
  EXPECT_EQ(moment.names, std::vector<std::string>{"r"});
}

TEST(FairnessDocument, IsNoModelPolicyOrCounts) {
  const auto document = parse_document(R"({"schema": "fairstep/fairness/1"})");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "the file holds fairness constraints, expected a model, a policy or counts");
}

}  // namespace
}  // namespace fairstep
