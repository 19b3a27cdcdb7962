// What counts say of the part of the people that they are of.
#include <fairstep/core/part.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace fairstep {
namespace {

using testing::unwrap;

Part part_of(PartRole role, const std::string& logs = "a", const Split& split = {0.25, 7}) {
  Part part{role, split, {}};
  for (const char log : logs) part.logs.emplace_back(64, log);
  return part;
}

std::string refusal(const std::optional<Part>& ours, const std::optional<Part>& theirs) {
  const auto both = merge(ours, theirs);
  return both ? "" : both.error().message + " at " + both.error().pointer;
}

TEST(Part, AShareLeavesSomethingToBothParts) {
  EXPECT_TRUE(check(Split{0.5, 0}));
  EXPECT_TRUE(check(Split{std::numeric_limits<double>::denorm_min(), 0}));
  for (const double share : {0.0, 1.0, -0.25, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    const auto checked = check(Split{share, 0});
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().option, "split");
  }
  EXPECT_EQ(check(Split{2, 0}).error().message, "split is 2, expected a share of the people above 0 and below 1");
}

TEST(Part, NamesEveryLogByItsFingerprint) {
  EXPECT_TRUE(check(part_of(PartRole::audit, "aab")));
  EXPECT_EQ(check(part_of(PartRole::audit, "")).error().pointer, "/part/logs");
  EXPECT_EQ(check(part_of(PartRole::audit, "ba")).error().message,
            "part.logs[1] comes before part.logs[0], expected them sorted");
  EXPECT_EQ(check(part_of(PartRole::audit, "ag")).error().pointer, "/part/logs/1");  // no digit of base 16
  Part short_one = part_of(PartRole::audit);
  short_one.logs[0].pop_back();
  EXPECT_FALSE(check(short_one));
  EXPECT_EQ(check(part_of(PartRole::audit, "a", {1, 7})).error().pointer, "/part/share");
}

TEST(Part, IsSaidInWords) {
  EXPECT_EQ(in_words(part_of(PartRole::design)), "the design part of a split: 25 % of the people, seed 7");
  EXPECT_EQ(in_words(part_of(PartRole::audit, "ab")),
            "the audit part of a split: 75 % of the people, seed 7, of 2 logs");
}

TEST(Part, GoesWithItsLike) {
  EXPECT_EQ(unwrap(merge(std::nullopt, std::nullopt)), std::nullopt);
  // In whatever order logs are added, both counterparts' sums name the same ones.
  const auto one = unwrap(merge(part_of(PartRole::audit, "b"), part_of(PartRole::audit, "ac")));
  const auto other = unwrap(merge(part_of(PartRole::audit, "ac"), part_of(PartRole::audit, "b")));
  EXPECT_EQ(one, part_of(PartRole::audit, "abc"));
  EXPECT_EQ(other, one);
}

TEST(Part, GoesNeitherWithItsCounterpartNorWithAllPeople) {
  const Part design = part_of(PartRole::design), audit = part_of(PartRole::audit, "b");
  EXPECT_EQ(refusal(design, audit),
            "these counts are the audit part of a split, expected the design part as in the counts added to: one part "
            "proves what is made from the other, and the sum would be good for neither at /part/role");
  EXPECT_EQ(refusal(std::nullopt, audit),
            "these counts are the audit part of a split, expected counts of all people as in the counts added to at "
            "/part");
  EXPECT_EQ(refusal(design, std::nullopt),
            "these counts are of all people of a log, expected the design part of a split as in the counts added to at "
            "/part");
}

TEST(Part, GoesWithNoOtherSplit) {
  const Part ours = part_of(PartRole::design);
  EXPECT_EQ(refusal(ours, part_of(PartRole::design, "b", {0.5, 7})),
            "part.share is 0.5, expected 0.25 as in the counts added to at /part/share");
  EXPECT_EQ(refusal(ours, part_of(PartRole::design, "b", {0.25, 8})),
            "part.seed is 8, expected 7 as in the counts added to at /part/seed");
}

}  // namespace
}  // namespace fairstep
