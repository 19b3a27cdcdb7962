// Reading from disk: what is there, what is not, and what is something else.
#include <fairstep/io/files.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <variant>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/counts.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::hand_model;
using testing::nobody;
using testing::random_policy;
using testing::TemporaryFolder;
using testing::unwrap;

TEST(ReadFile, AModelComesBackFromDisk) {
  const TemporaryFolder folder;
  const Model model = hand_model();
  ASSERT_TRUE(write_file(folder / "model.json", to_text(model)));
  EXPECT_EQ(unwrap(read_model(folder / "model.json")).spec(), model.spec());
  EXPECT_TRUE(std::holds_alternative<Model>(unwrap(read_document(folder / "model.json"))));
}

TEST(ReadFile, PolicyAndCountsComeBackFromDisk) {
  const TemporaryFolder folder;
  const Policy policy = random_policy(1, hand_model());
  const Counts counts = nobody(2, hand_model().names());
  ASSERT_TRUE(write_file(folder / "policy.json", to_text(policy)));
  ASSERT_TRUE(write_file(folder / "counts.json", to_text(counts)));
  EXPECT_EQ(unwrap(read_policy(folder / "policy.json")), policy);
  EXPECT_EQ(unwrap(read_counts(folder / "counts.json")), counts);
}

TEST(ReadFile, AnotherDocumentThanAskedForIsNamed) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "policy.json", to_text(random_policy(1, hand_model()))));
  const auto model = read_model(folder / "policy.json");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "the file holds a policy, expected a model");
  EXPECT_EQ(model.error().pointer, "/schema");
  EXPECT_EQ(model.error().file, (folder / "policy.json").string());
  const auto counts = read_counts(folder / "policy.json");
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().message, "the file holds a policy, expected counts");
}

TEST(ReadFile, AFileThatIsNotThere) {
  const TemporaryFolder folder;
  const auto model = read_model(folder / "nowhere.json");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "there is no such file");
  EXPECT_EQ(model.error().file, (folder / "nowhere.json").string());
}

TEST(ReadFile, AFolder) {
  const TemporaryFolder folder;
  const auto document = read_document(folder.path());
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "this is a folder, expected a file");
}

TEST(ReadFile, AFileThatMayNotBeRead) {
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  std::ofstream(folder / "secret.json") << "{}";
  ASSERT_EQ(::chmod((folder / "secret.json").c_str(), 0), 0);
  const testing::AsAnybody anybody;
  const auto document = read_document(folder / "secret.json");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "cannot be read: Permission denied");
}

TEST(ReadFile, AFileTooLargeIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  std::ofstream(folder / "large.json") << "{}";
  std::filesystem::resize_file(folder / "large.json", (std::uintmax_t{1} << 30) + 1);  // a hole, no disk used
  const auto document = read_document(folder / "large.json");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "larger than 1 GiB, expected a model, policy or counts document");
}

TEST(ReadFile, APipeIsReadToItsEnd) {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = to_text(testing::random_model(5, 2, 20, 3));  // more than a pipe holds at a time
  ASSERT_GT(text.size(), std::size_t{1} << 16);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  const auto model = read_model(pipe);
  writer.join();
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(to_text(*model), text);
}

TEST(ParseDocument, PutsTheNameItWasGivenOnErrors) {
  const auto document = parse_document("{}", "typed in");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "missing key \"schema\"");
  EXPECT_EQ(document.error().file, "typed in");
}

// One certificate checker took it and the other did not.
TEST(ParseDocument, RefusesAByteOrderMark) {
  const auto refused = parse_document("\xEF\xBB\xBF" + to_text(hand_model()), "model.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the document begins with a byte order mark, expected plain UTF-8");
  EXPECT_EQ(refused.error().file, "model.json");
}

// The JSON library takes a NUL byte for the end of its text: whatever came after was never looked at.
TEST(ParseDocument, RefusesANulByteWhereverItIs) {
  using namespace std::string_literals;
  const std::string text = to_text(hand_model());
  for (const std::string& bad :
       {text + "\0"s, text + "\n\0 and {more"s, "\0"s + text, text.substr(0, 40) + "\0"s + text.substr(40)}) {
    const auto refused = parse_document(bad);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("has a NUL byte, expected text"), std::string::npos)
        << refused.error().message;
  }
  EXPECT_EQ(
      parse_document(text + "\n\0"s).error().message,
      "line " + std::to_string(std::count(text.begin(), text.end(), '\n') + 2) + " has a NUL byte, expected text");
}

TEST(CheckJson, AsksOnlyWhetherTextIsJson) {
  EXPECT_TRUE(check_json("{\"anything\": [1, null]}\n"));
  const auto refused = check_json("{\"k\": 8", "update.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, "update.json");
  EXPECT_FALSE(check_json(""));
  EXPECT_FALSE(check_json("{} {}"));
}

}  // namespace
}  // namespace fairstep
