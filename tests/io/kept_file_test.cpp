#include <fairstep/io/kept_file.hpp>

#include <string>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::TemporaryFolder;
using testing::unwrap;

TEST(KeptFile, IsWrittenOnceAndThenAgreedWith) {
  TemporaryFolder folder;
  EXPECT_TRUE(write_or_agree(folder / "run.json", "{\n  \"seed\": 1\n}\n", "run"));
  EXPECT_EQ(unwrap(read_text_file(folder / "run.json")), "{\n  \"seed\": 1\n}\n");
  EXPECT_TRUE(write_or_agree(folder / "run.json", "{\n  \"seed\": 1\n}\n", "run"));
  EXPECT_EQ(folder.entries(), std::set<std::string>{"run.json"});
}

TEST(KeptFile, SaysWhereItDiffersAndStaysAsItIs) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_or_agree(folder / "run.json", "{\n  \"seed\": 1,\n  \"by\": \"person\"\n}\n", "run"));
  const auto refused = write_or_agree(folder / "run.json", "{\n  \"seed\": 2,\n  \"by\": \"person\"\n}\n", "harvest");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the folder holds another harvest: it has \"seed\": 1, this one \"seed\": 2");
  EXPECT_EQ(refused.error().file, (folder / "run.json").string());
  EXPECT_EQ(refused.error().hint, "use another folder, or start over with restart = true");
  EXPECT_EQ(unwrap(read_text_file(folder / "run.json")), "{\n  \"seed\": 1,\n  \"by\": \"person\"\n}\n");
}

TEST(KeptFile, OneThatBreaksOffDiffersWhereItEnds) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "run.json", "{\n"));
  const auto refused = write_or_agree(folder / "run.json", "{\n  \"seed\": 2\n}\n", "run");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the folder holds another run: it has , this one \"seed\": 2");
}

}  // namespace
}  // namespace fairstep
