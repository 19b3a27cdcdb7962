// Batches that a stream lent, and how they are lent on, as often as it takes. frame_test.cpp counts them.
#include <fairstep/ingest/internal/arrow.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lender.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

using testing::Lender;
using testing::unwrap;

const std::vector<std::string> kThree{"one", "two", "three"};

/// The whole numbers of a column of the next batch; empty at the end.
std::vector<std::int64_t> next_of(ArrowArrayStream& stream, std::size_t column) {
  ArrowArray array{};
  EXPECT_EQ(stream.get_next(&stream, &array), 0);
  if (array.release == nullptr) return {};
  const auto* values = static_cast<const std::int64_t*>(array.children[column]->buffers[1]);
  std::vector<std::int64_t> numbers(values, values + array.length);
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  return numbers;
}

TEST(Batches, AreKeptUntilTheyAreGivenBack) {
  Lender lender(kThree, {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}}});
  {
    const auto batches = unwrap(Batches::take(lender.stream()));
    EXPECT_EQ(batches->schema().n_children, 3);
    ASSERT_EQ(batches->arrays().size(), 2U);
    EXPECT_EQ(batches->arrays()[0].length, 2);
    EXPECT_EQ(lender.lent(), 3);  // the schema and two batches
  }
  EXPECT_EQ(lender.lent(), 0);
}

TEST(Batches, OfAStreamWithoutRowsAreNone) {
  Lender lender(kThree, {});
  EXPECT_TRUE(unwrap(Batches::take(lender.stream()))->arrays().empty());
}

TEST(Batches, OfASingleColumnAreRefused) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema* out) {
    *out = {"l", "", nullptr, 0, 0, nullptr, nullptr, [](ArrowSchema* schema) { schema->release = nullptr; }, nullptr};
    return 0;
  };
  const auto batches = Batches::take(stream);
  ASSERT_FALSE(batches);
  EXPECT_EQ(batches.error().message, "this is a single column, expected a frame with columns");
}

TEST(Batches, OfAStreamThatDoesNotKnowItsColumnsGiveItsReason) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return EINVAL; };
  EXPECT_EQ(Batches::take(stream).error().message,
            std::string("the frame does not say what columns it has: ") + std::strerror(EINVAL));
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return "it was cut"; };
  EXPECT_EQ(Batches::take(stream).error().message, "the frame does not say what columns it has: it was cut");
}

TEST(Replay, HasSomeColumnsUnderNamesOfItsOwn) {
  Lender lender(kThree, {{{1, 2, 3}, {4, 5, 6}}});
  const auto batches = unwrap(Batches::take(lender.stream()));
  Replay replay(*batches, {{2, "c"}, {0, "a"}, {2, "again"}});
  ArrowSchema schema{};
  ASSERT_EQ(replay.stream()->get_schema(replay.stream(), &schema), 0);
  ASSERT_EQ(schema.n_children, 3);
  EXPECT_STREQ(schema.children[0]->name, "c");
  EXPECT_STREQ(schema.children[1]->name, "a");
  EXPECT_STREQ(schema.children[2]->name, "again");
  EXPECT_EQ(next_of(*replay.stream(), 0), (std::vector<std::int64_t>{3, 6}));
}

TEST(Replay, BeginsAnewOnceItIsReadToItsEnd) {
  Lender lender(kThree, {{{1, 2, 3}}, {{4, 5, 6}}});
  const auto batches = unwrap(Batches::take(lender.stream()));
  Replay replay(*batches, {{1, "b"}});
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(next_of(*replay.stream(), 0), std::vector<std::int64_t>{2});
    EXPECT_EQ(next_of(*replay.stream(), 0), std::vector<std::int64_t>{5});
    EXPECT_TRUE(next_of(*replay.stream(), 0).empty());
  }
}

TEST(Replay, FreesNothingOfWhatItLends) {
  Lender lender(kThree, {{{1, 2, 3}}});
  const auto batches = unwrap(Batches::take(lender.stream()));
  {
    Replay replay(*batches, {{1, "b"}});
    ArrowSchema schema{};
    ASSERT_EQ(replay.stream()->get_schema(replay.stream(), &schema), 0);
    schema.release(&schema);
    EXPECT_EQ(next_of(*replay.stream(), 0), std::vector<std::int64_t>{2});
    replay.stream()->release(replay.stream());
  }
  EXPECT_EQ(lender.lent(), 2);
  EXPECT_EQ(*static_cast<const std::int64_t*>(batches->arrays()[0].children[1]->buffers[1]), 2);
}

}  // namespace
}  // namespace fairstep::internal
