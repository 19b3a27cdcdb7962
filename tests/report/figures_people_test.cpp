// The policies themselves and what becomes of the people, from the files of a folder.
//
// In it every row of the population is even and every policy accepts half: half of either group is qualified at both
// steps, and all have the one feature.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/report/internal/figure.hpp>

#include "cells.hpp"
#include "evidence.hpp"
#include "support/models.hpp"

namespace fairstep::report {
namespace {

using test::Disk;
using test::numbers_of;
using testing::unwrap;

TEST(Population, HasSharesOfEachGroupUnderEachMethod) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  const Group group = unwrap(population(evidence));
  // Two groups' shares, their difference, and a panel of features for each group and method.
  ASSERT_EQ(group.panels.size(), 9U);
  const Panel& qualified = group.panels[0];
  EXPECT_EQ(qualified.id, "qualified-town-dp-0");
  EXPECT_EQ(numbers_of(qualified.table, "ours", "share"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(qualified.title, "a: from 50.0 % to 50.0 % (ours), 50.0 % (penalty-1), 50.0 % (unconstrained)");
  EXPECT_TRUE(qualified.first);
  EXPECT_FALSE(group.panels[1].first);
}

TEST(Population, SaysHowFarGroupsAreApart) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  const Panel apart = unwrap(population(evidence)).panels[2];
  EXPECT_EQ(apart.id, "apart-town-dp");
  EXPECT_EQ(numbers_of(apart.table, "unconstrained", "share"), (std::vector<double>{0, 0}));
  EXPECT_EQ(apart.title, "Groups: 0.0 % apart at first, then 0.0 % (ours), 0.0 % (penalty-1), 0.0 % (unconstrained)");
}

TEST(Population, FollowsFeatures) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  const Panel features = unwrap(population(evidence)).panels[3];
  EXPECT_EQ(features.id, "features-town-dp-ours-0");
  EXPECT_EQ(numbers_of(features.table, "x", "share"), (std::vector<double>{1, 1}));
  EXPECT_EQ(features.title, "Feature x moves most, from 100.0 % to 100.0 %");
}

TEST(Population, NamesAPolicyThatIsNotThere) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  std::filesystem::remove(disk.folder / "runs/town/dp/ours/1/updates/0002.policy.json");
  const auto group = population(evidence);
  ASSERT_FALSE(group);
  EXPECT_TRUE(group.error().file.ends_with("ours/1/updates/0002.policy.json")) << group.error().file;
}

TEST(Population, RefusesAPolicyThatIsNotTheUpdates) {
  const Disk disk;
  Evidence evidence = unwrap(gather(disk.folder));
  evidence.settings[0].methods[0].repeats[0].updates[2].policy_digest = "0123";
  const auto group = population(evidence);
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().message, "it is not the policy of this update: its fingerprint is another");
}

TEST(Policies, AreThoseOfTheFirstRepeatUpdateByUpdate) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  const std::vector<PolicyTable> tables = unwrap(policies(evidence));
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].method, "ours");
  EXPECT_EQ(tables[0].setting_name, "Town, demographic parity");
  EXPECT_EQ(tables[0].k, (std::vector<std::uint64_t>{8, 16, 32}));
  EXPECT_EQ(tables[0].violation, (std::vector<double>{4.0 / 64, 2.0 / 64, 1.0 / 64}));
  ASSERT_EQ(tables[0].accept.size(), 3U);
  EXPECT_EQ(tables[0].accept[2], std::vector<double>(4, 0.5));  // two groups, two steps, one feature
  EXPECT_EQ(tables[0].horizon, 2U);
}

TEST(Policies, ThatDoNotFitTheModelAreRefused) {
  const Disk disk;
  const Evidence evidence = unwrap(gather(disk.folder));
  std::ofstream(disk.folder / "runs/town/dp/ours/0/updates/0001.policy.json")
      << R"({"schema": "fairstep/policy/1", "group_independent": true, "accept": [[0.5]]})";
  EXPECT_FALSE(policies(evidence));
}

}  // namespace
}  // namespace fairstep::report
