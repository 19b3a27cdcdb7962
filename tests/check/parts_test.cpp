// Which parts in a certificate belong together. The fingerprints are by tests/python/split_reference.py.
#include <fairstep/check/parts.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/check/documents.hpp>

#include "whole_certificate.hpp"

namespace fairstep::rigorous {
namespace {

using testing::Parts;

const std::string kLogs = "/inputs/design/text/part/logs/0: is ";

/// Why both parts of one log, by that fingerprint, do not go together.
std::string refusal_of_parts(const std::string& log, const std::function<void(Json&)>& change = {}) {
  Parts parts;
  parts.split();
  parts.counts["part"]["logs"] = parts.design["part"]["logs"] = Json::array({log});
  if (change) change(parts.design);
  const auto documents = documents_of(parts.certificate().dump());
  if (!documents) return "no documents: " + documents.error().message;
  const auto ok = check_parts(*documents);
  return ok ? "" : ok.error().pointer + ": " + ok.error().message;
}

TEST(Parts, TheDesignPartHasTheFingerprintOfItsTables) {
  const std::string log = "7bbf79ac3994d6c336cf096a67a6fd4088ea816b7878db4cbdde0695c37a058b";
  EXPECT_EQ(refusal_of_parts(log), "");
  const auto refused = [&](const std::function<void(Json&)>& change) {
    return refusal_of_parts(log, change).starts_with(kLogs);
  };
  EXPECT_TRUE(refused([](Json& design) { design["first"][1][2][0] = 5; }));
  EXPECT_TRUE(refused([](Json& design) { design["visits"][0][1][2][0][1] = 11; }));
  EXPECT_TRUE(refused([](Json& design) { design["transitions"][1][2][1][1][2][1] = 0; }));
  EXPECT_TRUE(refused([](Json& design) { design["reward_sum"][0][0][0][0] = -12.000000000000002; }));
  EXPECT_TRUE(refused([](Json& design) { design["reward_squares"][1][0][0][0] = 6; }));
  EXPECT_TRUE(refused([](Json& design) { design["actions"] = {"no", "yes"}; }));
  // Nothing else of the file counts, nor how a number is written.
  EXPECT_EQ(refusal_of_parts(log, [](Json& design) { design["labels"] = {"unqualified", "qualified"}; }), "");
  EXPECT_EQ(refusal_of_parts(log, [](Json& design) { design["reward_sum"][0][0][0][0] = -12.0; }), "");
}

TEST(Parts, LabelsAndBothZerosAreAsTheFingerprintHasThem) {
  EXPECT_EQ(refusal_of_parts("36f4e4c8b6c16f8f2a9867e7f3c90ce4d6c10bbe5a717b33f2bd8308f78f4ef3",
                             [](Json& design) { design["labels"] = {"no", "yes"}; }),
            "");
  for (const double zero : {0.0, -0.0})
    EXPECT_EQ(refusal_of_parts("f85d683e8aeab808e4b99541de83cfa986eb1dca022be25f30bf16cf556bd062",
                               [&](Json& design) { design["reward_sum"][0][0][0][0] = zero; }),
              "");
}

}  // namespace
}  // namespace fairstep::rigorous
