// Labels that are drawn: by person and step alone.
#include <fairstep/ingest/internal/imputer.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "columns.hpp"

namespace fairstep::internal {
namespace {

/// Rows of group 0 and feature 0 without a label, all of step 0.
Chunk unlabelled_rows(std::size_t rows) {
  Chunk chunk;
  chunk.begin(rows);
  std::fill(chunk.y.begin(), chunk.y.end(), kMissing);
  chunk.any_unlabelled = true;
  return chunk;
}

Tensor<double, 2> chance_of(double chance) {
  Tensor<double, 2> chances({1, 1});
  chances(0, 0) = chance;
  return chances;
}

// FNV-1a of "person:step", mixed as MurmurHash3 ends, worked out in Python.
TEST(Imputer, DrawsByAHashThatIsTheSameEverywhere) {
  EXPECT_EQ(uniform_from("7", 0), 0x1.fee73ebd5dc02p-2);
  EXPECT_EQ(uniform_from("anna", 3), 0x1.29cdd9a5c7188p-2);
  EXPECT_EQ(uniform_from("7", -1), 0x1.19c1db1e57854p-2);
}

TEST(Imputer, ANumberDrawsAsItsTextDoes) {
  testing::Columns people;
  people.add<std::int64_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  people.add_texts({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  const Imputer imputer(chance_of(0.5));
  Chunk numbers = unlabelled_rows(10), texts = unlabelled_rows(10);
  EXPECT_EQ(imputer.draw(people.raw()[0], true, numbers), 10);
  EXPECT_EQ(imputer.draw(people.raw()[1], false, texts), 10);
  EXPECT_EQ(numbers.y, texts.y);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(numbers.y[i], uniform_from(std::to_string(i), 0) < 0.5 ? 1 : 0) << i;
  EXPECT_FALSE(numbers.any_unlabelled);
}

TEST(Imputer, LeavesAloneWhatHasALabelOrCannotBeUsed) {
  testing::Columns people;
  people.add<std::int64_t>({1, 2, 3, 4});
  Chunk chunk = unlabelled_rows(4);
  chunk.y[0] = 0;
  chunk.object(1, kMissing, Role::a);
  chunk.g[2] = kExcluded;
  EXPECT_EQ(Imputer(chance_of(1)).draw(people.raw()[0], true, chunk), 1);
  EXPECT_EQ(chunk.y, (std::vector<std::int32_t>{0, kMissing, kMissing, 1}));
}

TEST(Imputer, WithoutChancesDrawsNothing) {
  testing::Columns people;
  people.add<std::int64_t>({1, 2});
  Chunk chunk = unlabelled_rows(2);
  EXPECT_EQ(Imputer({}).draw(people.raw()[0], true, chunk), 0);
  EXPECT_EQ(chunk.y, (std::vector<std::int32_t>{kMissing, kMissing}));
  EXPECT_TRUE(chunk.any_unlabelled);
}

}  // namespace
}  // namespace fairstep::internal
