#include <fairstep/io/file_digest.hpp>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/sha256.hpp>

#include "support/folder.hpp"

namespace fairstep {
namespace {

TEST(FileDigest, IsThatOfTheBytesHoweverManyThereAre) {
  const testing::TemporaryFolder folder;
  for (const std::string& text : {std::string(), std::string("abc"), std::string(200'000, 'x')}) {
    std::ofstream(folder / "file", std::ios::binary | std::ios::trunc) << text;
    EXPECT_EQ(digest_of_file(folder / "file").value(), sha256(text));
  }
}

TEST(FileDigest, OfWhatCannotBeReadIsAnErrorThatNamesIt) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(digest_of_file(folder / "none").error().file, (folder / "none").string());
  EXPECT_EQ(digest_of_file(folder / "none").error().message, "cannot be read: No such file or directory");
  EXPECT_EQ(digest_of_file(folder.path()).error().message, "cannot be read: Is a directory");
}

}  // namespace
}  // namespace fairstep
