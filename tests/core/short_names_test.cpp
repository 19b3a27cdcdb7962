#include <fairstep/core/short_names.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

using Names = std::vector<std::string>;

// A label of 500 letters made the report 13,000 pixels wide.
TEST(ShortNames, CutsTheMiddleAndKeepsTheWhole) {
  std::set<std::pair<std::string, std::string>> in_full;
  const std::string longer = std::string(400, 'a') + std::string(100, 'b');
  const Names made = short_names({"ours", longer}, in_full);
  EXPECT_EQ(made, (Names{"ours", std::string(24, 'a') + "\u2026" + std::string(12, 'b')}));
  ASSERT_EQ(in_full.size(), 1U);
  EXPECT_EQ(in_full.begin()->second, longer);
}

TEST(ShortNames, TellsApartWhatWouldLookAlike) {
  std::set<std::pair<std::string, std::string>> in_full;
  const Names made = short_names({std::string(250, 'a') + "1" + std::string(250, 'a'), std::string(501, 'a')}, in_full);
  EXPECT_NE(made[0], made[1]);
  EXPECT_TRUE(made[1].ends_with("(2)"));
  EXPECT_EQ(in_full.size(), 2U);
}

// A name that is short already kept its place even if a longer one, cut, looked just like it.
TEST(ShortNames, NoCutNameLooksLikeOneThatIsShortAlready) {
  std::set<std::pair<std::string, std::string>> in_full;
  const std::string longer(500, 'a'), cut = std::string(24, 'a') + "\u2026" + std::string(12, 'a');
  EXPECT_EQ(short_names({longer, cut}, in_full), (Names{cut + " (1)", cut}));
}

TEST(ShortNames, CutsBetweenLettersAndWritesOutWhatIsNotSeen) {
  std::set<std::pair<std::string, std::string>> in_full;
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "\u00fc";
  std::string cut;
  for (int i = 0; i < 24; ++i) cut += "\u00fc";
  cut += "\u2026";
  for (int i = 0; i < 12; ++i) cut += "\u00fc";
  EXPECT_EQ(short_names({umlauts, "a\u2028b"}, in_full), (Names{cut, "a\\u2028b"}));
}

}  // namespace
}  // namespace fairstep
