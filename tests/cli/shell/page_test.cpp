#include "shell/page.hpp"

#include <gtest/gtest.h>

#include "verbs.hpp"

namespace fairstep::cli {
namespace {

using Words = std::vector<std::string>;

TEST(Value, IsWhatItsPlaceholderSays) {
  const Value value = value_of("dp,eqopt|none|FILE");
  EXPECT_EQ(value.listed, (Words{"dp", "eqopt"}));
  EXPECT_EQ(value.words, Words{"none"});
  EXPECT_TRUE(value.file);
  EXPECT_FALSE(value.folder);
}

TEST(Value, TakesWordsInCapitalsForSomethingElse) {
  for (const char* placeholder : {"N", "LIST", "FROM:TO:COUNT|LIST", "COLUMN=B0,B1,...", "[GROUP:]FEATURE"}) {
    const Value value = value_of(placeholder);
    EXPECT_TRUE(value.listed.empty()) << placeholder;
    EXPECT_TRUE(value.words.empty()) << placeholder;
    EXPECT_FALSE(value.file) << placeholder;
  }
  EXPECT_EQ(value_of("month|quarter|Ndays").words, (Words{"month", "quarter"}));
}

TEST(Value, IsAFolderIfItIsCalledSo) {
  EXPECT_TRUE(value_of("FOLDER").folder);
  EXPECT_FALSE(value_of("FOLDER").file);
}

TEST(Page, SharesTheOptionsThatEveryVerbHas) {
  const Tree tree(all_verbs());
  const Page command = page_of(tree.root());
  Words names;
  for (const OptionEntry& option : shared_options(command)) names.push_back(option.names.back());
  EXPECT_EQ(names, (Words{"--json", "--quiet", "--help"}));
}

TEST(Page, KnowsWhichOptionsMayBeRepeated) {
  const Tree tree(all_verbs());
  const Page page = page_of(*tree.root().child("policy"));
  for (const OptionEntry& option : page.options)
    EXPECT_EQ(option.repeatable, option.names.back() == "--threshold") << option.names.back();
}

TEST(Page, WritesItsUsageWithItsArguments) {
  const Tree tree(all_verbs());
  EXPECT_EQ(page_of(*tree.root().child("evaluate")).usage(), "fairstep evaluate MODEL POLICY [options]");
  EXPECT_EQ(page_of(*tree.root().child("validate")).usage(), "fairstep validate FILE... [options]");
  EXPECT_EQ(page_of(*tree.root().child("env")).usage(), "fairstep env NAME [options]");
}

}  // namespace
}  // namespace fairstep::cli
