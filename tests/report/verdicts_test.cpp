// Every claim on every setting, and what a verdict says over all of them.
#include <fairstep/report/internal/verdicts.hpp>

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::setting_of;

TEST(Verdict, SaysWhereAndHowOften) {
  Verdict verdict;
  verdict.findings = {{"a", "A", Ruling::holds, ""}, {"b", "B", Ruling::fails, ""}, {"c", "C", Ruling::holds, ""}};
  EXPECT_EQ(verdict.in_words(), "holds in 2, does not hold in 1 of 3 settings");
  EXPECT_EQ(verdict.overall(), Ruling::fails);
  verdict.findings[1].ruling = Ruling::holds;
  EXPECT_EQ(verdict.in_words(), "holds");
}

TEST(Verdict, IsAsGoodAsItsWorstFinding) {
  Verdict verdict;
  EXPECT_EQ(verdict.overall(), Ruling::undecided);  // nothing was looked at
  for (const Ruling ruling : {Ruling::holds, Ruling::tie, Ruling::undecided, Ruling::fails}) {
    verdict.findings.push_back({"a", "A", ruling, ""});
    EXPECT_EQ(verdict.overall(), ruling);
  }
  EXPECT_EQ(verdict.in_words(), "holds in 1, a tie in 1, undecided in 1, does not hold in 1 of 4 settings");
}

TEST(Judge, DecidesEachClaimOnceForEachSetting) {
  Evidence evidence;
  evidence.settings = {setting_of({ending_at(Kind::ours, {{0.1, 0.5}})}),
                       setting_of({ending_at(Kind::unconstrained, {{0.1, 0.5}})})};
  evidence.settings[1].id = "city-dp";
  evidence.settings[1].name = "City, demographic parity";
  const std::vector<Verdict> verdicts = judge(evidence);
  std::set<std::string> ids;
  for (const Verdict& verdict : verdicts) {
    ids.insert(verdict.id);
    EXPECT_FALSE(verdict.claim.empty());
    EXPECT_FALSE(verdict.rule.empty());
    ASSERT_EQ(verdict.findings.size(), 2U) << verdict.id;
    EXPECT_EQ(verdict.findings[0].setting, "town-dp");
    EXPECT_EQ(verdict.findings[1].setting_name, "City, demographic parity");
    // Without a run of the method itself there is nothing to judge.
    EXPECT_EQ(verdict.findings[1].ruling, Ruling::undecided);
    EXPECT_EQ(verdict.findings[1].evidence, "No run of the constrained method is finished.");
  }
  EXPECT_EQ(ids.size(), verdicts.size());
  EXPECT_EQ(verdicts.size(), 12U);
}

TEST(Judge, OfNothingHasNoFindings) {
  for (const Verdict& verdict : judge({})) EXPECT_TRUE(verdict.findings.empty());
}

}  // namespace
}  // namespace fairstep::report
