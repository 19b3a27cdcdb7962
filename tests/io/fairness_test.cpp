// Fairness documents: what they mean for a model, and what is said of those that are malformed.
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

Expected<Fairness> read(const std::string& text) {
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
  const auto fairness = read(R"({"schema": "fairstep/fairness/1"})");
  ASSERT_TRUE(fairness);
  EXPECT_EQ(*fairness, Fairness{});
}

TEST(FairnessDocument, HasLimitsForAllStepsOrForEach) {
  const auto fairness = read(with(R"("parity": [{"notion": "dp", "limit": 0.25},
      {"notion": "eqodds", "limit": [0.5, 1]}], "aggregate_eqopt": 0.125, "capacity": [0.5, 0.75])"));
  ASSERT_TRUE(fairness) << fairness.error().message;
  Fairness expected;
  expected.parity = {{Notion::dp, {0.25}}, {Notion::eqodds, {0.5, 1}}};
  expected.aggregate_eqopt = 0.125;
  expected.capacity = Capacity{{0.5, 0.75}};
  EXPECT_EQ(*fairness, expected);
}

TEST(FairnessDocument, AnEventIsWhoeverItNames) {
  const auto fairness = read(with(R"("moments": [{"means": [
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

struct Malformed {
  std::string text;
  std::string message;
  std::string pointer;
  std::string hint{};
};

std::string moment(const std::string& mean, const std::string& row) {
  return with(R"("moments": [{"means": [)" + mean + R"(], "rows": [)" + row + "]}]");
}

const std::string kMean = R"({"name": "m", "payoff": "accept"})";
const std::string kRow = R"({"coefficients": [1], "at_most": 0})";

TEST(FairnessDocument, SaysWhereItIsMalformed) {
  const std::vector<Malformed> all{
      {"[]", "the document is an array, expected an object", ""},
      {"{}", "missing key \"schema\"", "", "it says what the document is: \"fairstep/fairness/1\""},
      {R"({"schema": "fairstep/fairness/2"})",
       "schema is the text \"fairstep/fairness/2\", expected \"fairstep/fairness/1\"", "/schema"},
      {R"({"schema": "fairstep/policy/1"})", "the file holds a policy, expected fairness constraints", "/schema"},
      {with(R"("partiy": [])"), "unknown key \"partiy\"", "/partiy", "did you mean \"parity\"?"},
      {with(R"("parity": {})"), "parity is an object, expected an array of objects", "/parity"},
      {with(R"("parity": [{"notion": "dp"}])"), "missing key \"limit\" in parity[0]", "/parity/0"},
      {with(R"("parity": [{"notion": "eqop", "limit": 0}])"),
       "parity[0].notion is \"eqop\", expected \"dp\", \"eqopt\" or \"eqodds\"", "/parity/0/notion",
       "did you mean \"eqopt\"?"},
      {with(R"("parity": [{"notion": "dp", "limit": "0"}])"),
       "parity[0].limit is the text \"0\", expected a number, or an array with one for each step", "/parity/0/limit"},
      {with(R"("parity": [{"notion": "dp", "limit": [0, 0, 0]}])"), "parity[0].limit has 3 entries, expected 2 (steps)",
       "/parity/0/limit"},
      {with(R"("parity": [{"notion": "dp", "limit": 1.5}])"), "limit is 1.5, expected between 0 and 1",
       "/parity/0/limit"},
      {with(R"("parity": [{"notion": "dp", "limit": [0, -1]}])"), "limit[h=1] is -1, expected between 0 and 1",
       "/parity/0/limit/1"},
      {with(R"("capacity": true)"), "capacity is true, expected a number, or an array with one for each step",
       "/capacity"},
      {with(R"("aggregate_eqopt": 2)"), "aggregate_eqopt is 2, expected between 0 and 1", "/aggregate_eqopt"},
      {moment("", kRow), "moments[0].means is empty, expected at least 1 mean", "/moments/0/means"},
      {moment(kMean, ""), "moments[0].rows is empty, expected at least 1 row", "/moments/0/rows"},
      {moment(kMean, R"({"coefficients": [1, 2], "at_most": 0})"),
       "moments[0].rows[0].coefficients has 2 entries, expected 1 (one for each mean)",
       "/moments/0/rows/0/coefficients"},
      {moment(R"({"name": "m", "payoff": "refuse"})", kRow),
       "moments[0].means[0].payoff is the text \"refuse\", expected \"accept\" or an array [g][x][y][a]",
       "/moments/0/means/0/payoff"},
      {moment(R"({"name": "m", "payoff": "accept", "event": {"groups": ["a", "bb"]}})", kRow),
       "moments[0].means[0].event.groups[1] is \"bb\", which the model does not have",
       "/moments/0/means/0/event/groups/1", "did you mean \"b\"?"},
      {moment(R"({"name": "m", "payoff": "accept", "event": {"labels": [2]}})", kRow),
       "moments[0].means[0].event.labels[0] is 2, expected 0 or 1", "/moments/0/means/0/event/labels/0"},
  };
  for (const Malformed& one : all) {
    const auto fairness = read(one.text);
    ASSERT_FALSE(fairness) << one.text;
    EXPECT_EQ(fairness.error().message, one.message);
    EXPECT_EQ(fairness.error().pointer, one.pointer) << one.text;
    EXPECT_EQ(fairness.error().hint, one.hint) << one.text;
  }
}

TEST(FairnessDocument, IsNoModelPolicyOrCounts) {
  const auto document = parse_document(R"({"schema": "fairstep/fairness/1"})");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "the file holds fairness constraints, expected a model, a policy or counts");
}

}  // namespace
}  // namespace fairstep
