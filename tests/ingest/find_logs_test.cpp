// Names and patterns stand for files.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/ingest/count.hpp>

#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

TEST(FindLogs, PatternsStandForManyInOrderAndNamesForThemselves) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"b.csv", "a.csv", "c.txt", "[d].csv"}) std::ofstream(folder / name) << "x";
  const auto in_folder = [&](const char* name) { return (folder / name).string(); };
  using Files = std::vector<std::string>;
  EXPECT_EQ(testing::unwrap(find_logs({in_folder("c.txt"), in_folder("?.csv")})),
            (Files{in_folder("c.txt"), in_folder("a.csv"), in_folder("b.csv")}));
  EXPECT_EQ(testing::unwrap(find_logs({in_folder("[d].csv")})), Files{in_folder("[d].csv")});  // a file has it
  EXPECT_EQ(find_logs({in_folder("z.csv")}).error().message, "there is no such file");
  EXPECT_EQ(find_logs({in_folder("z*.csv")}).error().message, "no file matches this pattern");
  EXPECT_EQ(find_logs({folder.path().string()}).error().message, "this is a folder, expected a file");
}

}  // namespace
}  // namespace fairstep
