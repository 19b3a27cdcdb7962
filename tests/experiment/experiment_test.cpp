// What a cell of the grid asks of the learner, and the experiment as a document; plan_test.cpp has the seeds.
#include <fairstep/experiment/experiment.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>

#include "experiment/small.hpp"

namespace fairstep {
namespace {

using testing::parsed;
using testing::small_file;

TEST(LearnOptionsOf, ACellAreThoseOfItsMethodAndNotion) {
  Experiment experiment = parsed(small_file());
  experiment.methods[0].relaxation = {RelaxationMode::tight, 0.5, {0.25, 0.125, 0.0625}};
  experiment.methods[0].limit = {0.1, 0.2};
  experiment.methods[0].safe = true;
  const LearnOptions ours = learn_options(experiment, Notion::eqopt, experiment.methods[0], 7);
  EXPECT_EQ(ours.method, Method::constrained);
  EXPECT_EQ(ours.fairness.notion, Notion::eqopt);
  EXPECT_EQ(ours.fairness.limit, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(ours.relaxation, RelaxationMode::tight);
  EXPECT_EQ(ours.bonus_scale, 0.5);
  EXPECT_EQ(ours.relaxation_scale, 0.125);  // that of eqopt
  EXPECT_TRUE(ours.safe);
  EXPECT_EQ(ours.penalty, 0);
  EXPECT_EQ(ours.seed, 7U);
  EXPECT_EQ(ours.schedule, experiment.learning.schedule);
  EXPECT_EQ(learn_options(experiment, Notion::dp, experiment.methods[3], 7).penalty, 2);
}

nlohmann::json described(const Experiment& experiment) { return nlohmann::json::parse(to_text(experiment, "1.2.3")); }

TEST(ExperimentDocument, HasEverythingThatDecidesTheResult) {
  const Experiment experiment = parsed(small_file());
  const nlohmann::json document = described(experiment);
  EXPECT_EQ(document.at("schema"), "fairstep/experiment-run/1");
  EXPECT_EQ(document.at("version"), "1.2.3");
  EXPECT_EQ(document.at("repeats"), 2);
  EXPECT_EQ(document.at("seed"), 5);
  EXPECT_EQ(document.at("evaluation_episodes"), 20);
  EXPECT_EQ(document.at("frontier").at("limits"), nlohmann::json({0, 0.25, 1}));
  EXPECT_EQ(document.at("environments")[1].at("model"), "models/other.json");
  EXPECT_EQ(document.at("environments")[1].at("source"), "random");
  EXPECT_EQ(document.at("environments")[1].at("model_sha256"), sha256(to_text(experiment.environments[1].model)));
  EXPECT_EQ(document.at("methods")[0].at("id"), "ours");
  EXPECT_EQ(document.at("methods")[2].at("lambda"), 0.1);
}

TEST(ExperimentDocument, SaysNullWhereNothingWasAskedFor) {
  Experiment experiment = parsed(small_file());  // nothing is proven
  nlohmann::json document = described(experiment);
  EXPECT_EQ(document.at("certificate").at("prove"), false);
  for (const char* key : {"gap", "time_limit", "effort"})
    EXPECT_TRUE(document.at("certificate").at(key).is_null()) << key;
  EXPECT_TRUE(document.at("floor").is_null());
  EXPECT_TRUE(document.at("methods")[0].at("lambda").is_null());
  experiment.learning.proof = {.wanted = true, .gap = 0.25, .time_limit = 3, .effort = 77};
  experiment.learning.floor = 0.125;
  document = described(experiment);
  EXPECT_EQ(document.at("certificate"),
            nlohmann::json({{"prove", true}, {"gap", 0.25}, {"time_limit", 3}, {"effort", 77}, {"last", nullptr}}));
  EXPECT_EQ(document.at("floor"), 0.125);
}

TEST(ExperimentDocument, HasALimitAsANumberOrOneForEachStep) {
  Experiment experiment = parsed(small_file());
  EXPECT_EQ(described(experiment).at("methods")[0].at("limit"), 0);
  experiment.methods[0].limit = {0.25, 0.5};
  EXPECT_EQ(described(experiment).at("methods")[0].at("limit"), nlohmann::json({0.25, 0.5}));
}

}  // namespace
}  // namespace fairstep
