// Good documents, damaged in every way that is cheap to try: nothing crashes, and what is refused is refused in words.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/rng.hpp>
#include <fairstep/io/files.hpp>

namespace fairstep {
namespace {

std::vector<std::string> good_texts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FAIRSTEP_SOURCE_DIR "/tests/io/good"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// Either a sound document that survives a round trip, or an error of one printable line.
bool is_refused(const std::string& text) {
  const auto document = parse_document(text);
  if (document) {
    const std::string written = std::visit([](const auto& content) { return to_text(content); }, *document);
    const auto again = parse_document(written);
    EXPECT_TRUE(again) << again.error().message << "\n" << text;
    return false;
  }
  const Error& error = document.error();
  EXPECT_FALSE(error.message.empty()) << text;
  for (const std::string* line : std::initializer_list<const std::string*>{&error.message, &error.pointer, &error.hint})
    EXPECT_EQ(line->find_first_of("\n\r\t"), std::string::npos) << *line;
  return true;
}

TEST(DamagedFiles, GoodOnesAreRead) {
  const auto texts = good_texts();
  EXPECT_EQ(texts.size(), 11U);
  for (const std::string& text : texts) EXPECT_FALSE(is_refused(text));
}

TEST(DamagedFiles, NoBeginningOfADocumentPassesForTheWhole) {
  for (const std::string& text : good_texts()) {
    const std::size_t last_brace = text.rfind('}');
    for (std::size_t length = 0; length <= last_brace; ++length) EXPECT_TRUE(is_refused(text.substr(0, length)));
  }
}

TEST(DamagedFiles, OneByteChangedIsRefusedInWordsOrStillSound) {
  Rng rng(1, 1);
  for (const std::string& text : good_texts())
    for (int i = 0; i < 1500; ++i) {
      std::string damaged = text;
      damaged[rng() % damaged.size()] = static_cast<char>(rng() % 256);
      is_refused(damaged);
    }
}

TEST(DamagedFiles, APieceDoubledOrLeftOutIsRefusedInWordsOrStillSound) {
  Rng rng(2, 1);
  for (const std::string& text : good_texts())
    for (int i = 0; i < 500; ++i) {
      const std::size_t from = rng() % text.size();
      const std::string piece = text.substr(from, 1 + rng() % 30);
      is_refused(text.substr(0, from) + piece + text.substr(from));
      is_refused(text.substr(0, from) + text.substr(from + piece.size()));
    }
}

TEST(DamagedFiles, AMillionBracketsAreNotFollowedDown) {
  const auto document = parse_document(std::string(1'000'000, '['));
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "the document is nested more than 32 deep");
}

}  // namespace
}  // namespace fairstep
