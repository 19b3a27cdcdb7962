// One at a time in a folder. That a lock ends with its process is tested with the command, in tests/python.
#include <fairstep/io/folder_lock.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.hpp"

namespace fairstep {
namespace {

TEST(FolderLock, RefusesASecondAndSaysWhoHoldsIt) {
  const testing::TemporaryFolder folder;
  const auto first = FolderLock::take(folder.path());
  ASSERT_TRUE(first) << first.error().message;
  const auto second = FolderLock::take(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "the folder is in use by process " + std::to_string(::getpid()));
  EXPECT_EQ(second.error().file, folder.path().string());
}

TEST(FolderLock, RefusesASecondEvenIfItCannotSayWhoHoldsIt) {
  const testing::TemporaryFolder folder;
  const auto first = FolderLock::take(folder.path());
  ASSERT_TRUE(first);
  std::filesystem::resize_file(folder / FolderLock::kName, 0);
  const auto second = FolderLock::take(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "the folder is in use by another process");
}

// The lock followed a link that somebody else had put there, and wrote its number over what the link led to.
TEST(FolderLock, IsNotTakenThroughALinkNorOverAFileOfSomeoneElse) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path mine = folder / "mine", lock = folder / FolderLock::kName;
  std::ofstream(mine) << "dear";
  const auto refused = [&] {
    const auto taken = FolderLock::take(folder.path());
    EXPECT_FALSE(taken);
    EXPECT_EQ(taken ? "" : taken.error().message, "its file .lock is none of fairstep's, and is left as it is");
    std::string text;
    std::ifstream(mine) >> text;
    EXPECT_EQ(text, "dear");
    std::filesystem::remove(lock);
  };
  std::filesystem::create_symlink(mine, lock);
  refused();
  std::filesystem::create_hard_link(mine, lock);
  refused();
  std::filesystem::create_symlink(folder / "nowhere", lock);
  refused();
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
  std::filesystem::copy_file(mine, lock);
  refused();
  ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0);
  refused();
  std::filesystem::create_directory(lock);
  refused();
  EXPECT_TRUE(FolderLock::take(folder.path()));
}

TEST(FolderLock, EndsWithTheOneWhoHoldsIt) {
  const testing::TemporaryFolder folder;
  {
    ASSERT_TRUE(FolderLock::take(folder.path()));
  }
  std::optional<FolderLock> kept;
  {
    auto taken = FolderLock::take(folder.path());
    ASSERT_TRUE(taken);
    kept.emplace(std::move(*taken));
  }
  EXPECT_FALSE(FolderLock::take(folder.path()));  // it moved, and is still held
  kept.reset();
  EXPECT_TRUE(FolderLock::take(folder.path()));
}

TEST(FolderLock, OfAnotherFolderTakesThePlaceOfTheLastOne) {
  const testing::TemporaryFolder one;
  const testing::TemporaryFolder other;
  {
    auto lock = FolderLock::take(one.path());
    auto next = FolderLock::take(other.path());
    ASSERT_TRUE(lock && next);
    *lock = std::move(*next);
    EXPECT_FALSE(FolderLock::take(other.path()));
  }
  EXPECT_TRUE(FolderLock::take(one.path()));
  EXPECT_TRUE(FolderLock::take(other.path()));
}

TEST(FolderLock, LeavesNoTraceOfALongerNumber) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / FolderLock::kName) << "12345678901234567890";  // of somebody long gone
  const auto lock = FolderLock::take(folder.path());
  ASSERT_TRUE(lock);
  EXPECT_EQ(FolderLock::take(folder.path()).error().message,
            "the folder is in use by process " + std::to_string(::getpid()));
}

TEST(FolderLock, OfAFolderThatIsNotThereIsAnError) {
  const testing::TemporaryFolder folder;
  const auto lock = FolderLock::take(folder / "missing");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().message, "No such file or directory");
  EXPECT_EQ(lock.error().file, (folder / "missing").string());
}

}  // namespace
}  // namespace fairstep
