// Which part of split people counts are of, as a file says it.
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/core/part.hpp>
#include <fairstep/io/internal/documents.hpp>

#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::unwrap;

const std::string kOneLog(64, '1'), kOtherLog(64, 'a');

struct ReadPart {
  Part part{};
  std::optional<Error> error{};
};

ReadPart read_part(const std::string& text) {
  ReadPart read;
  read.part = part_from(unwrap(parse_json(text)), read.error);
  return read;
}

std::string message_about_part(const std::string& text) {
  const auto [part, error] = read_part(text);
  return error ? error->pointer + ": " + error->message : "";
}

std::string part_with(const std::string& role, const std::string& share, const std::string& seed,
                      const std::string& logs) {
  return R"({"role": )" + role + R"(, "share": )" + share + R"(, "seed": )" + seed + R"(, "logs": )" + logs + "}";
}

TEST(PartDocument, IsReadAsItIsWritten) {
  const Part part{PartRole::audit, {0.1, 18446744073709551615u}, {kOneLog, kOtherLog}};
  JsonWriter json;
  json.object();
  write_part(json, part);
  json.end();
  const std::string object = R"({"role": "audit", "share": 0.1, "seed": 18446744073709551615, "logs": [")" + kOneLog +
                             R"(", ")" + kOtherLog + "\"]}";
  EXPECT_EQ(std::move(json).text(), "{\n  \"part\": " + object + "\n}\n");
  const auto [read, error] = read_part(object);
  EXPECT_FALSE(error);
  EXPECT_EQ(read, part);
}

TEST(PartDocument, WhatIsNoPartIsNamed) {
  const std::string logs = "[\"" + kOneLog + "\"]";
  EXPECT_EQ(message_about_part(part_with("\"design\"", "0.5", "7", logs)), "");
  EXPECT_NE(message_about_part(part_with("\"Design\"", "0.5", "7", logs)).find("expected \"design\" or \"audit\""),
            std::string::npos);
  for (const char* seed : {"-1", "7.0", "18446744073709551616", "\"7\""})
    EXPECT_EQ(message_about_part(part_with("\"design\"", "0.5", seed, logs)).substr(0, 12), "/part/seed: ") << seed;
  EXPECT_EQ(message_about_part(part_with("\"design\"", "\"half\"", "7", logs)).substr(0, 13), "/part/share: ");
  EXPECT_EQ(message_about_part(part_with("\"design\"", "0.5", "7", "[7]")).substr(0, 11), "/part/logs/");
  EXPECT_EQ(message_about_part(R"({"role": "design", "share": 0.5, "seed": 7})"),
            "/part: missing key \"logs\" in part");
}

}  // namespace
}  // namespace fairstep::internal
