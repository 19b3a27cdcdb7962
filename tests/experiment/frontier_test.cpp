// What fairness costs on a population whose optima are known; run_experiment_test.cpp has the referee's word on others.
#include <fairstep/experiment/internal/frontier.hpp>

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/io/files.hpp>
#include <fairstep/io/records.hpp>

#include "optimise/standing_still.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using fairstep::testing::kHighAndLow;
using fairstep::testing::standing_still;
using fairstep::testing::unwrap;

/// Without a limit 3/8 is the best, with a gap of 1/4; under a limit of 0 it is 5/16 (optimise/pareto_test.cpp).
ExperimentEnvironment high_and_low() {
  return {"town", "Town", "file town.json", standing_still(1, kHighAndLow, -0.5, 1)};
}

TEST(Frontier, IsWhatEachLimitTakesAway) {
  const ExperimentFrontier frontier{{0, 1}, {.gap = 1e-7, .time_limit = 600}};
  const auto json = nlohmann::json::parse(unwrap(frontier_text(high_and_low(), Notion::dp, frontier, {})));
  EXPECT_EQ(json.at("schema"), "fairstep/pareto/1");
  EXPECT_EQ(json.at("environment"), "town");
  EXPECT_EQ(json.at("model"), "models/town.json");
  EXPECT_EQ(json.at("fairness"), "dp");
  EXPECT_NEAR(json.at("unconstrained").at("value").get<double>(), 3.0 / 8, 1e-6);
  EXPECT_NEAR(json.at("unconstrained").at("violation").get<double>(), 0.25, 1e-6);
  ASSERT_EQ(json.at("points").size(), 2U);
  const auto& strict = json.at("points")[0];
  EXPECT_EQ(strict.at("limit"), 0);
  EXPECT_NEAR(strict.at("value").get<double>(), 5.0 / 16, 1e-6);
  EXPECT_NEAR(strict.at("price").get<double>(), 1.0 / 16, 1e-6);
  EXPECT_NEAR(strict.at("price_share").get<double>(), 1.0 / 6, 1e-5);  // 1/16 of 3/8
  EXPECT_NEAR(strict.at("violation").get<double>(), 0, 1e-6);
  EXPECT_NEAR(json.at("points")[1].at("price").get<double>(), 0, 1e-6);
}

TEST(Frontier, IsReadAsItWasWritten) {
  const ExperimentFrontier frontier{{0, 1}, {.gap = 1e-3, .time_limit = 600}};
  const std::string text = unwrap(frontier_text(high_and_low(), Notion::dp, frontier, {}));
  const fairstep::testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "dp.json", text));
  const FrontierRecord read = unwrap(read_frontier_record(folder / "dp.json"));
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(read.points.size(), json.at("points").size());
  for (std::size_t i = 0; i < read.points.size(); ++i) {
    const auto& point = json.at("points")[i];
    EXPECT_EQ(read.points[i].limit, point.at("limit").get<double>());
    EXPECT_EQ(read.points[i].outcome, point.at("outcome").get<std::string>());
    EXPECT_EQ(read.points[i].value, point.at("value").get<double>());
    EXPECT_EQ(read.points[i].lower, point.at("bounds").at("lower").get<double>());
    EXPECT_EQ(read.points[i].upper, point.at("bounds").at("upper").get<double>());
    EXPECT_EQ(read.points[i].parity_gap, point.at("parity_gap").get<std::vector<double>>());
    EXPECT_EQ(read.points[i].shadow_price, point.at("shadow_price").get<std::vector<double>>());
  }
}

TEST(Frontier, TellsNoTimes) {
  const ExperimentFrontier frontier{{0}, {.gap = 1e-3, .time_limit = 600}};
  EXPECT_EQ(unwrap(frontier_text(high_and_low(), Notion::dp, frontier, {})).find("seconds"), std::string::npos);
}

TEST(Frontier, ThatWasStoppedIsNoDocument) {
  std::stop_source source;
  source.request_stop();
  const ExperimentFrontier frontier{{0, 1}, {}};
  EXPECT_EQ(unwrap(frontier_text(high_and_low(), Notion::dp, frontier, source.get_token())), "");
}

}  // namespace
}  // namespace fairstep::internal
