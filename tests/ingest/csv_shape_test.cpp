// Lines with too many fields are found before DuckDB sees them.
#include <fairstep/ingest/internal/csv_shape.hpp>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/folder.hpp"

namespace fairstep::internal {
namespace {

TEST(CsvShape, CountsTheFieldsOfTheFirstLine) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  const auto fields = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    const auto found = look_through_csv(file, FileKind::csv, ',');
    return found ? *found : 0;
  };
  EXPECT_EQ(fields(""), 1U);
  EXPECT_EQ(fields("a,b,c"), 3U);
  EXPECT_EQ(fields("a,b\n1,2,3\n"), 2U);
  EXPECT_EQ(fields("a,b\r\n1,2,3\r\n"), 2U);
  EXPECT_EQ(fields("\"a,\"\"b\n\",c\n"), 2U);
  const std::string row(kMostFields - 1, ',');
  EXPECT_EQ(fields(row + "\n"), kMostFields);
  EXPECT_EQ(fields("a\n" + row + "\n" + row + "\n"), 1U);
  EXPECT_EQ(fields("a\n" + row + ",\n"), 0U);
  // Wherever a line lies in its block, and whatever was before.
  for (std::size_t before = 0; before < 3000; before += 7)
    EXPECT_EQ(fields("a\n" + std::string(before, 'x') + "\n" + row + ",\nlast\n"), 0U) << before;
}

}  // namespace
}  // namespace fairstep::internal
