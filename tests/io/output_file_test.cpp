// Files appear whole or not at all, and leave nothing else behind.
#include <fairstep/io/output_file.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fairstep/io/files.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;
using testing::unwrap;
using Names = std::set<std::string>;

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

unsigned mode_of(const fs::path& path) {
  struct stat there{};
  EXPECT_EQ(::stat(path.c_str(), &there), 0);
  return there.st_mode & 07777U;
}

/// No file may grow beyond so many bytes while this lives: a full disk, for this process alone.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit less = before_;
    less.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &less);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);  // so that write says EFBIG
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST(WriteFile, PutsTheTextThereAndNothingElse) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.json", "one"));
  EXPECT_EQ(content_of(folder / "a.json"), "one");
  EXPECT_EQ(folder.entries(), Names{"a.json"});
}

TEST(WriteFile, ReplacesAFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.json", "a longer first version"));
  ASSERT_TRUE(write_file(folder / "a.json", "two"));
  EXPECT_EQ(content_of(folder / "a.json"), "two");
  EXPECT_EQ(folder.entries(), Names{"a.json"});
}

TEST(WriteFile, AFailureInTheMiddleLeavesTheOldFileAndNoTemporaryOne) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.json", "old"));
  {
    const FullDisk limit(1000);
    const auto written = write_file(folder / "a.json", std::string(5000, 'x'));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "cannot be written: File too large");
    EXPECT_EQ(written.error().file, (folder / "a.json").string());
  }
  EXPECT_EQ(content_of(folder / "a.json"), "old");
  EXPECT_EQ(folder.entries(), Names{"a.json"});
}

TEST(WriteFile, AFailureInTheMiddleLeavesNoNewFile) {
  const TemporaryFolder folder;
  {
    const FullDisk limit(1000);
    EXPECT_FALSE(write_file(folder / "a.json", std::string(5000, 'x')));
  }
  EXPECT_EQ(folder.entries(), Names{});
}

TEST(WriteFile, AFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const auto written = write_file(folder / "no/such/a.json", "one");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: there is no folder \"" + (folder / "no/such").string() + "\"");
  EXPECT_EQ(folder.entries(), Names{});
}

TEST(WriteFile, AFolderInsteadOfAFile) {
  const TemporaryFolder folder;
  const auto written = write_file(folder.path(), "one");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: it is a folder, expected the name of a file");
}

TEST(WriteFile, NoName) {
  const auto written = write_file("", "one");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "the file to write has no name");
}

TEST(WriteFile, ANewFileHasTheModeThatTheUmaskAllows) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  const auto written = write_file(folder / "a.json", "one");
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(mode_of(folder / "a.json"), 0640U);  // 0666 without 027
}

TEST(WriteFile, AReplacedFileKeepsItsMode) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.json", "one"));
  ASSERT_EQ(::chmod((folder / "a.json").c_str(), 0604), 0);
  ASSERT_TRUE(write_file(folder / "a.json", "two"));
  EXPECT_EQ(mode_of(folder / "a.json"), 0604U);
}

TEST(WriteFile, AProtectedFileStaysAsItIs) {
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);  // where a rename would go through
  ASSERT_TRUE(write_file(folder / "a.json", "old"));
  ASSERT_EQ(::chmod((folder / "a.json").c_str(), 0444), 0);
  const testing::AsAnybody anybody;
  const auto written = write_file(folder / "a.json", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: Permission denied");
  EXPECT_EQ(content_of(folder / "a.json"), "old");
}

TEST(WriteFile, AFolderThatMayNotBeWrittenTo) {
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  const testing::AsAnybody anybody;
  const auto written = write_file(folder / "a.json", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: Permission denied");
}

TEST(WriteFile, FollowsASymbolicLinkAndKeepsIt) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "real");
  ASSERT_TRUE(write_file(folder / "real/a.json", "old"));
  fs::create_symlink("real/a.json", folder / "link.json");
  ASSERT_TRUE(write_file(folder / "link.json", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_EQ(content_of(folder / "real/a.json"), "new");
  EXPECT_EQ(folder.entries(), (Names{"real", "link.json"}));
}

TEST(WriteFile, CreatesWhatADanglingLinkPointsAt) {
  const TemporaryFolder folder;
  fs::create_symlink("later.json", folder / "link.json");
  ASSERT_TRUE(write_file(folder / "link.json", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_EQ(content_of(folder / "later.json"), "new");
}

TEST(WriteFile, ARingOfLinksIsAnError) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  const auto written = write_file(folder / "a", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: Too many levels of symbolic links");
}

TEST(WriteFile, APipeIsWrittenToDirectly) {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content_of(pipe); });
  const auto written = write_file(pipe, "through the pipe");
  reader.join();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(got, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(folder.entries(), Names{"pipe"});
}

TEST(WriteFile, ADeviceIsWrittenToDirectly) {
  ASSERT_TRUE(write_file("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const auto full = write_file("/dev/full", "no room");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "cannot be written: No space left on device");
}

TEST(WriteFile, AnOpenDescriptorGoesOnWhereItStands) {
  const TemporaryFolder folder;
  const int descriptor = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::write(descriptor, "before ", 7), 7);
  const auto written = write_file("/dev/fd/" + std::to_string(descriptor), "after");
  ::close(descriptor);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(content_of(folder / "log"), "before after");
}

TEST(WriteFile, ARelativeNameNeedsNoFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto written = write_file("plain.json", "here");
  fs::current_path(before);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(content_of(folder / "plain.json"), "here");
}

TEST(OutputFile, IsNotThereBeforeItIsCommitted) {
  const TemporaryFolder folder;
  auto file = unwrap(OutputFile::open(folder / "log.csv"));
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  EXPECT_FALSE(fs::exists(folder / "log.csv"));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(content_of(folder / "log.csv"), "one\ntwo\n");
  EXPECT_EQ(folder.entries(), Names{"log.csv"});
}

TEST(OutputFile, LeavesNothingIfItIsNotCommitted) {
  const TemporaryFolder folder;
  {
    auto file = unwrap(OutputFile::open(folder / "log.csv"));
    ASSERT_TRUE(file.write("one\n"));
    EXPECT_EQ(folder.entries().size(), 1U);  // the temporary file
  }
  EXPECT_EQ(folder.entries(), Names{});
}

TEST(OutputFile, TwoMayBeOpenInAFolderAtOnce) {
  const TemporaryFolder folder;
  auto first = unwrap(OutputFile::open(folder / "a"));
  auto second = unwrap(OutputFile::open(folder / "b"));
  ASSERT_TRUE(first.write("A"));
  ASSERT_TRUE(second.write("B"));
  ASSERT_TRUE(second.commit());
  ASSERT_TRUE(first.commit());
  EXPECT_EQ(content_of(folder / "a"), "A");
  EXPECT_EQ(content_of(folder / "b"), "B");
}

TEST(OutputFile, MovesWithWhatItHolds) {
  const TemporaryFolder folder;
  auto first = unwrap(OutputFile::open(folder / "a"));
  auto second = unwrap(OutputFile::open(folder / "b"));
  ASSERT_TRUE(second.write("B"));
  first = std::move(second);  // drops a, takes b over
  ASSERT_TRUE(first.commit());
  EXPECT_EQ(folder.entries(), Names{"b"});
}

TEST(OutputFile, SeveralAreCommittedAllOrNone) {
  const TemporaryFolder folder;
  std::ofstream(folder / "old") << "before";
  const auto commit = [&] {
    OutputFile old = unwrap(OutputFile::open(folder / "old")), fresh = unwrap(OutputFile::open(folder / "fresh")),
               last = unwrap(OutputFile::open(folder / "last"));
    for (OutputFile* file : {&old, &fresh, &last}) EXPECT_TRUE(file->write("after"));
    return [moved = std::array{std::move(old), std::move(fresh), std::move(last)}]() mutable {
      return OutputFile::commit_all({moved.data(), &moved[1], &moved[2]});
    };
  };
  {
    auto all = commit();
    fs::create_directory(folder / "last");  // the last cannot be put in its place any more
    EXPECT_FALSE(all());
  }
  EXPECT_EQ(content_of(folder / "old"), "before");
  fs::remove(folder / "last");
  EXPECT_EQ(folder.entries(), (Names{"old"}));
  EXPECT_TRUE(commit()());
  EXPECT_EQ(folder.entries(), (Names{"old", "fresh", "last"}));
  for (const char* name : {"old", "fresh", "last"}) EXPECT_EQ(content_of(folder / name), "after");
}

// It was made with the mode of any file and only then given that of the one it replaces.
TEST(OutputFile, IsAtNoTimeReadableByMoreThanTheFileThatItReplaces) {
  const TemporaryFolder folder;
  std::ofstream(folder / "private") << "before";
  fs::permissions(folder / "private", fs::perms::owner_read | fs::perms::owner_write);
  const OutputFile file = unwrap(OutputFile::open(folder / "private"));
  EXPECT_EQ(mode_of(file.temporary()), 0600U);
}

TEST(RemoveUnfinished, TakesAwayWhatKilledProgramsLeftAndNothingElse) {
  TemporaryFolder folder;
  for (const char* name : {".fairstep-1-0.tmp", ".fairstep-77-12.tmp", "mine.tmp", ".fairstep", "model.json"})
    std::ofstream(folder / name) << "text";
  auto open = unwrap(OutputFile::open(folder / "half.json"));
  const std::string unfinished = open.temporary().filename().string();
  EXPECT_TRUE(folder.entries().contains(unfinished));
  remove_unfinished(folder.path());
  EXPECT_EQ(folder.entries(), (Names{"mine.tmp", ".fairstep", "model.json"}));
  remove_unfinished(folder / "nowhere");
}

}  // namespace
}  // namespace fairstep
