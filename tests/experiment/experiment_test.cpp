// What a cell of the grid asks of the learner, and the experiment as a document; plan_test.cpp has the seeds.
#include <fairstep/experiment/experiment.hpp>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/records.hpp>
#include <fairstep/io/seal.hpp>

#include "experiment/small.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

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

TEST(ExperimentDocument, IsReadAsItWasWritten) {
  Experiment experiment = parsed(small_file());
  experiment.learning.proof = {.wanted = true, .gap = 0.25, .time_limit = 3, .effort = 77};
  experiment.methods[0].relaxation = {RelaxationMode::tight, 0.5, {0.25, 0.125, 0.0625}};
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "experiment.json", sealed(to_text(experiment, "1.2.3"))));
  const ExperimentRecord read = testing::unwrap(read_experiment_record(folder / "experiment.json"));
  EXPECT_TRUE(read.sealed);
  EXPECT_EQ(read.name, experiment.name);
  EXPECT_EQ(read.version, "1.2.3");
  EXPECT_EQ(read.relaxation, name_of(experiment.relaxation.mode));
  EXPECT_EQ(read.seed, experiment.seed);
  EXPECT_EQ(read.repeats, experiment.repeats);
  EXPECT_EQ(read.horizon, experiment.horizon);
  EXPECT_EQ(read.people_per_episode, experiment.learning.people_per_episode);
  EXPECT_EQ(read.evaluation_episodes, experiment.learning.trial_episodes);
  EXPECT_EQ(read.floor_kind, name_of(experiment.learning.floor_kind));
  EXPECT_EQ(read.unvisited, name_of(experiment.learning.unvisited));
  EXPECT_EQ(read.delta, experiment.learning.delta);
  EXPECT_EQ(read.schedule, experiment.learning.schedule);
  EXPECT_EQ(read.certificate_gap, 0.25);
  EXPECT_EQ(read.certificate_seconds, 3);
  EXPECT_EQ(read.certificate_effort, 77);
  ASSERT_EQ(read.environments.size(), experiment.environments.size());
  for (std::size_t e = 0; e < read.environments.size(); ++e) {
    EXPECT_EQ(read.environments[e].name, experiment.environments[e].name);
    EXPECT_EQ(read.environments[e].label, experiment.environments[e].label);
    EXPECT_EQ(read.environments[e].source, experiment.environments[e].source);
    EXPECT_EQ(read.environments[e].model_sha256, sha256(to_text(experiment.environments[e].model)));
  }
  ASSERT_EQ(read.notions.size(), experiment.notions.size());
  for (std::size_t n = 0; n < read.notions.size(); ++n) EXPECT_EQ(read.notions[n], name_of(experiment.notions[n]));
  ASSERT_EQ(read.methods.size(), experiment.methods.size());
  for (std::size_t m = 0; m < read.methods.size(); ++m) {
    EXPECT_EQ(read.methods[m].id, experiment.methods[m].id);
    EXPECT_EQ(read.methods[m].label, experiment.methods[m].label);
    EXPECT_EQ(read.methods[m].method, name_of(experiment.methods[m].method));
    EXPECT_EQ(std::isnan(read.methods[m].lambda), !experiment.methods[m].lambda);
    if (experiment.methods[m].lambda) {
      EXPECT_EQ(read.methods[m].lambda, *experiment.methods[m].lambda);
    }
  }
  EXPECT_EQ(read.methods[0].relaxation, "tight");
  EXPECT_EQ(read.methods[0].bonus_scale, 0.5);
  EXPECT_EQ(read.methods[0].relaxation_scale, (std::map<std::string, double>{{"dp", 0.25}, {"eqopt", 0.125}}));
}

}  // namespace
}  // namespace fairstep
