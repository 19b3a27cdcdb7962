// Rewards documents: entries as they stand there. Which of them go with names is tested in core.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/io/files.hpp>

#include "support/folder.hpp"

namespace fairstep {
namespace {

using testing::TemporaryFolder;

Expected<GivenRewards> read_rewards_text(const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder / "rewards.json";
  std::ofstream(path) << text;
  auto rewards = read_rewards(path);
  if (!rewards) {
    EXPECT_EQ(rewards.error().file, path.string());
  }
  return rewards;
}

TEST(RewardsDocument, OfThePageHasItsEntries) {
  std::ifstream file(std::filesystem::path(FAIRSTEP_SOURCE_DIR) / "docs/formats.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string opening = "```json\n";
  const std::size_t from = page.find(opening, page.find("## Rewards")) + opening.size();
  const auto rewards = read_rewards_text(page.substr(from, page.find("```", from) - from));
  ASSERT_TRUE(rewards) << rewards.error().message;
  EXPECT_EQ(*rewards, (GivenRewards{{{{}, "0", 1, 1, 0.5}, {{}, "1", 1, 1, 1}, {{}, {}, 0, 1, -4}}, 0.0}));
}

TEST(RewardsDocument, ThatAreNoneAreRefusedWithTheirPlace) {
  const auto error = [](const std::string& keys) {
    return read_rewards_text(R"({"schema": "fairstep/rewards/1")" + keys + "}").error();
  };
  EXPECT_EQ(error("").message, "missing key \"rewards\"");
  EXPECT_EQ(error(R"(, "rewards": 3)").message, "rewards is 3, expected an array of objects");
  EXPECT_EQ(error(R"(, "rewards": [7])").pointer, "/rewards/0");
  EXPECT_EQ(error(R"(, "rewards": [{"y": 1}])").message, "missing key \"reward\" in rewards[0]");
  EXPECT_EQ(error(R"(, "rewards": [{"y": 2, "reward": 1}])").message, "rewards[0].y is 2, expected 0 or 1");
  EXPECT_EQ(error(R"(, "rewards": [{"y": true, "reward": 1}])").pointer, "/rewards/0/y");
  EXPECT_EQ(error(R"(, "rewards": [{"label": 1, "reward": 1}])").pointer, "/rewards/0/label");
  EXPECT_EQ(error(R"(, "rewards": [{"reward": "1"}])").message,
            "rewards[0].reward is the text \"1\", expected a number");
  EXPECT_EQ(error(R"(, "rewards": [], "elsewhere": null)").pointer, "/elsewhere");
  EXPECT_EQ(read_rewards_text(R"({"schema": "fairstep/fairness/1"})").error().pointer, "/schema");
}

}  // namespace
}  // namespace fairstep
