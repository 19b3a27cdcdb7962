// Every file in tests/io/bad/ must be refused with the very message, pointer and hint that bad/manifest.json gives for
// it.
// (`caught_by` there says who sees the trouble first; tests/python/test_schemas.py holds the JSON Schemas to it.)
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

const std::filesystem::path kFolder = FAIRSTEP_SOURCE_DIR "/tests/io/bad";

const nlohmann::json& manifest() {
  static const nlohmann::json content = nlohmann::json::parse(std::ifstream(kFolder / "manifest.json"));
  return content;
}

std::set<std::string> files_with_an_expectation() {
  std::set<std::string> names;
  for (const auto& [name, expectation] : manifest().items()) names.insert(name);
  return names;
}

std::set<std::string> files_in_the_folder() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().filename() != "manifest.json") names.insert(entry.path().filename().string());
  return names;
}

TEST(BadFiles, EveryFileHasAnExpectationAndEveryExpectationAFile) {
  EXPECT_EQ(files_in_the_folder(), files_with_an_expectation());
  EXPECT_GE(files_in_the_folder().size(), 45U);
}

/// What reading the file says: constraints are read for a model, everything else on its own.
Expected<void> read(const std::filesystem::path& path) {
  if (path.filename().string().starts_with("fairness"))
    return read_fairness(path, testing::hand_model()).map([](const Fairness&) {});
  return read_document(path).map([](const auto&) {});
}

class BadFile : public ::testing::TestWithParam<std::string> {};

TEST_P(BadFile, IsRefusedWithItsMessage) {
  ASSERT_TRUE(manifest().contains(GetParam()));
  const nlohmann::json& expected = manifest()[GetParam()];
  const std::filesystem::path path = kFolder / GetParam();
  const auto document = read(path);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, expected.at("message").get<std::string>());
  EXPECT_EQ(document.error().pointer, expected.at("pointer").get<std::string>());
  EXPECT_EQ(document.error().hint, expected.value("hint", ""));
  EXPECT_EQ(document.error().file, path.string());
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, BadFile, ::testing::ValuesIn(files_with_an_expectation()), test_name);

}  // namespace
}  // namespace fairstep
