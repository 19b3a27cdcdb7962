// The certificate as a file: what is claimed and on what grounds, in words and numbers. That the numbers are right is
// for tests/check, which reads the file anew.
#include <fairstep/certify/document.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/certify/words.hpp>
#include <fairstep/core/sha256.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::nobody;

using Json = nlohmann::json;

RateBounds bounds(double from) {
  RateBounds made{Tensor<Range, 2>({3, 1}), Tensor<double, 2>({3, 1})};
  for (std::size_t g = 0; g < 3; ++g) {
    const double here = from + 0.125 * static_cast<double>(g);
    made.range(g, 0) = {here, here + 0.25};
    made.estimate(g, 0) = here + 0.0625;
  }
  return made;
}

/// Three groups and one step; numbers that are all different.
Certificate sample() {
  Certificate made;
  made.asked.delta = 0.0625;
  made.asked.notions = {Notion::dp, Notion::eqopt};
  made.split = {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625};
  made.gap = {{0.75}, {0.625}, {}};
  made.estimated_gap = {{0.375}, {0.3125}, {}};
  made.pairs = {{0, 1, {{0.5}, {0.25}, {}}}, {0, 2, {{0.75}, {0.5}, {}}}, {1, 2, {{0.25}, {0.625}, {}}}};
  made.accept = bounds(0);
  made.tpr = bounds(0.5);
  made.qualified = bounds(0.375);
  return made;
}

Json written(const Certificate& certificate, const std::optional<InputText>& model = std::nullopt) {
  const Counts counts = nobody(1, {{"a", "b", "c"}, {"x"}});
  return Json::parse(to_text(certificate, counts, {{"counts.json", "of counts"}, {"policy.json", "of policy"}, model}));
}

TEST(CertificateDocument, HasEveryNumberInItsPlace) {
  const Json found = written(sample());
  EXPECT_EQ(found["schema"], "fairstep/certificate/2");
  EXPECT_EQ(found["delta"], 0.0625);
  EXPECT_EQ(found["followed"], false);
  EXPECT_EQ(found["groups"], Json({"a", "b", "c"}));
  EXPECT_EQ(found["delta_split"], Json({{"rows", 0.5}, {"row", 0.25}, {"ball", 0.125}, {"interval", 0.0625}}));
  EXPECT_EQ(found["certified_gap"], Json({{"dp", {0.75}}, {"eqopt", {0.625}}}));
  EXPECT_EQ(found["estimated_gap"], Json({{"dp", {0.375}}, {"eqopt", {0.3125}}}));
  EXPECT_EQ(found["pairs"].size(), 3u);
  EXPECT_EQ(found["pairs"][1], Json({{"groups", {"a", "c"}}, {"dp", {0.75}}, {"eqopt", {0.5}}}));
  EXPECT_EQ(found["pairs"][2]["groups"], Json({"b", "c"}));
  EXPECT_EQ(found["rates"].size(), 3u);
  EXPECT_EQ(found["rates"]["accept"]["low"], Json({{0}, {0.125}, {0.25}}));
  EXPECT_EQ(found["rates"]["tpr"]["high"], Json({{0.75}, {0.875}, {1}}));
  EXPECT_EQ(found["rates"]["qualified"]["estimate"], Json({{0.4375}, {0.5625}, {0.6875}}));
  EXPECT_TRUE(found["certified_value"].is_null());
  EXPECT_TRUE(found["estimated_value"].is_null());
  EXPECT_FALSE(found.contains("reward_range"));
  EXPECT_FALSE(found.contains("discount"));
  EXPECT_EQ(found["inputs"].size(), 2u);
  EXPECT_EQ(found["inputs"]["counts"],
            Json({{"file", "counts.json"}, {"sha256", sha256("of counts")}, {"text", "of counts"}}));
  EXPECT_EQ(found["inputs"]["policy"]["text"], "of policy");
  EXPECT_EQ(found["statement"].get<std::string>().find("value"), std::string::npos);
}

TEST(CertificateDocument, HasWhatWasAskedForAsWell) {
  Certificate made = sample();
  made.asked.notions = {Notion::eqodds};
  made.asked.followed = true;
  made.asked.value = CountedRewards{{-2, 3}, 0.5};
  made.gap.eqodds = {0.5};
  made.estimated_gap.eqodds = {0.25};
  for (PairBounds& pair : made.pairs) pair.gap.eqodds = {0.125};
  made.fpr = bounds(0.25);
  made.value = 1.5;
  made.estimated_value = 2.5;
  const Json found = written(made, InputText{"model.json", "of model"});
  EXPECT_EQ(found["followed"], true);
  EXPECT_EQ(found["delta_split"], Json({{"rows", 0.5},
                                        {"row", 0.25},
                                        {"ball", 0.125},
                                        {"interval", 0.0625},
                                        {"followed", 0.03125},
                                        {"tail", 0.015625},
                                        {"rewards", 0.0078125},
                                        {"reward", 0.00390625}}));
  EXPECT_EQ(found["reward_range"], Json({-2, 3}));
  EXPECT_EQ(found["discount"], 0.5);
  EXPECT_EQ(found["certified_gap"], Json({{"eqodds", {0.5}}}));
  EXPECT_EQ(found["certified_value"], 1.5);
  EXPECT_EQ(found["estimated_value"], 2.5);
  EXPECT_EQ(found["rates"]["fpr"]["low"], Json({{0.25}, {0.375}, {0.5}}));
  EXPECT_EQ(found["inputs"]["model"]["file"], "model.json");
  EXPECT_NE(found["statement"].get<std::string>().find("value of the policy is at least certified_value"),
            std::string::npos);
}

/// Counts of nobody, in two groups, with this record.
Counts with_log(const std::optional<LogRecord>& log) {
  return changed(nobody(1, {{"a", "b"}, {"x"}}), [&](CountsSpec& logged) { logged.log = log; });
}

/// What stands before the colons.
std::vector<std::string> heads(const CertifyOptions& options, const std::optional<LogRecord>& log = std::nullopt) {
  const Counts counts = with_log(log);
  std::vector<std::string> found;
  for (const std::string& assumption : assumptions_of(options, counts))
    found.push_back(assumption.substr(0, assumption.find(':')));
  return found;
}

using Heads = std::vector<std::string>;

TEST(CertificateDocument, AssumesNoMoreThanItNeeds) {
  CertifyOptions options;
  EXPECT_EQ(heads(options), (Heads{"One kernel", "Independent people", "First states", "Seeing is blind",
                                   "Labels are seen", "Complete", "Any policy", "Staying", "Rewards", "Together"}));
  options.value = CountedRewards{};
  EXPECT_EQ(heads(options),
            (Heads{"One kernel", "Independent people", "First states", "Seeing is blind", "Labels are seen", "Complete",
                   "Any policy", "Staying", "Rewards", "Shares", "Together"}));
  EXPECT_EQ(written(sample())["assumptions"].size(), 10u);
}

// Cause: "it may come from these very data" stood beside "fixed before the data".
TEST(CertificateDocument, OfThoseWhoFollowedItSaysThatThePolicyMustNotBeChosenByTheData) {
  CertifyOptions options;
  options.followed = true;
  options.value = KnownRewards{};
  EXPECT_EQ(heads(options),
            (Heads{"One kernel", "Independent people", "First states", "Seeing is blind", "Labels are seen", "Complete",
                   "Followed", "Chosen before", "Staying", "Rewards", "Together"}));
}

TEST(CertificateDocument, SaysWhatTheRecordSaysAboutRowsThatWereLeftOut) {
  LogRecord log;
  EXPECT_EQ(heads({}, log)[5], "Complete");
  log.lost = Lost::none({2, 1, 1});
  EXPECT_EQ(heads({}, log)[5], "Complete");
  log.lost->first(1) = 3;
  log.unlabelled = Tensor<std::int64_t, 4>({2, 1, 1, 2}, 2);
  log.unrecorded_people = 5;
  log.findings = {{Anomaly::missing, "y", 12, "log.csv", 1}, {Anomaly::gap, "", 3, "log.csv", 2}};
  log.excluded = {{"other", 7}};
  const Heads found = heads({}, log);
  EXPECT_EQ(Heads(found.begin() + 5, found.begin() + 10),
            (Heads{"Left out", "Unrecorded", "Unlabelled", "Found in the log", "Outside of the study"}));
  const Heads whole = assumptions_of({}, with_log(log));
  EXPECT_EQ(whole[6].find("Unrecorded: 5 of the people counted came without"), 0u);
  EXPECT_EQ(whole[7].find("Unlabelled: 8 decisions have no label."), 0u);
  EXPECT_EQ(whole[8], "Found in the log: missing y (12), gap (3).");
  EXPECT_EQ(whole[9].find("Outside of the study: groups that were excluded by name, other (7)."), 0u);
}

TEST(CertificateDocument, HasTheBoundsThatWouldHoldHadNothingBeenLost) {
  Certificate made = sample();
  EXPECT_FALSE(written(made).contains("if_nothing_lost"));
  made.if_nothing_lost = IfNothingLost{{{0.5}, {0.25}, {}}, bounds(0).range, bounds(0.5).range, {}, {}};
  const Json found = written(made);
  EXPECT_EQ(found["if_nothing_lost"]["certified_gap"], Json({{"dp", {0.5}}, {"eqopt", {0.25}}}));
  EXPECT_TRUE(found["if_nothing_lost"]["certified_value"].is_null());
  EXPECT_EQ(found["if_nothing_lost"]["rates"]["accept"]["high"], Json({{0.25}, {0.375}, {0.5}}));
  EXPECT_EQ(found["if_nothing_lost"]["rates"].size(), 2u);
  EXPECT_NE(found["statement"].get<std::string>().find("whatever the rows that were left out would have said"),
            std::string::npos);
}

}  // namespace
}  // namespace fairstep
