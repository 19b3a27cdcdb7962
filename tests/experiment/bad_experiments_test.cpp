// Every file in tests/experiment/bad/ must be refused with the very message, pointer and hint that bad/manifest.json
// gives for it. Where TOML itself is broken, the words after the place are toml++'s own and differ between its
// versions; `begins` is then what the message must begin with.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/experiment/experiment.hpp>

namespace fairstep {
namespace {

const std::filesystem::path kFolder = FAIRSTEP_SOURCE_DIR "/tests/experiment/bad";

const nlohmann::json& manifest() {
  static const nlohmann::json content = nlohmann::json::parse(std::ifstream(kFolder / "manifest.json"));
  return content;
}

std::set<std::string> files_with_an_expectation() {
  std::set<std::string> names;
  for (const auto& [name, expectation] : manifest().items()) names.insert(name);
  return names;
}

TEST(BadExperiments, EveryFileHasAnExpectationAndEveryExpectationAFile) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".toml") files.insert(entry.path().filename().string());
  EXPECT_EQ(files, files_with_an_expectation());
  EXPECT_GE(files.size(), 90U);
}

class BadExperiment : public ::testing::TestWithParam<std::string> {};

TEST_P(BadExperiment, IsRefusedWithItsMessage) {
  const nlohmann::json& expected = manifest()[GetParam()];
  const std::filesystem::path path = kFolder / GetParam();
  const auto experiment = read_experiment_file(path);
  ASSERT_FALSE(experiment);
  const Error& error = experiment.error();
  if (expected.contains("begins"))
    EXPECT_TRUE(error.message.starts_with(expected["begins"].get<std::string>())) << error.message;
  else
    EXPECT_EQ(error.message, expected.at("message").get<std::string>());
  EXPECT_EQ(error.pointer, expected.value("pointer", ""));
  EXPECT_EQ(error.hint, expected.value("hint", ""));
  EXPECT_EQ(error.file, (kFolder / expected.value("file", GetParam())).string());
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, BadExperiment, ::testing::ValuesIn(files_with_an_expectation()), test_name);

}  // namespace
}  // namespace fairstep
