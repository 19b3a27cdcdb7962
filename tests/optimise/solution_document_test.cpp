#include <fairstep/optimise/solution_document.hpp>

#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/io/records.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::TemporaryFolder;
using testing::unwrap;

std::string text_of(const SolveResult& result, const SolutionContext& context, JsonStyle style = {}) {
  JsonWriter json(style);
  json.object();
  write_solution(json, result, context);
  json.end();
  return std::move(json).text();
}

TEST(SolutionDocument, HasNullForWhatThereIsNot) {
  SolveResult result;
  result.binding = {{3, "capacity", "", 0.5, 0.5, 2}};
  const std::string text = text_of(result, {3, {}, {}, {}});
  for (const char* key : {"value", "degenerate", "infeasible", "randomised_value", "tail", "time_s", "policy"})
    EXPECT_NE(text.find("\"" + std::string(key) + "\": null"), std::string::npos) << text;
  // A limit on the whole episode has no step.
  EXPECT_NE(text.find(R"({"step": null, "constraint": "capacity", "pair": null, "value": 0.5, "limit": 0.5)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("rests_on"), std::string::npos);
}

TEST(SolutionDocument, TellsWhatItIsGiven) {
  SolveResult result;
  result.accepts_nobody = true;
  result.penalty = 2;
  const std::string text = text_of(result, {3, 1.5, 0.25, "{\"people\": 7}"}, {.pointed = true});
  for (const char* line : {"\"degenerate\": \"accepts nobody\"", "\"rests_on\": {\"people\": 7}", "\"tail\": 0.25",
                           "\"time_s\": 1.5", "\"penalty\": 2.0,", "\"nodes\": 0,"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(SolutionDocument, IsReadBackAsAPointOfAFrontier) {
  const Model model = hand_model();
  const auto result = unwrap(solve(model, {.parity = {{Notion::dp, {0.25}, {}}}}));
  JsonWriter json;
  json.object().field("schema", "fairstep/pareto/1").key("points").array().object().field("limit", 0.25);
  write_solution(json, result, {model.shape().horizon, {}, {}, {}});
  json.end().end().end();
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "frontier.json", std::move(json).text()));
  const auto frontier = unwrap(read_frontier_record(folder / "frontier.json"));
  ASSERT_EQ(frontier.points.size(), 1u);
  const FrontierPoint& point = frontier.points[0];
  EXPECT_EQ(point.limit, 0.25);
  EXPECT_EQ(point.outcome, name_of(result.outcome));
  EXPECT_EQ(point.value, value_of(result));
  EXPECT_EQ(point.lower, result.bounds.lower);
  EXPECT_EQ(point.upper, result.bounds.upper);
  EXPECT_EQ(point.parity_gap, result.parity_gap);
  EXPECT_EQ(point.shadow_price, result.shadow_price);
}

}  // namespace
}  // namespace fairstep
