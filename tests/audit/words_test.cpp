// What an audit's bands rest on, sentence by sentence, for audits made up for it.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>

namespace fairstep {
namespace {

Audit audit_at(double delta) {
  Audit made;
  made.names = {{"a", "b"}, {"x"}};
  made.horizon = 8;
  made.delta = delta;
  return made;
}

/// The assumption that begins so; empty if there is none.
std::string assumption(const Audit& audit, std::string_view beginning) {
  for (const std::string& sentence : assumptions_of(audit))
    if (sentence.starts_with(beginning)) return sentence;
  return {};
}

TEST(AuditWords, BeginWithPeopleAndEndWithWhatHoldsTogether) {
  const std::vector<std::string> list = assumptions_of(audit_at(0.05));
  ASSERT_EQ(list.size(), 4U);
  EXPECT_TRUE(list[0].starts_with("Independent people: "));
  EXPECT_TRUE(list[1].starts_with("Taking part: "));
  EXPECT_TRUE(list[2].starts_with("Complete: "));
  EXPECT_EQ(list[3], "Together: all bands of steps hold at once with probability 0.95.");
}

TEST(AuditWords, SayWhetherRowsWereLeftOut) {
  Audit audit = audit_at(0.05);
  EXPECT_EQ(assumption(audit, "Complete: "),
            "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
            "known.");
  audit.log.emplace();
  EXPECT_EQ(assumption(audit, "Complete: "), "Complete: by the record of the log no row was left out.");
  audit.log->lost = Lost::none({2, 8, 1});
  EXPECT_EQ(assumption(audit, "Complete: "), "Complete: by the record of the log no row was left out.");
  audit.log->lost->decisions(0, 3) = 1;
  EXPECT_EQ(assumption(audit, "Complete: "), "");
  EXPECT_TRUE(assumption(audit, "Left out: ").find("every band is as wide as the worst of it makes it") !=
              std::string::npos);
}

TEST(AuditWords, CountPeopleOfWhoseLogNothingIsKnown) {
  Audit audit = audit_at(0.05);
  audit.log.emplace();
  EXPECT_EQ(assumption(audit, "Unrecorded: "), "");
  audit.log->unrecorded_people = 12;
  EXPECT_TRUE(assumption(audit, "Unrecorded: ").starts_with("Unrecorded: 12 of the people counted"));
}

TEST(AuditWords, SpeakOfGroupsInDoubtWindowsAndPoliciesWhereThereAreSome) {
  Audit audit = audit_at(0.05);
  for (const char* beginning : {"Groups: ", "Calendar: ", "Policy: "}) EXPECT_EQ(assumption(audit, beginning), "");
  audit.groups_in_doubt = true;
  audit.window_intervals = 6;
  audit.policy.emplace();
  EXPECT_NE(assumption(audit, "Groups: "), "");
  EXPECT_TRUE(assumption(audit, "Calendar: ").starts_with("Calendar: a person may be in a window up to 8 times"));
  EXPECT_NE(assumption(audit, "Policy: "), "");
}

TEST(AuditWords, AddUpWhatPartsMayFailWith) {
  Audit audit = audit_at(0.05);
  audit.window_intervals = 6;
  audit.parts = 2;
  EXPECT_EQ(assumption(audit, "Together: "),
            "Together: all bands of steps hold at once with probability 0.95, those of calendar windows with the same "
            "probability among themselves; all of them together with 0.9.");
  // 3 * 0.05 = 0.15 in digits, though not in doubles.
  audit.policy.emplace();
  audit.parts = 3;
  EXPECT_TRUE(assumption(audit, "Together: ").ends_with("; all of them together with 0.85."))
      << assumption(audit, "Together: ");
}

TEST(AuditWords, SayNothingOfAllTogetherWhereTheyMayAllFail) {
  Audit audit = audit_at(0.5);
  audit.policy.emplace();
  audit.parts = 2;
  EXPECT_TRUE(assumption(audit, "Together: ").ends_with("; nothing is said of all of them together."));
}

}  // namespace
}  // namespace fairstep
