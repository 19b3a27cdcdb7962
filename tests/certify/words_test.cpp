// What a certificate says, sentence by sentence; document_test.cpp has which of them stand in one.
#include <fairstep/certify/words.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "certify/counts_in.hpp"

namespace fairstep {
namespace {

using testing::counts_in;

std::string sentence(std::string_view beginning, const CertifyOptions& options = {},
                     const Counts& counts = counts_in({})) {
  for (const std::string& assumption : assumptions_of(options, counts))
    if (assumption.starts_with(beginning)) return assumption;
  return {};
}

TEST(Statement, IsAboutGapsAlone) {
  EXPECT_EQ(statement_of({}),
            "If the assumptions hold, then with probability at least 1 - delta over the data, at every step and for "
            "every pair of groups at once, the gap between the groups under the true population is at most "
            "certified_gap.");
}

TEST(Statement, IsAboutTheValueIfThereIsOneAndAboutRowsIfSomeWereLeftOut) {
  Certificate certificate;
  certificate.value = 0.5;
  EXPECT_TRUE(statement_of(certificate)
                  .ends_with("is at most certified_gap, and the value of the policy is at least certified_value."));
  certificate.if_nothing_lost.emplace();
  EXPECT_TRUE(statement_of(certificate)
                  .ends_with("at least certified_value, whatever the rows that were left out would have said."));
  certificate.value.reset();
  EXPECT_TRUE(statement_of(certificate)
                  .ends_with("at most certified_gap, whatever the rows that were left out would have said."));
}

TEST(Assumptions, BeginWithPeopleAndEndWithWhatHoldsTogether) {
  const std::vector<std::string> list = assumptions_of({}, counts_in({}));
  EXPECT_TRUE(list.front().starts_with("One kernel: "));
  EXPECT_TRUE(list.back().starts_with("Together: "));
  EXPECT_EQ(list.size(), 10U);  // five about people, completeness, policy, staying, rewards, together
}

TEST(Assumptions, OfAnyPolicyAskNothingOfHowPeopleWereTreated) {
  EXPECT_NE(sentence("Any policy: "), "");
  EXPECT_EQ(sentence("Followed: "), "");
  CertifyOptions followed;
  followed.followed = true;
  EXPECT_EQ(sentence("Any policy: ", followed), "");
  EXPECT_NE(sentence("Followed: ", followed), "");
  EXPECT_NE(sentence("Chosen before: ", followed), "");
}

TEST(Assumptions, SayWhatIsTakenForTrueOfRewards) {
  EXPECT_EQ(sentence("Rewards: "), "Rewards: nothing was said about them, so nothing is certified about the value.");
  CertifyOptions options;
  options.value = KnownRewards{};
  EXPECT_EQ(sentence("Rewards: ", options),
            "Rewards: mean rewards, shares of groups and the discount are those of the model file, which are taken as "
            "true.");
  EXPECT_EQ(sentence("Shares: ", options), "");
  options.value = CountedRewards{};
  EXPECT_TRUE(sentence("Rewards: ", options).starts_with("Rewards: every single reward lies within reward_range"));
  EXPECT_NE(sentence("Shares: ", options), "");
}

TEST(Assumptions, OfCountsWithoutARecordTakeThemForComplete) {
  EXPECT_EQ(sentence("Complete: "),
            "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
            "known.");
}

TEST(Assumptions, SayWhatTheRecordOfTheLogSays) {
  const auto counted = [](const std::string& more) {
    return counts_in(
        {.log = R"({"files": ["log.csv"], "columns": {"x": "x"}, "first_step": 0, "rows": 9, "findings": [)" + more +
                R"(], "censored": "no", "imputed": 0})"});
  };
  EXPECT_EQ(sentence("Complete: ", {}, counted("")), "Complete: by the record of the log no row was left out.");
  EXPECT_EQ(sentence("Found in the log: ", {}, counted("")), "");
  const Counts counts = counted(
      R"({"kind": "duplicate", "rows": 12, "file": "log.csv", "row": 1},
         {"kind": "out-of-range", "column": "h", "rows": 3, "file": "log.csv", "row": 2})");
  EXPECT_EQ(sentence("Found in the log: ", {}, counts), "Found in the log: duplicate (12), out-of-range h (3).");
}

}  // namespace
}  // namespace fairstep
