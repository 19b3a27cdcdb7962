// Which cells a log has hardly seen.
#include <gtest/gtest.h>

#include <fairstep/estimate/coverage.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::made;

Names two_groups_one_feature() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"only"};
  return names;
}

void expect_cell(const Cell& found, std::size_t g, std::size_t y, std::size_t a) {
  EXPECT_EQ(found.g, g);
  EXPECT_EQ(found.x, 0U);
  EXPECT_EQ(found.y, y);
  EXPECT_EQ(found.a, a);
}

TEST(Coverage, ListsCellsWithoutDecisionsAndThoseWithFew) {
  CountsSpec counts = CountsSpec::zeros(2, two_groups_one_feature());
  counts.visits(0, 0, 0, 0, 0) = 20;
  counts.visits(0, 1, 0, 0, 0) = 10;  // 30 over both steps: enough
  counts.visits(0, 0, 0, 0, 1) = 29;  // one short
  counts.visits(0, 1, 0, 1, 0) = 1;
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t a = 0; a < 2; ++a) counts.visits(1, 0, 0, y, a) = 100;
  counts.visits(1, 0, 0, 1, 0) = 0;
  const Coverage found = coverage(made(counts));
  EXPECT_EQ(found.threshold, 30);
  EXPECT_EQ(found.cells, 8U);
  ASSERT_EQ(found.unseen.size(), 2U);
  expect_cell(found.unseen[0], 0, 1, 1);
  expect_cell(found.unseen[1], 1, 1, 0);
  ASSERT_EQ(found.thin.size(), 2U);
  expect_cell(found.thin[0].cell, 0, 0, 1);
  EXPECT_EQ(found.thin[0].decisions, 29);
  expect_cell(found.thin[1].cell, 0, 1, 0);
  EXPECT_EQ(found.thin[1].decisions, 1);
}

TEST(Coverage, IsByTheThresholdAskedFor) {
  CountsSpec counts = CountsSpec::zeros(1, two_groups_one_feature());
  for (std::int64_t& n : counts.visits.flat()) n = 2;
  EXPECT_TRUE(coverage(made(counts), 2).thin.empty());
  EXPECT_EQ(coverage(made(counts), 3).thin.size(), 8U);
  EXPECT_EQ(coverage(made(counts), 3).threshold, 3);
}

}  // namespace
}  // namespace fairstep
