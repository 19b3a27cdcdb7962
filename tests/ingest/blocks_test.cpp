// Gzip that is not whole is never taken for whole.
#include <fairstep/ingest/internal/blocks.hpp>

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/folder.hpp"

namespace fairstep::internal {
namespace {

void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

Expected<std::string> text_of(const std::string& file) {
  std::string text;
  const auto read = each_block(file, FileKind::gzip, [&](std::string_view block) {
    text += block;
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  return text;
}

TEST(Blocks, GzipCutOffAtAnyByteOrWithAnyBitFlippedIsRefusedOrTheSame) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.csv.gz").string();
  const std::string one = "person,group,step,x,y,a\n1,a,0,s,1,1\n", other = "2,b,0,s,1,1\n3,b,0,s,0,1\n";
  const std::string first = gzip(one), whole = first + gzip(other);
  write(file, whole);
  EXPECT_EQ(*text_of(file), one + other);
  for (std::size_t end = 0; end < whole.size(); ++end) {
    if (end == first.size()) continue;  // that is a whole file of one member
    write(file, whole.substr(0, end));
    EXPECT_FALSE(text_of(file)) << end;
  }
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bent = whole;
    bent[bit / 8] = static_cast<char>(bent[bit / 8] ^ (1 << bit % 8));
    write(file, bent);
    const auto text = text_of(file);
    EXPECT_EQ(text.value_or(one + other), one + other) << bit;  // may be a bit of a member's time or system
    refused += static_cast<std::size_t>(!text);
  }
  EXPECT_GT(refused, 8 * (whole.size() - 14));
}

TEST(Blocks, AFileThatIsLargerThanABlockComesWhole) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "log.csv.gz").string();
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 100'003) + ",";
  write(file, gzip(text.substr(0, 300'000)) + gzip("") + gzip(text.substr(300'000)));
  EXPECT_EQ(*text_of(file), text);
}

TEST(Blocks, NamesWhatIsNoLogAndHowToMakeOne) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const std::string& name, const std::string& bytes) {
    const std::string file = (folder / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    const auto kind = kind_of(file);
    return kind ? std::string{} : std::string(kind.error().message);
  };
  EXPECT_EQ(refusal("a.zip", "PK\x03\x04...."), "this is a zip archive, expected CSV, gzip or Parquet");
  EXPECT_EQ(refusal("a.xlsx", "PK\x03\x04...."), "this is a workbook of a spreadsheet, expected CSV or Parquet");
  EXPECT_EQ(refusal("a.xls", "\xD0\xCF\x11\xE0...."), "this is a workbook of a spreadsheet, expected CSV or Parquet");
  EXPECT_EQ(refusal("a.csv", std::string("\xFF\xFEp\0e\0", 6)), "this is UTF-16, expected UTF-8");
  EXPECT_EQ(refusal("a.bz2", "BZh91AY"), "this is packed by bzip2, expected gzip or plain text");
  EXPECT_EQ(refusal("b.csv", "PK,x\n"), "");
}

}  // namespace
}  // namespace fairstep::internal
