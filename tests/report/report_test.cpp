#include <fairstep/report/report.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <fairstep/core/sha256.hpp>
#include <fairstep/report/internal/assets.hpp>

#include "evidence.hpp"

namespace fairstep::report {
namespace {

namespace fs = std::filesystem;
using test::Disk;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Report, IsOneFileWithEveryPart) {
  const Disk disk;
  const auto made = make_report(disk.folder);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->runs, 6U);
  EXPECT_EQ(made->missing, 0U);
  for (const char* id : {"result", "summary", "numbers", "verdicts", "scope", "figure-town", "steps", "maps",
                         "policies", "people", "rates", "relaxation", "proofs", "settings", "glossary", "licences"})
    EXPECT_EQ(count(made->html, "<section id=\"" + std::string(id) + "\""), 1U) << id;
  EXPECT_EQ(count(made->html, "<figure "), made->figures + 1);  // and the policies
  EXPECT_EQ(count(made->html, " src="), 0U);
  EXPECT_EQ(made->verdicts.size(), 12U);
}

TEST(Report, SaysTheNumbersOfTheFolder) {
  // Violations 1/64 and 3/64 with a mean of 1/32, and 1/4 and 9/32 without constraint, 17/64 in the mean; the return
  // falls from 7/8 to 3/4, by 1/7.
  const Disk disk;
  const auto made = make_report(disk.folder);
  ASSERT_TRUE(made.has_value());
  EXPECT_NE(made->summary[1].find("final violation is 0.031 \u00b1"), std::string::npos) << made->summary[1];
  EXPECT_NE(made->summary[1].find("against 0.266 \u00b1"), std::string::npos) << made->summary[1];
  EXPECT_NE(made->summary[1].find("for 14.3 % of the return"), std::string::npos) << made->summary[1];
  EXPECT_NE(made->html.find("<data value=\"0.03125\" class=\"violation\">"), std::string::npos);
}

TEST(Report, TheSameFolderGivesTheSameBytes) {
  const Disk disk;
  EXPECT_EQ(make_report(disk.folder)->html, make_report(disk.folder)->html);
}

TEST(Report, NamesItsScriptAndStyleByTheirFingerprints) {
  const Disk disk;
  const auto made = make_report(disk.folder);
  EXPECT_NE(made->html.find("script-src 'sha256-" + sha256_base64(assets::script()) + "'"), std::string::npos);
  EXPECT_NE(made->html.find("style-src 'sha256-" + sha256_base64(assets::style()) + "'"), std::string::npos);
  EXPECT_LT(made->html.find("Content-Security-Policy"), made->html.find("<style>"));
}

TEST(Report, EscapesNamesFromFiles) {
  const std::string hostile = "</script><img src=x onerror=alert(1)>\"'&";
  const Disk disk(hostile, hostile);
  const auto made = make_report(disk.folder);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->html.find("<img"), std::string::npos);
  EXPECT_GT(count(made->html, "&lt;img src=x"), 0U);
}

TEST(Report, TellsWhatIsMissing) {
  const Disk disk;
  fs::remove(disk.folder / "runs/town/dp/ours/1/result.json");
  const auto made = make_report(disk.folder);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->missing, 1U);
  EXPECT_NE(made->html.find("1 runs missing"), std::string::npos);
  EXPECT_NE(made->html.find("runs/town/dp/ours/1"), std::string::npos);
}

TEST(Report, IsMadeWithoutTheMethodItself) {
  const Disk disk;
  fs::remove_all(disk.folder / "runs/town/dp/ours");
  const auto made = make_report(disk.folder);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  for (const ReportVerdict& verdict : made->verdicts) EXPECT_EQ(verdict.ruling, "undecided") << verdict.id;
}

TEST(Report, RefusesAFolderThatIsNone) {
  const auto made = make_report(fs::temp_directory_path() / "no-such-experiment");
  ASSERT_FALSE(made.has_value());
  EXPECT_NE(made.error().message.find("experiment.json"), std::string::npos);
  EXPECT_FALSE(made.error().hint.empty());
}

TEST(Report, NamesTheFileThatIsDamaged) {
  const Disk disk;
  std::ofstream(disk.folder / "runs/town/dp/ours/0/result.json") << R"({"schema": "fairstep/run/1", "groups": [1]})";
  const auto made = make_report(disk.folder);
  ASSERT_FALSE(made.has_value());
  EXPECT_TRUE(made.error().file.ends_with("ours/0/result.json"));
  EXPECT_EQ(made.error().pointer, "/groups/0");
}

TEST(Report, AsMarkdownHasEveryVerdict) {
  const Disk disk;
  const auto made = make_report(disk.folder);
  EXPECT_EQ(count(to_markdown(*made), "\n### "), made->verdicts.size());
  // Which run it is of, by the fingerprints that the page has as well.
  for (const std::string& digest : {made->plan_digest, made->results_digest}) {
    EXPECT_EQ(digest.size(), 64U);
    EXPECT_EQ(count(to_markdown(*made), digest), 1U);
    EXPECT_GE(count(made->html, digest), 1U);
  }
  // Town x dp, three methods.
  EXPECT_EQ(made->numbers.size(), 3U);
  EXPECT_EQ(made->numbers[0].violation.mean, 1.0 / 32);
  EXPECT_EQ(count(to_markdown(*made), "\n| Town, demographic parity | ours | 0.750"), 1U);
}

TEST(Report, AsMarkdownKeepsNamesInTheirCells) {
  const Disk disk("a", "a|b<i>");
  const std::string text = to_markdown(*make_report(disk.folder));
  EXPECT_EQ(count(text, "a|b"), 0U);
  EXPECT_GT(count(text, "a\\|b\\<i>"), 0U);
}

}  // namespace
}  // namespace fairstep::report
