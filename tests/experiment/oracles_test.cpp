// The best fair policies of the true models: which are wanted, what they are, and the file that keeps them.
#include <fairstep/experiment/internal/oracles.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "experiment/small.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using fairstep::testing::parsed;
using fairstep::testing::small_file;

TEST(Oracles, AreOneForEachPopulationNotionAndLimit) {
  Experiment experiment = parsed(small_file());  // two populations, two notions, and all methods have one limit
  EXPECT_EQ(oracles_wanted(experiment).size(), 4U);
  experiment.methods[1].limit = {0.5};
  const std::vector<OracleOf> wanted = oracles_wanted(experiment);
  ASSERT_EQ(wanted.size(), 8U);
  EXPECT_EQ(wanted[0].limit, std::vector<double>{0});
  EXPECT_EQ(wanted[1].limit, std::vector<double>{0.5});
  EXPECT_EQ(wanted[2].notion, 1U);
  EXPECT_EQ(wanted[4].environment, 1U);
}

TEST(Oracles, AreFoundByWhatTheyWereWantedFor) {
  Experiment experiment = parsed(small_file());
  experiment.methods[1].limit = {0.5};
  std::vector<OracleOf> wanted = oracles_wanted(experiment);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i].oracle.bounds.lower = static_cast<double>(i);
  EXPECT_EQ(find(wanted, 0, 1, {0.5}).bounds.lower, 3);
  EXPECT_EQ(find(wanted, 1, 0, {0}).bounds.lower, 4);
}

TEST(Oracles, AreWorthMoreUnderAWiderLimit) {
  Experiment experiment = parsed(small_file());
  OracleOf narrow{0, 0, {0}, {}}, wide{0, 0, {1}, {}};
  ASSERT_TRUE(solve_for(narrow, experiment, {}));
  ASSERT_TRUE(solve_for(wide, experiment, {}));
  EXPECT_LE(narrow.oracle.bounds.lower, wide.oracle.bounds.lower + 1e-9);
  ASSERT_TRUE(wide.inside);
  // Nothing is limited, so that the best policy is certain everywhere.
  EXPECT_EQ(wide.inside->policy_least, 0);
  EXPECT_EQ(wide.inside->policy_at_ends, 1);
}

TEST(Oracles, InTheirFileAreALineEachAndComeBack) {
  const Experiment experiment = parsed(small_file());
  std::vector<OracleOf> oracles = oracles_wanted(experiment);
  for (OracleOf& of : oracles) of.oracle = {{0.25, 0.5}, Outcome::optimal};
  oracles[2].oracle = {{0.125, std::numeric_limits<double>::infinity()}, Outcome::feasible};
  oracles[0].inside = Inside{0.125, 0, 0.75};
  const std::string text = to_text(oracles, experiment);
  EXPECT_NE(text.find(R"({"environment": "tiny", "fairness": "dp", "limit": [0], "outcome": "optimal", "bounds": )"
                      R"({"lower": 0.25, "upper": 0.5}, "kernel_least": 0.125, "policy_least": 0, )"
                      R"("policy_at_ends": 0.75})"),
            std::string::npos)
      << text;
  std::vector<OracleOf> back = oracles_wanted(experiment);
  ASSERT_TRUE(read_into(back, experiment, text));
  EXPECT_EQ(back[0].oracle.bounds.upper, 0.5);
  EXPECT_EQ(back[0].oracle.outcome, Outcome::optimal);
  EXPECT_EQ(back[2].oracle.outcome, Outcome::feasible);
  EXPECT_EQ(back[2].oracle.bounds.upper, std::numeric_limits<double>::infinity());
  ASSERT_TRUE(back[0].inside);
  EXPECT_EQ(back[0].inside->policy_at_ends, 0.75);
  EXPECT_FALSE(back[1].inside);
}

TEST(Oracles, ThatWereEditedAreRefused) {
  const Experiment experiment = parsed(small_file());
  std::vector<OracleOf> oracles = oracles_wanted(experiment);
  for (OracleOf& of : oracles) of.oracle = {{0.25, 0.5}, Outcome::optimal};
  const std::string text = to_text(oracles, experiment);
  std::string edited = text;
  edited.replace(edited.find("0.25"), 4, "0.75");
  for (const std::string& other : {edited, std::string("{}"), text + " "}) {
    std::vector<OracleOf> back = oracles_wanted(experiment);
    const auto read = read_into(back, experiment, other);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "the file was changed from outside");
    EXPECT_EQ(back[0].oracle.bounds.lower, oracles_wanted(experiment)[0].oracle.bounds.lower);  // as it was
  }
}

TEST(Oracles, OfAnotherListAreRefused) {
  Experiment experiment = parsed(small_file());
  const std::vector<OracleOf> oracles = oracles_wanted(experiment);
  const std::string text = to_text(oracles, experiment);
  experiment.notions = {Notion::dp};
  std::vector<OracleOf> fewer = oracles_wanted(experiment);
  EXPECT_FALSE(read_into(fewer, experiment, text));
}

}  // namespace
}  // namespace fairstep::internal
