// Folders for what does not fit into memory: whose they are, and who may remove them.
#include <fairstep/ingest/internal/spill_folder.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairstep/ingest/spills.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;
using testing::unwrap;

void put(const fs::path& file) { std::ofstream(file) << "spilled"; }

TEST(SpillFolder, IsTheOwnersAloneAndGoesWithWhatIsInIt) {
  const TemporaryFolder parent;
  std::string path;
  {
    const SpillFolder folder = unwrap(SpillFolder::make(parent / "deep/down"));
    path = folder.path();
    EXPECT_EQ(fs::path(path).parent_path(), parent / "deep/down");
    EXPECT_TRUE(fs::path(path).filename().string().starts_with("fairstep-spill-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    put(fs::path(path) / "part");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(parent / "deep/down"));
}

TEST(SpillFolder, IsAnotherForEachCount) {
  const TemporaryFolder parent;
  const SpillFolder one = unwrap(SpillFolder::make(parent.path())), other = unwrap(SpillFolder::make(parent.path()));
  EXPECT_NE(one.path(), other.path());
  EXPECT_EQ(parent.entries().size(), 2U);  // the second one did not take the first for left behind
}

TEST(SpillFolder, ThatMovedIsRemovedOnce) {
  const TemporaryFolder parent;
  std::string path;
  {
    SpillFolder one = unwrap(SpillFolder::make(parent.path()));
    path = one.path();
    const SpillFolder other = std::move(one);
    EXPECT_EQ(other.path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(SpillFolder, OfNobodyIsNowhere) { EXPECT_EQ(SpillFolder().path(), ""); }

TEST(SpillFolder, CannotBeMadeBelowAFile) {
  const TemporaryFolder parent;
  put(parent / "file");
  const auto folder = SpillFolder::make(parent / "file");
  ASSERT_FALSE(folder);
  EXPECT_TRUE(folder.error().disk);
  EXPECT_EQ(folder.error().file, (parent / "file").string());
  EXPECT_TRUE(std::string(folder.error().message)
                  .starts_with("no folder can be made there for what does not fit into memory: "));
}

TEST(SweepSpills, RemovesWhatCrashesLeftAndNothingElse) {
  // A folder of our name that nobody has locked was left behind; other names, other people's and files are not ours.
  const TemporaryFolder parent;
  const SpillFolder in_use = unwrap(SpillFolder::make(parent.path()));
  for (const char* name : {"fairstep-spill-abc123", "fairstep-spill-abc1234", "fairstep-spill-abc-12", "other"})
    fs::create_directory(parent / name);
  put(parent / "fairstep-spill-abc123/part");
  put(parent / "fairstep-spill-abcdef");
  fs::create_directory_symlink(parent / "other", parent / "fairstep-spill-linked");
  sweep_spills(parent.path());
  EXPECT_EQ(parent.entries(), (std::set<std::string>{fs::path(in_use.path()).filename().string(),
                                                     "fairstep-spill-abc1234", "fairstep-spill-abc-12",
                                                     "fairstep-spill-abcdef", "fairstep-spill-linked", "other"}));
}

TEST(SweepSpills, LeavesAFolderThatHasFoldersInIt) {
  const TemporaryFolder parent;
  fs::create_directories(parent / "fairstep-spill-abc123/of-somebody-else");
  sweep_spills(parent.path());
  EXPECT_TRUE(fs::exists(parent / "fairstep-spill-abc123/of-somebody-else"));
}

TEST(SweepSpills, OfNowhereDoesNothing) {
  const TemporaryFolder parent;
  sweep_spills(parent / "nowhere");
  EXPECT_TRUE(parent.entries().empty());
}

TEST(RemoveSpills, RemovesEveryFolderOfThisProcess) {
  const TemporaryFolder parent;
  const SpillFolder one = unwrap(SpillFolder::make(parent / "a")), other = unwrap(SpillFolder::make(parent / "b"));
  put(fs::path(one.path()) / "part");
  remove_spills();
  EXPECT_FALSE(fs::exists(one.path()));
  EXPECT_FALSE(fs::exists(other.path()));
}

}  // namespace
}  // namespace fairstep::internal
