// The search for the end of a conditional rate: that it ends on the safe side, closely, and in few tries. Which points
// are tried is worked out by hand on functions made of straight lines, as those of the worst kernels are.
#include <fairstep/evaluate/internal/least_enough.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep {
namespace {

constexpr double kNarrow = internal::kClose;
using internal::least_enough;

struct Search {
  double end = 0;
  std::vector<double> tries{};
};

Search searched(Range hull, double start, double slope, const std::function<double(double)>& excess) {
  Search result;
  result.end = least_enough(hull, start, slope, [&](double t) {
    result.tries.push_back(t);
    return excess(t);
  });
  return result;
}

// Half of 1e-13, the least distance between two tries.
constexpr double kHalfNarrow = kNarrow / 2;

// A line of slope -1 that is zero at 1/4. The first try is the start, the second where a line of that slope from there
// is zero, which is the answer, and the third shows that nothing less is enough.
TEST(LeastEnough, FindsTheZeroOfALineFromBelowAtOnce) {
  const Search found = searched({0, 1}, 1 / 8., 1, [](double t) { return 1 / 4. - t; });
  EXPECT_EQ(found.end, 1 / 4.);
  EXPECT_EQ(found.tries, (std::vector{1 / 8., 1 / 4., 1 / 4. - kHalfNarrow}));
}

// From above nothing is known of the low end, so that halving is next: of 0 and 1/2, which is the answer. Then there is
// still no point below, halving again (1/8); the fourth turn halves in any case (3/16); now the chord.
TEST(LeastEnough, HalvesAsLongAsNoPointBelowIsKnown) {
  const Search found = searched({0, 1}, 1 / 2., 1, [](double t) { return 1 / 4. - t; });
  EXPECT_EQ(found.end, 1 / 4.);
  EXPECT_EQ(found.tries, (std::vector{1 / 2., 1 / 4., 1 / 8., 3 / 16., 1 / 4. - kHalfNarrow}));
}

// With a slope twice as steep the second try is 3/16, half of the way. The line through both finds the answer. The
// fourth turn halves 3/16 and 1/4.
TEST(LeastEnough, GoesAlongTheLineThroughTheLastTwoPointsBelow) {
  const Search found = searched({0, 1}, 1 / 8., 2, [](double t) { return 1 / 4. - t; });
  EXPECT_EQ(found.end, 1 / 4.);
  EXPECT_EQ(found.tries, (std::vector{1 / 8., 3 / 16., 1 / 4., 7 / 32., 1 / 4. - kHalfNarrow}));
}

// 1 at 0, 1/8 at 1/4 and then half as steep as a line of slope -1, zero at 1/2, -1/4 at 1. The start is below the hull,
// and the slope leads beyond it: tried are its ends. What is known of the low end is one point, so the third is where
// the chord from (0, 1) to (1, -1/4) is zero.
TEST(LeastEnough, StaysWithinTheHullAndTakesTheChordAcrossTheAnswer) {
  const auto kink = [](double t) { return std::max(1 - 7 / 2. * t, (1 / 2. - t) / 2); };
  const Search found = searched({0, 1}, -1, 1 / 2., kink);
  ASSERT_GE(found.tries.size(), 3u);
  EXPECT_EQ(found.tries[0], kHalfNarrow);
  EXPECT_EQ(found.tries[1], 1 - kHalfNarrow);
  EXPECT_NEAR(found.tries[2], 4 / 5., 1e-12);
  EXPECT_GE(found.end, 1 / 2.);
  EXPECT_LE(found.end, 1 / 2. + kNarrow);
}

TEST(LeastEnough, DoesNotAskWhereThereIsNothingToSearch) {
  const Search found = searched({1 / 2., 1 / 2.}, 0, 1, [](double) { return 1; });
  EXPECT_EQ(found.end, 1 / 2.);
  EXPECT_TRUE(found.tries.empty());
  EXPECT_EQ(searched({0, kNarrow}, 0, 1, [](double) { return -1; }).end, kNarrow);
}

TEST(LeastEnough, IsTheHighEndIfNothingBelowIsEnoughAndTheLowEndIfAllIs) {
  EXPECT_EQ(searched({0, 1}, 1 / 2., 1, [](double) { return 1e-300; }).end, 1);
  const Search all = searched({0, 1}, 1 / 2., 1, [](double) { return 0; });
  EXPECT_GT(all.end, 0);
  EXPECT_LE(all.end, kNarrow);
}

// Guesses of nobody: a rate over no people is no number, and nor is a slope of zero.
TEST(LeastEnough, NeedsNoGuesses) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Search found = searched({0, 1}, unknown, 0, [](double t) { return 1 / 4. - t; });
  EXPECT_EQ(found.tries[0], 1 / 2.);
  EXPECT_EQ(found.end, 1 / 4.);
}

// Lines lead nowhere on a step; halving alone takes 44 turns from 1 to 1e-13, and at least each fourth turn halves.
TEST(LeastEnough, EndsEvenWhereNoLineLeads) {
  for (const double step : {0.0001, 0.3, 0.77}) {
    const Search found = searched({0, 1}, 1 / 8., 1, [&](double t) { return t < step ? 1.0 : -1e-9; });
    EXPECT_GE(found.end, step);
    EXPECT_LE(found.end, step + kNarrow);
    EXPECT_LE(found.tries.size(), 4u * 44);
  }
}

// 1,000 convex functions of five lines each; halving would take 44 tries for each.
TEST(LeastEnough, TakesFewTriesOnLinesThatBend) {
  std::size_t tries = 0;
  for (int i = 0; i < 1000; ++i) {
    const double zero = 0.05 + 0.9 * i / 1000;
    const double bend = 1 + i % 7;
    const auto excess = [&](double t) {
      double most = zero - t;
      for (int k = 1; k < 5; ++k) most = std::max(most, (1 + bend * k) * (zero - 0.02 * k - t));
      return most;
    };
    const Search found = searched({0, 1}, zero - 0.05, 1, excess);
    EXPECT_GE(found.end, zero - 1e-15);
    EXPECT_LE(found.end, zero + kNarrow);
    tries += found.tries.size();
  }
  EXPECT_LE(tries, 9000u);
}

}  // namespace
}  // namespace fairstep
