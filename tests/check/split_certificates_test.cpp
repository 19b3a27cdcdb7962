// Certificates of two parts as they are made: they hold, and none does once a number, a word or a part was changed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/core/part.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/environments/environments.hpp>
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

enum class Rewards { none, known, counted };

struct Asked {
  Rewards rewards = Rewards::none;
  bool followed = false;
  std::int64_t lost = 0;  ///< from every entry of the audit part
  std::vector<Notion> notions{Notion::dp, Notion::eqopt, Notion::eqodds};
};

LogRecord record_of(const Shape& n, std::int64_t lost) {
  LogRecord record;
  record.files = {"log.csv"};
  record.columns = {{"reward", "r"}};
  record.lost = Lost::none(n);
  const auto fill = [&](auto& tensor) { std::fill(tensor.flat().begin(), tensor.flat().end(), lost); };
  fill(record.lost->first);
  fill(record.lost->first_in_doubt);
  fill(record.lost->decisions);
  fill(record.lost->cells);
  fill(record.lost->transitions);
  return record;
}

/// So many people of each group, 30 % of them in the design part.
std::string split_certificate(const Model& model, const Policy& policy, const Asked& asked, std::uint64_t people,
                              std::uint64_t seed) {
  const Policy treated = asked.followed ? policy : random_policy(seed + 1000, model);
  const std::uint64_t design_people = people * 3 / 10;
  const auto part = [&](PartRole role, std::uint64_t size, std::int64_t lost) {
    CountsSpec spec =
        unwrap(simulate_counts(model, treated, {{size, true}, seed, role == PartRole::design ? 1u : 2u, 1})).spec();
    spec.part = Part{role, {0.3, seed}, {std::string(64, 'a'), std::string(64, 'b')}};  // a sum
    if (lost > 0) spec.log = record_of(spec.shape(), lost);
    return unwrap(Counts::make(std::move(spec)));
  };
  const Counts design = part(PartRole::design, design_people, 0);
  const Counts audit = part(PartRole::audit, people - design_people, asked.lost);

  CertifyOptions options;
  options.followed = asked.followed;
  options.notions = asked.notions;
  CertificateInputs inputs{{"audit.json", to_text(audit)}, {"policy.json", to_text(policy)}, std::nullopt, {}};
  inputs.design = InputText{"design.json", to_text(design)};
  const ModelSpec& spec = model.spec();
  if (asked.rewards == Rewards::counted) options.value = CountedRewards{model.reward_range(), spec.discount};
  if (asked.rewards == Rewards::known) {
    options.value = KnownRewards{spec.reward, spec.share, spec.discount, {}, {}, {}};
    inputs.model = InputText{"model.json", to_text(model)};
  }
  return to_text(unwrap(certify(audit, policy, options, {}, &design)), audit, inputs);
}

std::size_t won_by_split(const Json& certificate) {
  std::size_t won = 0;
  for (const auto& [notion, words] : certificate.at("bound_by").items())
    for (const Json& word : words.is_array() ? words : Json::array({words}))
      if (word == "split") ++won;
  return won;
}

TEST(SplitCertificates, OfAllKindsAndSizesHold) {
  std::size_t won = 0;
  for (const Rewards rewards : {Rewards::none, Rewards::known, Rewards::counted})
    for (const bool followed : {false, true})
      for (const std::int64_t lost : {0, 3})
        for (const std::uint64_t people : {10u, 1000u, 1u << 18})
          for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Model model = random_model(seed, 2 + seed % 2, 1 + seed % 3, 1 + seed, 0.9);
            const Asked asked{rewards, followed, lost};
            const std::string text = split_certificate(model, random_policy(seed, model), asked, people, seed);
            EXPECT_EQ(first_mismatch(text), "")
                << static_cast<int>(rewards) << " " << followed << " " << lost << " " << people << " " << seed;
            won += won_by_split(Json::parse(text));
          }
  EXPECT_GT(won, 200u);
}

TEST(SplitCertificates, OfThePapersEnvironmentsHold) {
  for (const Model& model : {unwrap(make_fico()), unwrap(make_synthetic())})
    for (const std::uint64_t people : {1u << 14, 1u << 18}) {
      const std::string text = split_certificate(model, random_policy(1, model), {Rewards::known}, people, 1);
      EXPECT_EQ(first_mismatch(text), "") << people;
      EXPECT_GT(won_by_split(Json::parse(text)), 12u);  // of 24 gaps and the value
    }
}

TEST(SplitCertificates, OfAsManyPeopleAsCountsHoldAndOfNobodyHold) {
  const Model model = random_model(3, 2, 2, 3, 0.9);
  for (const Rewards rewards : {Rewards::none, Rewards::known, Rewards::counted})
    for (const int power : {0, 1, 45, 59}) {
      if (power <= 1 && rewards == Rewards::counted) continue;  // nobody in the design part: no shares
      const std::string text =
          split_certificate(model, random_policy(3, model), {rewards}, std::uint64_t{1} << power, 3);
      EXPECT_EQ(first_mismatch(text), "") << static_cast<int>(rewards) << " " << power;
    }
}

TEST(SplitCertificates, OfEachNotionByItselfHold) {
  const Model model = random_model(5, 3, 2, 3, 0.9);
  for (const Notion notion : {Notion::dp, Notion::eqopt, Notion::eqodds}) {
    const std::string text =
        split_certificate(model, random_policy(5, model), {Rewards::none, false, 0, {notion}}, 1 << 18, 5);
    EXPECT_EQ(first_mismatch(text), "") << name_of(notion);
    EXPECT_EQ(Json::parse(text)["bound_by"].size(), 2u);
  }
}

// Nobody and everybody accepted: states that nobody reaches, labels that nobody has, rows that pay the same.
TEST(SplitCertificates, OfPoliciesWithoutAChoiceHold) {
  const Model model = random_model(6, 2, 2, 3, 0.9);
  for (const double low : {0.0, 0.25, 1.0})
    for (const double high : {0.0, 0.25, 1.0}) {
      Tensor<double, 3> accept({2, 3, 2}, low);
      for (std::size_t h = 0; h < 3; ++h) accept(1, h, 0) = accept(1, h, 1) = high;
      const Policy policy = unwrap(Policy::make(std::move(accept)));
      EXPECT_EQ(first_mismatch(split_certificate(model, policy, {Rewards::counted}, 5000, 6)), "")
          << low << " " << high;
    }
}

TEST(SplitCertificates, DoNotHoldWithAnyNumberChanged) {
  const Model model = random_model(1, 2, 2, 2, 0.9);
  const Policy policy = random_policy(1, model);
  std::size_t tried = 0;
  for (const Asked& asked : {Asked{Rewards::none}, Asked{Rewards::known}, Asked{Rewards::counted, true},
                             Asked{Rewards::counted, false, 2}}) {
    const Json certificate = Json::parse(split_certificate(model, policy, asked, 200000, 1));
    ASSERT_EQ(first_mismatch(certificate.dump()), "");
    std::vector<std::string> pointers;
    leaves(certificate, "", pointers);
    for (const std::string& pointer : pointers) {
      const Json::json_pointer place(pointer);
      std::vector<Json> others{0.5, 0.0};
      if (certificate[place].is_number()) {
        const double number = certificate[place].get<double>();
        const double step = 1e-7 * std::max(std::abs(number), pointer.starts_with("/delta") ? 0.0 : 1.0);
        others = {number + step, number - step, nullptr};
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
  EXPECT_GT(tried, 700u);
}

TEST(SplitCertificates, DoNotHoldIfTheyNameTheOtherBound) {
  const Model model = random_model(3, 2, 2, 2, 0.9);
  const Json certificate = Json::parse(split_certificate(model, random_policy(3, model), {Rewards::known}, 200000, 3));
  for (const auto& [notion, words] : certificate["bound_by"].items())
    for (std::size_t h = 0; h < (words.is_array() ? words.size() : 1); ++h) {
      Json tampered = certificate;
      Json& word = words.is_array() ? tampered["bound_by"][notion][h] : tampered["bound_by"][notion];
      for (const Json& other : {Json(word == "split" ? "worst-case" : "split"), Json("both")}) {
        word = other;
        EXPECT_NE(first_mismatch(tampered.dump()), "") << notion << " " << h << " became " << other;
      }
    }
}

// One person more or less in one place of a part, with a hash that fits.
TEST(SplitCertificates, DoNotHoldWithOtherCounts) {
  const Model model = random_model(3, 2, 2, 2, 0.9);
  const Json certificate = Json::parse(split_certificate(model, random_policy(3, model), {Rewards::known}, 200000, 3));
  for (const char* part : {"counts", "design"})
    for (const char* place : {"/first/0/1/0", "/transitions/1/0/1/1/1/0", "/part/share"})
      for (const int more : {-1, 1}) {
        Json tampered = certificate;
        Json& input = tampered["inputs"][part];
        Json document = Json::parse(input["text"].get<std::string>());
        Json& number = document[Json::json_pointer(place)];
        number = number.is_number_float() ? Json(0.5) : Json(number.get<std::int64_t>() + more);
        input["text"] = document.dump();
        EXPECT_NE(first_mismatch(tampered.dump()), "") << part << place << more;
        input["sha256"] = sha256(document.dump());
        EXPECT_NE(first_mismatch(tampered.dump()), "") << part << place << more;
      }
}

TEST(SplitCertificates, DoNotHoldWithoutTheirDesignPart) {
  const Model model = random_model(3, 2, 2, 2, 0.9);
  Json certificate = Json::parse(split_certificate(model, random_policy(3, model), {}, 200000, 3));
  certificate["inputs"].erase("design");
  EXPECT_NE(first_mismatch(certificate.dump()), "");
  certificate.erase("bound_by");
  for (const char* key : {"directions", "question", "path"}) certificate["delta_split"].erase(key);
  EXPECT_NE(first_mismatch(certificate.dump()), "");
}

}  // namespace
}  // namespace fairstep
