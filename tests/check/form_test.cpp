// What a certificate and the documents in it must look like, and what is said if they do not.
#include <fairstep/check/form.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/check/documents.hpp>

#include "whole_certificate.hpp"

namespace fairstep::rigorous {
namespace {

using testing::filled;
using testing::Parts;
using testing::refusal_of;

std::string refused(const std::function<void(Parts&)>& change) {
  Parts parts;
  change(parts);
  return refusal_of(parts.certificate().dump());
}

std::string misfit(const Json& value, const Json& form) {
  const auto ok = check_form(value, form, {2, 3, 4}, "");
  return ok ? "" : ok.error().pointer + ": " + ok.error().message;
}

TEST(Form, EveryKindTakesItsValuesAndNoOthers) {
  const std::vector<Json> values{Json(),
                                 Json(true),
                                 Json(0),
                                 Json(1),
                                 Json(1.0),
                                 Json(-1),
                                 Json(0.5),
                                 Json(-0.5),
                                 Json(1e101),
                                 Json(""),
                                 Json("a"),
                                 Json("a\nb"),
                                 Json("é"),
                                 Json(9223372036854775807u),
                                 Json(9223372036854775808u),
                                 Json::array()};
  const auto taken = [&](const char* kind) {
    std::string which;
    for (const Json& value : values)
      if (misfit(value, kind).empty()) which += value.dump() + " ";
    return which;
  };
  EXPECT_EQ(taken("text"), R"("" "a" "a\nb" "é" )");
  EXPECT_EQ(taken("text?"), R"(null "" "a" "a\nb" "é" )");
  EXPECT_EQ(taken("name"), R"("a" "é" )");
  EXPECT_EQ(taken("flag"), "true ");
  EXPECT_EQ(taken("count"), "0 1 9223372036854775807 ");
  EXPECT_EQ(taken("whole"), "0 1 -1 9223372036854775807 ");
  EXPECT_EQ(taken("seed"), "0 1 9223372036854775807 9223372036854775808 ");
  EXPECT_EQ(taken("probability"), "0 1 1.0 0.5 ");
  EXPECT_EQ(taken("reward"), "0 1 1.0 -1 0.5 -0.5 9223372036854775807 9223372036854775808 ");
  EXPECT_EQ(taken("square"), "0 1 1.0 0.5 1e+101 9223372036854775807 9223372036854775808 ");
  EXPECT_EQ(taken("number"), "0 1 1.0 -1 0.5 -0.5 1e+101 9223372036854775807 9223372036854775808 ");
  EXPECT_EQ(taken("number?"), "null 0 1 1.0 -1 0.5 -0.5 1e+101 9223372036854775807 9223372036854775808 ");
}

TEST(Form, LengthsAreThoseOfTheCounts) {
  EXPECT_EQ(misfit(filled({2, 3, 4, 2}, 0), "count g h x 2"), "");
  EXPECT_EQ(misfit(filled({2, 3, 5, 2}, 0), "count g h x 2"), "/0/0: has 5 entries, expected 4");
  EXPECT_EQ(misfit(filled({2, 3, 4}, 0), "count g h x 2"), "/0/0/0: is 0, expected an array");
  EXPECT_EQ(misfit(filled({2}, 0.5), "count g"), "/0: is 0.5, expected a whole number of 0 to 9223372036854775807");
  EXPECT_EQ(misfit(Json::array(), "text *"), "");
  EXPECT_EQ(misfit({"a", "b", "a"}, "name *"), ": has the name \"a\" twice");
  EXPECT_EQ(misfit({1, std::numeric_limits<std::int64_t>::max()}, "count *"),
            "/1: adds up to more than 9223372036854775807");
}

TEST(Form, KeysAreThoseOfTheForm) {
  const Json form{{"a", "count"}, {"?b", "count"}};
  EXPECT_EQ(misfit({{"a", 1}}, form), "");
  EXPECT_EQ(misfit({{"a", 1}, {"b", 2}}, form), "");
  EXPECT_EQ(misfit({{"b", 2}}, form), ": has no a");
  EXPECT_EQ(misfit({{"a", 1}, {"c", 2}}, form), ": has an unknown key \"c\"");
  EXPECT_EQ(misfit({{"a", 1}, {"?b", 2}}, form), ": has an unknown key \"?b\"");
  EXPECT_EQ(misfit({{"a", 1}, {"*", 2}}, form), ": has an unknown key \"*\"");
  EXPECT_EQ(misfit({{"x", "y"}, {"?", ""}}, Json{{"*", "text"}}), "");
  EXPECT_EQ(misfit(1, form), ": is 1, expected an object");
  EXPECT_EQ(misfit({{{"a", 1}}, {{"a", true}}}, Json::array({form})),
            "/1/a: is true, expected a whole number of 0 to 9223372036854775807");
}

TEST(Documents, AreTakenApart) {
  EXPECT_EQ(refused([](Parts&) {}), "");
  EXPECT_EQ(refused([](Parts& p) { p.with_model = true; }), "");
  EXPECT_EQ(refused([](Parts& p) { p.rest["schema"] = "fairstep/counts/1"; }),
            "/schema: the file holds no certificate");
  EXPECT_EQ(refused([](Parts& p) { p.rest["schema"] = "fairstep/certificate/1"; }),
            "/schema: the certificate is of version 1, which did not account for rows left out of the counts: certify "
            "the counts anew");
  EXPECT_EQ(refused([](Parts& p) { p.counts["schema"] = "fairstep/policy/1"; }),
            "/inputs/counts/text: is no document of schema fairstep/counts/1");
  EXPECT_EQ(refused([](Parts& p) { p.counts["groups"] = {"a"}; }),
            "/inputs/counts/text: has fewer than two groups, no features or no steps");
  EXPECT_EQ(refused([](Parts& p) { p.counts["groups"] = {"a", "a"}; }),
            "/inputs/counts/text/groups: has the name \"a\" twice");
  EXPECT_EQ(refused([](Parts& p) { p.counts["horizon"] = 0; }),
            "/inputs/counts/text: has fewer than two groups, no features or no steps");
  EXPECT_EQ(refused([](Parts& p) { p.counts["horizon"] = 3; }),
            "/inputs/counts/text/visits/0: has 2 entries, expected 3");
  EXPECT_EQ(refused([](Parts& p) { p.policy["accept"] = filled({2, 3, 3}, 0.5); }),
            "/inputs/policy/text/accept/0: has 3 entries, expected 2");
  EXPECT_EQ(refused([](Parts& p) { p.policy["accept"][1][1][2] = 1.5; }),
            "/inputs/policy/text/accept/1/1/2: is 1.5, expected a number between 0 and 1");
  EXPECT_EQ(refused([](Parts& p) {
              p.policy = {{"schema", "fairstep/policy/1"}, {"group_independent", true}, {"accept", filled({2, 3}, 1)}};
            }),
            "");
  EXPECT_EQ(refused([](Parts& p) { p.policy["group_independent"] = true; }),
            "/inputs/policy/text/accept/0: has 2 entries, expected 3");
  EXPECT_EQ(refused([](Parts& p) { p.rest["followed"] = 0; }), "/followed: is 0, expected true or false");
  EXPECT_EQ(refused([](Parts& p) { p.rest["followed"] = -0.999999; }),
            "/followed: is -0.999999, expected true or false");
  EXPECT_EQ(refused([](Parts& p) { p.rest["more"] = 1; }), ": has an unknown key \"more\"");
  EXPECT_EQ(refused([](Parts& p) { p.counts["more"] = 1; }), "/inputs/counts/text: has an unknown key \"more\"");
  EXPECT_EQ(refused([](Parts& p) { p.rest["certified_gap"]["dp"].push_back(1); }),
            "/certified_gap/dp: has 3 entries, expected 2");
}

TEST(Documents, ADesignPartIsCountsToo) {
  const auto split = [](const std::function<void(Parts&)>& change) {
    return refused([&](Parts& p) {
      p.split();
      change(p);
    });
  };
  const std::string at = "/inputs/design/text";
  EXPECT_EQ(split([](Parts&) {}), "");
  EXPECT_EQ(split([](Parts& p) { p.design["schema"] = "fairstep/design/1"; }),
            at + ": is no document of schema fairstep/counts/1");
  EXPECT_EQ(split([](Parts& p) { p.design["more"] = 1; }), at + ": has an unknown key \"more\"");
  EXPECT_EQ(split([](Parts& p) { p.design["first"][1][2][0] = -1; }),
            at + "/first/1/2/0: is -1, expected a whole number of 0 to 9223372036854775807");
  EXPECT_EQ(split([](Parts& p) { p.design["horizon"] = 3; }), at + "/visits/0: has 2 entries, expected 3");
  EXPECT_EQ(split([](Parts& p) { p.design["part"].erase("seed"); }), at + "/part: has no seed");
  EXPECT_EQ(split([](Parts& p) { p.design["part"]["share"] = 2; }),
            at + "/part/share: is 2, expected a number between 0 and 1");
  EXPECT_EQ(split([](Parts& p) { p.rest["bound_by"]["dp"][1] = 0; }), "/bound_by/dp/1: is 0, expected a text");
  EXPECT_EQ(split([](Parts& p) { p.rest["bound_by"]["value"] = 0; }), "/bound_by/value: is 0, expected a text or null");
  EXPECT_EQ(split([](Parts& p) { p.rest["bound_by"].erase("value"); }), "/bound_by: has no value");
}

// Whatever is not JSON to the last byte is no certificate.
TEST(Documents, TextIsTakenAsItIs) {
  const std::string good = Parts{}.certificate().dump();
  EXPECT_EQ(refusal_of(good + "\n"), "");
  EXPECT_NE(refusal_of("\xEF\xBB\xBF" + good).find("begins with a byte order mark"), std::string::npos);
  EXPECT_NE(refusal_of(good + std::string("\0", 1)).find("NUL byte"), std::string::npos);
  EXPECT_NE(refusal_of(good + std::string("\0{}", 3)).find("NUL byte"), std::string::npos);
  for (const std::string& bad : {std::string(), std::string("{"), good + "x", good + good, std::string(100000, '['),
                                 "{\"schema\": NaN}" + std::string(), "\xff" + good})
    EXPECT_NE(refusal_of(bad), "");
  for (const std::string front : {"\xEF\xBB\xBF", ""}) {
    Json inside = Parts{}.certificate();
    Json& text = inside["inputs"]["counts"]["text"];
    text = front + text.get<std::string>() + (front.empty() ? std::string("\0", 1) : "");
    EXPECT_EQ(refusal_of(inside.dump()).substr(0, 19), "/inputs/counts/text");
  }
}

}  // namespace
}  // namespace fairstep::rigorous
