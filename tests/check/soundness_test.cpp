// Documents and settings that cannot be true together are no certificate.
#include <fairstep/check/soundness.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "whole_certificate.hpp"

namespace fairstep::rigorous {
namespace {

using testing::filled;
using testing::Parts;
using testing::refusal_of;
using Change = std::function<void(Parts&)>;

std::string found_unsound(const Change& change) {
  Parts parts;
  change(parts);
  return refusal_of(parts.certificate().dump());
}

TEST(Soundness, QuestionsAreReadFromTheirDocuments) {
  Parts parts;
  parts.count_rewards();
  parts.add_log(3);
  parts.policy = {
      {"schema", "fairstep/policy/1"}, {"group_independent", true}, {"accept", {{0, 1, 0.5}, {0.25, 0, 1}}}};
  const auto documents = documents_of(parts.certificate().dump());
  ASSERT_TRUE(documents) << documents.error().message;
  const Question q = question_of(*documents);
  EXPECT_EQ(q.accepted(1, 1, 2), 1);
  EXPECT_EQ(q.accepted(1, 0, 2), 0.5L);
  EXPECT_EQ(q.lost.transitions, std::vector<Real>(24, 3));
  EXPECT_TRUE(q.lost.any);
  EXPECT_FALSE(without_losses(q).lost.any);
  EXPECT_EQ(q.people(1), 24);
  EXPECT_EQ(q.visits_of(0, 5), 24);
  EXPECT_EQ(q.visits_at(1, 1), 144);
  EXPECT_EQ(q.least, -1);
  EXPECT_EQ(q.discount, 0.75L);
}

TEST(Soundness, SettingsAreWithinTheirRanges) {
  for (const Json& delta : {Json(0), Json(1), Json(-0.5), Json(1.5)})
    EXPECT_EQ(found_unsound([&](Parts& p) { p.rest["delta"] = delta; }).substr(0, 10), "/delta: is") << delta;
  EXPECT_EQ(found_unsound([](Parts& p) { p.policy["groups"] = {"b", "c"}; }),
            "/inputs/policy/text/groups: are not those of the counts");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["discount"] = 0.5; }), "/reward_range: goes together with discount");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.count_rewards();
              p.with_model = true;
            }),
            "/reward_range: rewards are both known and counted");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["followed"] = true; }),
            "/delta_split: has the keys ball, interval, row, rows, expected ball, followed, interval, row, rows, tail");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.rest["followed"] = true;
              p.rest["delta_split"]["followed"] = p.rest["delta_split"]["tail"] = 0.01;
            }),
            "/followed: group \"a\" has more decisions at step 0 than people: they did not follow the policy");
}

TEST(Soundness, KeysGoWithWhatWasAsked) {
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["estimated_gap"]["eqopt"] = {0, 0}; }),
            "/estimated_gap: has the keys dp, eqopt, expected dp");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["certified_gap"] = Json::object(); }), "/certified_gap: has no notion");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["rates"]["qualified"] = p.rest["rates"]["accept"]; }),
            "/rates: has the keys accept, qualified, expected accept");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["pairs"] = Json::array(); }), "/pairs: has 0 pairs, expected 1");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["pairs"][0].erase("dp"); }),
            "/pairs/0: has the keys groups, expected dp, groups");
  EXPECT_EQ(found_unsound([](Parts& p) { p.add_log(1); }), "");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.add_log(1);
              p.rest.erase("if_nothing_lost");
            }),
            "/if_nothing_lost: goes with counts that lost rows");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.add_log(1);
              p.rest["if_nothing_lost"]["rates"] = Json::object();
            }),
            "/if_nothing_lost/rates: has the keys , expected accept");
}

TEST(Soundness, CountsArePossible) {
  const std::string at = "/inputs/counts/text/";
  EXPECT_EQ(found_unsound([](Parts& p) { p.counts["transitions"][0][1][1][0][2][1] = 8; }),
            at +
                "transitions: transitions of group \"a\", x=1, y=1, a=0 add up to more than its visits before the last "
                "step");
  EXPECT_EQ(found_unsound([](Parts& p) { p.counts["first"][1][2][0] = 37; }),
            at + "visits: visits of group \"b\", x=2, y=0 are fewer than first seen there and transitions to there");
  EXPECT_EQ(found_unsound([](Parts& p) { p.counts["first"][1][2][0] = 36; }), "");
  EXPECT_EQ(found_unsound([](Parts& p) { p.counts["reward_squares"][0][0][0][1] = 5.9; }),
            at + "reward_sum: reward_sum of group \"a\", x=0, y=0, a=1 is more than reward_squares allows");
  EXPECT_EQ(found_unsound([](Parts& p) { p.counts["reward_squares"][0][0][0][1] = 6; }), "");
  EXPECT_EQ(found_unsound([](Parts& p) {
              for (Json& step : p.counts["visits"][0]) step[0][0][0] = 0;
              p.counts["transitions"][0][0][0][0] = filled({3, 2}, 0);
            }),
            at + "reward_sum: rewards of group \"a\", x=0, y=0, a=0 come without a visit");
}

// Rows that were left out are known by number and place, or nothing is proven.
TEST(Soundness, WhatALogLostIsKnown) {
  const std::string at = "/inputs/counts/text/log";
  const auto with_log = [](const Change& change) {
    return found_unsound([&](Parts& p) {
      p.add_log(0);
      change(p);
    });
  };
  EXPECT_EQ(with_log([](Parts&) {}), "");
  EXPECT_EQ(with_log([](Parts& p) { p.counts["log"]["censored"] = "drop"; }), "");
  EXPECT_EQ(with_log([](Parts& p) { p.counts["log"]["censored"] = "yes"; }), at + "/censored: is no such word");
  const std::string drawn = at + "/censored: labels of the counts were drawn, not seen: nothing is proven";
  EXPECT_EQ(with_log([](Parts& p) { p.counts["log"]["censored"] = "assume-ignorable"; }), drawn);
  EXPECT_EQ(with_log([](Parts& p) { p.counts["log"]["imputed"] = 1; }), drawn);
  const auto finding = [](const char* kind, int rows) {
    return Json{{"kind", kind}, {"rows", rows}, {"file", "log.csv"}, {"row", 0}};
  };
  EXPECT_EQ(with_log([&](Parts& p) { p.counts["log"]["findings"] = Json::array({finding("missing", 3)}); }), "");
  EXPECT_EQ(with_log([&](Parts& p) { p.counts["log"]["findings"] = Json::array({finding("missed", 3)}); }),
            at + "/findings: has one of no known kind");
  EXPECT_EQ(with_log([&](Parts& p) { p.counts["log"]["findings"] = Json::array({finding("gap", 0)}); }),
            at + "/findings: has one of no known kind");
  EXPECT_EQ(with_log([](Parts& p) { p.counts["log"]["lost"]["first_in_doubt"][1] = 1; }).substr(0, 16),
            "/if_nothing_lost");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.add_log(2);
              p.counts["log"]["lost"]["first"][1] = 1;
            }),
            at + "/lost/first_in_doubt: has more people in doubt than are missing");
  // Records of before this was kept.
  for (const char* kind : {"malformed", "missing", "unreadable", "unknown", "conflict", "group-change"})
    EXPECT_EQ(with_log([&](Parts& p) {
                p.counts["log"].erase("lost");
                p.counts["log"]["findings"] = Json::array({finding(kind, 1)});
              }),
              at + ": rows were left out of the counts, and nobody wrote down where: count the log anew");
  for (const char* kind : {"out-of-range", "out-of-order", "duplicate", "gap"})
    EXPECT_EQ(with_log([&](Parts& p) {
                p.counts["log"].erase("lost");
                p.counts["log"]["findings"] = Json::array({finding(kind, 1)});
              }),
              "");
  for (const int unlabelled : {0, 1})
    EXPECT_EQ(with_log([&](Parts& p) {
                p.counts["log"].erase("lost");
                p.counts["log"]["unlabelled"] = filled({2, 2, 3, 2}, 0);
                p.counts["log"]["unlabelled"][1][0][2][1] = unlabelled;
              }).empty(),
              unlabelled == 0);
}

// One part proves what the other was looked at for: it must be the other one, of the same people.
TEST(Soundness, PartsAreThoseOfOneSplit) {
  const auto split = [](const Change& change) {
    return found_unsound([&](Parts& p) {
      p.split();
      change(p);
    });
  };
  const std::string counts = "/inputs/counts/text";
  const std::string design = "/inputs/design/text";
  EXPECT_EQ(split([](Parts&) {}), "");
  EXPECT_EQ(split([](Parts& p) { p.design = p.counts; }), design + "/part/role: is \"audit\", expected \"design\"");
  EXPECT_EQ(split([](Parts& p) { p.counts = p.design; }), counts + "/part/role: is \"design\", expected \"audit\"");
  EXPECT_EQ(split([](Parts& p) { std::swap(p.counts, p.design); }),
            counts + "/part/role: is \"design\", expected \"audit\"");
  EXPECT_EQ(split([](Parts& p) { p.counts.erase("part"); }),
            counts + ": is no part of a split, expected its audit part");
  EXPECT_EQ(split([](Parts& p) { p.design.erase("part"); }),
            design + ": is no part of a split, expected its design part");
  const std::string other = ": is not that of the audit part: they are parts of different splits";
  EXPECT_EQ(split([](Parts& p) { p.design["part"]["seed"] = 8; }), design + "/part/seed" + other);
  EXPECT_EQ(split([](Parts& p) { p.design["part"]["share"] = 0.5; }), design + "/part/share" + other);
  EXPECT_EQ(split([](Parts& p) { p.design["part"]["logs"][0] = std::string(64, '0'); }), design + "/part/logs" + other);
  EXPECT_EQ(split([](Parts& p) { p.design["part"]["logs"].push_back(std::string(64, 'b')); }),
            design + "/part/logs" + other);
  EXPECT_EQ(split([](Parts& p) { p.design["groups"] = {"b", "a"}; }),
            design + "/groups: is not that of the audit part");
  EXPECT_EQ(split([](Parts& p) { p.design["features"] = {"x", "y", "w"}; }),
            design + "/features: is not that of the audit part");
  EXPECT_EQ(split([](Parts& p) {
              p.design["horizon"] = 1;
              p.design["visits"] = filled({2, 1, 3, 2, 2}, 12);
            }),
            design + "/horizon: is not that of the audit part");
  // Both say the same, and it can be that of no split.
  const auto both = [&](const char* key, const Json& value) {
    return split([&](Parts& p) { p.counts["part"][key] = p.design["part"][key] = value; });
  };
  EXPECT_EQ(both("share", 0), counts + "/part/share: is 0, expected more than 0 and less than 1");
  EXPECT_EQ(both("share", 1), counts + "/part/share: is 1, expected more than 0 and less than 1");
  EXPECT_EQ(both("seed", 18446744073709551615u), "");
  EXPECT_EQ(both("logs", Json::array()), counts + "/part/logs: is empty, expected the fingerprint of a log");
  const std::string one(64, 'a'), other_one(64, 'b');
  for (const Json& logs : {Json::array({other_one, one}), Json::array({one, one + "b"}), Json::array({one, "x"}),
                           Json::array({one, std::string(64, 'B')})})
    EXPECT_EQ(both("logs", logs), counts + "/part/logs: are no fingerprints in order");
  EXPECT_EQ(both("role", "all"), counts + "/part/role: is \"all\", expected design or audit");
}

TEST(Soundness, WhatGoesWithADesignPartGoesWithNothingElse) {
  const auto after_split = [](const Change& change) {
    return found_unsound([&](Parts& p) {
      p.split();
      change(p);
    });
  };
  EXPECT_EQ(after_split([](Parts& p) { p.design = Json(); }),
            "/delta_split: has the keys ball, directions, interval, path, question, row, rows, expected ball, "
            "interval, row, rows");
  EXPECT_EQ(after_split([](Parts& p) { p.rest["delta_split"].erase("path"); }).substr(0, 12), "/delta_split");
  EXPECT_EQ(after_split([](Parts& p) { p.rest.erase("bound_by"); }), "/bound_by: goes with a design part");
  EXPECT_EQ(after_split([](Parts& p) { p.rest["bound_by"]["eqopt"] = p.rest["bound_by"]["dp"]; }),
            "/bound_by: has the keys dp, eqopt, value, expected dp, value");
  EXPECT_EQ(found_unsound([](Parts& p) { p.rest["bound_by"] = {{"dp", {"split", "split"}}, {"value", nullptr}}; }),
            "/bound_by: goes with a design part");
  // Counts of one part alone are counts like all others.
  for (const char* role : {"design", "audit"})
    EXPECT_EQ(found_unsound([&](Parts& p) {
                p.counts["part"] = {{"role", role}, {"share", 0.25}, {"seed", 7}, {"logs", {std::string(64, 'a')}}};
              }),
              "");
  EXPECT_EQ(after_split([](Parts& p) {
              p.count_rewards();
              p.rest["bound_by"]["value"] = "split";
              p.design["first"] = filled({2, 3, 2}, 0);
            }),
            "/reward_range: nobody was counted in the design part, so that shares are not known");
}

TEST(Soundness, AModelIsAboutTheSamePeople) {
  const std::string at = "/inputs/model/text";
  const auto model = [](const char* key, const Json& value) {
    return found_unsound([&](Parts& p) {
      p.with_model = true;
      p.model[key] = value;
    });
  };
  EXPECT_EQ(model("groups", {"a", "c"}), at + "/groups: is not that of the counts");
  EXPECT_EQ(model("features", {"w", "y", "x"}), at + "/features: is not that of the counts");
  EXPECT_EQ(model("horizon", 3), at + "/horizon: is not that of the counts");
  EXPECT_EQ(model("share", {-1, 2}), at + "/share/0: is -1, expected a number between 0 and 1");
  EXPECT_EQ(model("share", {0.25, 0.5}), at + ": has a distribution that does not sum to 1");
  EXPECT_EQ(model("share", {0, 1}), at + "/share/0: is 0 for a group that people were counted of");
  EXPECT_EQ(model("transition", filled({2, 3, 2, 2, 3, 2}, 0.2)), at + ": has a distribution that does not sum to 1");
  EXPECT_EQ(model("discount", 0), at + "/discount: is 0, expected more");
  EXPECT_EQ(model("discount", -1), at + "/discount: is -1, expected a number between 0 and 1");
  EXPECT_EQ(model("reward_noise", filled({2, 3, 2, 2}, -1)), at + "/reward_noise: is below 0");
  EXPECT_EQ(model("rests_on", {{"whatever", 1}}),
            at + "/rests_on: the model is an estimate, expected one whose rewards and shares are known");
}

// Cause: only whoever makes certificates compared rewards of the model with those counted, and nobody its rows.
TEST(Soundness, TheCountsDoNotRefuteTheModel) {
  const auto model = [](const char* key, const Json& value, int lost) {
    return found_unsound([&](Parts& p) {
      p.with_model = true;
      if (lost > 0) p.add_log(lost);
      p.model[key][0] = value;
    });
  };
  const std::string at = "/inputs/model/text/";
  const std::string refuted = ": the counts refute it: they are not of people of this model";
  const Json far = {{1, 0}, {0, 0}, {0, 0}};
  EXPECT_EQ(model("initial", filled({3, 2}, 1 / 6.), 0), "");
  EXPECT_EQ(model("initial", far, 0), at + "initial/0" + refuted);
  EXPECT_EQ(model("initial", far, 1000), "");  // they may be those that were lost
  EXPECT_EQ(model("transition", filled({3, 2, 2}, far), 0), at + "transition/0/0/0/0" + refuted);
  const Json near = {{0.5, 0.1}, {0.1, 0.1}, {0.1, 0.1}};  // of six people each went to another state
  EXPECT_EQ(model("transition", filled({3, 2, 2}, near), 0), "");
  EXPECT_EQ(model("reward", filled({3, 2, 2}, 0.5), 0), at + "reward/0/0/0/0: the counted rewards refute it");
  EXPECT_EQ(model("reward", filled({3, 2, 2}, -0.51), 0), "");
}

// Cause: nothing read the history inside of a certificate.
TEST(Soundness, TheHistoryAddsUpToTheCounts) {
  const auto history = [](const std::function<void(Json&)>& change) {
    return found_unsound([&](Parts& p) {
      Json& of = p.counts["history"];
      of = {{"departures", filled({2, 2, 3, 2, 2}, 0)},
            {"arrivals", filled({2, 2, 3, 2}, 0)},
            {"pairs", filled({2, 3, 2, 2, 3, 2, 2}, 0)},
            {"after_pairs", filled({2, 3, 2, 2, 3, 2}, 0)},
            {"unseen", filled({2, 5, 3, 2, 2}, 0)}};
      for (std::size_t g = 0; g < 2; ++g) {
        of["departures"][g][0] = filled({3, 2, 2}, 6);
        of["arrivals"][g][1] = filled({3, 2}, 12);
        of["unseen"][g][0] = filled({3, 2, 2}, 6);
      }
      change(of);
    });
  };
  const std::string at = "/inputs/counts/text/history";
  EXPECT_EQ(history([](Json&) {}), "");
  EXPECT_EQ(history([](Json& of) { of["departures"][1][0][0][0][0] = 5; }),
            at + "/departures: of group 1 does not add up to the counts");
  EXPECT_EQ(history([](Json& of) { of["arrivals"][0][1][2][1] = 13; }),
            at + "/departures: of group 0 does not add up to the counts");
  EXPECT_EQ(history([](Json& of) { of["unseen"][0][4][0][0][0] = 1; }),
            at + "/pairs: of group 0 does not add up to the counts");
  EXPECT_EQ(history([](Json& of) { of["pairs"][0][0][0][0][0][0][0] = 1; }),
            at + "/pairs: of group 0 does not add up to the counts");
  EXPECT_EQ(history([](Json& of) { of.erase("arrivals"); }),
            at + ": has one of departures and arrivals, expected both or neither");
  EXPECT_EQ(history([](Json& of) { of.erase("unseen"); }),
            at + ": has some of pairs, after_pairs and unseen, expected all or none");
  EXPECT_EQ(history([](Json& of) { of["more"] = 1; }), at + ": has an unknown key \"more\"");
  const Json window{
      {"from", "2024-01-01"}, {"departures", filled({2, 3, 2, 2}, 3)}, {"arrivals", filled({2, 3, 2}, 6)}};
  EXPECT_EQ(history([&](Json& of) { of["windows"] = {window, window}; }), at + "/windows: are not in order");
  EXPECT_EQ(history([&](Json& of) { of["windows"] = Json::array({window}); }),
            at + "/windows: of group 0 does not add up to the counts");
}

// Cause: --reward-range 5,6 with counted means of -0.5 gave a value of at least 10.
TEST(Soundness, CountedRewardsLieWithinTheirRange) {
  const auto counted = [](const Json& range, const Json& discount) {
    return found_unsound([&](Parts& p) {
      p.count_rewards();
      p.rest["reward_range"] = range;
      p.rest["discount"] = discount;
    });
  };
  EXPECT_EQ(counted({-1, 2}, 1), "");
  EXPECT_EQ(counted({-1, 2}, 0), "");
  EXPECT_EQ(counted({2, -1}, 1), "/reward_range: is not in order");
  EXPECT_EQ(counted({1, -1}, -1), "/discount: is -1, expected a number between 0 and 1");
  const std::string outside = "/reward_range: counted rewards of group \"a\", x=0, y=0, a=0 lie outside of it";
  EXPECT_EQ(counted({5, 6}, 1), outside);
  EXPECT_EQ(counted({-0.4, 6}, 1), outside);
  EXPECT_EQ(counted({-6, -0.6}, 1), outside);
  EXPECT_EQ(counted({-0.52, -0.48}, 1), outside);  // 24 rewards of mean -0.5 cannot vary that much
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.count_rewards();
              p.add_log(0);
              p.counts["log"]["columns"] = Json::object();
            }),
            "/reward_range: the log has no rewards");
  EXPECT_EQ(found_unsound([](Parts& p) {
              p.count_rewards();
              p.counts["first"] = filled({2, 3, 2}, 0);
            }),
            "/reward_range: nobody was counted, so that shares are not known");
}

}  // namespace
}  // namespace fairstep::rigorous
