#include <fairstep/explore/question.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

TEST(ExploreQuestion, IsALimitOnANotionAndAClassOfPolicies) {
  const ExploreQuestion question =
      unwrap(explore_question("fairness=eqopt&limit=0.05&capacity=0.3&floor=0.01&monotone=1&group_independent=1"));
  const Fairness fairness = fairness_of(question);
  ASSERT_EQ(fairness.parity.size(), 1U);
  EXPECT_EQ(fairness.parity[0].notion, Notion::eqopt);
  EXPECT_EQ(fairness.parity[0].limit, std::vector{0.05});
  EXPECT_TRUE(fairness.ratios.empty());
  EXPECT_EQ(fairness.capacity, Capacity{{0.3}});
  EXPECT_EQ(question.policies.floor, 0.01);
  EXPECT_TRUE(question.policies.monotone);
  EXPECT_TRUE(question.policies.group_independent);
  EXPECT_FALSE(question.policies.threshold);
}

TEST(ExploreQuestion, MayBeAboutARatio) {
  const Fairness fairness = fairness_of(unwrap(explore_question("fairness=dp-ratio&limit=0.8")));
  EXPECT_TRUE(fairness.parity.empty());
  ASSERT_EQ(fairness.ratios.size(), 1U);
  EXPECT_EQ(fairness.ratios[0].notion, RatioNotion::dp);
  EXPECT_EQ(fairness.ratios[0].limit, std::vector{0.8});
}

TEST(ExploreQuestion, ThatIsEmptyAsksForNothing) {
  const ExploreQuestion question = unwrap(explore_question(""));
  EXPECT_EQ(fairness_of(question), Fairness{});
  EXPECT_EQ(question.as_query(), "fairness=none");
}

TEST(ExploreQuestion, ComesBackFromItsOwnQueryAndDoesNotMindTheOrder) {
  const std::string query = "fairness=dp&limit=1e-07&capacity=0.25&floor=0.1&group_independent=1&monotone=1";
  const ExploreQuestion question =
      unwrap(explore_question("monotone=1&floor=0.1&limit=0.0000001&capacity=0.25&group_independent=1&fairness=dp"));
  EXPECT_EQ(question.as_query(), query);
  EXPECT_EQ(unwrap(explore_question(query)), question);
}

TEST(ExploreQuestion, ThatIsWrongIsToldWhatIs) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"fairness=parity&limit=1", "fairness is \"parity\", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio or none"},
      {"fairness=dp", "fairness is dp, and no limit is given for it"},
      {"limit=0.1", "a limit is given, but no notion that it would be for"},
      {"fairness=dp&limit=nan", "limit is \"nan\", expected a number"},
      {"fairness=dp&limit=", "limit is \"\", expected a number"},
      {"fairness=dp&limit=0.1&limit=0.2", "a question names limit twice, expected once"},
      {"monotone=yes", "monotone is \"yes\", expected 1"},
      {"colour=1", "a question has no key \"colour\""},
      {"limit", "\"limit\" in a question has no value"},
      {"&", "\"\" in a question has no value"},
      {"fairness=%64p&limit=0.1", "fairness is \"%64p\", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio or none"},
  };
  for (const auto& [query, message] : cases) {
    const auto question = explore_question(query);
    ASSERT_FALSE(question) << query;
    EXPECT_EQ(question.error().message, message);
  }
}

}  // namespace
}  // namespace fairstep
