// One group as its two parts see it: worked out by hand.
#include <fairstep/certify/two_samples.hpp>

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/certify/sets.hpp>
#include <fairstep/estimate/estimate.hpp>

#include "split_log.hpp"
#include "support/counts.hpp"
#include "support/models.hpp"

namespace fairstep::two_samples_test {
namespace {

using testing::call_parts;
using testing::made;
using testing::Parts;
using testing::unwrap;

constexpr std::size_t kFirst = 0;
constexpr std::size_t row_of(std::size_t y, std::size_t a) { return 1 + y * kActions + a; }

/// One feature, two steps. The second group's numbers are others.
Parts some_people() {
  Names names;
  names.groups = {"a", "b"};
  names.features = {"all"};
  CountsSpec design = CountsSpec::zeros(2, names), audit = design;
  for (CountsSpec* part : {&design, &audit})
    for (std::size_t g = 0; g < 2; ++g) {
      part->first(g, 0, 0) = 3 - static_cast<std::int64_t>(g);
      part->first(g, 0, 1) = 1;
      part->transitions(g, 0, 0, 1, 0, 0) = 1;
      part->transitions(g, 0, 0, 1, 0, 1) = 1;
      for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t y = 0; y < 2; ++y) part->visits(g, h, 0, y, 1) = 5;
    }
  audit.first(1, 0, 1) = 4;
  Parts parts{made(std::move(design)), made(std::move(audit))};
  call_parts(parts, 0.25);
  return parts;
}

struct Scene {
  Parts parts = some_people();
  Lost lost = Lost::none(parts.audit.shape());
  Policy policy = unwrap(Policy::make_group_independent(Tensor<double, 2>({2, 1}, 0.25)));
  Estimate estimated = unwrap(estimate(parts.audit));
  Balls sets = confidence_sets(parts.audit, estimated, lost, split_delta({}, parts.audit.shape(), true));

  [[nodiscard]] TwoSamples of(std::size_t g) const {
    return {parts.design, parts.audit, lost, policy, estimated, sets, g};
  }
};

// A quarter of the people are in the design part, so that the audit part is to have three times its draws.
TEST(TwoSamples, ThePopulationAndThePlannedDrawsAreTheDesignParts) {
  const Scene scene;
  const TwoSamples samples = scene.of(0);
  EXPECT_EQ(samples.rows(), 5u);
  EXPECT_DOUBLE_EQ(samples.design(kFirst)[0], 0.75);
  EXPECT_DOUBLE_EQ(samples.planned(kFirst), 12);
  EXPECT_DOUBLE_EQ(samples.planned(row_of(0, 1)), 6);
  EXPECT_DOUBLE_EQ(samples.design(row_of(0, 1))[1], 0.5);
}

TEST(TwoSamples, WhatTheDesignPartNeverSawIsEvenAndNobodyIsExpectedThere) {
  const Scene scene;
  EXPECT_EQ(scene.of(0).planned(row_of(1, 0)), 0);
  EXPECT_DOUBLE_EQ(scene.of(0).design(row_of(1, 0))[0], 0.5);
}

// All rows are (1/2, 1/2), seen or not.
TEST(TwoSamples, PeopleWhoFollowThePolicyGoWhereTheDesignPartsPeopleWent) {
  const Scene scene;
  const TwoSamples samples = scene.of(0);
  EXPECT_DOUBLE_EQ(samples.mass(0)[0], 0.75);
  EXPECT_DOUBLE_EQ(samples.mass(1)[0], 0.5);
  EXPECT_DOUBLE_EQ(samples.acts(0, 0, 1), 0.25);
  EXPECT_DOUBLE_EQ(samples.acts(0, 0, 0), 0.75);
}

TEST(TwoSamples, DrawsAndSetsAreTheAuditPartsAndTheGroupsOwn) {
  Scene scene;
  scene.lost.first(1) = 7;
  scene.lost.first_in_doubt(1) = 2;
  scene.lost.transitions(1, 0, 0, 1) = 5;
  const TwoSamples samples = scene.of(1);
  EXPECT_EQ(samples.seen(kFirst)[1], 4);
  EXPECT_DOUBLE_EQ(samples.set(kFirst).estimate[1], 4. / 6);
  EXPECT_EQ(samples.set(kFirst).low.data(), scene.sets.boxes->initial_low.block(1).data());
  EXPECT_EQ(samples.set(row_of(0, 1)).radius, scene.sets.row(1, 0, 0, 1));
  EXPECT_EQ(samples.missing(kFirst), 7);
  EXPECT_EQ(samples.in_doubt(kFirst), 2);
  EXPECT_EQ(samples.missing(row_of(0, 1)), 5);
  EXPECT_EQ(samples.in_doubt(row_of(0, 1)), 0);
}

}  // namespace
}  // namespace fairstep::two_samples_test
