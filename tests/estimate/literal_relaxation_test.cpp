#include <fairstep/estimate/literal_relaxation.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/models.hpp"
#include "walks.hpp"

namespace fairstep {
namespace {

using testing::count;
using testing::unwrap;
using Visits = std::vector<std::int64_t>;

/// S = 2, A = 2, H = 3, k = 2.
AtEpisode episode_with(double delta) { return {{2, 3, 1}, 2, delta}; }

TEST(CHat, IsTheLemmas) {
  // 16 S A H k^2 = 768. With eps = 1/12 and delta = 768 * 12 e^-12.5 = 0.034 the logarithm is 12.5 and 2 S times it is
  // 50, so a group's term is 3 sqrt(50 / N), and 2 eps H S = 1.
  const AtEpisode at = episode_with(768 * 12 * std::exp(-12.5));
  EXPECT_NEAR(c_hat(Visits{50, 200}, at, 1.0 / 12), 3 * 1 + 3 * 0.5 + 1, 1e-12);
  EXPECT_NEAR(c_hat(Visits{200, 50}, at, 1.0 / 12), 5.5, 1e-12);
  EXPECT_NEAR(c_hat(Visits{2, 5000}, at, 1.0 / 12), 3 * 5 + 3 * 0.1 + 1, 1e-12);
  // N is at least 1.
  EXPECT_EQ(c_hat(Visits{0, 50}, at, 1.0 / 12), c_hat(Visits{1, 50}, at, 1.0 / 12));
}

TEST(CHat, OfManyGroupsIsTheWorstPairs) {
  const AtEpisode at = episode_with(768 * 12 * std::exp(-12.5));
  // Terms 3, 0.3, 1.5, 0.3: the largest pair is 4.5.
  EXPECT_NEAR(c_hat(Visits{50, 5000, 200, 5000}, at, 1.0 / 12), 5.5, 1e-12);
}

/// 4 ln 2 + 2 ln(4 S A k^2 / delta) = 2 ln(4 * 64 / delta): with delta = 256 e^-8 = 0.086 it is 16, and w = 4 /
/// sqrt(N). 32 S A k^2 / (eps delta) = 512 e^8 / (256 eps) = 2 e^8 / eps: with eps = 2 e^-8 its logarithm is 16, 2 S
/// times it is 64, and the square root is 8 / sqrt(N).
AtEpisode worked_for_d() { return episode_with(256 * std::exp(-8)); }
const double kEpsilon = 2 * std::exp(-8);

TEST(DHat, IsTheLemmasWherePMinIsLargeEnough) {
  // N = 1600, p = 1/2: w = 1/10, (9 * 8/40 + 18 eps) / (1/2 * 4/10) = 9 + 90 eps.
  // N = 6400, p = 1/4: w = 1/20, (9 * 8/80 + 18 eps) / (1/4 * 1/5) = 18 + 360 eps.
  EXPECT_NEAR(d_hat({{1600, 6400}, {0.5, 0.25}}, worked_for_d(), kEpsilon), 27 + 450 * kEpsilon, 1e-9);
  // N = 10^10, p = 1/2: w = 4e-5, (9 * 8e-5 + 18 eps) / (1/2 * (1/2 - 4e-5)), the same for both groups.
  EXPECT_NEAR(d_hat({{10'000'000'000, 10'000'000'000}, {0.5, 0.5}}, worked_for_d(), kEpsilon),
              2 * (7.2e-4 + 18 * kEpsilon) / (0.5 * (0.5 - 4e-5)), 1e-9);
}

TEST(DHat, IsOneWhereEitherGroupsPMinIsTooSmall) {
  // w = 1/10 and 1/20.
  EXPECT_EQ(d_hat({{1600, 6400}, {0.09, 0.25}}, worked_for_d(), kEpsilon), 1);
  EXPECT_EQ(d_hat({{1600, 6400}, {0.5, 0.04}}, worked_for_d(), kEpsilon), 1);
  EXPECT_EQ(d_hat({{1600, 6400}, {0, 0}}, worked_for_d(), kEpsilon), 1);
  // A cell without a visit: w = 4 is above any probability.
  EXPECT_EQ(d_hat({{1, 6400}, {0.5, 0.5}}, worked_for_d(), kEpsilon), 1);
}

TEST(DHat, OfManyGroupsIsTheWorstPairs) {
  // Terms 9 + 90 eps, 18 + 360 eps and again 9 + 90 eps.
  EXPECT_NEAR(d_hat({{1600, 6400, 1600}, {0.5, 0.25, 0.5}}, worked_for_d(), kEpsilon), 27 + 450 * kEpsilon, 1e-9);
  // A third group without a term makes its pairs 1; the pair of the others stays above.
  EXPECT_NEAR(d_hat({{1600, 6400, 1}, {0.5, 0.25, 0.5}}, worked_for_d(), kEpsilon), 27 + 450 * kEpsilon, 1e-9);
  // And where the others' pair is below 1, the pairs with it are the worst.
  const std::int64_t many = 10'000'000'000;
  EXPECT_LT(d_hat({{many, many}, {0.5, 0.5}}, worked_for_d(), kEpsilon), 1);
  EXPECT_EQ(d_hat({{many, many, 1}, {0.5, 0.5, 0.5}}, worked_for_d(), kEpsilon), 1);
}

TEST(Scale, MultipliesWhatIsPrinted) {
  const AtEpisode dp = episode_with(768 * 12 * std::exp(-12.5));
  EXPECT_NEAR(c_hat(Visits{50, 200}, dp, 1.0 / 12, 0.001), 0.0055, 1e-12);
  // 9 + 90 eps for each group, as above.
  EXPECT_NEAR(d_hat({{1600, 1600}, {0.5, 0.5}}, worked_for_d(), kEpsilon, 0.5), 9 + 90 * kEpsilon, 1e-9);
  // With p = 0.09 below w = 1/10 the lemma is silent, and "nothing is known" stays 1 however small the scale.
  EXPECT_EQ(d_hat({{1600, 1600}, {0.09, 0.09}}, worked_for_d(), kEpsilon, 0.5), 1);
  EXPECT_EQ(d_hat({{1600, 1600}, {0.09, 0.09}}, worked_for_d(), kEpsilon, 0.001), 1);
}

TEST(Scale, OfWidthsMovesTheBranchOfDHat) {
  // N = 1600, p = 1/2, scale 1/2: w = 1/20, (9 * 8/40 + 18 eps) / 2 / (1/2 * 9/20) = 4 + 40 eps, for both groups.
  EXPECT_NEAR(d_hat({{1600, 1600}, {0.5, 0.5}}, worked_for_d(), kEpsilon, 0.5, Scaled::widths), 8 + 80 * kEpsilon,
              1e-9);
  // p = 0.09 is below w = 1/10, and above half of it.
  EXPECT_GT(d_hat({{1600, 1600}, {0.09, 0.09}}, worked_for_d(), kEpsilon, 0.5, Scaled::widths), 1);
  EXPECT_EQ(d_hat({{1, 1600}, {0, 0.5}}, worked_for_d(), kEpsilon, 0.001, Scaled::widths), 1);
}

TEST(MoreThanTwoGroups, AreAllPaidFor) {
  // Four groups: 8 for each are 32 in the place of 16, and so on; the same as half of delta with two groups.
  const AtEpisode four{{4, 3, 1}, 2, 0.1}, half{{2, 3, 1}, 2, 0.05};
  EXPECT_DOUBLE_EQ(c_hat(Visits{50, 200, 200, 200}, four, 1.0 / 12), c_hat(Visits{50, 200}, half, 1.0 / 12));
  const WorstCells two{{1600, 6400}, {0.9, 0.9}}, all{{1600, 6400, 6400, 6400}, {0.9, 0.9, 0.9, 0.9}};
  EXPECT_DOUBLE_EQ(d_hat(all, four, 1.0 / 12), d_hat(two, half, 1.0 / 12));
  EXPECT_DOUBLE_EQ(unit_bonus(4096, four), unit_bonus(4096, half));
}

TEST(PaperSequences, AreThoseOfTheTheorems) {
  EXPECT_DOUBLE_EQ(paper_eta(1), 1);
  EXPECT_DOUBLE_EQ(paper_eta(8), 0.5);
  EXPECT_DOUBLE_EQ(paper_eta(27), 1.0 / 3);
  EXPECT_DOUBLE_EQ(paper_eta(1 << 18), 1.0 / 64);
  EXPECT_EQ(paper_eta_two_sided(1), 0.5);
  EXPECT_EQ(paper_eta_two_sided(7), 0.5);
  EXPECT_DOUBLE_EQ(paper_eta_two_sided(27), 1.0 / 3);
  EXPECT_DOUBLE_EQ(paper_epsilon(episode_with(0.1)), 1.0 / 12);  // 1 / (2 * 3 * 2)
}

TEST(WorstCells, AreTheLeastVisitsAndTheLeastChanceToBeQualifiedNext) {
  // One feature, two steps. Group a: (0,0) accepted by three people, of whom one becomes qualified; each then decided
  // upon at the last step. Group b was not seen.
  const Counts counts = count(2, {"a", "b"}, 1,
                              {{0, 0, {{0, 0, 1, 0}, {0, 1, 1, 0}}},
                               {0, 0, {{0, 0, 1, 0}, {0, 0, 0, 0}}},
                               {0, 0, {{0, 0, 1, 0}, {0, 0, 0, 0}}}});
  const WorstCells worst = worst_cells(unwrap(estimate(counts, {.share = {0.5, 0.5}})));
  // (0,1) refused was never visited; rows without a successor are uniform, 1/2.
  EXPECT_EQ(worst.visits, (Visits{1, 1}));
  ASSERT_EQ(worst.qualified.size(), 2U);
  EXPECT_DOUBLE_EQ(worst.qualified[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(worst.qualified[1], 0.5);
}

TEST(WorstCells, CountVisitsOrThoseOfThemWithASuccessor) {
  // One feature, two steps, and in each group one person of either label accepted and refused, three times over; the
  // next state of two of the three was seen. Every cell: three visits at the first step and two at the last, the
  // qualified and accepted cell 3 + 8, since everybody who went on went there and was accepted.
  std::vector<testing::Walk> lives;
  for (std::uint32_t g = 0; g < 2; ++g)
    for (std::uint32_t y = 0; y < 2; ++y)
      for (std::uint32_t a = 0; a < 2; ++a) {
        lives.push_back({g, 0, {{0, y, a, 0}}});
        for (int i = 0; i < 2; ++i) lives.push_back({g, 0, {{0, y, a, 0}, {0, 1, 1, 0}}});
      }
  const Estimate seen = unwrap(estimate(count(2, {"a", "b"}, 1, lives), {.share = {0.5, 0.5}}));
  EXPECT_EQ(worst_cells(seen).visits, (Visits{3, 3}));
  EXPECT_EQ(worst_cells(seen, CountedBy::successors).visits, (Visits{2, 2}));
  EXPECT_EQ(counted(seen, CountedBy::visits)(0, 0, 1, 1), 11);
  EXPECT_EQ(counted(seen, CountedBy::successors)(0, 0, 1, 1), 2);
}

}  // namespace
}  // namespace fairstep
