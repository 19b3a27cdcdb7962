// The minute that a manager has: every sentence of it, on numbers made up for it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/page.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::ending_at;
using test::setting_of;

/// Two repeats alike, so that intervals have no width. Unconstrained: violation 1/2, return 1; ours as given.
Evidence evidence_with(const Point& ours) {
  Evidence made;
  made.plan.sealed = true;
  made.plan.repeats = 2;
  made.plan.schedule = {8, 32};
  made.plan.certificate_gap = 0.001;
  made.plan.environments = {{.name = "town", .label = "Town"}};
  made.settings = {
      setting_of({ending_at(Kind::ours, {ours, ours}), ending_at(Kind::unconstrained, {{0.5, 1}, {0.5, 1}})})};
  made.plan.methods = {made.settings[0].methods[0].about, made.settings[0].methods[1].about};
  made.runs = 4;
  return made;
}

Verdict verdict_with(const std::string& id, const std::vector<Ruling>& rulings) {
  Verdict made;
  made.id = id;
  for (const Ruling ruling : rulings) made.findings.push_back({"s", "S", ruling, ""});
  return made;
}

std::vector<std::string> rest_of(const Evidence& evidence, const std::vector<Verdict>& verdicts = {}) {
  std::vector<std::string> texts;
  for (const Sentence& sentence : summarise(evidence, verdicts).rest) texts.push_back(plain(sentence));
  return texts;
}

TEST(Summary, OpensWithTheSizeOfTheExperiment) {
  Evidence evidence = evidence_with({0.25, 0.75});
  EXPECT_EQ(plain(summarise(evidence, {}).opening),
            "2 methods learned to decide on Town under demographic parity, 2 times each, updating their policies up to "
            "episode 2\u2075: 4 runs and 4 optimisation problems.");
  evidence.plan.environments.push_back({.name = "city", .label = "City"});
  evidence.plan.environments.push_back({.name = "sea", .label = "Sea"});
  evidence.plan.repeats = 1;
  evidence.runs = 12345;
  const std::string text = plain(summarise(evidence, {}).opening);
  EXPECT_NE(text.find("decide on Town, City and Sea under"), std::string::npos) << text;
  EXPECT_NE(text.find(", once each,"), std::string::npos) << text;
  EXPECT_NE(text.find("12,345 runs"), std::string::npos) << text;
}

TEST(Summary, SaysWhatFairnessCost) {
  // From 1 to 3/4 of the return.
  const Summary summary = summarise(evidence_with({0.25, 0.75}), {});
  ASSERT_EQ(summary.settings.size(), 1U);
  EXPECT_EQ(summary.settings[0].first, "Town, demographic parity");
  EXPECT_EQ(plain(summary.settings[0].second),
            "The method's final violation is 0.2500 \u00b1 0 against 0.5000 \u00b1 0 unconstrained, for 25.0 % of the "
            "return.");
  EXPECT_EQ(summary.settings[0].second[1].anchor, "final-town-dp-ours");
  EXPECT_EQ(summary.settings[0].second[3].anchor, "final-town-dp-unconstrained");
}

TEST(Summary, SaysWhatFairnessGained) {
  const std::string text = plain(summarise(evidence_with({0.25, 1.125}), {}).settings[0].second);
  EXPECT_NE(text.find(" unconstrained, and it gains 12.5 % of the return."), std::string::npos) << text;
}

TEST(Summary, WithoutTheUnconstrainedSaysTheReturn) {
  Evidence evidence = evidence_with({0.25, 0.75});
  evidence.settings[0].methods.pop_back();
  EXPECT_EQ(plain(summarise(evidence, {}).settings[0].second),
            "The method's final violation is 0.2500 \u00b1 0, with a return of 0.7500 \u00b1 0.");
}

TEST(Summary, WithoutTheMethodSaysSo) {
  Evidence evidence = evidence_with({0.25, 0.75});
  evidence.settings[0].methods.erase(evidence.settings[0].methods.begin());
  EXPECT_EQ(plain(summarise(evidence, {}).settings[0].second), "No run of the constrained method is finished.");
}

TEST(Summary, CountsWhereTheMethodLiesBesideThePenalty) {
  const Evidence evidence = evidence_with({0.25, 0.75});
  const auto said = [&](const std::vector<Ruling>& rulings) {
    return rest_of(evidence, {verdict_with("equal-violation", rulings)}).front();
  };
  EXPECT_EQ(said({Ruling::holds, Ruling::holds}),
            "Beside a penalty baseline that is solved as carefully, the method ends above its frontier in all 2 "
            "settings.");
  EXPECT_EQ(said({Ruling::holds, Ruling::tie, Ruling::fails, Ruling::undecided}),
            "Beside a penalty baseline that is solved as carefully, the method ends above its frontier in 1 of 4 "
            "settings, on its frontier, within 0.05 % of its return, in 1 of 4 settings and below it in 1 of 4 "
            "settings. It is undecided in 1 of 4 settings. What the constraint adds is a limit that one sets directly, "
            "instead of a weight that has to be searched for.");
  EXPECT_EQ(said({Ruling::undecided}),
            "Whether the method ends above or below the penalty baseline's frontier is undecided.");
}

TEST(Summary, NamesTheWorstStepOfAll) {
  Evidence evidence = evidence_with({0.25, 0.75});
  for (RunRecord& run : evidence.settings[0].methods[0].repeats) run.updates[0].dp = {0.125, 0.375};
  EXPECT_EQ(rest_of(evidence).front(),
            "At its worst step, over all settings, the method's gap is 0.375 (Town, demographic parity); without "
            "constraint it is up to 0.500.");
  for (RunRecord& run : evidence.settings[0].methods[0].repeats) run.updates[0].dp = {kUnknown, kUnknown};
  EXPECT_EQ(rest_of(evidence).front(),
            "There is no step at which two groups can be compared: a rate of nobody is none.");
}

TEST(Summary, SaysWhereTheConstantsAsPrintedSayNothing) {
  const Evidence evidence = evidence_with({0.25, 0.75});
  const auto said = [&](const std::vector<Ruling>& rulings) {
    return rest_of(evidence, {verdict_with("literal-constants", rulings)})[1];
  };
  EXPECT_EQ(said({Ruling::fails}),
            "With the paper's constants as printed the constraint is vacuous to the end in the one setting; the runs "
            "above scale them, which gives up the theorem.");
  EXPECT_EQ(said({Ruling::holds, Ruling::undecided}),
            "With the paper's constants as printed the constraint takes effect in 1 of 2 settings.");
  // Without a run of them there is no such sentence.
  EXPECT_TRUE(said({Ruling::undecided}).starts_with("Of all problems"));
}

TEST(Summary, CountsWhatIsProven) {
  Evidence evidence = evidence_with({0.25, 0.75});
  evidence.settings[0].methods[0].repeats[0].updates[0].gap_to_bound = 0.01;
  evidence.settings[0].methods[0].repeats[1].updates[0].gap_to_bound = kUnknown;
  EXPECT_EQ(rest_of(evidence).back(),
            "Of all problems 2 of 4 are proven to be solved to within 0.1 % of their optimum.");
}

TEST(Summary, SaysWhatIsMissingAndWhatNobodyCanVouchFor) {
  Evidence evidence = evidence_with({0.25, 0.75});
  EXPECT_EQ(rest_of(evidence).size(), 2U);
  evidence.plan.sealed = false;
  evidence.unsealed = 3;
  evidence.missing = {"runs/a", "runs/b"};
  const std::vector<std::string> rest = rest_of(evidence);
  ASSERT_EQ(rest.size(), 5U);
  EXPECT_TRUE(rest[2].starts_with("experiment.json has no fingerprint"));
  EXPECT_TRUE(rest[3].starts_with("3 runs have no fingerprint"));
  EXPECT_EQ(rest[4], "2 runs of the experiment are missing; everything here is about the others.");
}

TEST(Summary, OnThePageLeadsToTheNumbersBehindIt) {
  Summary summary;
  summary.opening = {{"Some <words>.", ""}};
  summary.settings = {{"Town & City", {{"It is ", ""}, {"0.1", "final-town"}}}};
  summary.rest = {{{"More.", ""}}};
  Html html;
  write_summary(html, summary);
  const std::string text = std::move(html).finish();
  EXPECT_NE(text.find("Some &lt;words&gt;."), std::string::npos);
  EXPECT_NE(text.find("<h3>Town &amp; City</h3>"), std::string::npos) << text;
  EXPECT_NE(text.find("It is <a href=\"#final-town\">0.1</a>"), std::string::npos) << text;
  EXPECT_NE(text.find("<li>More."), std::string::npos) << text;
}

}  // namespace
}  // namespace fairstep::report
