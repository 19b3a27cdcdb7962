// Who goes to which part, and what the parts of a log have in common.
#include <fairstep/core/split.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/log_record.hpp>
#include <fairstep/core/sha256.hpp>

#include "support/counts.hpp"

namespace fairstep {
namespace {

using testing::changed;
using testing::made;

constexpr std::uint64_t kLastSeed = std::numeric_limits<std::uint64_t>::max();

/// Whether a person is in the design part of the smallest share that has their hash, and no more in one a little
/// smaller: shares have 53 bits, so that the last bits of the hash do not show.
void expect_hash(std::string_view person, std::uint64_t seed, std::uint64_t hash) {
  const double share = std::ldexp(static_cast<double>(hash >> 11U), -53);  // exact, and at most the hash
  EXPECT_EQ(Splitter({share, seed}).role_of(person), PartRole::audit) << person;
  EXPECT_EQ(Splitter({share + 0x1p-53, seed}).role_of(person), PartRole::design) << person;
}

// Worked out by tests/python/split_reference.py, which follows the definition in docs/logs.md.
TEST(Splitter, HashesAsThePythonReferenceDoes) {
  expect_hash("", 0, 0xA6953BFF2DDD4E4E);
  expect_hash("0", 0, 0xBAAF49E80C3A66F4);
  expect_hash("anna", 0, 0x9B785C480CF9806C);
  expect_hash("0", 7, 0x4CCC37CAAD3BDA93);
  expect_hash("7", 7, 0x2BCC37A3B8AAC5E1);
  expect_hash("-3", 7, 0x768B35DDF3EEB83B);
  expect_hash("anna", 7, 0x3B00C168BC2980B5);
  expect_hash("Zo\xC3\xAB", 7, 0x8118F4F6990D64BD);
  expect_hash("12345678", 7, 0xA6C5F63006343495);
  expect_hash("123456789012345678901234567890", 7, 0x0F88D1FAD5E5E8C2);
  expect_hash("anna", kLastSeed, 0x832815E01A627FB6);
}

TEST(Splitter, ANumberGoesWhereItsDigitsGo) {
  for (const std::int64_t person : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{42},
                                    std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Splitter splitter({0.5, seed});
      EXPECT_EQ(splitter.role_of(person), splitter.role_of(std::string_view(std::to_string(person)))) << person;
    }
}

TEST(Splitter, TheShareIsComparedToTheLastBit) {
  // The hash of 7 under seed 7 is 0x2BCC37A3B8AAC5E1; the shares of 53 bits around it are 2 ^ -55 apart.
  const double below = std::ldexp(static_cast<double>(0x2BCC37A3B8AAC5E1U >> 9U), -55);
  EXPECT_EQ(Splitter({below, 7}).role_of(std::int64_t{7}), PartRole::audit);
  EXPECT_EQ(Splitter({std::nextafter(below, 1.0), 7}).role_of(std::int64_t{7}), PartRole::design);
}

TEST(Splitter, TheLeastAndTheGreatestShareLeaveSomething) {
  // Below 2^-64 only the hash 0 is in the design part, and at 1 - 2^-53 all but one in 2^53.
  const Splitter least({std::numeric_limits<double>::denorm_min(), 1}), greatest({1 - 0x1p-53, 1});
  for (std::int64_t person = 0; person < 1000; ++person) {
    EXPECT_EQ(least.role_of(person), PartRole::audit);
    EXPECT_EQ(greatest.role_of(person), PartRole::design);
  }
}

// Of 100,000 people the design part has 30,000 give or take 5 standard deviations of 145; for one fixed seed this is
// either so or not, and a hash that were a coin would fail for fewer than one seed in a million.
TEST(Splitter, TheDesignPartHasItsShare) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, kLastSeed}) {
    const Splitter splitter({0.3, seed});
    int design = 0;
    for (std::int64_t person = 0; person < 100'000; ++person)
      design += splitter.role_of(person) == PartRole::design ? 1 : 0;
    EXPECT_NEAR(design, 30'000, 5 * 145) << seed;
  }
}

TEST(Splitter, ALargerShareKeepsWhoWasInTheDesignPart) {
  const Splitter small({0.2, 3}), large({0.6, 3});
  for (std::int64_t person = 0; person < 1000; ++person)
    EXPECT_TRUE(small.role_of(person) == PartRole::audit || large.role_of(person) == PartRole::design) << person;
}

/// One person of the first group, accepted at the first of two steps.
Counts counts_of_one() {
  CountsSpec counts = CountsSpec::zeros(2, {.groups = {"a", "b"}, .features = {"x"}});
  counts.first(0, 0, 1) = 1;
  counts.visits(0, 0, 0, 1, 1) = 1;
  counts.reward_sum(0, 0, 1, 1) = 0.5;
  counts.reward_squares(0, 0, 1, 1) = 0.25;
  return made(std::move(counts));
}

TEST(Fingerprint, IsThatOfNamesAndTables) {
  // 0.5 has the bits 3fe0..., 0.25 3fd0...; entries are in the order of the axes.
  const std::string zero = "0000000000000000";
  const std::string text =
      "2\na\tb\nx\nunqualified\tqualified\nrefuse\taccept\n"
      "0,1,0,0\n"
      "0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0\n"
      "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n" +
      zero + "," + zero + "," + zero + ",3fe0000000000000," + zero + "," + zero + "," + zero + "," + zero + "\n" +
      zero + "," + zero + "," + zero + ",3fd0000000000000," + zero + "," + zero + "," + zero + "," + zero + "\n";
  EXPECT_EQ(fingerprint(counts_of_one()), sha256(text));
}

TEST(Fingerprint, KnowsNothingOfFilesAndRows) {
  const Counts counts = counts_of_one();
  EXPECT_EQ(fingerprint(changed(counts,
                                [](CountsSpec& spec) {
                                  spec.log.emplace().files = {"elsewhere.csv"};
                                  spec.log->lost = Lost::none(spec.shape());
                                  spec.reward_sum(1, 0, 0, 0) = -0.0;
                                })),
            fingerprint(counts));
  EXPECT_NE(fingerprint(changed(counts, [](CountsSpec& spec) { spec.visits(0, 0, 0, 1, 1) = 2; })),
            fingerprint(counts));
}

TEST(MarkParts, BothPartsNameTheDesignPart) {
  Counts design = counts_of_one(), audit = counts_of_one();
  audit = changed(audit, [](CountsSpec& spec) { spec.reward_sum(0, 0, 1, 1) = -0.5; });
  ASSERT_TRUE(mark_parts({0.3, 9}, design, audit));
  EXPECT_EQ(*design.part(), (Part{PartRole::design, {0.3, 9}, {fingerprint(counts_of_one())}}));
  EXPECT_EQ(*audit.part(), (Part{PartRole::audit, {0.3, 9}, {fingerprint(counts_of_one())}}));
  EXPECT_TRUE(check_counterparts(design, audit));
}

TEST(MarkParts, APartWithNobodyInItIsNone) {
  Counts full = counts_of_one(), empty = testing::nobody(2, full.names());
  EXPECT_EQ(mark_parts({0.3, 9}, full, empty).error().message, "nobody is in the audit part of the split");
  EXPECT_EQ(mark_parts({0.3, 9}, empty, full).error().message, "nobody is in the design part of the split");
  EXPECT_EQ(mark_parts({0, 9}, full, full).error().option, "split");
}

TEST(Counterparts, AreTheTwoPartsOfOneSplitInThatOrder) {
  Counts design = counts_of_one(), audit = counts_of_one();
  ASSERT_TRUE(mark_parts({0.3, 9}, design, audit));
  const auto refused = [](const Counts& a, const Counts& b) { return check_counterparts(a, b).error(); };
  EXPECT_EQ(refused(audit, design).message,
            "these counts are the audit part of a split, expected the design part of a split");
  EXPECT_EQ(refused(audit, design).input, "design");
  EXPECT_EQ(refused(design, design).input, "audit");
  EXPECT_EQ(refused(design, counts_of_one()).message,
            "these counts are those of all people of a log, expected the audit part of a split");
  Counts other = changed(audit, [](CountsSpec& spec) { spec.part->split.seed = 10; });
  EXPECT_EQ(refused(design, other).message,
            "part.seed is 10, expected 9 as in the design part: these are not the two parts of one split");
  other = changed(audit, [](CountsSpec& spec) { spec.part->split.share = 0.5; });
  EXPECT_EQ(refused(design, other).pointer, "/part/share");
  other = changed(audit, [](CountsSpec& spec) { spec.part->logs = {std::string(64, 'f')}; });
  EXPECT_EQ(refused(design, other).pointer, "/part/logs");
}

TEST(Counterparts, AreKnownByTheTablesOfTheDesignPart) {
  Counts design = counts_of_one(), audit = counts_of_one();
  ASSERT_TRUE(mark_parts({0.3, 9}, design, audit));
  const auto with_more = [](CountsSpec& spec) { spec.reward_squares(0, 0, 1, 1) += 0.125; };
  const Error error = check_counterparts(changed(design, with_more), audit).error();
  EXPECT_EQ(error.pointer, "/part/logs/0");
  EXPECT_EQ(error.input, "design");
  EXPECT_NE(error.message.find(fingerprint(changed(design, with_more))), std::string::npos) << error.message;
  // The audit part itself, called a design part.
  const Counts forged =
      changed(changed(audit, with_more), [](CountsSpec& spec) { spec.part->role = PartRole::design; });
  EXPECT_FALSE(check_counterparts(forged, audit));
  EXPECT_TRUE(check_counterparts(design, changed(audit, with_more)));
}

TEST(Counts, OfAPartAddUpWithTheirLikeOnly) {
  Counts design = counts_of_one(), audit = counts_of_one(), more = counts_of_one(), more_audit = counts_of_one();
  more = changed(more, [](CountsSpec& spec) { spec.first(0, 0, 1) = spec.visits(0, 0, 0, 1, 1) = 2; });
  ASSERT_TRUE(mark_parts({0.3, 9}, design, audit));
  ASSERT_TRUE(mark_parts({0.3, 9}, more, more_audit));
  const Counts before = design;
  EXPECT_EQ(design.add(audit).error().pointer, "/part/role");
  EXPECT_EQ(design.add(counts_of_one()).error().pointer, "/part");
  EXPECT_EQ(design, before);
  ASSERT_TRUE(design.add(more));
  ASSERT_TRUE(more_audit.add(audit));  // in the other order
  EXPECT_EQ(design.first()(0, 0, 1), 3);
  EXPECT_EQ(design.part()->logs.size(), 2U);
  EXPECT_TRUE(check_counterparts(design, more_audit));
}

}  // namespace
}  // namespace fairstep
