// docs/formats.md is true: its examples are read, and it names every key that the schemas know.
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/io/files.hpp>

namespace fairstep {
namespace {

std::string page_of(const std::string& path) {
  std::ifstream file(FAIRSTEP_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> examples_in(const std::string& page) {
  const std::string opening = "```json\n";
  std::vector<std::string> examples;
  for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at)) {
    at += opening.size();
    examples.push_back(page.substr(at, page.find("```", at) - at));
  }
  return examples;
}

TEST(Formats, EveryExampleOnThePageIsSound) {
  std::vector<std::size_t> kinds;
  for (const std::string& example : examples_in(page_of("docs/formats.md"))) {
    if (example.find("fairstep/fairness/1") != std::string::npos)
      continue;  // fairness_document_test.cpp reads it with a model
    if (example.find("fairstep/rewards/1") != std::string::npos) continue;  // rewards_document_test.cpp reads it
    if (example.find("fairstep/radii/1") != std::string::npos) continue;    // never read; tests/python has its schema
    const auto document = parse_document(example);
    ASSERT_TRUE(document) << document.error().message << " at " << document.error().pointer << "\n" << example;
    kinds.push_back(document->index());
  }
  EXPECT_EQ(kinds, (std::vector<std::size_t>{0, 1, 1, 2}));  // model, two policies, counts
}

TEST(Formats, ThePageNamesEveryKeyOfTheSchemas) {
  const std::string page = page_of("docs/formats.md");
  for (const std::string kind : {"model", "policy", "counts", "fairness", "rewards", "radii"}) {
    const auto schema = nlohmann::json::parse(page_of("schemas/" + kind + ".schema.json"));
    for (const auto& [key, value] : schema.at("properties").items())
      EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << kind << ": " << key;
  }
}

/// An object with nothing but its schema, and one with a key that nobody knows: the errors tell which keys are known.
TEST(Formats, TheSchemasKnowTheSameKeysAsTheReader) {
  for (const std::string kind : {"model", "policy", "counts"}) {
    const auto schema = nlohmann::json::parse(page_of("schemas/" + kind + ".schema.json"));
    const auto document = parse_document(R"({"schema": "fairstep/)" + kind + R"(/1", "xxxxxxxxxxxx": 0})");
    ASSERT_FALSE(document);
    const std::string opening = "the keys are ";
    ASSERT_EQ(document.error().hint.find(opening), 0U) << document.error().hint;
    std::set<std::string> known;
    std::string word;
    for (const char c : document.error().hint.substr(opening.size()) + ",") {
      if (c == ',') known.insert(std::exchange(word, {}));
      if (c != ',' && c != ' ') word += c;
    }
    std::set<std::string> described;
    for (const auto& [key, value] : schema.at("properties").items()) described.insert(key);
    EXPECT_EQ(known, described) << kind;
  }
}

}  // namespace
}  // namespace fairstep
