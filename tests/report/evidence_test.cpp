// What a report knows of an experiment: its folder read, run by run, and the numbers of its repeats.
#include "evidence.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/io/sha256.hpp>
#include <fairstep/report/internal/evidence.hpp>

#include "support/models.hpp"

namespace fairstep::report {
namespace {

namespace fs = std::filesystem;
using test::Disk;
using test::ending_at;
using test::run_with;
using test::setting_of;
using testing::unwrap;

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// In a file, every such text.
void replace_in(const fs::path& file, const std::string& what, const std::string& by) {
  std::string text = contents(file);
  ASSERT_NE(text.find(what), std::string::npos) << what;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  std::ofstream(file) << text;
}

TEST(Gather, ReadsEveryRunOfTheFolder) {
  const Disk disk;
  const Evidence found = unwrap(gather(disk.folder));
  EXPECT_EQ(found.runs, 6U);
  EXPECT_TRUE(found.missing.empty());
  EXPECT_EQ(found.unsealed, 6U);  // an older version wrote no fingerprints
  EXPECT_EQ(found.folder, disk.folder.filename().string());
  EXPECT_EQ(found.plan_text, contents(disk.folder / "experiment.json"));
  EXPECT_EQ(found.plan_digest, sha256(found.plan_text));
  EXPECT_FALSE(found.timing);
  ASSERT_EQ(found.settings.size(), 1U);
  const Setting& setting = found.settings[0];
  EXPECT_EQ(setting.id, "town-dp");
  EXPECT_EQ(setting.name, "Town, demographic parity");
  EXPECT_EQ(setting.measure, "DP");
  ASSERT_EQ(setting.methods.size(), 3U);
  EXPECT_EQ(setting.methods[0].kind, Kind::ours);
  EXPECT_EQ(setting.methods[1].kind, Kind::unconstrained);
  EXPECT_EQ(setting.methods[2].kind, Kind::penalty);
  EXPECT_EQ(setting.methods[2].about.lambda, 1);
  EXPECT_EQ(setting.methods[0].repeats[1].updates[2].violation, 3.0 / 64);
  EXPECT_EQ(setting.methods[0].folders[1], disk.folder / "runs/town/dp/ours/1");
}

TEST(Gather, FingerprintsAllResultsAsShaSumWouldListThem) {
  const Disk disk;
  std::string list;
  for (const char* method : {"ours", "unconstrained", "penalty-1"})
    for (const char* repeat : {"0", "1"}) {
      const std::string name = std::string("runs/town/dp/") + method + "/" + repeat + "/result.json";
      list += sha256(contents(disk.folder / name)) + "  " + name + "\n";
    }
  EXPECT_EQ(unwrap(gather(disk.folder)).results_digest, sha256(list));
}

TEST(Gather, TakesTheFirstConstrainedMethodForOursAndTheNextForAVariant) {
  const Disk disk;
  replace_in(disk.folder / "experiment.json", "\"method\": \"unconstrained\"", "\"method\": \"constrained\"");
  const Evidence found = unwrap(gather(disk.folder));
  EXPECT_EQ(found.settings[0].methods[0].kind, Kind::ours);
  EXPECT_EQ(found.settings[0].methods[1].kind, Kind::variant);
}

TEST(Gather, TakesConstantsAsPrintedForWhatTheyAreUnlessTheWholeExperimentHasThem) {
  const Disk disk;
  replace_in(disk.folder / "experiment.json", "\"method\": \"unconstrained\"",
             "\"method\": \"constrained\", \"relaxation\": \"literal\"");
  EXPECT_EQ(unwrap(gather(disk.folder)).settings[0].methods[1].kind, Kind::literal);
  replace_in(disk.folder / "experiment.json", "\"relaxation\": \"scaled\"", "\"relaxation\": \"literal\"");
  const Evidence all = unwrap(gather(disk.folder));
  EXPECT_EQ(all.settings[0].methods[0].kind, Kind::ours);
  EXPECT_EQ(all.settings[0].methods[1].kind, Kind::variant);
}

TEST(Gather, NamesRunsThatAreNotThereOrNotFinished) {
  const Disk disk;
  fs::remove(disk.folder / "runs/town/dp/ours/1/result.json");
  replace_in(disk.folder / "runs/town/dp/penalty-1/0/result.json", "\"finished\": true", "\"finished\": false");
  const Evidence found = unwrap(gather(disk.folder));
  EXPECT_EQ(found.missing, (std::vector<std::string>{"runs/town/dp/ours/1", "runs/town/dp/penalty-1/0"}));
  EXPECT_EQ(found.runs, 4U);
  EXPECT_EQ(found.settings[0].methods[0].repeats.size(), 1U);
}

TEST(Gather, LeavesAMethodWithoutARunOut) {
  const Disk disk;
  fs::remove_all(disk.folder / "runs/town/dp/ours");
  const Evidence found = unwrap(gather(disk.folder));
  EXPECT_EQ(found.settings[0].methods.size(), 2U);
  EXPECT_EQ(found.settings[0].find(Kind::ours), nullptr);
}

TEST(Gather, RefusesAnExperimentOfWhichNothingIsFinished) {
  const Disk disk;
  fs::remove_all(disk.folder / "runs");
  const auto found = gather(disk.folder);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no run of this experiment is finished, expected at least one");
  EXPECT_EQ(found.error().hint, "the command that began it goes on where it was");
  EXPECT_EQ(found.error().file, disk.folder.string());
}

TEST(Gather, RefusesAFolderWithoutAnExperiment) {
  const auto found = gather(fs::temp_directory_path() / "no-such-experiment");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "there is no experiment.json in this folder, expected one of an experiment");
}

TEST(MethodRuns, HaveTheUpdatesThatEveryRepeatHas) {
  MethodRuns runs;
  EXPECT_EQ(runs.updates(), 0U);
  runs.repeats = {run_with({0.5, 0.25, 0.125}, {1, 2, 3}), run_with({0.75, 0.5}, {3, 4})};
  EXPECT_EQ(runs.updates(), 2U);
  const auto value = [](const UpdateRecord& update) { return update.value; };
  EXPECT_EQ(runs.at(1, value), (std::vector<double>{2, 4}));
  EXPECT_EQ(runs.band(1, value).mean, 3);
  EXPECT_EQ(runs.band(1, value).count, 2U);
}

TEST(SettingOf, FindsMethodsByTheirKind) {
  const Setting setting = setting_of({ending_at(Kind::penalty, {{0.1, 1}}, 1), ending_at(Kind::ours, {{0.2, 1}}),
                                      ending_at(Kind::penalty, {{0.3, 1}}, 2)});
  EXPECT_EQ(setting.find(Kind::ours), &setting.methods[1]);
  EXPECT_EQ(setting.find(Kind::literal), nullptr);
  EXPECT_EQ(setting.all(Kind::penalty).size(), 2U);
}

TEST(SettingOf, TheNearestPenaltyIsTheOneThatViolatesAboutAsMuchAsOurs) {
  const Setting setting =
      setting_of({ending_at(Kind::ours, {{0.2, 1}}), ending_at(Kind::penalty, {{0.0625, 1}}, 4),
                  ending_at(Kind::penalty, {{0.25, 1}}, 2), ending_at(Kind::penalty, {{0.5, 1}}, 1)});
  ASSERT_NE(setting.nearest_penalty(), nullptr);
  EXPECT_EQ(setting.nearest_penalty()->about.lambda, 2);
  EXPECT_EQ(setting_of({ending_at(Kind::ours, {{0.2, 1}})}).nearest_penalty(), nullptr);
  EXPECT_EQ(setting_of({ending_at(Kind::penalty, {{0.2, 1}}, 1)}).nearest_penalty(), nullptr);
}

TEST(SettingOf, ItsWorstGapIsThatOfItsNotionAndNobodysGapDoesNotCount) {
  Setting setting = setting_of({});
  UpdateRecord update;
  update.dp = {0.25, kUnknown, 0.5};
  update.eqopt = {0.125};
  update.eqodds = {kUnknown, kUnknown};
  EXPECT_EQ(setting.worst_gap(update), 0.5);
  setting.notion = Notion::eqopt;
  EXPECT_EQ(setting.worst_gap(update), 0.125);
  setting.notion = Notion::eqodds;
  EXPECT_TRUE(std::isnan(setting.worst_gap(update)));
}

TEST(Thinned, KeepsAllIfThatIsNotTooMany) { EXPECT_EQ(thinned(3, 3), (std::vector<std::size_t>{0, 1, 2})); }

TEST(Thinned, KeepsTheFirstTheLastAndSomeBetween) {
  EXPECT_EQ(thinned(10, 4), (std::vector<std::size_t>{0, 3, 6, 9}));
  EXPECT_EQ(thinned(11, 4), (std::vector<std::size_t>{0, 3, 6, 10}));  // 10/3, 20/3, rounded down
  EXPECT_TRUE(thinned(0).empty());
  EXPECT_EQ(thinned(5000).size(), 1000U);
}

}  // namespace
}  // namespace fairstep::report
