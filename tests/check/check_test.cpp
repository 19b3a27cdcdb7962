// The checker agrees with what it is to check, and with nothing else: certificates of many kinds hold, and none does
// once a number in it was changed.
#include <fairstep/check/check.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"
#include "tampering.hpp"

namespace fairstep {
namespace {

using Json = nlohmann::json;
using testing::first_mismatch;
using testing::leaves;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

enum class Kind { plain, known_rewards, counted_rewards, followed };

struct Case {
  Kind kind = Kind::plain;
  std::uint64_t people = 1000;
  std::size_t groups = 2, features = 2, horizon = 3;
  std::uint64_t seed = 1;
};

std::string certificate_of(const Case& given) {
  const Model model = random_model(given.seed, given.groups, given.features, given.horizon, 0.9);
  const Policy policy = random_policy(given.seed, model);
  const Policy other = given.kind == Kind::followed ? policy : random_policy(given.seed + 1000, model);
  const Counts counts = unwrap(simulate_counts(model, other, {{given.people, true}, given.seed, 0, 1}));
  CertificateInputs inputs{{"counts.json", to_text(counts)}, {"policy.json", to_text(policy)}, std::nullopt};
  CertifyOptions options;
  options.followed = given.kind == Kind::followed;
  if (given.kind == Kind::counted_rewards) options.value = CountedRewards{model.reward_range(), 0.9};
  if (given.kind == Kind::known_rewards || given.kind == Kind::followed) {
    options.value = KnownRewards{model.spec().reward, model.spec().share, model.spec().discount};
    inputs.model = InputText{"model.json", to_text(model)};
  }
  return to_text(unwrap(certify(counts, policy, options)), counts, inputs);
}

TEST(Check, ConfirmsCertificatesOfEveryKindAndSize) {
  for (const Kind kind : {Kind::plain, Kind::known_rewards, Kind::counted_rewards, Kind::followed})
    for (const std::uint64_t people : {0u, 1u, 30u, 1000u, 1u << 20})
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        if (people == 0 && kind == Kind::counted_rewards) continue;  // no shares can be counted
        const Case given{kind, people, 2 + seed % 2, 1 + seed % 3, 1 + seed % 4, seed};
        EXPECT_EQ(first_mismatch(certificate_of(given)), "") << static_cast<int>(kind) << " " << people << " " << seed;
      }
}

TEST(Check, ConfirmsCertificatesOfAsManyPeopleAsCountsHold) {
  for (const Kind kind : {Kind::known_rewards, Kind::counted_rewards, Kind::followed})
    for (const int power : {40, 47, 52, 57, 59})
      EXPECT_EQ(first_mismatch(certificate_of({kind, std::uint64_t{1} << power, 2, 3, 4, 5})), "") << power;
}

TEST(Check, ConfirmsThatThereIsNoGapWhereEverybodyIsTreatedAlike) {
  // Both ends of both rates are the same number: 0 is their difference exactly, and nothing is to be rounded.
  const Model model = random_model(5, 3, 4, 5, 0.9);
  for (const double everybody : {0.0, 1e-300, 0.1, 1.0 / 3, 0.5, 1 - 1e-16, 1.0}) {
    const Policy policy = unwrap(Policy::make(Tensor<double, 3>({3, 5, 4}, everybody)));
    for (const std::uint64_t people : {3u, 1000u}) {
      const Counts counts = unwrap(simulate_counts(model, policy, {{people, true}, 1, 0, 1}));
      const std::string text =
          to_text(unwrap(certify(counts, policy, {})), counts,
                  {{"counts.json", to_text(counts)}, {"policy.json", to_text(policy)}, std::nullopt});
      EXPECT_EQ(first_mismatch(text), "") << everybody << ", " << people << " people";
    }
  }
}

TEST(Check, CatchesEveryNumberThatWasChanged) {
  std::size_t tried = 0;
  for (const Kind kind : {Kind::plain, Kind::known_rewards, Kind::counted_rewards, Kind::followed}) {
    const Json certificate = Json::parse(certificate_of({kind, 5000, 2, 2, 2, 3}));
    std::vector<std::string> pointers;
    leaves(certificate, "", pointers);
    for (const std::string& pointer : pointers) {
      const Json::json_pointer place(pointer);
      std::vector<Json> others;
      if (certificate[place].is_number()) {
        const double number = certificate[place].get<double>();
        const double step = 1e-7 * std::max(std::abs(number), pointer.starts_with("/delta") ? 0.0 : 1.0);
        others = {number + step, number - step, number / 2 + 0.3, nullptr, "text"};
      } else {
        others = {0.0, 0.5};
      }
      for (const Json& other : others) {
        Json tampered = certificate;
        tampered[place] = other;
        EXPECT_NE(first_mismatch(tampered.dump()), "") << pointer << " became " << other;
        ++tried;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(tried, 1000u);
}

TEST(Check, CatchesEveryKeyThatIsMissingOrNew) {
  const Json certificate = Json::parse(certificate_of({Kind::known_rewards, 5000, 2, 2, 2, 3}));
  for (const auto& [key, value] : certificate.items()) {
    Json tampered = certificate;
    tampered.erase(key);
    EXPECT_NE(first_mismatch(tampered.dump()), "") << key;
  }
  for (const char* place :
       {"", "/rates", "/rates/tpr", "/certified_gap", "/estimated_gap", "/delta_split", "/pairs/0"}) {
    Json tampered = certificate;
    tampered[Json::json_pointer(place)]["more"] = 0.5;
    EXPECT_NE(first_mismatch(tampered.dump()), "") << place;
  }
  Json longer = certificate;
  longer["certified_gap"]["dp"].push_back(0);
  EXPECT_NE(first_mismatch(longer.dump()), "");
}

/// Pointers to everything.
void nodes(const Json& value, const std::string& at, std::vector<std::string>& found) {
  found.push_back(at);
  if (value.is_structured())
    for (const auto& [key, entry] : value.items()) nodes(entry, (Json::json_pointer(at) / key).to_string(), found);
}

TEST(Check, SurvivesEverythingBeingOfAnotherKind) {
  const Json certificate = Json::parse(certificate_of({Kind::known_rewards, 100, 2, 1, 1, 3}));
  std::vector<std::string> pointers;
  nodes(certificate, "", pointers);
  for (const std::string& pointer : pointers) {
    if (pointer.ends_with("/file")) continue;         // any text will do
    if (pointer.starts_with("/diagnosis")) continue;  // is not computed again
    for (const Json& other : {Json(), Json(true), Json("text"), Json::array(), Json::array({1}), Json::object()}) {
      Json tampered = certificate;
      tampered[Json::json_pointer(pointer)] = other;
      if (tampered == certificate) continue;
      EXPECT_NE(first_mismatch(tampered.dump()), "") << pointer << " became " << other;
    }
  }
  Json tampered = certificate;
  tampered["inputs"]["more"] = Json::object();
  EXPECT_NE(first_mismatch(tampered.dump()), "");
}

// Counts and policy are covered by their hashes; with a new hash, by what must go together in them and by the numbers
// that follow.
TEST(Check, CatchesDocumentsThatWereChanged) {
  const Json certificate = Json::parse(certificate_of({Kind::known_rewards, 5000, 2, 2, 2, 3}));
  for (const char* name : {"counts", "policy", "model"}) {
    Json tampered = certificate;
    std::string text = tampered["inputs"][name]["text"];
    const std::size_t digit =
        text.find_first_of("123456789", text.find(std::string(name) == "policy"  ? "accept"
                                                  : std::string(name) == "model" ? "reward"
                                                                                 : "transitions"));
    text[digit] = text[digit] == '9' ? '8' : static_cast<char>(text[digit] + 1);
    tampered["inputs"][name]["text"] = text;
    EXPECT_NE(first_mismatch(tampered.dump()), "") << name;
    tampered["inputs"][name]["sha256"] = sha256(text);
    EXPECT_NE(first_mismatch(tampered.dump()), "") << name;
  }
}

/// All mismatches as "pointer: found, expected ...".
std::vector<std::string> mismatches(const Json& certificate) {
  std::vector<std::string> found;
  for (const Mismatch& one : unwrap(check_certificate(certificate.dump())).mismatches)
    found.push_back(one.pointer + ": " + one.found + ", expected " + one.expected);
  return found;
}

// What is wrong is named where it is, and nothing else is.
TEST(Check, SaysWhatIsWrongAndOnlyThat) {
  const Json certificate = Json::parse(certificate_of({Kind::known_rewards, 5000, 2, 2, 2, 3}));
  using Found = std::vector<std::string>;
  const auto with = [&](const char* pointer, const Json& value) {
    Json changed = certificate;
    changed[Json::json_pointer(pointer)] = value;
    return mismatches(changed);
  };
  EXPECT_EQ(with("/groups", {"a", "c"}), (Found{"/groups: [\"a\",\"c\"], expected " + certificate["groups"].dump()}));
  EXPECT_EQ(with("/statement", "It is fair."),
            (Found{"/statement: \"It is fair.\", expected " + certificate["statement"].dump()}));
  EXPECT_EQ(with("/assumptions/2", "Luck."),
            (Found{"/assumptions/2: \"Luck.\", expected " + certificate["assumptions"][2].dump()}));
  EXPECT_EQ(with("/assumptions", Json::array()).size(), certificate["assumptions"].size());
  EXPECT_EQ(with("/inputs/policy/sha256", ""),
            (Found{"/inputs/policy/sha256: \"\", expected " + certificate["inputs"]["policy"]["sha256"].dump()}));
  EXPECT_EQ(with("/certified_value", nullptr).size(), 1u);
  EXPECT_EQ(with("/certified_value", nullptr)[0].substr(0, 33), "/certified_value: null, expected ");
  EXPECT_EQ(with("/pairs/0/groups", {"b", "a"}),
            (Found{"/pairs/0/groups: [\"b\",\"a\"], expected " + certificate["groups"].dump()}));
}

// An end of a rate that is moved inwards claims too much, outwards too little; and the gap that goes with it changes
// too.
TEST(Check, SaysOnWhichSideARateIsWrong) {
  const Json certificate = Json::parse(certificate_of({Kind::plain, 5000, 2, 2, 2, 3}));
  const auto after = [&](const std::string& pointer, double step) {
    Json changed = certificate;
    Json& number = changed[Json::json_pointer(pointer)];
    number = number.get<double>() + step;
    const std::string first = mismatches(changed).front();
    return first.substr(0, pointer.size()) + first.substr(first.find(", expected ") + 10);
  };
  for (const std::string rate : {"accept", "tpr", "fpr"}) {
    const std::string high = "/rates/" + rate + "/high/1/1";
    const std::string low = "/rates/" + rate + "/low/0/1";
    EXPECT_EQ(after(high, -1e-7), high + " more: the rate can be higher");
    EXPECT_EQ(after(high, 1e-7), high + " less: the data prove a lower bound");
    EXPECT_EQ(after(low, 1e-7), low + " less: the rate can be lower");
    EXPECT_EQ(after(low, -1e-7), low + " more: the data prove a higher bound");
  }
}

// Without rewards there is no value to claim.
TEST(Check, RefusesAValueWhereRewardsAreNotKnown) {
  Json certificate = Json::parse(certificate_of({Kind::plain, 5000, 2, 2, 2, 3}));
  certificate["certified_value"] = 0.5;
  EXPECT_EQ(mismatches(certificate),
            (std::vector<std::string>{"/certified_value: 0.5, expected null, as rewards are not known"}));
}

// Two documents, the statement, ten assumptions, the groups, those of a pair, four shares of delta, then for each of 2
// groups and 2 steps two ends and an estimate of four rates, a pair, the gap and its estimate for three notions at two
// steps, and two values: 2 + 13 + 4 + 48 + 18 + 2. Counted rewards and followed are one assumption and two shares more.
TEST(Check, CountsWhatItCompared) {
  EXPECT_EQ(unwrap(check_certificate(certificate_of({Kind::plain, 500, 2, 2, 2, 3}))).compared, 95u);
  EXPECT_EQ(unwrap(check_certificate(certificate_of({Kind::known_rewards, 500, 2, 2, 2, 3}))).compared, 96u);
  EXPECT_EQ(unwrap(check_certificate(certificate_of({Kind::counted_rewards, 500, 2, 2, 2, 3}))).compared, 98u);
  EXPECT_EQ(unwrap(check_certificate(certificate_of({Kind::followed, 500, 2, 2, 2, 3}))).compared, 99u);
}

// Cause: a diagnosis could be emptied, or say something else, without anybody noticing.
TEST(Check, ADiagnosisAnswersAllQuestionsInTheWordsThatFollowFromTheCounts) {
  const auto changed = [](const std::function<void(nlohmann::json&)>& change) {
    auto whole = nlohmann::json::parse(certificate_of({Kind::plain, 500, 2, 2, 2, 3}));
    change(whole["diagnosis"]);
    const CheckReport report = unwrap(check_certificate(whole.dump()));
    return report.mismatches.empty() ? std::string() : report.mismatches.front().pointer;
  };
  EXPECT_EQ(changed([](auto&) {}), "");
  EXPECT_EQ(changed([](auto& answers) { answers.clear(); }), "/diagnosis");
  EXPECT_EQ(changed([](auto& answers) { answers.erase(0); }), "/diagnosis");
  EXPECT_EQ(changed([](auto& answers) { answers[0]["test"] = "leaving"; }), "/diagnosis");
  EXPECT_EQ(changed([](auto& answers) { answers[0]["sentence"] = "All is well."; }), "/diagnosis/0/sentence");
  EXPECT_EQ(changed([](auto& answers) { answers[0]["p_value"] = 0.5; }), "/diagnosis/0");
}

// One notion at a time: only the rates it is about are there, and are looked at.
TEST(Check, ConfirmsEachNotionByItself) {
  const Model model = random_model(3, 2, 2, 2);
  const Policy policy = random_policy(3, model);
  const Counts counts = unwrap(simulate_counts(model, policy, {{3000, true}, 3, 0, 1}));
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds})
    for (const bool followed : {false, true}) {
      CertifyOptions options;
      options.notions = {notion};
      options.followed = followed;
      Json certificate = Json::parse(to_text(unwrap(certify(counts, policy, options)), counts,
                                             {{"c", to_text(counts)}, {"p", to_text(policy)}, std::nullopt}));
      EXPECT_EQ(mismatches(certificate), std::vector<std::string>{}) << name_of(notion);
      for (const char* rate : {"accept", "tpr", "fpr", "qualified"}) {
        Json changed = certificate;
        if (changed["rates"].contains(rate)) {
          changed["rates"].erase(rate);
        } else {
          changed["rates"][rate] = certificate["rates"].front();
        }
        EXPECT_NE(first_mismatch(changed.dump()), "") << name_of(notion) << " " << rate;
      }
    }
}

TEST(Check, SaysWhatIsNoCertificate) {
  EXPECT_FALSE(check_certificate("{"));
  EXPECT_FALSE(check_certificate("[]"));
  EXPECT_FALSE(check_certificate(R"({"schema": "fairstep/counts/1"})"));
  const auto refused = check_certificate(R"({"schema": "fairstep/certificate/2", "delta": 0.05})", "some.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, "some.json");
}

}  // namespace
}  // namespace fairstep
