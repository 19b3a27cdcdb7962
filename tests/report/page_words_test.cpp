// Scope, settings and words: what is said of an experiment besides its numbers.
#include <string>

#include <gtest/gtest.h>

#include <fairstep/report/internal/page.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

using test::small_model;

Evidence with_settings() {
  Evidence made;
  made.folder = "my<run>";
  made.plan.name = "tiny";
  made.plan.version = "1.2.3";
  made.plan.repeats = 3;
  made.plan.seed = 7;
  made.plan.horizon = 2;
  made.plan.schedule = {8, 16, 32};
  made.plan.people_per_episode = 1;
  made.plan.evaluation_episodes = 100;
  made.plan.relaxation = "scaled";
  made.plan.delta = 0.1;
  made.plan.certificate_gap = 0.001;
  made.plan.environments = {{.name = "town", .label = "Town", .source = "town.json"}};
  made.plan.notions = {"dp"};
  made.plan.methods = {{.id = "ours", .label = "ours", .method = "constrained", .relaxation_scale = {{"dp", 0.25}}},
                       {.id = "free", .label = "free", .method = "unconstrained"}};
  made.models = {small_model()};
  made.names = {small_model().names()};
  made.plan_digest = "abc";
  made.results_digest = "def";
  made.plan_text = "{\"a\": \"<b>\"}";
  made.runs = 5;
  return made;
}

std::string settings_of(const Evidence& evidence) {
  Html html;
  write_settings(html, evidence);
  return std::move(html).finish();
}

std::string fact(const std::string& name, const std::string& value) {
  return "<dt>" + name + "</dt><dd>" + value + "</dd>";
}

TEST(SettingsOnThePage, AreFacts) {
  const std::string text = settings_of(with_settings());
  for (const std::string& expected :
       {fact("experiment", "tiny"), fact("fairstep", "1.2.3"), fact("runs", "5 finished, 0 missing"),
        fact("repeats", "3, seed 7"), fact("steps in an episode", "2"), fact("updates", "3, at k = 2\u00b3 to 2\u2075"),
        fact("people per episode", "1 of each group"), fact("evaluation episodes", "100"), fact("relaxation", "scaled"),
        fact("delta", "0.10")})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

TEST(SettingsOnThePage, LeaveOutWhatIsNotSaid) {
  Evidence evidence = with_settings();
  evidence.plan.horizon = 0;
  evidence.plan.schedule = {};
  evidence.plan.floor_kind = "";
  const std::string text = settings_of(evidence);
  for (const char* name : {"steps in an episode", "<dt>updates", "policy floor", "<dt>took"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
}

TEST(SettingsOnThePage, SayWhatCertificatesMayTake) {
  Evidence evidence = with_settings();
  evidence.plan.certificate_effort = 20000;
  evidence.plan.certificate_seconds = 30;
  EXPECT_NE(settings_of(evidence).find("effort 20000, at most 30 s each"), std::string::npos);
  evidence.plan.certificate_gap = kUnknown;
  EXPECT_NE(settings_of(evidence).find(fact("certificates", "none")), std::string::npos);
}

TEST(SettingsOnThePage, SayHowLongItTookOnlyIfAllOfItWasDoneInOneGo) {
  Evidence evidence = with_settings();
  evidence.timing = TimingRecord{.seconds = 12.5, .threads = 4, .solves = 10, .solves_made = 10};
  EXPECT_NE(settings_of(evidence).find("12.5 s on 4 threads"), std::string::npos);
  evidence.timing->solves_made = 9;
  EXPECT_EQ(settings_of(evidence).find("on 4 threads"), std::string::npos);
}

TEST(SettingsOnThePage, ShowThePeopleAtTheFirstStep) {
  // Half of either group is qualified, and all have the one feature.
  const std::string text = settings_of(with_settings());
  EXPECT_NE(text.find("Town: the people at the first step (source: town.json)"), std::string::npos);
  EXPECT_NE(text.find("0.5000"), std::string::npos);
  EXPECT_NE(text.find("1.000"), std::string::npos);
}

TEST(SettingsOnThePage, HaveThePlanInFullAndTheCommandEscaped) {
  const std::string text = settings_of(with_settings());
  EXPECT_NE(text.find("fairstep report my&lt;run&gt; -o report.html"), std::string::npos);
  EXPECT_EQ(text.find("<b>"), std::string::npos);
  EXPECT_NE(text.find("&lt;b&gt;"), std::string::npos);
}

TEST(SettingsOnThePage, ListWhatIsMissingAndNamesThatWereCut) {
  Evidence evidence = with_settings();
  evidence.missing = {"runs/town/dp/ours/2"};
  evidence.in_full = {{"a very lo...", "a very long name"}};
  const std::string text = settings_of(evidence);
  EXPECT_NE(text.find("<summary>1 missing runs</summary>"), std::string::npos);
  EXPECT_NE(text.find("<li>runs/town/dp/ours/2</li>"), std::string::npos);
  EXPECT_NE(text.find(fact("a very lo...", "a very long name")), std::string::npos);
}

std::string scope_of(const Evidence& evidence) {
  Html html;
  write_scope(html, evidence);
  return std::move(html).finish();
}

TEST(Scope, WarnsWhereRunsAreMissing) {
  Evidence evidence = with_settings();
  EXPECT_EQ(scope_of(evidence).find("Incomplete"), std::string::npos);
  evidence.missing = {"runs/a", "runs/b"};
  EXPECT_NE(scope_of(evidence).find("Incomplete: 2 runs are missing, among them runs/a."), std::string::npos);
}

TEST(Scope, SaysWhatThePageIsForWhatItIsNotAndWhatNobodyChecked) {
  const std::string text = scope_of(with_settings());
  for (const char* heading : {"<h3>Purpose</h3>", "<h3>Limits</h3>", "<h3>Not checked</h3>"})
    EXPECT_NE(text.find(heading), std::string::npos) << heading;
}

TEST(Glossary, ExplainsTheWordsOfThePage) {
  Html html;
  write_glossary(html);
  const std::string text = std::move(html).finish();
  for (const char* word : {"return", "gap", "violation", "regret per step", "relaxation", "vacuous", "shadow price"})
    EXPECT_NE(text.find("<dt>" + std::string(word) + "</dt>"), std::string::npos) << word;
}

}  // namespace
}  // namespace fairstep::report
