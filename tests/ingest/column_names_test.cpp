// What columns of lenders' tables are taken for, by their names.
#include <fairstep/ingest/internal/column_names.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

std::map<std::string, std::string> meant(const std::vector<std::string>& columns, const MayBe& may_be = {}) {
  std::map<std::string, std::string> roles;
  for (const auto& [role, column] : roles_by_name(columns, may_be))
    roles[kRoleNames.at(static_cast<std::size_t>(role))] = columns[column];
  return roles;
}

TEST(ColumnNames, AreFoundInWhateverSpelling) {
  EXPECT_EQ(meant({"CustomerID", "loan month", "Race", "score_band", "REPAID", "is-approved", "profit", "note"}),
            (std::map<std::string, std::string>{{"person", "CustomerID"},
                                                {"step", "loan month"},
                                                {"group", "Race"},
                                                {"x", "score_band"},
                                                {"y", "REPAID"},
                                                {"a", "is-approved"},
                                                {"reward", "profit"}}));
}

TEST(ColumnNames, TheShorterNameIsCloserAndAColumnIsOneThing) {
  EXPECT_EQ(meant({"group_id", "id", "risk_group"}),
            (std::map<std::string, std::string>{{"person", "id"}, {"group", "group_id"}, {"x", "risk_group"}}));
  EXPECT_TRUE(meant({"default payment next month"}).empty());  // a sentence, not a month
}

TEST(ColumnNames, WhatIsInThemHasAWord) {
  const MayBe no_step = [](Role role, std::size_t) { return role != Role::step; };
  EXPECT_TRUE(meant({"month"}, no_step).empty());
}

TEST(ColumnNames, SomeSoundBad) {
  EXPECT_TRUE(sounds_bad("Default"));
  EXPECT_TRUE(sounds_bad("is_bad"));
  EXPECT_TRUE(sounds_bad("Denied"));
  EXPECT_FALSE(sounds_bad("approved"));
  EXPECT_FALSE(sounds_bad("repaid"));
  EXPECT_FALSE(sounds_bad("badge"));
}

}  // namespace
}  // namespace fairstep::internal
