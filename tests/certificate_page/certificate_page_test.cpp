// A certificate's page: what it says of a certificate that holds, and that nothing in names or documents leaves its
// place. Its script is tested by report/tests/self_check.test.mjs and certificate.test.mjs.
#include <fairstep/certificate_page/certificate_page.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/certify/certify.hpp>
#include <fairstep/certify/document.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/simulate/simulate.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using Json = nlohmann::json;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

std::string certificate_of(std::vector<std::string> groups, const std::string& file) {
  ModelSpec spec = random_model(3, groups.size(), 2, 2, 0.9).spec();
  spec.names.groups = std::move(groups);
  const Model model = unwrap(Model::make(std::move(spec)));
  const Policy policy = random_policy(3, model);
  const Counts counts = unwrap(simulate_counts(model, policy, {{1000, true}, 1, 0, 1}));
  const CertificateInputs inputs{{file, to_text(counts)}, {"policy.json", to_text(policy)}, std::nullopt};
  return to_text(unwrap(certify(counts, policy, CertifyOptions{})), counts, inputs);
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(CertificatePage, HasTheClaimAndEveryAssumption) {
  const std::string text = certificate_of({"a", "b"}, "counts.json");
  const CertificatePage page = unwrap(make_certificate_page(text));
  EXPECT_TRUE(page.check.mismatches.empty());
  EXPECT_NE(page.html.find(what_is_certified(text)), std::string::npos);
  const Json certificate = Json::parse(text);
  for (const char* document : {"counts", "policy"})
    EXPECT_NE(page.html.find(certificate.at("inputs").at(document).at("sha256").get<std::string>()), std::string::npos);
}

TEST(CertificatePage, RoundsEveryBoundToItsSafeSide) {
  Json certificate = Json::parse(certificate_of({"a", "b"}, "counts.json"));
  certificate["delta"] = 0.05;
  certificate["certified_gap"] = {{"dp", {0.1, 0.20001}}};
  certificate["certified_value"] = -0.30001;
  EXPECT_EQ(
      what_is_certified(certificate.dump()),
      "If the assumptions below hold: with probability at least 0.95 over the data, at every step and between any "
      "two groups, demographic parity gap at most 0.2001 (step 1); value at least -0.3001.");
}

TEST(CertificatePage, IsNotMadeOfACertificateThatDoesNotHold) {
  Json certificate = Json::parse(certificate_of({"a", "b"}, "counts.json"));
  certificate["certified_gap"]["dp"][0] = 0;
  const CertificatePage page = unwrap(make_certificate_page(certificate.dump()));
  EXPECT_FALSE(page.check.mismatches.empty());
  EXPECT_TRUE(page.html.empty());
}

TEST(CertificatePage, SaysWhatIsNoCertificate) {
  EXPECT_FALSE(make_certificate_page("{}"));
  EXPECT_FALSE(make_certificate_page("no JSON"));
}

// Two scripts, and nothing that a name or a file could add to them.
TEST(CertificatePage, NamesStayText) {
  const std::string attack = "</script><img src=x onerror=alert(1)>";
  const CertificatePage page = unwrap(make_certificate_page(certificate_of({attack, "b"}, attack)));
  ASSERT_FALSE(page.html.empty());
  EXPECT_EQ(times(page.html, "<img"), 0u);
  EXPECT_EQ(times(page.html, "<script"), 2u);
  EXPECT_EQ(times(page.html, "</script>"), 2u);
}

}  // namespace
}  // namespace fairstep
