// What a count may use.
#include <fairstep/ingest/internal/engine.hpp>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep::internal {
namespace {

TEST(Engine, HasAThreadForEach40Megabytes) {
  const auto threads = [](unsigned asked, std::uint64_t memory) {
    return testing::unwrap(Engine::make({.threads = asked, .memory_bytes = memory})).settings().threads;
  };
  EXPECT_EQ(threads(4, 600'000'000), 4U);
  EXPECT_EQ(threads(4, 100'000'000), 2U);
  EXPECT_EQ(threads(4, 1'000'000), 1U);
}

TEST(Engine, ItsFolderIsInTheOneAskedForAndGoesWithIt) {
  const testing::TemporaryFolder folder;
  std::string path;
  {
    const Engine engine = testing::unwrap(Engine::make({.temporary_directory = folder / "spill"}));
    path = engine.settings().temporary;
    EXPECT_TRUE(std::filesystem::is_directory(path));
    EXPECT_EQ(std::filesystem::path(path).parent_path(), folder / "spill");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Engine, TakesNoOptionsThatContradictThemselves) {
  EXPECT_EQ(Engine::make({.bins = {1, 0}}).error().message, "bins are 1,0, expected numbers that rise");
}

}  // namespace
}  // namespace fairstep::internal
