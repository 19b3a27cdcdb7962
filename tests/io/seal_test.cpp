#include <fairstep/io/seal.hpp>

#include <string>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>
#include <fairstep/io/json.hpp>

namespace fairstep {
namespace {

std::string document() {
  JsonWriter json;
  json.object().field("k", 8).field("value", 0.5).end();
  return std::move(json).text();
}

TEST(Seal, IsTheLastKeyOfTheDocument) {
  const std::string text = sealed(document());
  EXPECT_TRUE(has_seal(text));
  EXPECT_TRUE(check_seal(text).has_value());
  EXPECT_TRUE(check_json(text).has_value());
  EXPECT_NE(text.find("\"value\": 0.5,\n  \"sha256\": \"" + std::string(seal_of(text)) + "\"\n}\n"), std::string::npos);
}

TEST(Seal, IsBrokenByAnyChange) {
  const std::string text = sealed(document());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == '7' ? '8' : '7';
    EXPECT_FALSE(check_seal(changed).has_value()) << i;
    changed = text;
    changed.erase(i, 1);
    EXPECT_FALSE(check_seal(changed).has_value()) << i;
  }
  EXPECT_FALSE(check_seal(text + " ").has_value());
  EXPECT_FALSE(check_seal(document()).has_value());
  EXPECT_FALSE(check_seal("").has_value());
}

}  // namespace
}  // namespace fairstep
