// Where people can be: ranges in any direction from those in eight.
#include <fairstep/optimise/pricing/reach.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <fairstep/core/model.hpp>
#include <fairstep/core/rng.hpp>

#include "support/models.hpp"

namespace fairstep {
namespace {

TEST(Reach, AtTheFirstStepPeopleAreWhereTheyAre) {
  const Model model = testing::random_model(3, 2, 2, 3);
  const Reach reach(model, {1});
  Rng rng(1, 604);
  for (std::size_t x = 0; x < 2; ++x)
    for (int i = 0; i < 100; ++i) {
      const double d0 = 2 * rng.uniform() - 1, d1 = 2 * rng.uniform() - 1;
      const double there = d0 * model.initial(1)[state_of(x, 0)] + d1 * model.initial(1)[state_of(x, 1)];
      const Reach::Ends ends = reach.ends(reach.place(0, 0, x), d0, d1);
      EXPECT_NEAR(ends.low, there, 1e-12);
      EXPECT_NEAR(ends.high, there, 1e-12);
      EXPECT_LE(ends.low, there);
      EXPECT_GE(ends.high, there);
    }
}

/// A segment has the range that its ends have, where the octagon around it is exact: along axes and diagonals. In
/// between the octagon is at most 1 / cos(22.5 degrees) as wide, and holds both ends.
TEST(Reach, AnOctagonHoldsTheSegmentThatItWasNarrowedTo) {
  const Model model = testing::random_model(5, 2, 1, 2);
  Reach reach(model, {0});
  const std::size_t place = reach.place(1, 0, 0);
  const double ends[2][2] = {{0.3, 0.5}, {0.45, 0.4}};
  for (std::size_t i = 0; i < Reach::kDirections; ++i) {
    const auto [zero, one] = reach.direction(place, i);
    reach.narrow(place, i, std::max(zero * ends[0][0] + one * ends[0][1], zero * ends[1][0] + one * ends[1][1]));
    // What is wider than known changes nothing.
    reach.narrow(place, i, 100);
  }
  Rng rng(2, 605);
  for (int i = 0; i < 200; ++i) {
    const double d0 = 2 * rng.uniform() - 1, d1 = 2 * rng.uniform() - 1;
    const double a = d0 * ends[0][0] + d1 * ends[0][1], b = d0 * ends[1][0] + d1 * ends[1][1];
    const Reach::Ends range = reach.ends(place, d0, d1);
    EXPECT_GE(range.high, std::max(a, b) - 1e-15);
    EXPECT_LE(range.low, std::min(a, b) + 1e-15);
  }
  for (std::size_t i = 0; i < Reach::kDirections; ++i) {
    const auto [zero, one] = reach.direction(place, i);
    const double a = zero * ends[0][0] + one * ends[0][1], b = zero * ends[1][0] + one * ends[1][1];
    EXPECT_NEAR(reach.most(place, i), std::max(a, b), 1e-14);
    EXPECT_NEAR(reach.width(place, i), std::abs(a - b), 1e-14);
    EXPECT_NEAR(reach.ends(place, zero, one).high, std::max(a, b), 1e-14);
  }
}

TEST(Reach, OppositeDirectionsAreOpposite) {
  const Model model = testing::random_model(5, 2, 1, 2);
  const Reach reach(model, {0});
  for (std::size_t i = 0; i < Reach::kDirections / 2; ++i)
    for (std::size_t y = 0; y < kLabels; ++y)
      EXPECT_EQ(reach.direction(0, i)[y], -reach.direction(0, i + Reach::kDirections / 2)[y]);
}

}  // namespace
}  // namespace fairstep
