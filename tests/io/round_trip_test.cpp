// Whatever is written reads back the same: what models and policies have for it is tested with their documents.
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

template <class T>
T reread(const T& original) {
  return std::get<T>(unwrap(parse_document(to_text(original))));
}

TEST(RoundTrip, CountsComeBackExactlyUpToTheGreatest) {
  Counts counts = Counts::zeros(2, hand_model().names());
  counts.names.labels = {"bad", "good"};
  // Odd, and beyond 2^53: a detour over doubles would lose the last digits.
  counts.first(0, 1, 1) = 9007199254740993;
  counts.visits(0, 0, 1, 1, 0) = 9007199254740993;
  counts.first(1, 0, 0) = counts.visits(1, 0, 0, 0, 1) = 1;
  counts.transitions(1, 0, 0, 1, 1, 0) = counts.visits(1, 1, 1, 0, 0) = 1;
  counts.visits(0, 1, 0, 0, 0) = std::numeric_limits<std::int64_t>::max() - 9007199254740993 - 2;
  counts.reward_sum(1, 0, 0, 1) = -0.1;
  counts.reward_squares(1, 0, 0, 1) = 0.1 * 0.1;
  ASSERT_TRUE(check(counts)) << check(counts).error().message;
  EXPECT_EQ(reread(counts), counts);
}

TEST(RoundTrip, WritingWhatWasReadChangesNoByte) {
  const Model model = random_model(9, 3, 3, 4);
  EXPECT_EQ(to_text(reread(model)), to_text(model));
  const Policy policy = random_policy(9, model);
  EXPECT_EQ(to_text(reread(policy)), to_text(policy));
  const Counts counts = Counts::zeros(3, model.names());
  EXPECT_EQ(to_text(reread(counts)), to_text(counts));
}

}  // namespace
}  // namespace fairstep
