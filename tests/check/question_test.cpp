// What a certificate must have in it to be checked at all, and what is said if it has not.
#include <fairstep/check/question.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace fairstep::rigorous {
namespace {

/// Nested lists of one number.
Json filled(const std::vector<std::size_t>& lengths, const Json& with, std::size_t depth = 0) {
  if (depth == lengths.size()) return with;
  Json list = Json::array();
  for (std::size_t i = 0; i < lengths[depth]; ++i) list.push_back(filled(lengths, with, depth + 1));
  return list;
}

/// The documents of a certificate, before they are put into it as text. Two groups, three features, two steps.
struct Documents {
  Json counts{{"schema", "fairstep/counts/1"},
              {"groups", {"a", "b"}},
              {"features", {"x", "y", "z"}},
              {"horizon", 2},
              {"first", filled({2, 3, 2}, 4)},
              {"visits", filled({2, 2, 3, 2, 2}, 5)},
              {"transitions", filled({2, 3, 2, 2, 3, 2}, 6)},
              {"reward_sum", filled({2, 3, 2, 2}, -7.5)}};
  Json policy{{"schema", "fairstep/policy/1"}, {"accept", filled({2, 2, 3}, 0.25)}};
  Json model{{"schema", "fairstep/model/1"},        {"groups", {"a", "b"}},  {"horizon", 2},
             {"reward", filled({2, 3, 2, 2}, 1.5)}, {"share", {0.25, 0.75}}, {"discount", 0.5}};
  Json rest{{"delta", 0.05}, {"followed", false}, {"certified_gap", {{"dp", {1, 1}}}}};
  bool with_model = false;
};

Json certificate_of(const Documents& documents) {
  Json certificate = documents.rest;
  if (!certificate.contains("inputs")) {
    certificate["inputs"]["counts"]["text"] = documents.counts.dump();
    certificate["inputs"]["policy"]["text"] = documents.policy.dump();
    if (documents.with_model) certificate["inputs"]["model"]["text"] = documents.model.dump();
  }
  return certificate;
}

using Change = std::function<void(Documents&)>;

/// "pointer: message" of what is refused after a change; empty if nothing is.
std::string refused(const Change& change) {
  Documents documents;
  change(documents);
  const auto found = question_of(certificate_of(documents));
  return found ? "" : found.error().pointer + ": " + found.error().message;
}

TEST(Question, IsReadFromItsDocuments) {
  Documents documents;
  documents.rest["followed"] = true;
  documents.rest["certified_gap"] = {{"eqopt", {1, 1}}, {"eqodds", {1, 1}}};
  const auto q = question_of(certificate_of(documents));
  ASSERT_TRUE(q) << q.error().message;
  EXPECT_EQ(q->groups, 2u);
  EXPECT_EQ(q->horizon, 2u);
  EXPECT_EQ(q->features, 3u);
  EXPECT_EQ(q->states, 6u);
  EXPECT_EQ(q->cells, 12u);
  EXPECT_EQ(q->names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(q->delta, 0.05);
  EXPECT_TRUE(q->followed);
  EXPECT_FALSE(q->dp);
  EXPECT_TRUE(q->eqopt && q->eqodds);
  EXPECT_EQ(q->accept, std::vector<Real>(12, 0.25L));
  EXPECT_EQ(q->first, std::vector<Real>(12, 4));
  EXPECT_EQ(q->visits, std::vector<Real>(48, 5));
  EXPECT_EQ(q->transitions, std::vector<Real>(144, 6));
  EXPECT_EQ(q->reward, std::vector<Real>(24, -7.5L));
  EXPECT_EQ(q->value, Question::Value::none);
  EXPECT_EQ(q->discount, 1);
}

TEST(Question, APolicyForAllAlikeIsCopiedForEachGroup) {
  Documents documents;
  documents.policy["group_independent"] = true;
  documents.policy["accept"] = {{0.125, 0.25, 0.5}, {0, 1, 0.75}};
  const auto q = question_of(certificate_of(documents));
  ASSERT_TRUE(q) << q.error().message;
  EXPECT_EQ(q->accept, (std::vector<Real>{0.125L, 0.25L, 0.5L, 0, 1, 0.75L, 0.125L, 0.25L, 0.5L, 0, 1, 0.75L}));
  EXPECT_EQ(q->accepted(1, 1, 2), 0.75L);
  EXPECT_EQ(q->accepted(1, 0, 1), 0.25L);
}

TEST(Question, RewardsAreKnownFromAModel) {
  Documents documents;
  documents.with_model = true;
  const auto q = question_of(certificate_of(documents));
  ASSERT_TRUE(q) << q.error().message;
  EXPECT_EQ(q->value, Question::Value::known);
  EXPECT_EQ(q->reward, std::vector<Real>(24, 1.5L));
  EXPECT_EQ(q->share, (std::vector<Real>{0.25L, 0.75L}));
  EXPECT_EQ(q->discount, 0.5L);
  documents.model.erase("discount");
  EXPECT_EQ(question_of(certificate_of(documents))->discount, 1);
}

TEST(Question, RewardsAreCountedWithinTheirRange) {
  Documents documents;
  documents.rest["reward_range"] = {-1, 2};
  documents.rest["discount"] = 0.75;
  const auto q = question_of(certificate_of(documents));
  ASSERT_TRUE(q) << q.error().message;
  EXPECT_EQ(q->value, Question::Value::counted);
  EXPECT_EQ(q->least, -1);
  EXPECT_EQ(q->greatest, 2);
  EXPECT_EQ(q->discount, 0.75L);
  EXPECT_EQ(q->reward, std::vector<Real>(24, -7.5L));
  for (const Json& range : {Json{0, 0}, Json{2, 2}}) {
    documents.rest["reward_range"] = range;
    documents.rest["discount"] = range[0] == 0 ? 0 : 1;
    EXPECT_TRUE(question_of(certificate_of(documents))) << range;
  }
}

TEST(Question, SaysWhatIsMissingOrWrongInTheCertificate) {
  const auto rest = [](const char* key, const Json& value) {
    return refused([&](Documents& d) { d.rest[key] = value; });
  };
  const auto without = [](const char* key) { return refused([&](Documents& d) { d.rest.erase(key); }); };
  EXPECT_EQ(without("delta"), "/delta: delta is missing");
  EXPECT_EQ(rest("delta", "0.05"), "/delta: delta is missing");
  for (const Json& delta : {Json(0), Json(1), Json(-0.5), Json(1.5)})
    EXPECT_EQ(rest("delta", delta), "/delta: delta is not between 0 and 1");
  EXPECT_EQ(without("followed"), "/followed: followed is missing");
  EXPECT_EQ(rest("followed", 1), "/followed: followed is missing");
  EXPECT_EQ(without("certified_gap"), "/certified_gap: certified_gap is missing");
  EXPECT_EQ(rest("certified_gap", {1, 2}), "/certified_gap: certified_gap is missing");
  EXPECT_EQ(rest("certified_gap", {{"other", 1}}), "/certified_gap: certified_gap has no notion");
  for (const char* notion : {"dp", "eqopt", "eqodds"}) EXPECT_EQ(rest("certified_gap", {{notion, {1, 1}}}), "");
  EXPECT_EQ(rest("inputs", 3), "/inputs: inputs are missing");
  Json without_inputs = certificate_of({});
  without_inputs.erase("inputs");
  EXPECT_EQ(question_of(without_inputs).error().pointer, "/inputs");
  EXPECT_EQ(rest("inputs", {{"counts", 1}}), "/inputs/counts/text: the document is missing");
  EXPECT_EQ(rest("inputs", {{"counts", {{"text", 1}}}}), "/inputs/counts/text: the document is missing");
  EXPECT_EQ(rest("inputs", {{"counts", {{"text", "[]"}}}}),
            "/inputs/counts/text: is no document of schema fairstep/counts/1");
  EXPECT_NE(rest("inputs", {{"counts", {{"text", "{"}}}}).find("/inputs/counts/text: "), std::string::npos);
}

TEST(Question, SaysWhatIsMissingOrWrongInTheCounts) {
  const std::string at = "/inputs/counts/text";
  const auto counts = [](const char* key, const Json& value) {
    return refused([&](Documents& d) { d.counts[key] = value; });
  };
  const auto without = [](const char* key) { return refused([&](Documents& d) { d.counts.erase(key); }); };
  EXPECT_EQ(counts("schema", "fairstep/policy/1"), at + ": is no document of schema fairstep/counts/1");
  for (const char* key : {"groups", "features"}) {
    EXPECT_EQ(without(key), at + ": " + key + " is missing");
    EXPECT_EQ(counts(key, "a"), at + ": " + key + " is missing");
    EXPECT_EQ(counts(key, {"a", 2}), at + ": " + key + " has an entry that is no text");
  }
  EXPECT_EQ(counts("groups", {"a"}), at + ": there are fewer than two groups, or no features");
  EXPECT_EQ(counts("features", Json::array()), at + ": there are fewer than two groups, or no features");
  EXPECT_EQ(without("horizon"), at + ": horizon is missing");
  for (const Json& horizon : {Json(0), Json(-1), Json(1.5), Json("2")})
    EXPECT_EQ(counts("horizon", horizon), at + ": horizon is missing");
  for (const char* key : {"first", "visits", "transitions", "reward_sum"})
    EXPECT_EQ(without(key), at + ": " + key + " is missing");
  EXPECT_EQ(counts("first", filled({3, 3, 2}, 4)), at + "/first: is not an array of 2");
  EXPECT_EQ(counts("first", filled({2, 2, 2}, 4)), at + "/first/0: is not an array of 3");
  EXPECT_EQ(counts("first", filled({2, 3, 3}, 4)), at + "/first/0/0: is not an array of 2");
  EXPECT_EQ(counts("visits", filled({2, 3, 3, 2, 2}, 4)), at + "/visits/0: is not an array of 2");
  EXPECT_EQ(counts("reward_sum", filled({2, 3, 2, 2}, "much")), at + "/reward_sum/0/0/0/0: is no number");
  for (const char* key : {"first", "visits", "transitions"}) {
    Documents documents;
    for (const Json& no_count : {Json(-1), Json(0.5), Json(-0.5)}) {
      Json table = documents.counts[key];
      Json* last = &table;
      while (last->is_array()) last = &last->back();
      *last = no_count;
      EXPECT_EQ(counts(key, table), std::string(": ") + key + " has an entry that is no count") << no_count;
    }
  }
  EXPECT_EQ(counts("log", {{"censored", "no"}}), "");
  EXPECT_EQ(counts("log", {{"censored", "drop"}}),
            at + ": the counts are of people whose labels are censored, about whom nothing is proven");
}

TEST(Question, SaysWhatIsMissingOrWrongInThePolicy) {
  const std::string at = "/inputs/policy/text";
  const auto policy = [](const char* key, const Json& value) {
    return refused([&](Documents& d) { d.policy[key] = value; });
  };
  EXPECT_EQ(policy("schema", "fairstep/counts/1"), at + ": is no document of schema fairstep/policy/1");
  EXPECT_EQ(refused([](Documents& d) { d.policy.erase("accept"); }), at + ": accept is missing");
  EXPECT_EQ(policy("accept", filled({2, 3}, 0.5)), at + "/accept/0: is not an array of 2");
  EXPECT_EQ(policy("accept", filled({2, 2, 3}, 0)), "");
  EXPECT_EQ(policy("accept", filled({2, 2, 3}, 1)), "");
  EXPECT_EQ(policy("accept", filled({2, 2, 3}, 1.5)), at + ": accept has an entry that is no probability");
  EXPECT_EQ(policy("accept", filled({2, 2, 3}, -0.5)), at + ": accept has an entry that is no probability");
  EXPECT_EQ(policy("group_independent", true), at + "/accept/0: is not an array of 3");
  EXPECT_EQ(policy("groups", {"a", "b"}), "");
  EXPECT_EQ(policy("groups", {"b", "a"}), at + ": groups are not those of the counts");
  EXPECT_EQ(policy("groups", 3), at + ": groups is missing");
}

TEST(Question, SaysWhatIsMissingOrWrongAboutRewards) {
  const std::string at = "/inputs/model/text";
  const auto model = [](const char* key, const Json& value) {
    return refused([&](Documents& d) {
      d.with_model = true;
      d.model[key] = value;
    });
  };
  const auto without = [](const char* key) {
    return refused([&](Documents& d) {
      d.with_model = true;
      d.model.erase(key);
    });
  };
  const auto counted = [](const Json& range, const Json& discount) {
    return refused([&](Documents& d) {
      d.rest["reward_range"] = range;
      if (!discount.is_null()) d.rest["discount"] = discount;
    });
  };
  EXPECT_EQ(refused([](Documents& d) {
              d.with_model = true;
              d.rest["reward_range"] = {0, 1};
            }),
            "/reward_range: rewards are both known and counted");
  EXPECT_EQ(model("schema", "other"), at + ": is no document of schema fairstep/model/1");
  EXPECT_EQ(without("groups"), at + ": groups is missing");
  EXPECT_EQ(model("groups", {"a", "c"}), at + ": groups or horizon are not those of the counts");
  EXPECT_EQ(model("horizon", 3), at + ": groups or horizon are not those of the counts");
  EXPECT_EQ(without("reward"), at + ": reward is missing");
  EXPECT_EQ(without("share"), at + ": share is missing");
  EXPECT_EQ(model("share", {1}), at + "/share: is not an array of 2");
  EXPECT_EQ(model("discount", "1"), at + "/discount: is no number");
  EXPECT_EQ(counted({0}, 1), "/reward_range: is not an array of 2");
  EXPECT_EQ(counted({0, 1}, nullptr), ": discount is missing");
  EXPECT_EQ(counted({1, 0}, 1), "/reward_range: is impossible");
  EXPECT_EQ(counted({0, 1}, 1.5), "/reward_range: is impossible");
  EXPECT_EQ(counted({0, 1}, -0.5), "/reward_range: is impossible");
}

}  // namespace
}  // namespace fairstep::rigorous
