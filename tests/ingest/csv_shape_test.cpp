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
    const auto found = look_through_csv(file, FileKind::csv, {});
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

TEST(CsvShape, SeesWhatSeparatesTheColumns) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  const auto guess = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    const auto found = guess_delimiter(file, FileKind::csv, Encoding::utf8);
    return found ? *found : '!';
  };
  EXPECT_EQ(guess(""), ',');
  EXPECT_EQ(guess("a\n1\n"), ',');
  EXPECT_EQ(guess("a,b\n1,2\n"), ',');
  EXPECT_EQ(guess("a;b\n1,5;2\n"), ';');
  EXPECT_EQ(guess("a\tb\r\n1\t2"), '\t');
  EXPECT_EQ(guess("a|b|c\n\n1|2|3\n"), '|');
  EXPECT_EQ(guess("\"a;a;a\",b\n1,2\n"), ',');
  EXPECT_EQ(guess("a;a,b\n1;1,2\n"), ',');         // both would do: the comma
  EXPECT_EQ(guess("a,b,c\n1,2\n1,2,3,4\n"), ',');  // lines that are no rows change nothing
  EXPECT_EQ(guess("\xEF\xBB\xBFgr\xC3\xB6\xC3\x9F"
                  "e;b\n1;2\n"),
            ';');
  EXPECT_EQ(guess("gr\xF6\xDF"
                  "e;b\n1;2\n"),
            '!');
  EXPECT_EQ(guess("a;b\n\xF6;2\n"), ';');
  // Told to be Latin-1, it has such a line.
  std::ofstream(file, std::ios::binary) << "gr\xF6\xDF"
                                           "e;b\n1;2\n";
  EXPECT_EQ(guess_delimiter(file, FileKind::csv, Encoding::latin1).value(), ';');
}

TEST(CsvShape, TakesNoBytesForLatinOneThatAreNone) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  // 0x7F and 0xA0 are in it, 0x80 to 0x9F are not; UTF-8 has such bytes, and may.
  for (int byte = 1; byte < 256; ++byte) {
    std::ofstream(file, std::ios::binary) << "a,b\n1," << static_cast<char>(byte) << "\n";
    EXPECT_EQ(look_through_csv(file, FileKind::csv, {',', Encoding::latin1}).has_value(), byte < 0x80 || byte > 0x9F)
        << byte;
    EXPECT_TRUE(look_through_csv(file, FileKind::csv, {})) << byte;
  }
}

}  // namespace
}  // namespace fairstep::internal
