// The audit as a page, on audits made up for it: what is said of each number, and what of its absence.
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/audit/audit.hpp>

namespace fairstep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two groups, one step: 3/10 and 6/10 accepted, which shows that they differ.
Audit small_audit() {
  Audit made;
  made.names = {{"a", "b"}, {"x"}};
  made.horizon = 1;
  made.delta = 0.05;
  made.intervals = 2;
  made.people = {1000, 20};
  made.decisions = {1000, 20};
  AuditedRate accept;
  accept.steps = Tensor<Observed, 2>({2, 1});
  accept.steps(0, 0) = {300, 1000, 0.3, {0.25, 0.375}};
  accept.steps(1, 0) = {12, 20, 0.6, {0.5, 0.75}};
  made.rates = {accept};
  PairGap pair;
  pair.rate = Rate::accept;
  pair.second = 1;
  pair.difference = -0.3;
  pair.band = {-0.5, -0.125};
  pair.differ = true;
  made.pairs = {pair};
  made.gaps = {{Notion::dp, 0, 0.3, {0.125, 0.5}, true, 1, 0}};
  made.coverage.cells = 8;
  made.coverage.threshold = 30;
  return made;
}

const AuditSource kSource{"log.csv", "", "1.2.3", {}};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(AuditPage, NamesItsDataItsVersionAndWhatHoldsTogether) {
  const std::string text = to_markdown(small_audit(), kSource);
  EXPECT_TRUE(text.starts_with("# Audit of log.csv\n")) << text.substr(0, 80);
  EXPECT_TRUE(says(text, "fairstep 1.2.3. Together: all bands of steps hold at once with probability 0.95."));
  EXPECT_TRUE(says(to_markdown(small_audit(), {"log.csv", "fair.json", "1", {}}), "fairstep 1, policy fair.json. "));
}

TEST(AuditPage, SumsUpTheWidestGapAndAtHowManyStepsGroupsDiffer) {
  EXPECT_TRUE(says(to_markdown(small_audit(), kSource),
                   "demographic parity: the widest gap between two groups was 0.3000 (b above a; band 0.1250 to "
                   "0.5000), at step 0. Groups are shown to differ at 1 of 1 steps."));
}

TEST(AuditPage, SaysWhereNoGroupsCouldBeCompared) {
  Audit audit = small_audit();
  audit.gaps = {{Notion::eqopt, 0, kNone, {0, 1}, false, 0, 0}};
  EXPECT_TRUE(says(to_markdown(audit, kSource), "equal opportunity: no step at which two groups could be compared."));
}

TEST(AuditPage, ShowsWhatDiffersAndWhatMayNot) {
  Audit audit = small_audit();
  EXPECT_TRUE(says(to_markdown(audit, kSource), "| 0 | b - a | 0.3000 | 0.1250 to 0.5000 | yes |"))
      << to_markdown(audit, kSource);
  audit.pairs[0].band = {-0.5, 0.125};
  audit.pairs[0].differ = false;
  EXPECT_TRUE(says(to_markdown(audit, kSource), "| -0.1250 to 0.5000 | no |"));
  // Shown to differ, by however little.
  audit.pairs[0].band = {-0.5, 0};
  audit.pairs[0].differ = true;
  EXPECT_TRUE(says(to_markdown(audit, kSource), "| above 0 to 0.5000 | yes |"));
  audit.pair_tests = 1;
  audit.pairs[0].p = 0.01234;
  EXPECT_TRUE(says(to_markdown(audit, kSource), "| above 0 to 0.5000 | 0.013 | yes |"));
}

TEST(AuditPage, NamesGroupsThatAreSetApartAndTheFilesThatWereRead) {
  Audit audit = small_audit();
  audit.small = 50;
  audit.set_apart = {1};
  const AuditSource source{"log.csv", "", "1", {{"log.csv", 1234, "2024-07-01 12:00:00 UTC", "ab12"}}};
  const std::string text = to_markdown(audit, source);
  EXPECT_TRUE(says(text, "Set apart, being of fewer than 50 people: b (20)."));
  EXPECT_TRUE(says(text, "| log.csv | 1,234 | 2024-07-01 12:00:00 UTC | ab12 |"));
}

TEST(AuditPage, SaysOfEachLimitWhatIsProven) {
  Audit audit = small_audit();
  EXPECT_FALSE(says(to_markdown(audit, kSource), "Are the limits kept?"));
  audit.judged = {{"dp", 0, 0.1, 0.3, {0.125, 0.5}, Ruling::beyond}, {"aggregate dp", 1, 0.2, 0.3, {0.125, 0.5}, {}}};
  audit.judged[1].ruling = Ruling::open;
  const std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "| dp | 0 | 0.1 | 0.3000 | 0.1250 to 0.5000 | no |")) << text;
  EXPECT_TRUE(says(text, "| aggregate dp | all | 0.2 | 0.3000 | 0.1250 to 0.5000 | not decided |"));
}

TEST(AuditPage, GroupsThousandsAndLeavesRatesOfNobodyOut) {
  Audit audit = small_audit();
  audit.rates[0].steps(1, 0) = {0, 0, kNone, {0, 1}};
  const std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "| a | 1,000 | 1,000 |"));
  EXPECT_TRUE(says(text, "| 0 | b | 0 | - | 0.0000 to 1.0000 |")) << text;
}

TEST(AuditPage, SaysWhyARateIsNotThere) {
  Audit audit = small_audit();
  AuditedRate tpr;
  tpr.rate = Rate::tpr;
  tpr.known = false;
  AuditedRate fpr = audit.rates[0];
  fpr.rate = Rate::fpr;
  fpr.without_bands = "labels were drawn";
  audit.rates.push_back(tpr);
  audit.rates.push_back(fpr);
  const std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "cannot be known from this log, because labels are censored"));
  EXPECT_TRUE(says(text, "no band can be given, so that all are 0 to 1: labels were drawn."));
}

TEST(AuditPage, ListsWhatWasWrongWithTheLog) {
  Audit audit = small_audit();
  EXPECT_FALSE(says(to_markdown(audit, kSource), "Counted from"));
  audit.log.emplace();
  audit.log->files = {"one.csv", "two.csv"};
  audit.log->rows = 12345;
  std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "Counted from 12,345 rows of one.csv, two.csv."));
  EXPECT_TRUE(says(text, "Nothing in the log was out of order."));
  audit.log->findings = {{Anomaly::unknown, "y", 3, "two.csv", 1017}, {Anomaly::gap, "", 1, "one.csv", 2}};
  text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "| unknown | y | two.csv | 1,017 | 3 |")) << text;
  EXPECT_TRUE(says(text, "| gap | - | one.csv | 2 | 1 |"));
}

TEST(AuditPage, SaysWhatWasDoneAboutLabels) {
  Audit audit = small_audit();
  audit.log.emplace().censoring = Censoring::drop;
  EXPECT_TRUE(says(to_markdown(audit, kSource), "Some decisions have no label. Acceptance rates include them."));
  audit.log->censoring = Censoring::ignorable;
  audit.log->imputed = 2500;
  EXPECT_TRUE(says(to_markdown(audit, kSource), "2,500 labels were drawn"));
}

TEST(AuditPage, ListsFortyCellsThatWereHardlySeenAndCountsTheRest) {
  Audit audit = small_audit();
  EXPECT_TRUE(says(to_markdown(audit, kSource), "Every cell was seen often enough."));
  for (std::size_t i = 0; i < 41; ++i) audit.coverage.unseen.push_back({0, 0, 1, 0});
  audit.coverage.thin.push_back({{1, 0, 0, 1}, 7});
  std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text, "Of 8 cells (group, feature, label, action) 41 were never seen and 1 fewer than 30 times."));
  EXPECT_TRUE(says(text, "never seen: a, x, qualified, refuse"));
  EXPECT_TRUE(says(text, "and 2 more"));
  EXPECT_FALSE(says(text, "7 decisions: b"));
  audit.coverage.unseen.clear();
  EXPECT_TRUE(says(to_markdown(audit, kSource), "7 decisions: b, x, unqualified, accept"));
}

TEST(AuditPage, SaysWhatThePolicyWouldHaveDone) {
  Audit audit = small_audit();
  EXPECT_FALSE(says(to_markdown(audit, kSource), "What the policy would have done"));
  PolicyAudit policy;
  policy.value = 0.25;
  policy.gaps = {{Notion::dp, 0, 0.125, 0.5}};
  policy.accept = Tensor<double, 2>({2, 1}, 0.5);
  policy.accept_band = Tensor<Range, 2>({2, 1}, Range{0.25, 0.75});
  policy.unvisited = 3;
  policy.rows = 8;
  audit.policy = policy;
  const std::string text = to_markdown(audit, kSource);
  EXPECT_TRUE(says(text,
                   "The policy would have had an estimated return of 0.2500 a person; its gaps are at most "
                   "0.5000 in every population that the data allow"));
  EXPECT_TRUE(says(text, "3 of 8 cells have no seen successor"));
  EXPECT_TRUE(says(text, "| 0 | b | 0.5000 | 0.2500 to 0.7500 |"));
}

TEST(AuditPage, HasNoScriptsAndALineForEachGroup) {
  const std::string page = to_html(small_audit(), kSource);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_TRUE(says(page, "<svg"));
  EXPECT_TRUE(says(page, "Audit of log.csv"));
}

}  // namespace
}  // namespace fairstep
