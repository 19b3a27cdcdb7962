// Tables of the page: numbers at the last update, claims by settings, and the method against each weight.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/page.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::run_with;
using test::setting_of;

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Ours at (1/4, 3/4) and a weight of 2 at (1/2, 1/2), twice each.
Evidence two_methods() {
  Evidence made;
  made.plan.repeats = 2;
  made.plan.certificate_gap = 0.001;
  made.settings = {setting_of(
      {ending_at(Kind::ours, {{0.25, 0.75}, {0.25, 0.75}}), ending_at(Kind::penalty, {{0.5, 0.5}, {0.5, 0.5}}, 2)})};
  return made;
}

TEST(FinalNumbers, AreThoseOfTheLastUpdateAndTheProofsOfAll) {
  MethodRuns method = ending_at(Kind::ours, {});
  method.repeats = {run_with({0.5, 0.25}, {0.5, 0.75}), run_with({0.5, 0.125}, {0.5, 1})};
  method.repeats[0].updates[0].gap_to_bound = 0.01;
  method.repeats[1].updates[0].gap_to_bound = kUnknown;
  method.repeats[1].updates[1].dp = {0.0, 0.75};
  for (RunRecord& run : method.repeats) run.updates[1].regret = 0.125;
  const Setting setting = setting_of({method});
  ExperimentRecord plan;
  plan.certificate_gap = 0.001;
  const FinalNumbers numbers = final_numbers(setting, setting.methods[0], plan);
  EXPECT_EQ(numbers.value.mean, 0.875);       // 3/4 and 1
  EXPECT_EQ(numbers.violation.mean, 0.1875);  // 1/4 and 1/8
  EXPECT_EQ(numbers.worst.mean, 0.5);         // 1/4 and 3/4
  EXPECT_EQ(numbers.regret.mean, 0.125);
  EXPECT_EQ(numbers.solves, 4U);
  EXPECT_EQ(numbers.proven, 2U);
  // Where nothing was asked for, a thousandth is meant.
  plan.certificate_gap = kUnknown;
  EXPECT_EQ(final_numbers(setting, setting.methods[0], plan).proven, 2U);
}

TEST(FinalNumbers, HaveAnAnchorForEachMethodOfEachSetting) {
  const Evidence evidence = two_methods();
  EXPECT_EQ(final_anchor(evidence.settings[0], evidence.settings[0].methods[1]), "final-town-dp-penalty");
}

TEST(FinalNumbers, StandOnThePageInFull) {
  Html html;
  write_final_numbers(html, two_methods());
  const std::string text = std::move(html).finish();
  EXPECT_EQ(times(text, "<tr id=\"final-town-dp-ours\">"), 1U);
  EXPECT_EQ(times(text, "<data value=\"0.75\" class=\"return\">0.750"), 1U) << text;
  EXPECT_EQ(times(text, "<data value=\"0.25\" class=\"violation\">0.250"), 1U);
  EXPECT_EQ(times(text, "<td>2 of 2"), 2U);
  EXPECT_NE(text.find("Means over 2 repeats"), std::string::npos);
}

TEST(VerdictsOnThePage, HaveAMarkInTheMatrixAndTheirNumbersBelow) {
  const Evidence evidence = two_methods();
  Verdict verdict{"equal-violation", "It <holds>.", "By this rule.", {}};
  verdict.findings = {{"town-dp", "Town, demographic parity", Ruling::tie, "Because of 0.1."}};
  Html html;
  write_verdicts(html, evidence, {verdict});
  const std::string text = std::move(html).finish();
  EXPECT_EQ(times(text, "<a href=\"#claim-equal-violation\">It &lt;holds&gt;.</a>"), 1U) << text;
  EXPECT_EQ(times(text, "class=\"mark within\" title=\"a tie\""), 1U) << text;
  EXPECT_EQ(times(text, "id=\"claim-equal-violation\""), 1U);
  EXPECT_NE(text.find("Because of 0.1."), std::string::npos);
  EXPECT_NE(text.find("By this rule."), std::string::npos);
}

TEST(VerdictsOnThePage, EndWithEveryWeightAgainstTheMethod) {
  // Ours violates by a quarter less and returns a quarter more.
  Html html;
  write_verdicts(html, two_methods(), {});
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("<td>\u22120.2500"), std::string::npos) << text;
}

TEST(VerdictsOnThePage, LeaveWeightsOutWhereThereAreNone) {
  Evidence evidence = two_methods();
  evidence.settings[0].methods.pop_back();
  Html html;
  write_verdicts(html, evidence, {});
  EXPECT_EQ(std::move(html).finish().find("violation, difference"), std::string::npos);
}

}  // namespace
}  // namespace fairstep::report
