// Numbers for names and steps, and numbers for others' numbers.
#include <fairstep/ingest/internal/vocabulary.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/internal/wire.hpp>

namespace fairstep::internal {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

TEST(StepNumbers, AreGivenAsStepsCome) {
  StepNumbers numbers;
  EXPECT_EQ(numbers.number_of(5), 0);
  EXPECT_EQ(numbers.number_of(-3), 1);
  EXPECT_EQ(numbers.number_of(1'000'000), 2);
  EXPECT_EQ(numbers.number_of(5), 0);
  EXPECT_EQ(numbers.number_of(1'000'000), 2);
  EXPECT_EQ(numbers.steps(), (std::vector<std::int64_t>{5, -3, 1'000'000}));
}

TEST(StepNumbers, KnowWhatTheyHaveSeenAndNothingElse) {
  StepNumbers numbers;
  for (const std::int64_t step : {6, 4, 5, 5000}) EXPECT_GE(numbers.number_of(step), 0);
  std::vector<std::int64_t> steps(3);
  std::vector<std::int32_t> found(3);
  const auto known = [&](const std::vector<std::int32_t>& values, std::int64_t first, std::int64_t span) {
    return numbers.known(values.data(), values.size(), first, span, steps.data(), found.data());
  };
  EXPECT_TRUE(known({4, 5, 6}, 0, kNoEnd));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(found, (std::vector<std::int32_t>{1, 2, 0}));
  EXPECT_TRUE(known({4, 5, 6}, 4, 3));
  EXPECT_FALSE(known({4, 5, 6}, 4, 2));          // 6 is beyond
  EXPECT_FALSE(known({4, 5, 6}, 5, kNoEnd));     // 4 is before
  EXPECT_FALSE(known({4, 5, 7}, 0, kNoEnd));     // 7 is new
  EXPECT_FALSE(known({4, 5, 5000}, 0, kNoEnd));  // seen, but not by this way
  EXPECT_FALSE(known({4, 5, -1}, 0, kNoEnd));
  EXPECT_FALSE(known({4, 5, 6}, -1, kNoEnd));
}

TEST(StepNumbers, StopGrowingWhenThereAreTooMany) {
  StepNumbers numbers;
  for (std::int64_t step = 0; step < 2 * static_cast<std::int64_t>(StepNumbers::kMost); ++step)
    EXPECT_GE(numbers.number_of(step), 0);
  EXPECT_TRUE(numbers.too_many());
  EXPECT_EQ(numbers.steps().size(), StepNumbers::kMost + 1);
}

Vocabulary vocabulary_of(const std::vector<std::string>& groups, const std::vector<std::string>& features,
                         const std::vector<std::int64_t>& steps) {
  Vocabulary made{Plan{}};
  for (const std::string& name : groups) EXPECT_GE(made.groups.number_of(std::string_view(name)), 0);
  for (const std::string& name : features) EXPECT_GE(made.features.number_of(std::string_view(name)), 0);
  for (const std::int64_t step : steps) EXPECT_GE(made.steps.number_of(step), 0);
  return made;
}

TEST(Vocabulary, TakesInWhatAnotherHasUnderItsOwnNumbers) {
  Vocabulary ours = vocabulary_of({"a", "b"}, {"low"}, {0, 1});
  const Renumbering numbers = ours.take_in(vocabulary_of({"c", "b"}, {"high", "low"}, {2, 1, 0}));
  EXPECT_EQ(numbers.group, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(numbers.feature, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(numbers.step, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(ours.groups.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(ours.features.names(), (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(ours.steps.steps(), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(Vocabulary, TravelsWithItsNumbers) {
  Vocabulary sent = vocabulary_of({"b", "a"}, {"10", "9"}, {3, -1});
  WireWriter writer;
  writer(sent);
  const std::string bytes = std::move(writer).bytes();
  WireReader reader(bytes);
  Vocabulary arrived{Plan{}};
  reader(arrived);
  EXPECT_TRUE(reader.complete());
  EXPECT_EQ(arrived.groups.names(), sent.groups.names());
  EXPECT_EQ(arrived.features.names(), sent.features.names());
  EXPECT_EQ(arrived.steps.steps(), sent.steps.steps());
  EXPECT_EQ(arrived.steps.number_of(-1), 1);
}

}  // namespace
}  // namespace fairstep::internal
