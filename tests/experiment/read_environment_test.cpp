// The environments of an experiment file: ready-made ones, and model files beside it.
#include <fairstep/experiment/internal/read_environment.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/environments/environments.hpp>
#include <fairstep/experiment/experiment.hpp>
#include <fairstep/io/files.hpp>

#include "experiment/small.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::least_file;
using testing::parsed;
using testing::TemporaryFolder;
using testing::unwrap;

TEST(ReadEnvironments, MakesEnvironmentsWithOptionsOfTheirOwn) {
  const Experiment experiment =
      parsed(least_file("horizon = 3\n", "[[method]]\nmethod = \"unconstrained\"\n",
                        "[{name = \"fico\", groups = [\"white\", \"asian\"], discount = 0.5}, \"synthetic\",\n"
                        " {name = \"even\", kind = \"synthetic\", qualified = [0.25, 0.75], horizon = 4},\n"
                        " {name = \"lending\", interest = 0.5, repay = [0.25, 0.75], scores = [[0.5, 0.5], [1, 0]]},\n"
                        " {name = \"drawn\", kind = \"random\", features = 3, seed = 9, participation = true},\n"
                        " {name = \"bands\", kind = \"fico\", bands = 7}]"));
  ASSERT_EQ(experiment.environments.size(), 6u);
  EXPECT_TRUE(to_text(experiment.environments[5].model) == to_text(unwrap(make_fico({.bands = 7, .horizon = 3}))));
  const auto same = [&](std::size_t i, const Expected<Model>& model) {
    return to_text(experiment.environments[i].model) == to_text(unwrap(model));
  };
  EXPECT_TRUE(same(0, make_fico({.groups = {"white", "asian"}, .horizon = 3, .discount = 0.5})));
  EXPECT_TRUE(same(1, make_synthetic({.horizon = 3})));
  EXPECT_TRUE(same(2, make_synthetic({.horizon = 4, .qualified = {0.25, 0.75}})));
  EXPECT_TRUE(
      same(3, make_lending({.horizon = 3, .interest = 0.5, .repay = {0.25, 0.75}, .scores = {{0.5, 0.5}, {1, 0}}})));
  EXPECT_TRUE(same(4, make_random({.features = 3, .horizon = 3, .participation = true, .seed = 9})));
  EXPECT_EQ(experiment.environments[2].source, "synthetic");
}

TEST(ReadEnvironments, TakesAModelFileBesideItOrBelow) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "data");
  const Model model = testing::hand_model();
  ASSERT_TRUE(write_file(folder / "data/loans.json", to_text(model)));
  const std::string text =
      least_file("", "[[method]]\nmethod = \"constrained\"\n",
                 "[{name = \"loans\", label = \"Our loans\", model = \"data/../data/loans.json\"}]");
  const Experiment experiment = parsed(text, folder.path());
  EXPECT_EQ(experiment.environments[0].name, "loans");
  EXPECT_EQ(experiment.environments[0].label, "Our loans");
  EXPECT_EQ(experiment.environments[0].source, "file data/../data/loans.json");
  EXPECT_EQ(to_text(experiment.environments[0].model), to_text(model));

  std::ofstream(folder / "loans.toml") << text;
  EXPECT_TRUE(read_experiment_file(folder / "loans.toml"));
}

TEST(ReadEnvironments, RefusesAModelFileThatALinkLeadsOutTo) {
  TemporaryFolder folder, elsewhere;
  ASSERT_TRUE(write_file(elsewhere / "loans.json", to_text(testing::hand_model())));
  std::filesystem::create_symlink(elsewhere.path(), folder / "data");
  const auto refused = parse_experiment(
      least_file("", "[[method]]\nmethod = \"constrained\"\n", "[{name = \"loans\", model = \"data/loans.json\"}]"),
      folder.path(), "loans.toml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "line 2: environments[0].model is the text \"data/loans.json\", expected a file in the folder of the "
            "experiment file or below it");
}

TEST(ReadEnvironments, SaysWhatIsWrongInAModelFileWithItsOwnName) {
  TemporaryFolder folder;
  std::ofstream(folder / "loans.json") << "{\"schema\": \"fairstep/model/1\", \"horizon\": 0}";
  const auto refused = parse_experiment(
      least_file("", "[[method]]\nmethod = \"constrained\"\n", "[{name = \"loans\", model = \"loans.json\"}]"),
      folder.path(), "loans.toml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().file, (folder / "loans.json").string());
  EXPECT_EQ(refused.error().hint, "it is environments[0].model of the experiment");
}

TEST(FolderName, IsFitForAnySystem) {
  for (const char* name : {"a", "fico", "FICO-2.1_b", "0"}) EXPECT_TRUE(internal::is_folder_name(name)) << name;
  for (const char* name : {"", ".hidden", "-a", "_a", "a/b", "a b", "..", "\xC3\xA4"})
    EXPECT_FALSE(internal::is_folder_name(name)) << name;
  EXPECT_TRUE(internal::is_folder_name(std::string(64, 'a')));
  EXPECT_FALSE(internal::is_folder_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace fairstep
