// What the report's figures on their own are drawn from.
#include <fairstep/report/plots.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairstep/report/internal/assets.hpp>

#include "evidence.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using report::test::Disk;
using testing::unwrap;

TEST(Plots, AreEveryFigureAndItsPanels) {
  const Disk disk;
  const PlotPlan plan = unwrap(plots(disk.folder));
  const nlohmann::json json = nlohmann::json::parse(plan.json);
  std::vector<std::string> names;
  for (const auto& group : json) {
    names.push_back(group.at("id"));
    EXPECT_FALSE(group.at("panels").empty()) << group.at("id");
    for (const auto& panel : group.at("panels")) {
      names.push_back(panel.at("id"));
      EXPECT_TRUE(panel.at("data").contains("chart"));
      EXPECT_TRUE(panel.at("data").contains("data"));
    }
  }
  EXPECT_EQ(plan.names, names);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "two files of one name";
  for (const char* name : {"figure-town", "pareto-town-dp", "steps", "steps-town-dp"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  // There is no frontier in the folder.
  EXPECT_EQ(std::count(names.begin(), names.end(), "price"), 0);
}

TEST(Plots, OfTheSameFolderAreTheSameBytes) {
  const Disk disk;
  EXPECT_EQ(unwrap(plots(disk.folder)).json, unwrap(plots(disk.folder)).json);
}

TEST(Plots, RefuseAFolderThatIsNone) {
  const auto plan = plots(std::filesystem::temp_directory_path() / "no-such-experiment");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "there is no experiment.json in this folder, expected one of an experiment");
}

TEST(Plots, AreDrawnByThePagesOwnScript) {
  const std::string script = plot_script();
  EXPECT_TRUE(script.starts_with(report::assets::script()));
  EXPECT_NE(script.find("globalThis.fairstepPlot(plan, folder,"), std::string::npos);
}

}  // namespace
}  // namespace fairstep
