// Values that could not be used: which are kept, and how often each was found.
#include <fairstep/ingest/internal/odd_values.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

std::vector<std::string> in_words(const OddValues& odd) {
  std::vector<std::string> words;
  for (const SeenValue& value : odd.by_frequency()) words.push_back(fmt::format("{} {}", value.text, value.rows));
  return words;
}

TEST(OddValues, TheMostFrequentComeFirstAndNumbersBySize) {
  OddValues odd;
  for (const char* text : {"10", "9", "x", "x", "9", "10", "x"}) odd.note(text);
  EXPECT_EQ(in_words(odd), (std::vector<std::string>{"x 3", "10 2", "9 2"}));  // x is no number: by their bytes
  EXPECT_TRUE(odd.all());
  OddValues numbers;
  for (const char* text : {"10", "9"}) numbers.note(text);
  EXPECT_EQ(in_words(numbers), (std::vector<std::string>{"9 1", "10 1"}));
}

TEST(OddValues, WhichAreKeptDependsOnNeitherOrderNorReaders) {
  OddValues one, first, second, backwards;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = std::to_string(i % 700);
    one.note(text);
    (i % 3 == 0 ? first : second).note(text);
  }
  for (int i = 1999; i >= 0; --i) backwards.note(std::to_string(i % 700));
  second.add(first);
  EXPECT_EQ(one.by_frequency().size(), OddValues::kMost);
  EXPECT_FALSE(one.all());
  EXPECT_FALSE(second.all());
  EXPECT_EQ(in_words(one), in_words(second));
  EXPECT_EQ(in_words(one), in_words(backwards));
  // 2000 = 2 * 700 + 600: whoever is kept was counted from the beginning, three times below 600 and twice above.
  for (const SeenValue& value : one.by_frequency()) EXPECT_EQ(value.rows, std::stoi(value.text) < 600 ? 3 : 2);
}

TEST(OddValues, ALongOneIsCutBetweenCharacters) {
  OddValues odd;
  std::string text(OddValues::kMostBytes - 1, 'a');
  odd.note(text + "ü");  // the second byte of ü is one too many
  EXPECT_EQ(odd.by_frequency().front().text, text + "...");
}

}  // namespace
}  // namespace fairstep::internal
