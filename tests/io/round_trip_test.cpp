// Whatever is written reads back the same: what models and policies have for it is tested with their documents.
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::made;
using testing::nobody;
using testing::random_model;
using testing::random_policy;
using testing::unwrap;

template <class T>
T reread(const T& original) {
  return std::get<T>(unwrap(parse_document(to_text(original))));
}

TEST(RoundTrip, CountsComeBackExactlyUpToTheGreatest) {
  CountsSpec spec = CountsSpec::zeros(2, hand_model().names());
  spec.names.labels = {"bad", "good"};
  // Odd, and beyond 2^53: a detour over doubles would lose the last digits.
  spec.first(0, 1, 1) = 9007199254740993;
  spec.visits(0, 0, 1, 1, 0) = 9007199254740993;
  spec.first(1, 0, 0) = spec.visits(1, 0, 0, 0, 1) = 1;
  spec.transitions(1, 0, 0, 1, 1, 0) = spec.visits(1, 1, 1, 0, 0) = 1;
  spec.visits(0, 1, 0, 0, 0) = std::numeric_limits<std::int64_t>::max() - 9007199254740993 - 2;
  spec.reward_sum(1, 0, 0, 1) = -0.1;
  spec.reward_squares(1, 0, 0, 1) = 0.1 * 0.1;
  const Counts counts = made(std::move(spec));
  EXPECT_EQ(reread(counts), counts);
}

TEST(RoundTrip, WritingWhatWasReadChangesNoByte) {
  const Model model = random_model(9, 3, 3, 4);
  EXPECT_EQ(to_text(reread(model)), to_text(model));
  const Policy policy = random_policy(9, model);
  EXPECT_EQ(to_text(reread(policy)), to_text(policy));
  const Counts counts = nobody(3, model.names());
  EXPECT_EQ(to_text(reread(counts)), to_text(counts));
}

}  // namespace
}  // namespace fairstep
