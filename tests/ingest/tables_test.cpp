// Tables that grow as values come.
#include <fairstep/ingest/internal/tables.hpp>

#include <cstddef>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

// They grew by 64 groups at a time, and were copied each time: 200,000 groups took minutes.
TEST(Tables, AreCopiedAFewTimesHoweverManyValuesCome) {
  Tables tables;
  std::size_t copies = 0;
  for (std::size_t groups = 1; groups <= 50'000; ++groups) {
    const std::size_t before = tables.groups();
    tables.reserve(groups, 1, 1);
    copies += static_cast<std::size_t>(tables.groups() != before);
    EXPECT_GE(tables.groups(), groups);
  }
  EXPECT_LE(copies, 60U);
  EXPECT_LE(tables.groups(), 63'000U);  // and not much room is wasted
}

}  // namespace
}  // namespace fairstep::internal
